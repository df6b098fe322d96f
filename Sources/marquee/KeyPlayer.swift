import Appliance
import BoxModel
import LinuxSupport
import Remote

/// Presses the keys of a script at their times.
@MainActor
enum KeyPlayer {
    static func schedule(_ script: KeyScript, into door: any CommandDoor, clock: any HostClock) {
        for stroke in script.strokes {
            let down = HostTime(nanoseconds: stroke.time.nanoseconds)
            let up = down + .nanoseconds(stroke.length.nanoseconds)
            send(stroke.key, .press, at: down, into: door, clock: clock)
            send(stroke.key, .release, at: up, into: door, clock: clock)
        }
    }

    private static func send(
        _ key: RemoteKey, _ phase: KeyPhase, at time: HostTime, into door: any CommandDoor, clock: any HostClock
    ) {
        clock.schedule(at: time, rank: .input) { [weak door] in
            _ = door?.handle(RemoteEvent(key: key, phase: phase, time: time, device: "script"))
        }
    }
}
