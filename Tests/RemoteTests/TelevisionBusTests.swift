import BoxModel
import Glibc
import LinuxSupport
import Testing

@testable import Remote

/// The television's end of a CEC bus that scripts/check-vm.d/television.py makes of the kernel's vivid, and its cable.
@MainActor
private final class Television {
    /// The box's adapters, as in /dev.
    let box: String
    private let folder: String
    private let bus = KernelTelevisionBus()
    private var adapter: FileDescriptor
    private var acts = 0
    /// All messages that it received, with their header.
    private(set) var heard: [[UInt8]] = []

    init() throws {
        folder = String(cString: getenv("MARQUEE_TELEVISION"))
        box = folder + "/box"
        adapter = try bus.open(folder + "/tv")
        acts = done
    }

    private var done: Int {
        guard let file = fopen(folder + "/done", "r") else { return -1 }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 16)
        guard fgets(&text, Int32(text.count), file) != nil else { return -1 }
        return Int(atoi(text))
    }

    func listen() {
        while case .message(let message) = bus.receive(adapter) { heard.append(message) }
    }

    func forget() {
        listen()
        heard = []
    }

    func say(_ bytes: [UInt8], to destination: Int32) { bus.send(bytes, to: destination, adapter) }

    /// Whether the last action has taken effect.
    var isSettled: Bool { done == acts }

    /// Begins an action on the bus.
    func act(_ word: String) throws {
        let file = try FileDescriptor(opening: folder + "/cable", flags: O_WRONLY)
        let line = Array((word + "\n").utf8)
        guard write(file.number, line, line.count) == line.count else {
            throw SystemError(call: "write", object: folder + "/cable", code: errno)
        }
        acts += 1
    }

    /// Opens the television's adapter again, after it has returned.
    func reopen() throws { adapter = try bus.open(folder + "/tv") }
}

@MainActor
private final class Room {
    let loop: MainLoop
    let television: Television
    private(set) var notes: [String] = []
    private(set) var changes: [Bool] = []
    private(set) var volumes: [String] = []
    private(set) var link: TelevisionLink!
    private(set) var watch: TelevisionWatch!

    init() throws {
        loop = try MainLoop(time: .real)
        television = try Television()
        link = TelevisionLink(folder: television.box, name: "Proof box", clock: loop.clock) { [weak self] in
            self?.notes.append($0)
        }
        watch = TelevisionWatch(folder: television.box, loop: loop) { [weak self] in
            self?.notes.append($0)
        } onChange: { [weak self] in
            self?.changes.append($0)
        } onVolume: { [weak self] in
            self?.volumes.append("\($0) \($1)")
        }
    }

    func close() {
        watch.close()
        link.close()
    }

    /// - Returns: false on a timeout of one minute.
    func run(until isDone: @escaping () -> Bool) -> Bool {
        let end = loop.clock.now + .seconds(60)
        // The television's end is looked at regularly, because it is no part of the box.
        var isOver = false
        func look() {
            television.listen()
            isOver = isDone() || loop.clock.now > end
            if !isOver { loop.clock.schedule(after: .milliseconds(20)) { look() } }
        }
        look()
        loop.run(until: { isOver })
        return isDone()
    }

    /// Acts on the bus, and returns when that has taken effect.
    func act(_ word: String) throws -> Bool {
        try television.act(word)
        return run { [television] in television.isSettled }
    }

    func hears(_ message: [UInt8]) -> Bool { run { [television] in television.heard.contains(message) } }
}

@MainActor
private final class PressedKeys: CommandDoor {
    private(set) var keys: [RemoteKey] = []
    func handle(_ event: RemoteEvent) -> CommandResult {
        if event.phase == .press { keys.append(event.key) }
        return .success
    }
    func perform(_ command: RemoteCommand, from origin: String) -> CommandResult { .success }
}

@Suite(
    "The television on a real kernel's bus", .serialized,
    .enabled(if: getenv("MARQUEE_TELEVISION") != nil, "no television: runs in the test machine, with scripts/check-vm"))
@MainActor
struct TelevisionBusTests {
    /// The box is the player 4 at the television's first input.
    private static let activeSource: [UInt8] = [0x4F, 0x82, 0x10, 0x00]
    private static let standby: [UInt8] = [0x40, 0x36]

    @Test("the television is switched on and shows the box when the viewer asks for it, and not before; and it is put on standby")
    func power() throws {
        let room = try Room()
        defer { room.close() }
        let television = room.television
        // Its address is claimed and told when there is a cable.
        #expect(try room.act("out"))
        television.forget()
        #expect(try room.act("in"))
        #expect(room.hears([0x4F, 0x84, 0x10, 0x00, 0x04]))
        #expect(!television.heard.contains { $0.count > 1 && ($0[1] == 0x04 || $0[1] == 0x82) })
        room.link.setPower(true)
        #expect(room.hears(Self.activeSource))
        let on = try #require(television.heard.firstIndex(of: [0x40, 0x04]))
        #expect(on < (television.heard.firstIndex(of: Self.activeSource) ?? 0))
        television.forget()
        room.link.setPower(false)
        #expect(room.hears(Self.standby))
        #expect(room.notes == [])
    }

