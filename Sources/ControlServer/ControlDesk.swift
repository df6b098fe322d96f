import LinuxSupport
import MediaModel

/// Connects requests to the box, on the main actor.
@MainActor
final class ControlDesk {
    /// The live screen.
    let screen: ScreenWatch
    private let door: any CommandDoor
    private let status: any StatusPublishing
    private let clock: any HostClock
    private let keys: HeldKeys

    init(door: any CommandDoor, status: any StatusPublishing, clock: any HostClock, limits: ControlLimits) {
        self.door = door
        self.status = status
        self.clock = clock
        screen = ScreenWatch(status: status, limits: limits)
        keys = HeldKeys(door: door, clock: clock, timeout: limits.keyTimeout)
    }

    /// What is playing, with the age of that information.
    func now() -> NowAnswer {
        let snapshot = status.nowPlaying
        return NowAnswer(snapshot, age: clock.now - snapshot.hostTime)
    }

    /// The last lines of the log.
    func log(_ count: Int) -> LogAnswer { LogAnswer(lines: status.logTail(count)) }

    /// The access (or error) log of playbacks, as text.
    func playbackLog(errors: Bool) -> String { status.playbackLog(errors: errors) }

    /// A key; without a phase it is pressed and released.
    func key(_ key: RemoteKey, _ phase: KeyPhase?) -> CommandResult {
        phase.map { keys.handle(key, $0) } ?? keys.tap(key)
    }

    func perform(_ command: RemoteCommand) -> CommandResult { door.perform(command, from: "web") }

    /// Releases all keys and ends all waiting requests.
    func close() {
        keys.releaseAll()
        screen.close()
    }
}
