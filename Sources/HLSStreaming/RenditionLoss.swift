import LinuxSupport
import MediaTime

/// Decides whether a rendition that is read with the pictures is lost, so that the pictures go on without it. A pure function.
///
/// A rendition that lags stops the pictures too. That is right while the network is slow: both come again. It is wrong when its encoder or its
/// server has failed alone.
enum RenditionLoss {
    /// How far a rendition has come.
    struct Progress {
        /// When its last media was complete; when its reading began, if there was none.
        var lastMedia: HostTime
        /// How much of its media waits to be decoded.
        var buffered: MediaTime
        /// Whether nothing is being loaded, because enough is buffered.
        var isSated: Bool
    }

    enum Verdict: Equatable {
        case none
        /// It is to be looked at again after this time.
        case pending(Duration)
        case lost
    }

    /// A rendition is waited for this long.
    static let patience = Duration.seconds(10)
    /// The pictures load well if they had media so long after the rendition's last one.
    private static let proof = Duration.seconds(5)
    /// With less than this the rendition has nothing left to play.
    private static let leastBuffered = MediaTime.milliseconds(500)
    /// The pictures have at least so much more.
    private static let lead = MediaTime.seconds(3)
    private static let shortestPause = Duration.seconds(1)

    static func verdict(of rendition: Progress, beside pictures: Progress, at now: HostTime) -> Verdict {
        if rendition.isSated { return .none }
        let silence = now - rendition.lastMedia
        if pictures.isSated || pictures.lastMedia - rendition.lastMedia >= proof, silence >= patience,
            rendition.buffered <= leastBuffered, pictures.buffered >= rendition.buffered + lead
        {
            return .lost
        }
        return .pending(max(patience - silence, Duration(rendition.buffered), shortestPause))
    }
}
