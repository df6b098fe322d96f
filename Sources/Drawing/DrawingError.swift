import MediaModel

/// A failure to draw. The description is one sentence: what was tried, on what, why it failed, what to do.
package struct DrawingError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Operation: String, Sendable, Hashable {
        /// Allocating memory for a layer.
        case allocateLayer
        /// Wrapping that memory for Cairo.
        case makeSurface
        /// Finding fonts and laying out text.
        case makeFonts
        /// Drawing captions of a script.
        case drawScript
    }

    /// The operation that failed.
    package let operation: Operation
    /// The object it failed on: a layer's id, a size, a path.
    package let subject: String
    /// The cause, in the words of the library that failed.
    package let reason: String

    package init(_ operation: Operation, on subject: String, reason: String) {
        self.operation = operation
        self.subject = subject
        self.reason = reason
    }

    package var description: String {
        switch operation {
        case .allocateLayer:
            "No memory could be allocated for the interface layer \(subject): \(reason); it is not drawn; give the display more memory or fewer layers."
        case .makeSurface:
            "Cairo could not draw into \(subject): \(reason); the layer is not drawn; this is a bug in the program."
        case .makeFonts: "The fonts for \(subject) could not be opened: \(reason); install fonts-noto-core and fonts-noto-cjk."
        case .drawScript: "Captions of SubStation Alpha are not drawn, \(subject): \(reason); make them smaller or simpler."
        }
    }
}
