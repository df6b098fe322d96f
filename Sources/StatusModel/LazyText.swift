/// A text that is made by its reader, on the reader's thread: making it takes too long for the main loop.
package struct LazyText: Sendable {
    private let make: @Sendable () -> String

    package init(_ make: @escaping @Sendable () -> String) { self.make = make }

    /// Makes the text. Any thread.
    package var text: String { make() }
}
