import LinuxSupport
import MediaModel

/// The parameters of failure handling: how often and when each kind of resource is retried, and how long a failed one is
/// excluded.
struct FailurePolicy: Sendable, Hashable {
    /// The retries of one kind of resource.
    struct Retries: Sendable, Hashable {
        /// The number of requests, including the first, before another way is tried.
        var attempts: Int
        /// The delay before the second request; it doubles with each…
        var firstDelay: Duration
        /// …up to this.
        var longestDelay: Duration
    }

    /// Segments, parts and initialization sections: another variant has the same time range, so few retries are made before it is
    /// tried.
    var media = Retries(attempts: 3, firstDelay: .milliseconds(500), longestDelay: .seconds(4))
    /// Playlists and keys: there may be no alternative.
    var lists = Retries(attempts: 4, firstDelay: .seconds(1), longestDelay: .seconds(8))
    /// Optional resources.
    var extras = Retries(attempts: 2, firstDelay: .seconds(1), longestDelay: .seconds(8))
    /// Each delay is lengthened or shortened by up to this share, so that a thousand boxes do not return at the same moment.
    var jitter = 0.5
    /// How long a failed pathway is excluded…
    var pathwayExclusion: Duration = .seconds(300)
    /// …and a variant.
    var variantExclusion: Duration = .seconds(60)
    /// After this time a variant may be tried again for a playlist, a key or an initialization section.
    var retrial: Duration = .seconds(30)
    /// How long an outage may last before the first media has arrived…
    var outageLimitAtStart: Duration = .seconds(60)
    /// …and after it: a home network usually comes back.
    var outageLimit: Duration = .seconds(900)

    /// Media that no variant has is requested again as long as more than this is buffered, with which a player that has stalled goes on…
    var reserve: Duration = .seconds(8)
    /// …and after that for this long when the server is at fault, and twice as long after each consecutive gap…
    var patience: Duration = .seconds(15)
    /// …or for this long, before anything was delivered…
    var patienceAtStart: Duration = .seconds(30)
    /// …or for this long, when it refuses the request; twice as long after each consecutive gap, up to `longestRefusalPatience`.
    var refusalPatience: Duration = .seconds(5)
    /// The first segment that is refused before anything was delivered is waited for this long, and the next ones not at all.
    var refusalPatienceAtStart: Duration = .seconds(1)
    var longestRefusalPatience: Duration = .seconds(30)

    /// The shipped values.
    init() {}

    func retries(of kind: ResourceKind) -> Retries {
        switch kind {
        case .segment, .part, .initialization: media
        case .playlist, .key: lists
        case .assetList, .steering: extras
        }
    }

    /// How long media is waited for when the buffer is used up.
    func patience(with kind: FaultKind, missedSegments: Int, hasDelivered: Bool) -> Duration {
        switch kind {
        case .final where !hasDelivered: return missedSegments == 0 ? refusalPatienceAtStart : .zero
        case .final: return min(refusalPatience * (1 << min(missedSegments, 16)), longestRefusalPatience)
        case .passing, .broken, .outage: return (hasDelivered ? patience : patienceAtStart) * (1 << min(missedSegments, 16))
        }
    }
}

/// Whether a retry may help after a fault.
enum FaultKind {
    /// A retry gives the same answer.
    case final
    /// The server, or something in front of it, has a temporary problem.
    case passing
    /// The connection broke: retry at once.
    case broken
    /// There is no network at all, or none that carries data.
    case outage

    init(_ error: MediaError) {
        switch error.fault {
        case .status(408), .status(425), .status(429): self = .passing
        case .status(let status): self = status >= 500 ? .passing : .final
        case .webPage: self = .passing
        case .broken, .wrongLength: self = .broken
        case .noFirstByte, .stalled, .overdue, .unreachable, .unresolved: self = .outage
        case .insecure, .redirects, .rangeIgnored, .tooLong, .refused, .unreadable: self = .final
        case nil: self = error.code == .networkDown || error.code == .sourceTimeout ? .outage : .final
        }
    }
}
