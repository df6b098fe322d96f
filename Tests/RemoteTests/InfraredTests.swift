import BoxModel
import Glibc
import LinuxSupport
import Testing

@testable import Remote

@MainActor
private final class InfraredDoor: CommandDoor {
    private(set) var events: [RemoteEvent] = []
    func handle(_ event: RemoteEvent) -> CommandResult {
        events.append(event)
        return .success
    }
    func perform(_ command: RemoteCommand, from origin: String) -> CommandResult { .success }
}

/// A remote and its receiver: scripts/check-vm.d/infrared.py makes them of the kernel's rc-loopback.
@MainActor
private final class Infrared {
    let loop: MainLoop
    let door = InfraredDoor()
    let devices: RemoteDevices
    private var toggle = false

    init() throws {
        loop = try MainLoop(time: .real)
        devices = try RemoteDevices(loop: loop, door: door) { _ in }
    }

    /// Presses a key for as long as so many frames take, 110 ms each.
    func press(_ key: String, frames: Int = 1) throws {
        let path = String(cString: getenv("MARQUEE_INFRARED"))
        let file = try FileDescriptor(opening: path, flags: O_WRONLY)
        toggle.toggle()
        let line = Array("\(key) \(toggle ? 1 : 0) \(frames)\n".utf8)
        guard write(file.number, line, line.count) == line.count else {
            throw SystemError(call: "write", object: path, code: errno)
        }
    }

    /// - Returns: false on a timeout of one minute.
    func run(until isDone: @escaping () -> Bool) -> Bool {
        var isLate = false
        let limit = loop.clock.schedule(after: .seconds(60)) { isLate = true }
        loop.run { isLate || isDone() }
        limit.cancel()
        return !isLate
    }

    func releases(_ count: Int) -> Bool { run { [door] in door.events.count { $0.phase == .release } >= count } }
}

@Suite(
    "An infrared remote on a real kernel", .serialized,
    .enabled(if: getenv("MARQUEE_INFRARED") != nil, "no receiver: runs in the test machine, with scripts/check-vm"))
@MainActor
struct InfraredTests {
    @Test("each press of a key arrives once, in order, with a press and a release, also of the same key twice")
    func presses() throws {
        let infrared = try Infrared()
        defer { infrared.devices.close() }
        let keys = ["up", "ok", "ok", "pause", "louder", "down", "ok"]
        for key in keys { try infrared.press(key) }
        #expect(infrared.releases(keys.count))
        let events = infrared.door.events.filter { $0.phase != .repeat }
        #expect(events.filter { $0.phase == .press }.map(\.key) == [.up, .ok, .ok, .pause, .volumeUp, .down, .ok])
        // A key is released before the next one is pressed.
        #expect(events.enumerated().allSatisfy { $1.phase == ($0 % 2 == 0 ? .press : .release) })
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test("a key that is held is one press, which repeats until it is released")
    func held() throws {
        let infrared = try Infrared()
        defer { infrared.devices.close() }
        try infrared.press("down", frames: 20)
        #expect(infrared.releases(1))
        let events = infrared.door.events
        #expect(events.first?.phase == .press && events.last?.phase == .release && events.allSatisfy { $0.key == .down })
        #expect(events.count { $0.phase == .press } == 1)
        #expect(events.count { $0.phase == .repeat } > 3)
        // Twenty frames, each 110 ms after the one before; the machine may be late.
        #expect(events.last!.time - events.first!.time > .seconds(2))
    }
}
