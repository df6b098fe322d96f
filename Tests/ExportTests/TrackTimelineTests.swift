import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing
import WireFormats

@testable import Export

@Suite("Timelines and edit lists of exports")
struct TrackTimelineTests {
    private func sample(_ presentation: MediaTime, _ decode: MediaTime, _ duration: MediaTime?) -> EncodedSample {
        .empty(presentation: presentation, decode: decode, duration: duration)
    }

    private func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }

    @Test("random pieces: each edit shows its piece where its samples are, and edits together are as long as the pieces")
    func random() throws {
        var chance = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            var timeline = TrackTimeline()
            var total = MediaTime.zero
            var shown: [(source: MediaTime, media: MediaTime)] = []
            var list: [(TimeRange, Int)] = []
            for _ in 0..<Int.random(in: 1...8, using: &chance) {
                let first = Int.random(in: 0...100, using: &chance)
                let (lead, count) = (Int.random(in: 0...min(first, 10), using: &chance), Int.random(in: 1...20, using: &chance))
                let source = TimeRange(start: frame(first), duration: frame(count))
                timeline.begin(source)
                var mediaOfFirst: MediaTime?
                for number in first - lead..<first + count + 2 {
                    // Decoded two frames before it is presented.
                    let found = timeline.place(sample(frame(number), frame(number - 2), frame(1)))
                    let placed = try #require(found)
                    #expect(placed.decodeTime >= .zero && placed.presentationTime >= placed.decodeTime)
                    if number == first { mediaOfFirst = placed.presentationTime }
                }
                #expect(timeline.end() == .zero)
                shown.append((source.start, try #require(mediaOfFirst)))
                list.append((source, lead))
                total += source.duration
            }
            #expect(timeline.edits.compactMap(\.mediaTime) == shown.map(\.media))
            #expect(timeline.edits.reduce(MediaTime.zero) { $0 + $1.duration } == total)
            #expect(timeline.edits.map(\.duration) == list.map(\.0.duration))
        }
    }

    @Test("media that begins late or ends early leaves empty edits, and nothing after the last media")
    func holes() {
        var timeline = TrackTimeline()
        timeline.begin(TimeRange(start: .zero, duration: frame(10)))
        for number in 3..<8 { #expect(timeline.place(sample(frame(number), frame(number), frame(1))) != nil) }
        #expect(timeline.end() == frame(2))
        timeline.gap(frame(5))
        timeline.begin(TimeRange(start: .zero, duration: frame(2)))
        #expect(timeline.place(sample(.zero, .zero, frame(1))) != nil)
        #expect(timeline.end() == frame(1))
        #expect(
            timeline.edits == [
                MovieEdit(mediaTime: nil, duration: frame(3)), MovieEdit(mediaTime: .zero, duration: frame(5)),
                MovieEdit(mediaTime: nil, duration: frame(7)), MovieEdit(mediaTime: frame(5), duration: frame(1)),
            ])
        timeline.begin(TimeRange(start: .zero, duration: frame(1)))
        #expect(timeline.place(sample(.zero, frame(1), frame(1))) == nil)
    }

    @Test("an index is given its edits exactly, in long form only where numbers need it")
    func index() throws {
        func box(_ type: String, _ body: [UInt8]) -> [UInt8] { Self.big(body.count + 8, 4) + Array(type.utf8) + body }
        let movie = box(
            "mvhd", [0, 0, 0, 0] + Self.big(0, 8) + Self.big(1000, 4) + Self.big(77, 4) + [UInt8](repeating: 9, count: 80))
        let track = box(
            "trak",
            box(
                "tkhd",
                [0, 0, 0, 7] + Self.big(0, 8) + Self.big(1, 4) + Self.big(0, 4) + Self.big(77, 4)
                    + [UInt8](repeating: 8, count: 60))
                + box("mdia", box("mdhd", [0, 0, 0, 0] + Self.big(0, 8) + Self.big(12_800, 4) + Self.big(0, 8))))
        let moov = box("moov", movie + track)
        let edits = [MovieEdit(mediaTime: nil, duration: MediaTime(1, 3)), MovieEdit(mediaTime: frame(3), duration: frame(4))]
        let made = try #require(MovieIndex.adding([edits], to: moov, isFragmented: false))
        let list = try #require(MP4Box.first(["moov", "trak", "edts", "elst"], in: made[...]))
        // 1/3 s and 4/25 s are whole in 1/75 s, and at least milliseconds are wanted: 1/1050 s.
        #expect(
            Array(list) == [0, 0, 0, 0] + Self.big(2, 4) + Self.big(350, 4) + [255, 255, 255, 255, 0, 1, 0, 0] + Self.big(168, 4)
                + Self.big(1536, 4) + [0, 1, 0, 0])
        let head = try #require(MP4Box.first(["moov", "mvhd"], in: made[...]))
        #expect(head.big(4, at: 12) == 1050 && head.big(4, at: 16) == 518 && head.big(4, at: 20) == 0x0909_0909)
        let trackHead = try #require(MP4Box.first(["moov", "trak", "tkhd"], in: made[...]))
        #expect(trackHead.big(4, at: 12) == 1 && trackHead.big(4, at: 16) == 0 && trackHead.big(4, at: 20) == 518)
        #expect(MP4Box.boxes(in: made[...]).count == 1)
        let long = [MovieEdit(mediaTime: .seconds(400_000), duration: .seconds(3))]
        let longMoov = try #require(MovieIndex.adding([long], to: moov, isFragmented: false))
        let longList = try #require(MP4Box.first(["moov", "trak", "edts", "elst"], in: longMoov[...]))
        #expect(longList.first == 1 && longList.big(8, at: 8) == 3000 && longList.big(8, at: 16) == 5_120_000_000)
        // Not an index, or one of other tracks.
        #expect(MovieIndex.adding([edits, edits], to: moov, isFragmented: false) == nil)
        #expect(MovieIndex.adding([edits], to: Array(moov.dropLast()), isFragmented: false) == nil)
        #expect(MovieIndex.adding([], to: [], isFragmented: false) == nil)
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
