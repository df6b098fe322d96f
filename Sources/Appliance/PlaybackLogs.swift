import MediaTime
import Playback
import StatusModel

/// The access and error logs of playbacks, for the log lines and the stores. Main loop only.
@MainActor
final class PlaybackLogs {
    private let recent = SessionLogs()
    private let player: Player
    private let store: (any SessionLogStore)?
    private let log: LogBook
    private let wallClock: @MainActor () -> Int64?
    /// Since the last playback ended.
    private var pictures = PictureTiming()

    init(_ parts: ApplianceParts) {
        player = parts.player
        store = parts.sessionLogs
        log = parts.log
        wallClock = parts.services.wallClock
    }

    /// The log of the current item; nil if nothing plays.
    var current: PlaybackLog? { player.currentItem?.log }

    /// The logs as one text, oldest first: of all playbacks, or of one; nil if there is no such session any more.
    func text(errors: Bool, session: String?) -> LazyText? {
        recent.text(errors: errors, session: session, current: current, date: wallClock())
    }

    /// The last errors, newest first.
    func lastErrors(_ count: Int) -> [PlaybackFault] { recent.lastErrors(count, current: current).map(PlaybackFault.init) }

    /// A picture; an error, or the end, of a log.
    func take(_ event: PlayerEvent) {
        switch event {
        case .frame(let record): pictures.add(record)
        case .newErrorLogEntry(let entry):
            let session = entry.playbackSessionID.map { " (session \($0))" } ?? ""
            // The sentence of an error that ends a playback is on the screen and in the log already.
            log.note(
                entry.isFatal
                    ? "the playback ended with \(entry.errorDomain)\(session)"
                    : "continued after \(entry.errorDomain): \(entry.errorComment ?? "no description")\(session)")
        case .sessionEnded(let ended):
            if let words = pictures.words { log.note(words) }
            if let words = player.scheduler.takeKeyTiming().words { log.note(words) }
            pictures = PictureTiming()
            recent.keep(ended)
            store?.keep(ended)
        default: break
        }
    }
}

extension PlaybackFault {
    package init(_ entry: ErrorLogEvent) {
        self.init(
            code: entry.errorDomain, sentence: entry.errorComment, session: entry.playbackSessionID, isFatal: entry.isFatal,
            date: entry.date)
    }
}
