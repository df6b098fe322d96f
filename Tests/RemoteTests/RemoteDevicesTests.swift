import BoxModel
import CEvdev
import Glibc
import LinuxSupport
import Testing

@testable import Remote

/// A remote made with uinput; other programs see a real device. Unplugged in `deinit`.
private final class VirtualRemote {
    private let handle: OpaquePointer
    let path: String

    /// - Parameter axes: of relative motion; a device with REL_X and REL_Y is a mouse.
    init(name: String, codes: [Int32], axes: [Int32] = [], bus: Int32 = BUS_USB, repeats: Bool = false) throws {
        let description = libevdev_new()!
        defer { libevdev_free(description) }
        libevdev_set_name(description, name)
        libevdev_set_id_bustype(description, bus)
        for code in codes { libevdev_enable_event_code(description, UInt32(EV_KEY), UInt32(code), nil) }
        for axis in axes { libevdev_enable_event_code(description, UInt32(EV_REL), UInt32(axis), nil) }
        if repeats { libevdev_enable_event_type(description, UInt32(EV_REP)) }
        var handle: OpaquePointer?
        let code = libevdev_uinput_create_from_device(description, Int32(LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue), &handle)
        guard code == 0, let handle, let node = libevdev_uinput_get_devnode(handle) else {
            throw SystemError(call: "libevdev_uinput_create_from_device", object: name, code: -code)
        }
        self.handle = handle
        path = String(cString: node)
    }

    deinit { libevdev_uinput_destroy(handle) }

    func send(_ code: Int32, _ value: Int32, type: Int32 = EV_KEY) {
        libevdev_uinput_write_event(handle, UInt32(type), UInt32(code), value)
        libevdev_uinput_write_event(handle, UInt32(EV_SYN), UInt32(SYN_REPORT), 0)
    }
}

@MainActor
private final class RecordingDoor: CommandDoor {
    private(set) var events: [RemoteEvent] = []
    func handle(_ event: RemoteEvent) -> CommandResult {
        events.append(event)
        return .success
    }
    func perform(_ command: RemoteCommand, from origin: String) -> CommandResult { .success }
}

@MainActor
private final class Bench {
    let loop: MainLoop
    let door = RecordingDoor()
    private(set) var notes: [String] = []
    private(set) var devices: RemoteDevices?

    init(maps: [String: [String: String]] = [:]) throws {
        loop = try MainLoop(time: .real)
        devices = try RemoteDevices(loop: loop, door: door, maps: maps) { [weak self] in self?.notes.append($0) }
    }

    /// - Returns: false on a timeout of one minute.
    func run(until isDone: @escaping () -> Bool) -> Bool {
        var isLate = false
        let limit = loop.clock.schedule(after: .seconds(60)) { isLate = true }
        loop.run { isLate || isDone() }
        limit.cancel()
        return !isLate
    }

    func has(_ name: String) -> Bool { notes.contains { $0.hasSuffix(name) } }
    func events(_ count: Int) -> [RemoteEvent]? { run { [door] in door.events.count >= count } ? door.events : nil }
    func close() { devices?.close() }
}

@Suite(
    "Remotes on a real kernel", .serialized,
    .enabled(if: access("/dev/uinput", W_OK) == 0, "no /dev/uinput: runs in the test machine"))
