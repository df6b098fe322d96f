import MediaModel
import Playback

/// Why something was refused or failed: a code to act on, and one sentence that says what was tried, on what, why it failed, and what to do. Secrets of
/// addresses are not in it.
public struct PlaybackError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened. `docs/errors.md` has the list of codes; newer versions may have more.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code as viewers and logs have it, e.g. `SRC-404`.
        public let rawValue: String

        /// Makes a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No network.
        public static let networkDown = Code(.networkDown)
        /// The network answers too slowly.
        public static let networkSlow = Code(.networkSlow)
        /// The content is not media in a supported form.
        public static let sourceFormat = Code(.sourceFormat)
        /// No resource at that address.
        public static let sourceMissing = Code(.sourceMissing)
        /// The server refuses it.
        public static let sourceRefused = Code(.sourceRefused)
        /// The server, or the secure connection to it, is at fault.
        public static let sourceFailed = Code(.sourceFailed)
        /// The source did not answer in time.
        public static let sourceTimeout = Code(.sourceTimeout)
        /// No decoder for this codec or profile.
        public static let decoderUnsupported = Code(.decoderUnsupported)
        /// Protected content.
        public static let protected = Code(.protected)
        /// A failure of the machine or of the library.
        public static let `internal` = Code(.internal)
        /// The client has cancelled it.
        public static let cancelled = Code(rawValue: "CANCELLED")
        /// The player has no item, or is closed.
        public static let noItem = Code(rawValue: "NO-ITEM")
        /// The item cannot be played at this rate.
        public static let rateNotSupported = Code(rawValue: "RATE-UNSUPPORTED")

        private init(_ code: ErrorCode) { rawValue = code.rawValue }
    }

    /// What happened.
    public let code: Code
    /// One sentence for developers and operators, in English.
    public let sentence: String

    init(_ code: Code, _ sentence: String) { (self.code, self.sentence) = (code, sentence) }

    init(_ error: MediaError) { self.init(Code(rawValue: error.code.rawValue), error.sentence) }

    init(_ refusal: Playback.PlaybackError) {
        switch refusal {
        case .noItem: self.init(.noItem, refusal.description)
        case .rateNotSupported: self.init(.rateNotSupported, refusal.description)
        }
    }

    /// Loading was cancelled by its client.
    static func cancelled(_ url: String) -> PlaybackError {
        let error = MediaError(.internal, "Loading \(url) was cancelled before it finished.")
        return PlaybackError(.cancelled, error.sentence)
    }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(sentence)" }
}
