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
}
