import MediaTime
import TestSupport
import Testing

@testable import MediaModel

@Suite("Decode times that a container leaves out")
struct DecodeTimesTests {
    /// A picture, with its times counted in pictures.
    private typealias Picture = (presentation: Int, decode: Int)

    /// The decode times of the samples that each picture makes known, and at last of those that were still held.
    private func taken(_ pictures: [Picture], hasDurations: Bool = true) -> [[Int]] {
        func time(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }
        func number(_ sample: EncodedSample) -> Int { Int(sample.decodeTime.units(of: 25)) }
        var times = DecodeTimes()
        let known = pictures.map { picture in
            times.take(
                .empty(
                    presentation: time(picture.presentation), decode: time(picture.decode),
                    duration: hasDurations ? time(1) : nil)
            ).map(number)
        }
        return known + [times.finish().map(number)]
    }

    @Test("those after a seek count down from the first one that is known", arguments: [true, false])
    func missing(hasDurations: Bool) {
        // As Matroska is read: two of them are missing.
        let pyramid: [Picture] = [(50, 50), (53, 53), (52, 50), (51, 51), (56, 52), (55, 53)]
        #expect(taken(pyramid, hasDurations: hasDurations) == [[], [], [48, 49, 50], [51], [52], [53], []])
        // Pictures of the group before follow the key picture.
        let open: [Picture] = [(50, 50), (48, 48), (47, 47), (49, 48), (53, 49)]
        #expect(taken(open, hasDurations: hasDurations) == [[], [], [], [45, 46, 47, 48], [49], []])
        // One is wrong, as in MPEG-2.
        let late: [Picture] = [(50, 50), (53, 50), (51, 51)]
        #expect(taken(late, hasDurations: hasDurations) == [[], [49, 50], [51], []])
        // Reading ends before one is known.
        #expect(taken([(50, 50), (53, 53)], hasDurations: hasDurations) == [[], [], [50, 53]])
        #expect(taken([(50, 50), (53, 53), (51, 50)], hasDurations: hasDurations) == [[], [], [48, 49, 50], []])
    }

    @Test("those that are stated stay, and nothing waits for them")
    func stated() {
        #expect(taken([(50, 48), (53, 49), (52, 50), (51, 51)]) == [[48], [49], [50], [51], []])
        #expect(taken([]) == [[]])
    }

    @Test("without reordering they are the presentation times, and 18 samples wait at most")
    func unordered() {
        let known = taken((0..<40).map { ($0, $0) })
        #expect(known.prefix(17).allSatisfy(\.isEmpty) && known[17] == Array(0..<18))
        #expect(known[18..<40].flatMap { $0 } == Array(18..<40) && known[40].isEmpty)
    }
}
