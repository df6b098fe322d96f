import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Export

@Suite("Samples that wait to be written")
struct SampleQueueTests {
    private func sample(_ number: Int) -> WrittenSample {
        let time = MediaTime(Int64(number), 25)
        return WrittenSample(order: time, sample: .empty(presentation: time, decode: time, duration: nil))
    }

    @Test("they come out once, in the order in which they went in", arguments: 0..<20 as Range<UInt64>)
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = SampleQueue()
        var model: [Int] = []
        var next = 0
        for _ in 0..<2000 {
            // Runs of one kind, so that the queue is long at times and empty at others.
            let isFilling = Bool.random(using: &random)
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                if isFilling {
                    queue.append(sample(next))
                    model.append(next)
                    next += 1
                } else {
                    let taken = queue.popFirst().map { Int($0.order.units(of: 25)) }
                    #expect(taken == (model.isEmpty ? nil : model.removeFirst()))
                }
            }
            #expect(queue.count == model.count && queue.isEmpty == model.isEmpty)
            #expect(queue.firstOrder == model.first.map { MediaTime(Int64($0), 25) })
        }
    }
}