@MainActor
struct RemoteDevicesTests {
    @Test("a remote that is plugged in is read with the kernel's timestamps; unplugging it releases the key")
    func life() throws {
        let bench = try Bench()
        defer { bench.close() }
        var remote: VirtualRemote? = try VirtualRemote(name: "Sofa", codes: [KEY_LEFT, KEY_OK, KEY_F1], repeats: true)
        #expect(bench.run { bench.has(": Sofa") })

        let before = bench.loop.clock.now
        remote?.send(KEY_LEFT, 1)
        let after = bench.loop.clock.now
        let pressed = try #require(bench.events(1)?.first)
        #expect(pressed.key == .left && pressed.phase == .press && !pressed.sendsReleases)
        #expect(pressed.time >= before - .microseconds(1) && pressed.time <= after)

        let held = try #require(bench.events(3))
        #expect(held.dropFirst().allSatisfy { $0.phase == .repeat })
        remote?.send(KEY_LEFT, 0)
        #expect(bench.run { bench.door.events.last?.phase == .release })
        #expect(bench.door.events.last?.sendsReleases == true)
        #expect(zip(bench.door.events, bench.door.events.dropFirst()).allSatisfy { $0.time <= $1.time })

        let count = bench.door.events.count
        remote?.send(KEY_F1, 1)
        remote?.send(KEY_F1, 0)
        remote?.send(KEY_OK, 1)
        // By the time the loop looks, the key may have repeated.
        let next = try #require(bench.events(count + 1)?[count])
        #expect(next.key == .ok && next.phase == .press && next.sendsReleases)
        remote = nil
        #expect(bench.run { bench.notes.contains { $0.contains("was removed") } })
        #expect(bench.door.events.last?.key == .ok)
        #expect(bench.door.events.last?.phase == .release)
    }

    @Test("a device that was present before is found and grabbed")
    func initialScan() throws {
        let remote = try VirtualRemote(name: "Early", codes: [KEY_UP])
        // udevd sets the node's permissions shortly after it appears; root does not wait for that.
        let bench = try Bench()
        defer { bench.close() }
        #expect(bench.run { bench.has(": Early") })
        let other = try EvdevDevice(path: remote.path)
        #expect(throws: SystemError(call: "EVIOCGRAB", object: remote.path, code: EBUSY)) { try other.grab() }
        remote.send(KEY_UP, 1)
        #expect(bench.events(1)?.map(\.key) == [.up])
    }

    @Test("added and removed devices are detected with and without udevd", arguments: [true, false])
    func hotPlug(usesUdevd: Bool) throws {
        let monitor = try HotPlugMonitor(usesUdevd: usesUdevd)
        func next() -> HotPlugMonitor.Change? {
            var descriptor = pollfd(fd: monitor.descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&descriptor, 1, 60_000) > 0 { if let change = monitor.next() { return change } }
            return nil
        }
        var remote: VirtualRemote? = try VirtualRemote(name: "Come and go", codes: [KEY_OK])
        let path = try #require(remote).path
        // A removal from an earlier test may still be reported, because udevd handles several devices at a time.
        func comes(_ wanted: HotPlugMonitor.Change) -> Bool {
            while let seen = next() { if seen == wanted { return true } }
            return false
        }
        #expect(comes(.added(path)))
        remote = nil
        #expect(comes(.removed(path)))
    }

    @Test("a CEC receiver has its own map; the case's power button is left to the system")
    func kinds() throws {
        let bench = try Bench()
        defer { bench.close() }
        let button = try VirtualRemote(name: "Power Button", codes: [KEY_POWER])
        let receiver = try VirtualRemote(name: "vc4", codes: [KEY_EXIT, KEY_BACK, KEY_FORWARD, KEY_POWER], bus: BUS_CEC)
        #expect(bench.run { bench.has(": vc4 (CEC)") })
        #expect(!bench.has(": Power Button"))
        for code in [KEY_EXIT, KEY_BACK, KEY_FORWARD] {
            receiver.send(code, 1)
            receiver.send(code, 0)
        }
        #expect(bench.events(6)?.filter { $0.phase == .press }.map(\.key) == [.back, .prev, .next])
        withExtendedLifetime(button) {}
    }

    @Test("a device's own map is used for that device")
    func ownMap() throws {
        let bench = try Bench(maps: ["Old One": ["KEY_RED": "subtitle"]])
        defer { bench.close() }
        let remote = try VirtualRemote(name: "Old One", codes: [KEY_RED])
        let other = try VirtualRemote(name: "Other", codes: [KEY_RED, KEY_OK])
        #expect(bench.run { bench.has(": Old One") && bench.has(": Other") })
        other.send(KEY_RED, 1)
        other.send(KEY_OK, 1)
        #expect(bench.events(2)?.map(\.key) == [.red, .ok])
        remote.send(KEY_RED, 1)
        #expect(bench.events(3)?.map(\.key) == [.red, .ok, .subtitle])
    }

