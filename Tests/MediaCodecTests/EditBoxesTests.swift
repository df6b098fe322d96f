import MediaTime
import Testing

@testable import MediaCodec

/// The start of edit lists, from the boxes of a track.
@Suite("The starts of edit lists")
struct EditBoxesTests {
    private func big(_ numbers: [Int]) -> [UInt8] {
        numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    }

    /// A hundred pictures of 512 units of 1/12800 s, each shown later than it is decoded by these units in turn.
    private func boxes(_ edits: [(span: Int, media: Int)], later: [Int] = []) -> EditBoxes {
        var boxes = EditBoxes()
        boxes.header = big([0, 0, 0, 12800, 0])
        boxes.list = big([0, edits.count]) + edits.flatMap { big([$0.span, $0.media, 1 << 16]) }
        boxes.times = big([0, 1, 100, 512])
        if !later.isEmpty { boxes.offsets = big([0, 100]) + (0..<100).flatMap { big([1, later[$0 % later.count]]) } }
        return boxes
    }

    @Test("the sample that is cut, and how long it is presented, in any order of decoding and behind an empty edit")
    func cut() {
        let plain = boxes([(5000, 256)])
        #expect(plain.isCut && plain.start(movieScale: 1000) == EditStart(shift: MediaTime(256, 12800), stamp: -512))
        // I P B B: shown first at 512, with times of pictures at every 512 units.
        let reordered = boxes([(5000, 512 * 5 + 100)], later: [512, 1536, 0, 0].map { $0 + 512 })
        #expect(reordered.start(movieScale: 1000)?.shift == MediaTime(412, 12800))
        let late = boxes([(2000, -1), (5000, 256)])
        #expect(late.start(movieScale: 1000) == EditStart(shift: MediaTime(256, 12800), stamp: 2 * 12800 - 512))
        var long = boxes([])
        long.list = big([1 << 24, 1, 0, 5000, 0, 256, 1 << 16])
        #expect(long.start(movieScale: 1000) == plain.start(movieScale: 1000))
    }

    @Test(
        "none: a list that begins with a sample or within its rounding, before the first one, behind the last one, or at another speed"
    )
    func notCut() {
        for media in [0, 512, 5120, 508, 100 * 512, 1 << 30] {
            #expect(boxes([(5000, media)]).start(movieScale: 1000) == nil, "\(media)")
        }
        #expect(boxes([(5000, 300)], later: [512]).start(movieScale: 1000) == nil)
        #expect(boxes([]).start(movieScale: 1000) == nil && !boxes([]).isCut && !boxes([(5, -1)]).isCut)
        var slow = boxes([(5000, 256)])
        slow.list = big([0, 1, 5000, 256, 1 << 15])
        #expect(slow.start(movieScale: 1000) == nil)
    }

    @Test("damage ends, and says nothing")
    func damage() {
        var endless = boxes([(5000, 256)])
        endless.times = big([0, 1, -1, 0])
        #expect(endless.start(movieScale: 1000) == nil)
        let whole = boxes([(5000, 25700)], later: [1024, 512])
        for path in [\EditBoxes.header, \.list, \.times, \.offsets] {
            for count in 0..<whole[keyPath: path].count {
                var part = whole
                part[keyPath: path].removeLast(count)
                _ = part.start(movieScale: 1000)
                part[keyPath: path] = [UInt8](repeating: 0xFF, count: count)
                _ = part.start(movieScale: Int64(Int32.max))
            }
        }
    }
}
