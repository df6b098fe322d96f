/// What a check of a feed knows about the box, beside the feed itself.
package struct FeedOptions: Sendable {
    /// The hosts that may be asked over plain http, in small letters (`[feed] allow_http`). The box itself (`localhost`, `127.0.0.1`, `[::1]`) always
    /// may: nothing leaves it.
    package var plainHTTPHosts: Set<String>
    /// Whether this model decodes what an RFC 6381 codec string names; nil leaves codecs unchecked.
    package var canDecode: (@Sendable (_ codec: String) -> Bool)?
    /// What is known about the time of day.
    package var clock: FeedClock
    /// With pinned keys: the newest revision that was ever applied, 0 at first. Nil: keys are not pinned and revisions are not compared.
    package var appliedRevision: Int64?
    /// Bytes that a feed may have.
    package var maximumBytes: Int
    /// Arrays and objects that may lie in one another.
    package var maximumDepth: Int

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

/// What is known about the time of day.
package enum FeedClock: Sendable, Hashable {
    /// Nobody asked: rules about the present are not checked.
    case notAsked
    /// The box has a clock that nobody has vouched for since it started.
    case untrusted
    /// The time, vouched for.
    case trusted(FeedDate)
}