    @Test("another input and standby of the television are noticed; its requests are answered")
    func shown() throws {
        let room = try Room()
        defer { room.close() }
        let television = room.television
        room.link.setPower(true)
        #expect(room.hears(Self.activeSource))
        // The television shows its second input, and then the box again.
        television.say([0x86, 0x20, 0x00], to: 15)
        #expect(room.run { room.changes == [false] })
        television.forget()
        television.say([0x86, 0x10, 0x00], to: 15)
        #expect(room.run { room.changes == [false, true] })
        #expect(room.hears(Self.activeSource))
        television.say([0x8F], to: 4)
        #expect(room.hears([0x40, 0x90, 0x00]))
        television.say([0x36], to: 15)
        #expect(room.run { room.changes == [false, true, false] })
        #expect(room.notes == [])
    }

    @Test("without an address nothing is sent and nothing is reported; the address is claimed again when the cable is back")
    func cable() throws {
        let room = try Room()
        defer { room.close() }
        let television = room.television
        room.link.setPower(true)
        #expect(room.hears(Self.activeSource))
        #expect(try room.act("out"))
        television.forget()
        room.link.setPower(true)
        room.link.setPower(false)
        #expect(try room.act("in"))
        #expect(room.hears([0x4F, 0x84, 0x10, 0x00, 0x04]))
        #expect(!television.heard.contains(Self.activeSource))
        room.link.setPower(true)
        #expect(room.hears(Self.activeSource))
        #expect(room.notes == [])
    }

    @Test("what is asked for while the address is being claimed is sent when the box has it")
    func claiming() throws {
        let room = try Room()
        defer { room.close() }
        #expect(try room.act("out"))
        #expect(try room.act("in"))
        room.television.forget()
        room.link.setPower(true)
        #expect(room.hears(Self.activeSource))
        #expect(room.notes == [])
    }

    @Test("the keys of the television's remote reach the box")
    func keys() throws {
        let room = try Room()
        defer { room.close() }
        let door = PressedKeys()
        let devices = try RemoteDevices(loop: room.loop, door: door) { _ in }
        defer { devices.close() }
        room.link.setPower(true)
        #expect(room.hears(Self.activeSource))
        // User Control Pressed and Released, of Up and of Play.
        for key: UInt8 in [0x01, 0x44] {
            room.television.say([0x44, key], to: 4)
            room.television.say([0x45], to: 4)
        }
        #expect(room.run { door.keys.count >= 2 })
        #expect(door.keys == [.up, .play])
    }

    @Test("an amplifier that joins the bus gets the keys of the volume, and tells what they led to")
    func amplifier() throws {
        let room = try Room()
        defer { room.close() }
        let television = room.television
        room.link.setPower(true)
        #expect(room.hears(Self.activeSource))
        // The amplifier, 5, tells where it is, is asked for its mode, and answers that it has the sound.
        #expect(try room.act("amplifier 15 84 00 00 05"))
        #expect(room.hears([0x45, 0x7D]))
        #expect(!room.watch.press(.louder))
        #expect(try room.act("amplifier 4 7E 01"))
        #expect(room.run { room.watch.press(.louder) })
        #expect(room.hears([0x45, 0x44, 0x41]) && room.hears([0x45, 0x45]) && room.hears([0x45, 0x71]))
        #expect(try room.act("amplifier 4 7A 33"))
        #expect(room.run { room.volumes == ["51 false"] })
        #expect(try room.act("amplifier 15 72 00"))
        television.forget()
        #expect(room.run { !room.watch.press(.softer) })
        #expect(room.notes == [])
    }

    @Test("an adapter that is removed and returns is used again")
    func adapter() throws {
        let room = try Room()
        defer { room.close() }
        let television = room.television
        room.link.setPower(true)
        #expect(room.hears(Self.activeSource))
        #expect(try room.act("remove"))
        #expect(room.run { room.notes.contains { $0.contains("has gone") } })
        #expect(try room.act("return"))
        try television.reopen()
        room.link.setPower(true)
        #expect(room.hears(Self.activeSource))
        // The watch looks for the adapter within a few seconds.
        #expect(
            room.run {
                if room.changes.last != false { television.say([0x86, 0x20, 0x00], to: 15) }
                return room.changes.last == false
            })
        #expect(room.notes.count == 1, "\(room.notes)")
    }
}
