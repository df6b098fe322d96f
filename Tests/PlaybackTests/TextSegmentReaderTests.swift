import Captions
import MediaModel
import MediaSources
import MediaTime
import Testing

@testable import Playback

@Suite struct TextSegmentReaderTests {
    private func starts(
        _ text: String, at start: Int64, _ mapping: TextSegment.Mapping, _ placing: WebVTTPlacing = WebVTTPlacing()
    ) throws -> [Int64] {
        let segment = TextSegment(
            track: TrackID(0), bytes: Array(text.utf8), initialization: nil,
            timeRange: TimeRange(start: .seconds(start), duration: .seconds(2)),
            mapping: mapping, mediaSequence: 0, discontinuitySequence: 0)
        return try TextSegmentReader.cues(of: segment, placing).get().map(\.start.milliseconds)
    }

    private func mapped(_ stamp: Int64) -> String {
        "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:\(stamp * 90_000),LOCAL:00:00:00.000\n\n00:00.200 --> 00:01.600\nx"
    }

    /// A splice at 20 s: before it stamps begin at 10 s, behind it at 70,000 s.
    private let before = StampPlacement(offset: .seconds(-10))
    private let behind = StampPlacement([.init(start: .seconds(20), offset: .seconds(20 - 70_000))])!

    @Test("a segment whose cues lie elsewhere by its own sequence is placed by the sequence that brings them into it")
    func otherSequence() throws {
        let mapping = TextSegment.Mapping(own: before, others: [behind])
        #expect(try starts(mapped(28), at: 18, mapping) == [18_200])
        #expect(try starts(mapped(70_002), at: 22, mapping) == [22_200], "no EXT-X-DISCONTINUITY in the playlist of captions")
        #expect(try starts(mapped(28), at: 18, .init(own: behind, others: [before])) == [18_200])
    }

    @Test("a cue that is in its segment stays, and one that no sequence brings there stays where its own puts it")
    func ownSequence() throws {
        let near = StampPlacement(offset: .seconds(-9))
        #expect(try starts(mapped(28), at: 18, .init(own: before, others: [near])) == [18_200])
        #expect(try starts(mapped(500), at: 18, .init(own: before, others: [near])) == [490_200])
    }

    @Test("of more cues than a store keeps, those nearest to their segment are handed over")
    func manyCues() throws {
        let cues = (0..<20_000).map { "00:\(10 + $0 / 1000):\(10 + $0 / 20 % 50).\(100 + $0 % 900) --> 00:40:00.000\nx\($0)\n\n" }
        let own = TextSegment.Mapping(own: StampPlacement(offset: .zero), others: [])
        let found = try starts("WEBVTT\n\n" + cues.joined(), at: 3000, own)
        #expect(found.count == CueStore.usualCount)
    }

    @Test("cues without a map behind a splice lie where the presentation has them, or count from their segment")
    func withoutMap() throws {
        let mapping = TextSegment.Mapping(own: before, others: [behind])
        let placing = WebVTTPlacing()
        for start in [Int64(16), 18, 20, 22] {
            #expect(
                try starts("WEBVTT\n\n00:\(start).200 --> 00:\(start + 1).600\nx", at: start, mapping, placing) == [
                    start * 1000 + 200
                ])
        }
    }
}
