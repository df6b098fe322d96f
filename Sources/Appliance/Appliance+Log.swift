import MediaModel
import MediaTime
import Playback

/// Keeps the logs of what was played: for the operator who must know why a box is bad.
@MainActor
package protocol SessionLogStore: AnyObject {
    /// Keeps the log of a playback that is over.
    func keep(_ log: PlaybackLog)
}

/// The access and error logs of playbacks as the box tells them.
extension Appliance {
    /// The log of what plays now; nil while nothing does.
    package var currentLog: PlaybackLog? { parts.player.currentItem?.log }

    package func playbackLog(errors: Bool) -> String {
        sessionLogs.text(errors: errors, current: currentLog, date: parts.services.wallClock())
    }

    package func logTail(_ count: Int) -> [String] { parts.log.tail(count) }

    package func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) {
        parts.services.display.readScreen(then)
    }

    func take(log event: PlayerEvent) {
        switch event {
        case .newAccessLogEntry(let entry):
            parts.dump?.note(
                "access-log",
                "type=\(entry.playbackType ?? "-") offset=\(entry.playbackStartOffset.map { "\($0)" } ?? "-") watched=\(Self.words(entry.durationWatched))"
                    + " stalls=\(entry.numberOfStalls ?? 0) dropped=\(entry.numberOfDroppedVideoFrames ?? 0)")
        case .newErrorLogEntry(let entry):
            parts.dump?.note(
                "error-log", "\(entry.errorDomain) status=\(entry.errorStatusCode.map(String.init) ?? "-") fatal=\(entry.isFatal)"
            )
            // What ends a playback is told in words elsewhere.
            if !entry.isFatal {
                parts.log.note("continued after \(entry.errorDomain): \(entry.errorComment ?? "no description")")
            }
        case .sessionEnded(let log):
            sessionLogs.keep(log)
            parts.sessionLogs?.keep(log)
        default: break
        }
    }

    /// Seconds with three digits behind the point.
    private static func words(_ length: Duration?) -> String {
        guard let length else { return "-" }
        return MediaTime.nanoseconds(Int64(length / .nanoseconds(1))).description
    }
}
