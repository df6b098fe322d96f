import BoxModel
import LinuxSupport
import MediaTime
import Playback
import Shell
import StatusModel
import Viewing

/// What holds need from the box.
@MainActor
protocol HoldHost: AnyObject {
    /// Executes a command.
    func perform(_ command: RemoteCommand, by origin: Origin) -> CommandResult
    /// Sends an event to the interface.
    func send(_ event: InterfaceEvent)
}

/// Carries out the decisions of `Holds`: fades and pauses playback, shows the reason, and resumes. Main loop only.
@MainActor
package final class HoldKeeping {
    /// The duration of a fade.
    private static let fade = Duration.milliseconds(300)

    weak var host: (any HoldHost)?
    private let player: Player
    private let clock: any HostClock
    private let log: LogBook
    private let dump: EventDump?
    private var holds: Holds

    init(_ parts: ApplianceParts, isKiosk: Bool) {
        holds = Holds(isKiosk: isKiosk)
        player = parts.player
        clock = parts.clock
        log = parts.log
        dump = parts.dump
    }

    /// The active interruptions, the oldest first.
    var interruptions: [HoldReason] { holds.interruptions }

    /// Whether playback is paused until a hold is over; otherwise a pause is the viewer's.
    var isHolding: Bool { holds.holding != nil }

    /// A resumed session shows its first frame: it is paused if the viewer had paused it, or while a hold lasts.
    func resumed(_ session: Session) {
        if session.isPaused {
            _ = host?.perform(.pause, by: .session)
        } else if let reason = holds.holding, tell(.pause, for: reason) {
            host?.send(.held(reason))
        }
    }

    // MARK: Interruptions

    /// An interruption begins. Others may begin before it ends; playback resumes only when all have ended.
    package func began(_ reason: HoldReason) {
        log.note("interrupted: \(reason.rawValue)")
        dump?.note(.interruptionBegan(reason))
        guard holds.began(reason, isPlaying: player.state.rate != .zero, at: clock.now) else { return }
        player.rampVolume(to: 0, over: Self.fade) { [weak self] in self?.fadedOut() }
    }

    private func fadedOut() {
        // An item that cannot be paused, live without a window, continues silently.
        guard let reason = holds.pausesAfterFade, tell(.pause, for: reason) else { return }
        player.rampVolume(to: 1, over: .zero)
        host?.send(.held(reason))
    }

    /// An interruption ends.
    ///
    /// - Parameter mayGoOn: whether playback may resume automatically.
    package func ended(_ reason: HoldReason, mayGoOn: Bool) {
        guard holds.interruptions.contains(reason) else { return }
        dump?.note(.interruptionEnded(reason, mayResume: mayGoOn))
        switch holds.ended(reason, mayGoOn: mayGoOn, at: clock.now) {
        case .none: break
        case .restoreSound: player.rampVolume(to: 1, over: .zero)
        case .goOn:
            if player.state.rate == .zero {
                player.rampVolume(to: 0, over: .zero)
                host?.send(.held(nil))
                _ = tell(.play, for: reason)
            }
            player.rampVolume(to: 1, over: Self.fade)
        }
    }

    /// Begins or ends a hold by its state: the machine is too hot, the television shows another input. Playback resumes if this had paused it.
    package func set(_ reason: HoldReason, _ isThere: Bool) {
        guard holds.interruptions.contains(reason) != isThere else { return }
        if isThere { began(reason) } else { ended(reason, mayGoOn: true) }
    }

    /// An announcement by command.
    ///
    /// - Returns: nil for any other command.
    func announce(_ command: RemoteCommand) -> CommandResult? {
        switch command {
        case .beginAnnouncement: began(.announcement)
        case .endAnnouncement(let shouldResume):
            guard holds.interruptions.contains(.announcement) else { return .failed(.noChange) }
            ended(.announcement, mayGoOn: shouldResume)
        default: return nil
        }
        return .success
    }

    /// Pauses or resumes what plays. Without an item that would be a wish of somebody in the room, which ends standby.
    ///
    /// - Returns: whether it is done.
    private func tell(_ command: RemoteCommand, for reason: HoldReason) -> Bool {
        player.currentItem != nil && host?.perform(command, by: .hold(reason)) == .success
    }

    // MARK: Losses

    /// The screen or the sound device was lost. Playback is paused, so that the position is kept.
    func lost(_ reason: HoldReason) { if player.state.rate != .zero { pause(for: reason) } }

    private func pause(for reason: HoldReason) {
        guard tell(.pause, for: reason) else { return }
        holds.paused(for: reason)
        host?.send(.held(reason))
    }

    /// Something must not be heard or go on, whatever plays; `found` ends it.
    func silence(for reason: HoldReason) {
        // What cannot be paused, live without a window, goes on silently. What is being opened or searched is paused too, although the player stands.
        player.rampVolume(to: 0, over: .zero)
        pause(for: reason)
    }

    /// What was silenced may be heard again, and goes on if it was paused for this.
    func endSilence(for reason: HoldReason) {
        player.rampVolume(to: 1, over: .zero)
        found(reason)
    }

    /// It has returned.
    func found(_ reason: HoldReason) {
        guard holds.found(reason) else {
            if let other = holds.holding { host?.send(.held(other)) }
            return
        }
        host?.send(.held(nil))
        _ = tell(.play, for: reason)
    }

    // MARK: The viewer

    /// A key was pressed, held or released.
    func keyChanged(_ event: RemoteEvent) { holds.keyChanged(event) }

    /// A command was received.
    func asked(_ command: RemoteCommand, by origin: Origin) { holds.asked(command, by: origin) }
}
