import LinuxSupport
import MediaModel

/// What is done when something cannot be had, as values: how often each kind of resource is asked for again and when, and how long what failed is left alone.
struct FailurePolicy: Sendable, Hashable {
    /// How one kind of resource is asked for again.
    struct Retries: Sendable, Hashable {
        /// Requests in all, the first included, after which another way is tried.
        var attempts: Int
        /// The wait before the second request; it doubles with each…
        var firstDelay: Duration
        /// …up to this.
        var longestDelay: Duration
    }

    /// Segments, parts and initialization sections: another variant has the same moment, so that no time is lost here.
    var media = Retries(attempts: 3, firstDelay: .milliseconds(500), longestDelay: .seconds(8))
    /// Playlists and keys: there may be no other.
    var lists = Retries(attempts: 4, firstDelay: .seconds(1), longestDelay: .seconds(8))
    /// What can be done without.
    var extras = Retries(attempts: 2, firstDelay: .seconds(1), longestDelay: .seconds(8))
    /// Each delay is made longer or shorter by up to this share, so that a thousand boxes do not come back at the same moment.
    var jitter = 0.5
    /// A place that failed is not asked for so long…
    var pathwayExclusion: Duration = .seconds(300)
    /// …and a variant.
    var variantExclusion: Duration = .seconds(60)
    /// How long nothing may be had at all before the first media has come…
    var patienceAtStart: Duration = .seconds(60)
    /// …and after it: the network of a house comes back.
    var patience: Duration = .seconds(900)

    /// The values that play.
    init() {}

    func retries(of kind: ResourceKind) -> Retries {
        switch kind {
        case .segment, .part, .initialization: media
        case .playlist, .key: lists
        case .assetList, .steering: extras
        }
    }
}

/// What a fault says about trying again.
enum FaultKind {
    /// Asking the same again gives the same answer.
    case final
    /// The server, or something before it, is in trouble: it may pass.
    case passing
    /// The way there broke: at once again.
    case broken
    /// There is no network at all, or none that carries anything.
    case outage

    init(_ error: MediaError) {
        switch error.fault {
        case .status(408), .status(425), .status(429): self = .passing
        case .status(let status): self = status >= 500 ? .passing : .final
        case .broken, .wrongLength: self = .broken
        case .noFirstByte, .stalled, .overdue, .unreachable, .unresolved: self = .outage
        case .insecure, .redirects, .rangeIgnored, .tooLong, .refused, .unreadable: self = .final
        case nil: self = error.code == .networkDown || error.code == .sourceTimeout ? .outage : .final
        }
    }
}
