import LinuxSupport
import MediaModel

/// The keys that the page holds down. Each word from the page prolongs the hold; when none comes for a while, because the page was closed or its machine
/// went to sleep, the key is let go: a scan must not run for ever.
@MainActor
final class HeldKeys {
    private let door: any CommandDoor
    private let clock: any HostClock
    private let patience: Duration
    /// The number of the last word about each key that is down.
    private var held: [RemoteKey: UInt64] = [:]
    private var words: UInt64 = 0

    init(door: any CommandDoor, clock: any HostClock, patience: Duration) {
        self.door = door
        self.clock = clock
        self.patience = patience
    }

    /// Passes a key on to the box.
    func handle(_ key: RemoteKey, _ phase: KeyPhase) -> CommandResult {
        switch phase {
        case .press, .repeat:
            words += 1
            let word = words
            held[key] = word
            RealTime.onMain(after: patience) { [weak self] in
                if self?.held[key] == word { self?.release(key) }
            }
        case .release:
            held[key] = nil
        }
        return send(key, phase)
    }

    /// Presses a key and lets go of it.
    func tap(_ key: RemoteKey) -> CommandResult {
        let result = send(key, .press)
        held[key] = nil
        _ = send(key, .release)
        return result
    }

    /// Lets go of everything.
    func releaseAll() {
        for key in RemoteKey.allCases where held[key] != nil { release(key) }
    }

    private func release(_ key: RemoteKey) {
        held[key] = nil
        _ = send(key, .release)
    }

    private func send(_ key: RemoteKey, _ phase: KeyPhase) -> CommandResult {
        door.handle(RemoteEvent(key: key, phase: phase, time: clock.now, device: "web"))
    }
}
