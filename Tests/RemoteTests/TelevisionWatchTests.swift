import Glibc
import LinuxSupport
import Testing

@testable import Remote

@Suite("The adapters of the television")
@MainActor
struct TelevisionWatchTests {
    /// Adapters whose descriptors are pipes: pulling one out hangs its descriptor up, as the kernel does.
    @MainActor
    private final class FakeBus: TelevisionBus {
        private var plugged: [String: (writing: FileDescriptor, messages: [[UInt8]])] = [:]
        private var paths: [Int32: String] = [:]
        private(set) var opened = 0
        private(set) var receptions = 0
        private(set) var looks = 0
        var opens = true

        func plug(_ path: String) { plugged[path] = (FileDescriptor(adopting: -1), []) }
        func pull(_ path: String) { plugged[path] = nil }

        func say(_ message: [UInt8], on path: String) {
            plugged[path]?.messages.append(message)
            _ = write(plugged[path]!.writing.number, [1], 1)
        }

        func exists(_ path: String) -> Bool {
            looks += 1
            return plugged[path] != nil
        }

        func open(_ path: String) throws(SystemError) -> FileDescriptor {
            guard opens else { throw SystemError(call: "open", object: path, code: EBUSY) }
            var ends: [Int32] = [-1, -1]
            precondition(pipe(&ends) == 0)
            opened += 1
            plugged[path]?.writing = FileDescriptor(adopting: ends[1])
            paths[ends[0]] = path
            return FileDescriptor(adopting: ends[0])
        }

        func receive(_ adapter: FileDescriptor) -> TelevisionReception {
            receptions += 1
            guard let path = paths[adapter.number], plugged[path] != nil else { return .gone(ENODEV) }
            guard plugged[path]!.messages.isEmpty == false else { return .nothing }
            var byte: UInt8 = 0
            _ = read(adapter.number, &byte, 1)
            return .message(plugged[path]!.messages.removeFirst())
        }

        func physicalAddress(_ adapter: FileDescriptor) -> UInt16? { 0x1000 }
        private(set) var sent: [(bytes: [UInt8], destination: Int32)] = []
        func send(_ bytes: [UInt8], to destination: Int32, _ adapter: FileDescriptor) { sent.append((bytes, destination)) }
        func takeSent() -> [[UInt8]] {
            defer { sent = [] }
            return sent.map { [UInt8($0.destination)] + $0.bytes }
        }
    }

    private static let path = "/dev/cec0"
    private static let otherInput: [UInt8] = [0x8F, 0x82, 0x20, 0x00]

    private func pass(_ seconds: Int64, _ loop: MainLoop) {
        var isOver = false
        loop.clock.schedule(after: .seconds(seconds), rank: .display) { isOver = true }
        loop.run(until: { isOver })
    }

    @Test("an adapter that goes away does not keep the loop busy, is noted once, and is used again when it returns")
    func goesAway() throws {
        let loop = try MainLoop(time: .simulated)
        let bus = FakeBus()
        bus.plug(Self.path)
        var notes: [String] = []
        var changes: [Bool] = []
        let watch = TelevisionWatch(folder: "/dev", loop: loop, bus: bus) {
            notes.append($0)
        } onChange: {
            changes.append($0)
        }
        defer { watch.close() }
        bus.say(Self.otherInput, on: Self.path)
        pass(1, loop)
        #expect(changes == [false] && bus.opened == 1)
        let receptions = bus.receptions
        bus.pull(Self.path)
        pass(3600, loop)
        #expect(bus.receptions == receptions + 1)
        #expect(notes.count == 1 && notes[0].hasPrefix("The adapter /dev/cec0 of the television has gone: No such device"))
        #expect(changes == [false, true], "without an adapter the box plays")
        // Once a minute after the first minutes.
        #expect(bus.looks < 4 * 70)
        bus.plug(Self.path)
        pass(61, loop)
        #expect(bus.opened == 2)
        bus.say(Self.otherInput, on: Self.path)
        pass(1, loop)
        #expect(changes == [false, true, false] && notes.count == 1)
        let looks = bus.looks
        pass(3600, loop)
        #expect(bus.looks == looks, "nothing is missing any more")
    }

    @Test("of two adapters the one that stays is served while the other is looked for; a failure to open is noted once")
    func two() throws {
        let loop = try MainLoop(time: .simulated)
        let bus = FakeBus()
        bus.plug(Self.path)
        bus.plug("/dev/cec1")
        var notes: [String] = []
        var changes: [Bool] = []
        let watch = TelevisionWatch(folder: "/dev", loop: loop, bus: bus) {
            notes.append($0)
        } onChange: {
            changes.append($0)
        }
        bus.pull(Self.path)
        pass(10, loop)
        bus.plug(Self.path)
        bus.opens = false
        pass(600, loop)
        #expect(notes.count == 2 && notes[1].contains("over /dev/cec0: open on /dev/cec0 failed"))
        bus.say(Self.otherInput, on: "/dev/cec1")
        pass(1, loop)
        #expect(changes == [false])
        bus.opens = true
        pass(61, loop)
        #expect(bus.opened == 3)
        watch.close()
        pass(600, loop)
        #expect(bus.opened == 3)
    }

    @Test(
        "an amplifier is asked for its mode, has the keys of the volume while it is on, and not after it or its adapter has gone")
    func amplifier() throws {
        let loop = try MainLoop(time: .simulated)
        let bus = FakeBus()
        bus.plug(Self.path)
        var volumes: [String] = []
        let watch = TelevisionWatch(folder: "/dev", loop: loop, bus: bus) {
            _ in
        } onChange: {
            _ in
        } onVolume: {
            volumes.append("\($0) \($1)")
        }
        defer { watch.close() }
        #expect(!watch.press(.louder) && bus.takeSent().isEmpty)
        // It does not answer: three questions, and no more.
        pass(3600, loop)
        #expect(bus.takeSent() == [[5, 0x7D], [5, 0x7D], [5, 0x7D]])
        // It is switched on.
        bus.say([0x5F, 0x84, 0x10, 0x00, 0x05], on: Self.path)
        pass(1, loop)
        #expect(bus.takeSent() == [[5, 0x7D]])
        bus.say([0x54, 0x7E, 0x01], on: Self.path)
        pass(1, loop)
        #expect(watch.press(.softer) && watch.press(.mute))
        #expect(bus.takeSent() == [[5, 0x44, 0x42], [5, 0x45], [5, 0x71], [5, 0x44, 0x43], [5, 0x45], [5, 0x71]])
        bus.say([0x54, 0x7A, 0x80 | 42], on: Self.path)
        pass(1, loop)
        #expect(volumes == ["42 true"] && bus.takeSent().isEmpty)
        // The television takes the sound back.
        bus.say([0x5F, 0x72, 0x00], on: Self.path)
        pass(1, loop)
        #expect(!watch.press(.louder))
        bus.say([0x5F, 0x72, 0x01], on: Self.path)
        pass(1, loop)
        #expect(watch.press(.louder))
        _ = bus.takeSent()
        bus.pull(Self.path)
        pass(5, loop)
        #expect(!watch.press(.louder) && bus.takeSent().isEmpty)
        // The adapter that returns may lead to another amplifier.
        bus.plug(Self.path)
        pass(90, loop)
        #expect(!watch.press(.louder))
        #expect(bus.takeSent().first == [5, 0x7D])
    }
}
