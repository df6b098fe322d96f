import LinuxSupport
import MediaModel
import MediaTime

/// How long interstitials have shown nothing new: the current asset, and all those together between which no frame of the presentation was shown.
struct InterstitialPatience {
    enum Verdict {
        /// It plays, or has not shown anything new for a short time only.
        case waits
        /// The current asset is given up.
        case assetIsOver
        /// The rest of the assets is given up too.
        case allIsOver
    }
    /// A pod in which one asset does not start leaves the next one half of the time.
    static let limit = Interstitial.startLimit * 3 / 2

    private var observed: HostTime
    private var played = MediaTime.zero
    private var stillOfAsset = Duration.zero
    private var stillOfAll = Duration.zero

    init(at now: HostTime) { observed = now }

    /// The next asset begins, or the next interstitial without a frame of the presentation before it.
    mutating func assetBegins() { stillOfAsset = .zero }

    /// - Parameters:
    ///   - position: how long the interstitial has played.
    ///   - counts: whether it should play: a pause does not count.
    mutating func observe(_ position: MediaTime, counts: Bool, at now: HostTime) -> Verdict {
        let length = now - observed
        observed = now
        if position != played {
            played = position
            stillOfAsset = .zero
        } else if counts {
            stillOfAsset += length
            stillOfAll += length
        }
        if stillOfAll >= Self.limit { return .allIsOver }
        return stillOfAsset >= Interstitial.startLimit ? .assetIsOver : .waits
    }
}
