import URLReferences

/// The codes that viewers, operators and logs share (channel-feed.md, section 4), and what each means to the player.
package enum ErrorCode: String, Sendable, Hashable, CaseIterable {
    /// No network.
    case networkDown = "NET-DOWN"
    /// The network answers too slowly.
    case networkSlow = "NET-SLOW"
    /// The link is metered and may not be used for this.
    case networkMetered = "NET-METERED"
    /// What was found is not media in a form that the box understands.
    case sourceFormat = "SRC-FORMAT"
    /// There is nothing at that address.
    case sourceMissing = "SRC-404"
    /// The source did not answer in time.
    case sourceTimeout = "SRC-TIMEOUT"
    /// No decoder for this codec or profile.
    case decoderUnsupported = "DEC-UNSUPPORTED"
    /// Protected content; the box has no DRM.
    case protected = "DRM-UNSUPPORTED"
    /// The sound device went away.
    case soundLost = "AUDIO-LOST"
    /// A fault of the box itself.
    case `internal` = "INTERNAL"

    /// The sentence that the viewer reads.
    package var viewerSentence: String {
        switch self {
        case .networkDown: "No network. Showing saved programmes."
        case .networkSlow: "The network is slow. Still trying."
        case .networkMetered: "Paused to save mobile data."
        case .sourceFormat: "This programme isn't in a form this box understands."
        case .sourceMissing: "This programme isn't available right now."
        case .sourceTimeout: "Still trying…"
        case .decoderUnsupported: "This box can't play this format."
        case .protected: "This programme is protected and can't be played here."
        case .soundLost: "Sound was disconnected."
        case .internal: "Something went wrong. Starting again."
        }
    }
}

/// Why something could not be loaded, opened, decoded or shown. It crosses the doors between modules; each module's own errors are turned into it there.
package struct MediaError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What to tell the viewer and to act on.
    package let code: ErrorCode
    /// One sentence for operators: what was tried, on what, why it failed, and what to do.
    package let sentence: String
    /// What went wrong with the transfer, where it was one that failed: what a policy decides by.
    package let fault: LoadFault?

    /// Makes an error. What is secret in the addresses of its sentence is taken out (`Redaction`): screens, logs and pages show it.
    package init(_ code: ErrorCode, _ sentence: String, fault: LoadFault? = nil) {
        self.code = code
        self.sentence = Redaction.inText(sentence)
        self.fault = fault
    }

    package var description: String { "\(code.rawValue): \(sentence)" }

    /// Two errors are the same when they say the same.
    package static func == (left: MediaError, right: MediaError) -> Bool {
        left.code == right.code && left.sentence == right.sentence
    }
}
