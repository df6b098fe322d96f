import HLSPlaylist
import LinuxSupport
import MediaTime
import URLReferences

/// When a live playlist is reloaded, and with which delivery directives (RFC 8216bis, 6.3.4 and 6.2.5). A value.
///
/// No request follows another without a pause, whatever the answer: servers and caches that send nonsense do so to all boxes at the same time.
struct ReloadSchedule {
    /// The properties of the last response.
    struct LastAnswer {
        /// EXT-X-TARGETDURATION.
        var targetDuration: MediaTime
        /// PART-TARGET, if it is served in parts.
        var partTargetDuration: MediaTime?
        /// The duration of its last segment; near the edge a shorter segment means that the next is due sooner.
        var lastSegmentDuration: MediaTime?
        /// The duration of all its segments; nil while none has left it.
        var slidingWindow: MediaTime?
        /// Whether it changed.
        var hasChanged: Bool
        /// Whether the server supports blocking reload.
        var canBlockReload: Bool

        /// The time from one request to the next after an answer without news, with blocking reload; also the shortest between many answers with news.
        fileprivate var blockingPause: MediaTime {
            max((partTargetDuration ?? targetDuration) / 2, ReloadSchedule.shortestBlockingPause)
        }
    }

    /// No playlist is asked for more often than this, whatever durations it states.
    private static let shortestPause = MediaTime.milliseconds(250)
    /// The same with blocking reload: parts are that short at the least.
    fileprivate static let shortestBlockingPause = MediaTime.milliseconds(100)

    /// How many answers with news in a row may come at once, as where a player has fallen behind by some parts. After them each is waited for as if it had none.
    private static let mostAtOnce = 3
    /// How many have come.
    private var atOnce = 0

    /// When the next request is due. Counts the answers that have come at once.
    ///
    /// - Parameters:
    ///   - request: when the last request was made.
    ///   - now: when it was answered.
    mutating func next(after answer: LastAnswer, request: HostTime, now: HostTime) -> HostTime {
        let due = request + Duration(Self.interval(after: answer))
        let calm = request + Duration(answer.blockingPause)
        guard answer.canBlockReload, now < calm else {
            atOnce = 0
            return max(due, now)
        }
        atOnce = min(atOnce + 1, Self.mostAtOnce + 1)
        return max(atOnce > Self.mostAtOnce ? max(due, calm) : due, now)
    }

    /// The time from the start of the last request to the start of the next.
    static func interval(after answer: LastAnswer) -> MediaTime {
        if answer.canBlockReload {
            // The server times the responses; one without news must not cause a storm of requests.
            return answer.hasChanged ? .zero : answer.blockingPause
        }
        // A window has at least three target durations (RFC 8216, 6.2.2). Servers that state far too long a target duration for theirs would lose the segments
        // that leave the window between two requests.
        let shortest = max(
            min(answer.targetDuration / 2, answer.slidingWindow.map { max($0 / 3, .seconds(1)) } ?? answer.targetDuration),
            shortestPause)
        guard answer.hasChanged else { return shortest }
        guard let last = answer.lastSegmentDuration, last > .zero else { return max(answer.targetDuration, shortest) }
        return max(min(answer.targetDuration, max(last, shortest)), shortestPause)
    }

    /// After this long without news a server breaks its promise.
    static func stuckLimit(targetDuration: MediaTime) -> MediaTime { targetDuration * 7 / 2 }

    /// After this long without news a playlist on demand without EXT-X-ENDLIST is complete.
    static func settlingTime(targetDuration: MediaTime) -> MediaTime { targetDuration * 2 }

    /// Whether a delta update may be requested: the last playlist must be fresh enough that the skipped part is known (6.2.5.1).
    static func mayAskForDelta(_ playlist: MediaPlaylist, age: MediaTime) -> Bool {
        guard let boundary = playlist.serverControl?.canSkipUntil, playlist.skipped == nil else { return false }
        return age < boundary / 2 && playlist.totalDuration > boundary
    }

    /// The address with delivery directives, ordered by name.
    static func address(_ url: String, mediaSequence: Int64?, part: Int64?, skip: Skip?) -> String {
        var directives: [String] = []
        if let mediaSequence {
            directives.append("_HLS_msn=\(SequenceNumber.text(mediaSequence))")
            if let part { directives.append("_HLS_part=\(part)") }
        }
        if let skip { directives.append("_HLS_skip=\(skip.rawValue)") }
        guard !directives.isEmpty else { return url }
        var reference = URLReference(url)
        let query = reference.query.map { $0.isEmpty ? "" : $0 + "&" } ?? ""
        reference.query = query + directives.joined(separator: "&")
        return reference.description
    }

    /// `_HLS_skip`.
    enum Skip: String {
        /// Segments may be skipped.
        case segments = "YES"
        /// Date ranges too.
        case dateRanges = "v2"
    }
}
