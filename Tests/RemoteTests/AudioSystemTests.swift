import LinuxSupport
import Testing

@testable import Remote

@Suite("The amplifier on the CEC bus")
struct AudioSystemTests {
    @Test("only the amplifier's own messages count, and whole ones")
    func messages() {
        var audio = AudioSystem()
        #expect(audio.take([0x0F, 0x72, 0x01]) == nil && audio.isOn == nil)
        for broken: [UInt8] in [
            [], [0x5F], [0x5F, 0x72], [0x54, 0x7A], [0x54, 0x7A, 0x7F], [0x54, 0x7A, 0xE5], [0x54, 0x00],
        ] {
            #expect(audio.take(broken) == nil && audio.isOn == nil)
        }
        #expect(audio.take([0x5F, 0x84, 0x10, 0x00, 0x05]) == .ask && audio.isOn == nil)
        #expect(audio.take([0x5F, 0x72, 0x01]) == nil && audio.isOn == true)
        #expect(audio.take([0x54, 0x7A, 0x32]) == .volume(percent: 50, isMuted: false))
        #expect(audio.take([0x54, 0x7A, 0x80 | 100]) == .volume(percent: 100, isMuted: true))
        #expect(audio.take([0x54, 0x7E, 0x00]) == nil && audio.isOn == false)
        #expect(audio.take([0x54, 0x7E, 0x01]) == nil && audio.isOn == true)
        #expect(audio.take([0x54, 0x00, 0x7D, 0x00]) == nil && audio.isOn == false)
    }

    @Test("any bytes are survived")
    func bytes() {
        var audio = AudioSystem()
        for opcode in UInt8.min...UInt8.max {
            for operand: UInt8 in [0, 1, 100, 101, 127, 128, 255] {
                if case .volume(let percent, _)? = audio.take([0x54, opcode, operand]) { #expect((0...100).contains(percent)) }
            }
        }
    }
}
