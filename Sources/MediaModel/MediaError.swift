import URLReferences

/// The error codes shared by viewers, operators and logs (channel-feed.md, section 4), with their meaning for the player.
package enum ErrorCode: String, Sendable, Hashable, CaseIterable {
    /// No network.
    case networkDown = "NET-DOWN"
    /// The network answers too slowly.
    case networkSlow = "NET-SLOW"
    /// The link is metered and may not be used for this.
    case networkMetered = "NET-METERED"
    /// The content is not media in a supported form.
    case sourceFormat = "SRC-FORMAT"
    /// No resource at that address.
    case sourceMissing = "SRC-404"
    /// The server does not let this box have it.
    case sourceRefused = "SRC-DENIED"
    /// The server, or the secure connection to it, is at fault.
    case sourceFailed = "SRC-SERVER"
    /// The source did not answer in time.
    case sourceTimeout = "SRC-TIMEOUT"
    /// No decoder for this codec or profile.
    case decoderUnsupported = "DEC-UNSUPPORTED"
    /// Protected content; the box has no DRM.
    case protected = "DRM-UNSUPPORTED"
    /// No secure connection, while the box's date is not trusted: certificates have dates.
    case clockUntrusted = "TIME-BAD"
    /// The sound device was lost.
    case soundLost = "AUDIO-LOST"
    /// There is no room for downloads, or their disk does not take them.
    case storage = "STORAGE"
    /// A failure of the box itself.
    case `internal` = "INTERNAL"

    /// The sentence for the viewer.
    package var viewerSentence: String {
        switch self {
        case .networkDown: "No connection. Check the network cable or the Wi-Fi."
        case .networkSlow: "The network is slow. Still trying."
        case .networkMetered: "Paused to save mobile data."
        case .sourceFormat: "This box doesn’t support this programme’s format."
        case .sourceMissing: "This programme isn’t available right now."
        case .sourceRefused: "The provider doesn’t allow this box to play this programme."
        case .sourceFailed: "The provider’s server has a problem."
        case .sourceTimeout: "Still trying…"
        case .decoderUnsupported: "This box can’t play this format."
        case .protected: "This programme is protected and can’t be played here."
        case .clockUntrusted: "Setting the clock…"
        case .soundLost: "Headphones or speaker disconnected."
        case .storage: "There’s no space for downloads."
        case .internal: "Something went wrong. Starting again."
        }
    }
}

/// A failure to load, open, decode or show something. It is the error type between modules; each module converts its own errors
/// to it.
package struct MediaError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The code to show and to act on.
    package let code: ErrorCode
    /// One sentence for operators: what was tried, on what, why it failed, and what to do.
    package let sentence: String
    /// The kind of transfer failure, if it was one; policies use it.
    package let fault: LoadFault?

    /// Makes an error. Secrets in the addresses of its sentence are removed (`Redaction`), because screens, logs and pages show
    /// it.
    package init(_ code: ErrorCode, _ sentence: String, fault: LoadFault? = nil) {
        self.code = code
        self.sentence = Redaction.inText(sentence)
        self.fault = fault
    }

    package var description: String { "\(code.rawValue): \(sentence)" }

    /// Errors are equal when they have the same text.
    package static func == (left: MediaError, right: MediaError) -> Bool {
        left.code == right.code && left.sentence == right.sentence
    }
}