    @Test("an air mouse moves the focus, and its buttons are OK and Back")
    func airMouse() throws {
        let bench = try Bench()
        defer { bench.close() }
        let mouse = try VirtualRemote(
            name: "Air Mouse", codes: [BTN_LEFT, BTN_RIGHT, KEY_HOMEPAGE], axes: [REL_X, REL_Y, REL_WHEEL])
        #expect(bench.run { bench.has(": Air Mouse") })
        // At once: a pause in the motion would begin it anew, and this machine may be slow.
        mouse.send(REL_X, PointerSteps.countsPerStep, type: EV_REL)
        mouse.send(BTN_LEFT, 1)
        mouse.send(BTN_LEFT, 0)
        mouse.send(BTN_RIGHT, 1)
        let events = try #require(bench.events(4))
        #expect(events.map(\.key) == [.right, .ok, .ok, .back])
        #expect(events.map(\.phase) == [.motion, .press, .release, .press])
    }

    @Test("ten thousand presses of remotes that come and go: none is lost or doubled, and what is down is released")
    func randomPresses() throws {
        let bench = try Bench()
        defer { bench.close() }
        var random = SeededGenerator(seed: 20)
        let codes: [(code: Int32, key: RemoteKey)] = [
            (KEY_UP, .up), (KEY_OK, .ok), (KEY_LEFT, .left), (KEY_CHANNELUP, .channelUp),
        ]
        var remotes: [(remote: VirtualRemote, down: Int?)] = []
        var expected: [RemoteKey] = []
        var expectedReleases = 0
        var made = 0
        for round in 0..<200 {
            // Two remotes at most: one is new in every tenth round, and the oldest is unplugged, perhaps with a key that is down.
            if round % 10 == 0 {
                if remotes.count == 2 {
                    let removals = bench.notes.filter { $0.contains("was removed") }.count
                    if remotes.removeFirst().down != nil { expectedReleases += 1 }
                    #expect(bench.run { bench.notes.filter { $0.contains("was removed") }.count > removals })
                }
                made += 1
                remotes.append((try VirtualRemote(name: "Remote \(made)", codes: codes.map(\.code)), nil))
                #expect(bench.run { bench.has(": Remote \(made)") })
            }
            for _ in 0..<10 {
                let index = Int.random(in: 0..<remotes.count, using: &random)
                // No more at a time than the kernel's queue of one device has room for, and on one device: two are read in any order.
                for _ in 0..<5 {
                    if let down = remotes[index].down {
                        remotes[index].remote.send(codes[down].code, 0)
                        expectedReleases += 1
                    }
                    let pressed = Int.random(in: 0..<codes.count, using: &random)
                    remotes[index].remote.send(codes[pressed].code, 1)
                    remotes[index].down = pressed
                    expected.append(codes[pressed].key)
                }
                #expect(bench.run { bench.door.events.count >= expected.count + expectedReleases })
            }
        }
        #expect(expected.count == 10_000)
        #expect(bench.door.events.filter { $0.phase == .press }.map(\.key) == expected)
        #expect(bench.door.events.filter { $0.phase == .release }.count == expectedReleases)
    }
}

@Suite("Remotes on any machine")
@MainActor
struct RemoteDoorTests {
    @Test("an invalid map and simulated time are refused with a sentence")
    func refusals() throws {
        let real = try MainLoop(time: .real)
        #expect(throws: RemoteError.self) {
            try RemoteDevices(loop: real, door: RecordingDoor(), maps: ["Sofa": ["KEY_X9": "ok"]]) { _ in }
        }
        let simulated = try MainLoop(time: .simulated)
        #expect(throws: RemoteError.self) { try RemoteDevices(loop: simulated, door: RecordingDoor()) { _ in } }
    }
}
