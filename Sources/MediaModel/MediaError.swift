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

    /// Whether a server refuses an address, as it does when the token in it has expired.
    package var refusesAddress: Bool {
        switch fault {
        case .status(401), .status(403), .status(410): true
        default: false
        }
    }

    /// The error of a failed transfer.
    ///
    /// - Parameters:
    ///   - name: the address, without secrets.
    ///   - fault: the kind of failure.
    ///   - detail: the reason in the words of the failing library; nil for the fault's own description.
    package static func loading(_ name: String, failed fault: LoadFault, detail: String? = nil) -> MediaError {
        MediaError(fault.code, "Loading \(name) failed: \(detail ?? fault.words).", fault: fault)
    }

    /// A picture of a hardware decoder that cannot be shown as it is.
    ///
    /// - Parameter reason: what is wrong with it.
    package static func unshowableSurface(_ reason: String) -> MediaError { unusableSurface("Showing", reason) }

    static func unreadableSurface(_ reason: String) -> MediaError { unusableSurface("Reading", reason) }

    private static func unusableSurface(_ attempt: String, _ reason: String) -> MediaError {
        MediaError(
            .decoderUnsupported,
            "\(attempt) a picture of a hardware decoder failed: \(reason); the picture is decoded in software instead.")
    }
}
