import LinuxSupport
import TestSupport
import Testing

@testable import Remote

@Suite("Which input the television shows")
@MainActor
struct ShownInputTests {
    /// The box is at 2.1.0.0, behind a receiver at 2.0.0.0; the television is 0, another player 8.
    private static let place: UInt16 = 0x2100

    @Test(
        "each message changes the shown input, and is answered, as CEC specifies",
        arguments: [
            // Another device claims the input, or the television switches to it.
            ([0x8F, 0x82, 0x10, 0x00], false, nil), ([0x0F, 0x80, 0x21, 0x00, 0x10, 0x00], false, nil),
            ([0x0F, 0x81, 0x22, 0x00], false, nil), ([0x0F, 0x86, 0x10, 0x00], false, nil),
            ([0x0F, 0x82, 0x00, 0x00], false, nil), ([0x0F, 0x80, 0x21, 0x00, 0x00, 0x00], false, nil),
            // The television enters standby, and so does another player.
            ([0x0F, 0x36], false, nil), ([0x8F, 0x36], true, nil),
            // The route leads through the receiver to this box.
            ([0x0F, 0x80, 0x10, 0x00, 0x20, 0x00], true, nil), ([0x5F, 0x81, 0x21, 0x00], true, nil),
            ([0x0F, 0x86, 0x21, 0x00], true, .activeSource),
            // Requests to this box, and messages that need no answer.
            ([0x04, 0x8F], true, .isOn), ([0x04, 0x70, 0x21], true, .abort(0x70)), ([0x04, 0x44, 0x41], true, nil),
            ([0x0F, 0x70], true, nil), ([0x04, 0x00, 0x8F, 0x00], true, nil), ([0x04], true, nil), ([], true, nil),
            ([0x0F, 0x82, 0x10], true, nil), ([0x0F, 0x80, 0x21, 0x00], true, nil),
        ] as [([UInt8], Bool, ShownInput.Answer?)])
    func messages(message: [UInt8], isShown: Bool, answer: ShownInput.Answer?) {
        var input = ShownInput()
        #expect(input.take(message, address: Self.place) == answer)
        #expect(input.isShown == isShown)
    }

    @Test("a request for the active source is answered only when that is certain")
    func question() {
        let question: [UInt8] = [0x0F, 0x85]
        var input = ShownInput()
        #expect(input.take(question, address: Self.place) == nil)
        input.claim()
        #expect(input.take(question, address: Self.place) == .activeSource)
        _ = input.take([0x8F, 0x82, 0x10, 0x00], address: Self.place)
        #expect(input.take(question, address: Self.place) == nil)
        #expect(!input.isShown)
        // The state does not change while the route is still being reported.
        _ = input.take([0x0F, 0x80, 0x10, 0x00, 0x20, 0x00], address: Self.place)
        #expect(!input.isShown)
        _ = input.take([0x0F, 0x86, 0x21, 0x00], address: Self.place)
        #expect(input.take(question, address: Self.place) == .activeSource)
    }

    @Test("any bytes are a message, and nothing that is sent to all devices is refused")
    func anyMessage() {
        var random = SeededGenerator(seed: 12)
        var input = ShownInput()
        for _ in 0..<100_000 {
            let length = Int.random(in: 0...16, using: &random)
            var message = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            // Half of them have an opcode that means something here.
            let opcodes: [UInt8] = [0x36, 0x80, 0x81, 0x82, 0x85, 0x86, 0x8F]
            if length > 1, Bool.random(using: &random) { message[1] = opcodes.randomElement(using: &random)! }
            let answer = input.take(message, address: UInt16.random(in: .min ... .max, using: &random))
            let isAboutThisDevice = answer != nil && answer != .activeSource
            #expect(!isAboutThisDevice || message[0] & 15 != 15, "\(message)")
        }
    }

    @Test("a machine without an adapter reports nothing, and a node that is not an adapter is reported in one sentence")
    func absent() throws {
        let loop = try MainLoop(time: .simulated)
        var notes: [String] = []
        TelevisionWatch(folder: "/nonexistent", loop: loop, note: { notes.append($0) }) { _ in }.close()
        #expect(notes == [])
        let folder = ScratchFolder("cec")
        folder.put("", "cec0")
        TelevisionWatch(folder: folder.path, loop: loop, note: { notes.append($0) }) { _ in }.close()
        #expect(
            notes.count == 1 && notes[0].hasPrefix("The messages of the television could not be read over \(folder.path)/cec0: "))
    }
}
