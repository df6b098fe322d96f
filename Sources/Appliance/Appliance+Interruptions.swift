import LinuxSupport
import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// What the box makes room for: AVFoundation's audio session interruptions.
struct Interruption {
    /// What goes on, first come first. The last to go ends it.
    var reasons: [HoldReason] = []
    /// Whether it has stopped what was playing.
    var hasStopped = false
    /// The viewer has paused, or left, since: play is theirs to begin again.
    var isTaken = false
    var since = HostTime.zero
}

/// Announcements, a television that shows something else, heat. What plays fades, is paused and says why; it goes on by itself only where whoever interrupted says so, it
/// was playing, and the viewer has pressed neither pause nor Back meanwhile.
extension Appliance {
    /// How long a fade takes.
    static let fade = Duration.milliseconds(300)
    /// Whoever comes back to this input later than this finds it paused.
    private static let forgetsInput = Duration.seconds(300)

    /// Something else is to be heard or seen. Others may begin before it ends: all must have ended before play goes on.
    package func interruptionBegan(_ reason: HoldReason) {
        parts.log.note("interrupted: \(reason.rawValue)")
        parts.dump?.note("interruption", "began \(reason.rawValue)")
        interruption.reasons.append(reason)
        guard interruption.reasons.count == 1 else { return }
        interruption.since = parts.clock.now
        interruption.isTaken = false
        interruption.hasStopped = parts.player.state.rate != .zero
        guard interruption.hasStopped else { return }
        parts.player.rampVolume(to: 0, over: Self.fade) { [weak self] in
            guard let self, self.interruption.hasStopped, let first = self.interruption.reasons.first else { return }
            // What cannot be paused, live without a window, goes on unheard.
            guard !self.interruption.isTaken, self.perform(.pause, from: first.rawValue) == .success else { return }
            self.parts.player.rampVolume(to: 1, over: .zero)
            self.send(.held(first))
        }
    }

    /// It is over.
    ///
    /// - Parameter shouldResume: whether play may go on by itself.
    package func interruptionEnded(_ reason: HoldReason, shouldResume: Bool) {
        guard let index = interruption.reasons.lastIndex(of: reason) else { return }
        interruption.reasons.remove(at: index)
        parts.dump?.note("interruption", "ended \(reason.rawValue) resume=\(shouldResume)")
        guard interruption.reasons.isEmpty, interruption.hasStopped else { return }
        interruption.hasStopped = false
        let isLate = reason == .otherInput && parts.clock.now - interruption.since > Self.forgetsInput
        let player = parts.player
        guard shouldResume, !isLate, !interruption.isTaken else { return player.rampVolume(to: 1, over: .zero) }
        if player.state.rate == .zero {
            player.rampVolume(to: 0, over: .zero)
            send(.held(nil))
            _ = perform(.play, from: reason.rawValue)
        }
        player.rampVolume(to: 1, over: Self.fade)
    }

    /// An announcement by command.
    ///
    /// - Returns: nil for any other command.
    func announce(_ command: RemoteCommand) -> CommandResult? {
        switch command {
        case .beginAnnouncement: interruptionBegan(.announcement)
        case .endAnnouncement(let shouldResume):
            guard interruption.reasons.contains(.announcement) else { return .failed(.noChange) }
            interruptionEnded(.announcement, shouldResume: shouldResume)
        default: return nil
        }
        return .success
    }

    /// Pause and play by command are the viewer's too, unless they are an interruption's own.
    func viewerAsked(_ command: RemoteCommand, from origin: String) {
        guard HoldReason(rawValue: origin) == nil else { return }
        switch command {
        case .play, .pause, .togglePlayPause, .stop: interruption.isTaken = true
        default: break
        }
    }

    /// The viewer has pressed a key: after pause or Back an interruption no longer decides.
    func viewerPressed(_ key: RemoteKey) {
        switch key {
        case .pause, .playpause, .play, .ok, .stop, .back, .home: interruption.isTaken = true
        default: break
        }
    }
}
