import BoxModel
import LinuxSupport

/// The keys that the page holds down. Each message from the page prolongs the hold. When none comes for a while, because the page
/// was closed or its machine is suspended, the key is released: a scan must not run forever.
@MainActor
final class HeldKeys {
    private let door: any CommandDoor
    private let clock: any HostClock
    private let timeout: Duration
    /// The number of the last message about each key that is down.
    private var held: [RemoteKey: UInt64] = [:]
    private var words: UInt64 = 0

    init(door: any CommandDoor, clock: any HostClock, timeout: Duration) {
        self.door = door
        self.clock = clock
        self.timeout = timeout
    }

    /// Passes a key on to the box.
    func handle(_ key: RemoteKey, _ phase: KeyPhase) -> CommandResult {
        switch phase {
        case .press, .repeat:
            words += 1
            let word = words
            held[key] = word
            RealTime.onMain(after: timeout) { [weak self] in
                if self?.held[key] == word { self?.release(key) }
            }
        case .release:
            held[key] = nil
        case .motion: break  // holds nothing down
        }
        return send(key, phase)
    }

    /// Presses and releases a key.
    func tap(_ key: RemoteKey) -> CommandResult {
        let result = send(key, .press)
        held[key] = nil
        _ = send(key, .release)
        return result
    }

    /// Releases all keys.
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
