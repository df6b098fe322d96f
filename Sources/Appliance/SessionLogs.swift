import Playback
import StatusModel

/// The logs of the last playbacks in memory, for the page. Each is also passed to the store. Bounded; main loop only.
@MainActor
package final class SessionLogs {
    private var ended: [PlaybackLog] = []
    private static let mostSessions = 50

    package init() {}

    /// Adds the log of an ended playback.
    package func keep(_ log: PlaybackLog) {
        guard !log.accessEvents.isEmpty || !log.errorEvents.isEmpty else { return }
        ended.append(log)
        if ended.count > Self.mostSessions { ended.removeFirst() }
    }

    /// The logs as one text, oldest first. It may have 25,000 lines.
    ///
    /// - Parameters:
    ///   - session: only this playback, by its id or the short form of it (`SessionID`); nil for all.
    ///   - current: the playback in progress.
    ///   - date: the time of writing, in nanoseconds since the start of 1970, UTC.
    /// - Returns: nil if there is no playback with this id.
    package func text(errors: Bool, session: String? = nil, current: PlaybackLog?, date: Int64?) -> LazyText? {
        var all = ended + (current.map { [$0] } ?? [])
        if let session {
            all.removeAll { !SessionID.matches($0.sessionID, session) }
            if all.isEmpty { return nil }
        }
        return LazyText { [all] in
            errors
                ? ExtendedLogFormat.text(errors: all.flatMap(\.errorEvents), date: date)
                : ExtendedLogFormat.text(access: all.flatMap(\.accessEvents), date: date)
        }
    }

    /// The last errors, newest first.
    ///
    /// - Parameter current: the playback in progress.
    package func lastErrors(_ count: Int, current: PlaybackLog?) -> [ErrorLogEvent] {
        let all = ended + (current.map { [$0] } ?? [])
        return Array(all.reversed().lazy.flatMap { $0.errorEvents.reversed() }.prefix(count))
    }
}
