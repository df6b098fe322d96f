import LinuxSupport
import MediaModel
import MediaTime

/// Whether a media playlist still changes as it promises. A value.
struct PlaylistFreshness {
    private enum State {
        case changing
        /// It is on demand without EXT-X-ENDLIST, and reloads have brought nothing more.
        case settled
        /// It is live, and has not changed for longer than promised.
        ///
        /// - Parameter reported: when the policy was asked last what to do about that.
        case stuck(reported: HostTime)
    }

    /// What an answer without news shows.
    enum Finding {
        case settled
        /// - Parameter silence: how long nothing has changed.
        case stuck(silence: MediaTime)
    }

    /// While it is stuck, the policy is asked again after this time: the encoder of another variant may work again by then.
    private static let reportInterval = Duration.seconds(60)

    /// When it was last loaded.
    private(set) var lastLoad = HostTime.zero
    /// When it last changed.
    private(set) var lastChange = HostTime.zero
    /// What was wrong with the last answer.
    private(set) var nonsense: MediaError?
    private var state = State.changing

    var isStuck: Bool { if case .stuck = state { true } else { false } }
    var isSettled: Bool { if case .settled = state { true } else { false } }

    /// A good answer has come.
    mutating func take(hasChanged: Bool, at now: HostTime) {
        lastLoad = now
        nonsense = nil
        guard hasChanged else { return }
        lastChange = now
        state = .changing
    }

    /// The answer was no playlist.
    mutating func takeNonsense(_ error: MediaError) { nonsense = error }

    /// Nothing new has come.
    ///
    /// - Returns: what has to be told; nil for nothing.
    mutating func noteSilence(at now: HostTime, isLive: Bool, targetDuration: MediaTime) -> Finding? {
        let silence = MediaTime(now - lastChange)
        guard isLive else {
            guard !isSettled, silence >= ReloadSchedule.settlingTime(targetDuration: targetDuration) else { return nil }
            state = .settled
            return .settled
        }
        guard silence >= ReloadSchedule.stuckLimit(targetDuration: targetDuration) else { return nil }
        if case .stuck(let reported) = state, now - reported < Self.reportInterval { return nil }
        state = .stuck(reported: now)
        return .stuck(silence: silence)
    }
}
