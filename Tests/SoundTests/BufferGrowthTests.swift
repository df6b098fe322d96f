import Testing

@testable import Sound

@Suite("The sound buffer grows when the thread wakes too late")
struct BufferGrowthTests {
    private let second: Int64 = 1_000_000_000

    @Test("occasional late rounds change nothing")
    func accidents() {
        var growth = BufferGrowth()
        for turn in 0..<40 {
            let grows = growth.note(late: 1, at: Int64(turn) * 2 * second)
            #expect(!grows)
        }
        let grows = growth.note(late: 0, at: 81 * second)
        #expect(!grows)
        #expect(growth.milliseconds == BufferGrowth.first)
    }

    @Test("successive late rounds double it, up to its limit")
    func growth() {
        var growth = BufferGrowth()
        var sizes: [Int] = []
        for turn in 0..<40 where growth.note(late: 1, at: Int64(turn) * second / 10) { sizes.append(growth.milliseconds) }
        #expect(sizes == [100, 200, 400])
        #expect(growth.isLargest)
    }

    @Test("a device that accepts no larger buffer keeps the old one, and is not asked again")
    func refusal() {
        var growth = BufferGrowth()
        var sizes: [Int] = []
        for turn in 0..<40 where growth.note(late: 1, at: Int64(turn) * second / 10) {
            sizes.append(growth.milliseconds)
            if growth.milliseconds == 200 { growth.takeBack() }
        }
        #expect(sizes == [100, 200])
        #expect(growth.milliseconds == 100)
        #expect(growth.isLargest)
    }

    @Test("four late rounds within three seconds grow the buffer; a fourth one after them does not")
    func window() {
        func grows(_ rounds: [(Int, Int64)]) -> Bool {
            var growth = BufferGrowth()
            return rounds.map { growth.note(late: $0.0, at: $0.1 * second / 1000) }.contains(true)
        }
        #expect(grows([(4, 10_000)]) && !grows([(3, 10_000)]) && grows([(3, 10_000), (1, 10_000)]))
        #expect(grows([(1, 10_000), (1, 11_000), (1, 12_000), (1, 13_000)]))
        #expect(!grows([(1, 10_000), (1, 11_000), (1, 12_000), (1, 13_001)]))
        #expect(!grows([(3, 10_000), (0, 10_500), (1, 13_001), (2, 13_500)]) && grows([(3, 10_000), (1, 13_001), (3, 13_500)]))
    }

    @Test("after a growth counting restarts at that instant")
    func again() {
        var growth = BufferGrowth()
        let isFirst = growth.note(late: 4, at: 10 * second), isSecond = growth.note(late: 3, at: 12 * second)
        let isThird = growth.note(late: 1, at: 12_999 * second / 1000)
        #expect(isFirst && !isSecond && isThird && growth.milliseconds == 200 && !growth.isLargest)
    }
}
