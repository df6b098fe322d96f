import WireFormats

/// What a feed check knows about the box, besides the feed itself.
package struct FeedOptions: Sendable {
    /// The hosts that may be used over plain http, in lower case (`[feed] allow_http`). The box itself (`localhost`, `127.0.0.1`,
    /// `[::1]`) is always allowed, since nothing leaves it.
    package var plainHTTPHosts: Set<String>
    /// Whether this model decodes an RFC 6381 codec string; nil: codecs are not checked.
    package var canDecode: (@Sendable (_ codec: String) -> Bool)?
    /// The rules of compositions in the feed; nil: only the URLs in them are checked.
    package var checkComposition: CompositionCheck?
    package var clock: FeedClock
    /// With pinned keys: the newest revision that was ever applied, 0 at first. Nil: keys are not pinned and revisions are not
    /// compared.
    package var appliedRevision: Int64?
    /// With pinned keys: the group of the box, `default` for one without. Nil: the groups of a feed are not compared.
    package var group: String?
    /// The largest size of a feed, or of one page of it, in bytes.
    package var maximumBytes: Int
    /// The largest number of pages.
    package var maximumPages = 100
    /// The largest size of all pages together, in bytes.
    package var maximumTotalBytes = 32 << 20
    /// The largest number of channels, series, items and rows of all pages together.
    package var maximumEntries = 200_000
    /// The deepest nesting of arrays and objects.
    package var maximumDepth: Int

    /// Checks the document of a composition.
    package typealias CompositionCheck = @Sendable (_ text: [UInt8], _ baseURL: String) -> [CompositionFault]

    /// Something that is wrong with a composition.
    package struct CompositionFault: Sendable {
        /// Whether it cannot be played.
        package let isError: Bool
        /// The place in the document of the composition.
        package let pointer: JSONPointer
        /// The problem: part of a sentence, without its full stop.
        package let message: String
        /// What to change: whole sentences.
        package let remedy: String

        package init(isError: Bool, at pointer: JSONPointer, _ message: String, _ remedy: String) {
            self.isError = isError
            self.pointer = pointer
            self.message = message
            self.remedy = remedy
        }
    }

    /// Makes options with the defaults of version 1.
    package init(
        plainHTTPHosts: Set<String> = [], canDecode: (@Sendable (_ codec: String) -> Bool)? = nil, clock: FeedClock = .notAsked,
        appliedRevision: Int64? = nil, maximumBytes: Int = 16 << 20, maximumDepth: Int = 32
    ) {
        self.plainHTTPHosts = Set(plainHTTPHosts.map { $0.lowercased() })
        self.canDecode = canDecode
        self.clock = clock
        self.appliedRevision = appliedRevision
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
    }
}

/// What is known about the current time.
package enum FeedClock: Sendable, Hashable {
    /// Unknown: rules about the present are not checked.
    case notAsked
    /// The clock has not been synchronised since the box started.
    case untrusted
    /// The time of a synchronised clock.
    case trusted(FeedDate)
}
