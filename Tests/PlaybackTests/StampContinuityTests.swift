import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Time stamps that restart")
struct StampContinuityTests {
    /// The presentation times of pictures of 1/25 s after placing.
    private func placed(_ list: [(frame: Int, isHidden: Bool)]) -> [MediaTime] {
        var continuity = StampContinuity()
        return list.map { frame, isHidden in
            let time = MediaTime(Int64(frame), 25)
            var sample = EncodedSample.empty(presentation: time, decode: time, duration: MediaTime(1, 25))
            sample.doesNotDisplay = isHidden
            continuity.place(&sample)
            return sample.presentationTime
        }
    }

    @Test("stamps that go back by more than a second continue after the earlier ones")
    func restart() {
        let list = (0..<50).map { ($0, false) } + (0..<3).map { ($0, false) }
        #expect(placed(list) == (0..<53).map { MediaTime(Int64($0), 25) })
    }

    @Test("pictures that are not presented, before an edit, may have any stamps: those after them keep theirs")
    func edits() {
        let shown = (0..<50).map { ($0, false) }
        let hidden = (40..<130).map { ($0, true) }
        let rest = (50..<60).map { ($0, false) }
        let times = placed(shown + hidden + rest)
        #expect(times.prefix(50) == (0..<50).map { MediaTime(Int64($0), 25) }[...])
        #expect(times.suffix(10) == (50..<60).map { MediaTime(Int64($0), 25) }[...])
    }

    @Test("samples that last until after the next ones keep their times: captions that overlap, lengths that are stated wrongly")
    func overlaps() {
        var continuity = StampContinuity()
        let seconds: [Int64] = [1, 3, 4, 20]
        let times = seconds.map { second in
            var sample = EncodedSample.empty(presentation: .seconds(second), decode: .seconds(second), duration: .seconds(9))
            continuity.place(&sample)
            return sample.presentationTime
        }
        #expect(times == seconds.map { MediaTime.seconds($0) })
    }
}
