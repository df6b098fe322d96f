import LinuxSupport
import Testing

@testable import Display

@Suite("Blanks of a screen by its flips")
struct BlankTimelineTests {
    private let interval = Duration.milliseconds(16)
    private let start = HostTime.zero + .seconds(5)

    @Test("numbers of 32 bits are continued beyond their end, and a counter that begins again is followed")
    func numbers() {
        var blanks = BlankTimeline()
        let given: [UInt32] = [.max - 1, .max, 1, 40, 3, .max - 4]
        let numbers = given.enumerated().map { blanks.flipped(at: start + interval * $0, sequence: $1, interval: interval) }
        #expect(numbers == [0xFFFF_FFFE, 0xFFFF_FFFF, 0x1_0000_0001, 0x1_0000_0028, 0x1_0000_0003, 0xFFFF_FFFB])
        #expect(blanks.hasBlanks)
        var begun = BlankTimeline()
        #expect(begun.flipped(at: start, sequence: 2, interval: interval) == 2)
        #expect(begun.flipped(at: start, sequence: .max - 7, interval: interval) == 0)
    }

    @Test("flips without blanks are those of a clock: late and early ones do not move it")
    func withoutBlanks() {
        var blanks = BlankTimeline()
        let times: [Duration] = [
            .zero, .milliseconds(16), .milliseconds(41), .microseconds(47_600), .milliseconds(64), .seconds(16),
        ]
        #expect(times.map { blanks.flipped(at: start + $0, sequence: 0, interval: interval) } == [0, 1, 3, 3, 4, 1000])
        #expect(!blanks.hasBlanks)
        let (time, number) = blanks.lastBlank(at: start + .seconds(16) + .milliseconds(40), interval: interval)
        #expect(time == start + .milliseconds(16_032))
        #expect(number == 1002)
    }
}
