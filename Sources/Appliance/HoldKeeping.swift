import LinuxSupport
import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// What holds need of the box.
@MainActor
protocol HoldHost: AnyObject {
    /// Carries out a command.
    func perform(_ command: RemoteCommand, by origin: Origin) -> CommandResult
    /// Tells the interface.
    func send(_ event: InterfaceEvent)
}

/// Carries out what `Holds` decides: fades and pauses what plays, says why, and goes on. Main loop only.
@MainActor
final class HoldKeeping {
    /// How long a fade takes.
    private static let fade = Duration.milliseconds(300)

    weak var host: (any HoldHost)?
    private let player: Player
    private let clock: any HostClock
    private let log: LogBook
    private let dump: EventDump?
    private var holds = Holds()

    init(_ parts: ApplianceParts) {
        player = parts.player
        clock = parts.clock
        log = parts.log
        dump = parts.dump
    }

    /// What interrupts, first come first.
    var interruptions: [HoldReason] { holds.interruptions }

    // MARK: Interruptions

    /// Something else is to be heard or seen.
    func began(_ reason: HoldReason) {
        log.note("interrupted: \(reason.rawValue)")
        dump?.note("interruption", "began \(reason.rawValue)")
        guard holds.began(reason, isPlaying: player.state.rate != .zero, at: clock.now) else { return }
        player.rampVolume(to: 0, over: Self.fade) { [weak self] in self?.fadedOut() }
    }

    private func fadedOut() {
        // What cannot be paused, live without a window, goes on unheard.
        guard let reason = holds.pausesAfterFade, host?.perform(.pause, by: .hold(reason)) == .success else { return }
        player.rampVolume(to: 1, over: .zero)
        host?.send(.held(reason))
    }

    /// It is over.
    ///
    /// - Parameter mayGoOn: whether play may go on by itself.
    func ended(_ reason: HoldReason, mayGoOn: Bool) {
        guard holds.interruptions.contains(reason) else { return }
        dump?.note("interruption", "ended \(reason.rawValue) resume=\(mayGoOn)")
        switch holds.ended(reason, mayGoOn: mayGoOn, at: clock.now) {
        case .none: break
        case .restoreSound: player.rampVolume(to: 1, over: .zero)
        case .goOn:
            if player.state.rate == .zero {
                player.rampVolume(to: 0, over: .zero)
                host?.send(.held(nil))
                _ = host?.perform(.play, by: .hold(reason))
            }
            player.rampVolume(to: 1, over: Self.fade)
        }
    }

    /// Something that is or is not holds the box, or does no longer.
    func set(_ reason: HoldReason, _ isThere: Bool) {
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

    // MARK: Losses

    /// The screen or the sound device is gone. The place is not lost: what plays is paused.
    func lost(_ reason: HoldReason) {
        guard player.state.rate != .zero, host?.perform(.pause, by: .hold(reason)) == .success else { return }
        holds.paused(for: reason)
        host?.send(.held(reason))
    }

    /// It is there again.
    func found(_ reason: HoldReason) {
        guard holds.found(reason) else { return }
        host?.send(.held(nil))
        _ = host?.perform(.play, by: .hold(reason))
    }

    // MARK: The viewer

    /// A key was pressed, held or let go of.
    func keyChanged(_ event: RemoteEvent) { holds.keyChanged(event) }

    /// Somebody asked for something by command.
    func asked(_ command: RemoteCommand, by origin: Origin) { holds.asked(command, by: origin) }
}
