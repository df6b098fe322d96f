import Testing

@testable import Sound

@Suite("The sound buffer grows on a machine that comes too late")
struct BufferGrowthTests {
    private let second: Int64 = 1_000_000_000

    @Test("now and then a late round changes nothing")
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

    @Test("late rounds one after the other double it, up to its bound")
    func growth() {
        var growth = BufferGrowth()
        var sizes: [Int] = []
        for turn in 0..<40 where growth.note(late: 1, at: Int64(turn) * second / 10) { sizes.append(growth.milliseconds) }
        #expect(sizes == [100, 200, 400])
        #expect(growth.isLargest)
    }

    @Test("a device that takes no larger buffer keeps the one that it had, and is asked no more")
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
}
