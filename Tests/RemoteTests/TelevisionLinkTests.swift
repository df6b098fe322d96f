import Glibc
import LinuxSupport
import Testing

@testable import Remote

@Suite("The television over CEC")
@MainActor
struct TelevisionLinkTests {
    @Test("messages have the bytes and the destination of the CEC specification")
    func messages() {
        #expect(TelevisionLink.Message.standby.bytes == [0x36] && TelevisionLink.Message.standby.destination == 0)
        #expect(TelevisionLink.Message.imageViewOn.bytes == [0x04] && TelevisionLink.Message.imageViewOn.destination == 0)
        let active = TelevisionLink.Message.activeSource(physicalAddress: 0x2100)
        #expect(active.bytes == [0x82, 0x21, 0x00] && active.destination == 15)
    }

    @Test("a machine without an adapter reports nothing, and a node that is not an adapter is reported in one sentence")
    func absent() throws {
        let loop = try MainLoop(time: .simulated)
        var notes: [String] = []
        let nothing = TelevisionLink(folder: "/nonexistent", name: "box", clock: loop.clock) { notes.append($0) }
        #expect(!nothing.isPresent)
        nothing.setPower(false)
        nothing.close()
        let template = Array("/tmp/marquee-cec-XXXXXX".utf8CString)
        let folder = try #require(
            template.withUnsafeBufferPointer { source -> String? in
                var copy = Array(source)
                return mkdtemp(&copy).map { String(cString: $0) }
            })
        defer {
            unlink(folder + "/cec0")
            rmdir(folder)
        }
        fclose(fopen(folder + "/cec0", "w"))
        let wrong = TelevisionLink(folder: folder, name: "box", clock: loop.clock) { notes.append($0) }
        defer { wrong.close() }
        #expect(wrong.isPresent)
        wrong.setPower(false)
        var isOver = false
        loop.clock.schedule(after: .seconds(1), rank: .display) { isOver = true }
        loop.run(until: { isOver })
        #expect(notes.count == 2)
        #expect(
            notes.allSatisfy { $0.hasPrefix("The television could not be controlled over \(folder)/cec0: ") && $0.hasSuffix(".") }
        )
    }
}
