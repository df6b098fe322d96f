import MediaModel
import MediaTime
import Playback

/// The access and error logs of playbacks, for the log lines and the stores. Main loop only.
@MainActor
final class PlaybackLogs {
    private let recent = SessionLogs()
    private let player: Player
    private let store: (any SessionLogStore)?
    private let dump: EventDump?
    private let log: LogBook
    private let wallClock: @MainActor () -> Int64?

    init(_ parts: ApplianceParts) {
        player = parts.player
        store = parts.sessionLogs
        dump = parts.dump
        log = parts.log
        wallClock = parts.services.wallClock
    }

    /// The log of the current item; nil if nothing plays.
    var current: PlaybackLog? { player.currentItem?.log }

    /// The logs as one text, oldest first.
    func text(errors: Bool) -> String { recent.text(errors: errors, current: current, date: wallClock()) }

    /// An entry, or the end, of a log.
    func take(_ event: PlayerEvent) {
        switch event {
        case .newAccessLogEntry(let entry):
            dump?.note(
                .accessLog(
                    .init(
                        type: entry.playbackType, offset: entry.playbackStartOffset,
                        watched: entry.durationWatched.map { .nanoseconds(Int64($0 / .nanoseconds(1))) },
                        stalls: entry.numberOfStalls ?? 0, dropped: entry.numberOfDroppedVideoFrames ?? 0)))
        case .newErrorLogEntry(let entry):
            dump?.note(.errorLog(domain: entry.errorDomain, status: entry.errorStatusCode, isFatal: entry.isFatal))
            // An error that ends a playback is reported elsewhere.
            if !entry.isFatal {
                log.note("continued after \(entry.errorDomain): \(entry.errorComment ?? "no description")")
            }
        case .sessionEnded(let ended):
            recent.keep(ended)
            store?.keep(ended)
        default: break
        }
    }
}
