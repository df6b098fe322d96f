import HLSPlaylist
import LinuxSupport
import MediaSources
import MediaTime
import Testing

@testable import HLSStreaming

@Suite("The walk from segment to segment", .serialized)
@MainActor
struct SegmentWalkTests {
    private func tracker(_ text: String) throws -> MediaPlaylistTracker {
        let bench = try Bench()
        let tracker = bench.tracker()
        try tracker.adopt(
            ByteResponse(
                bytes: Array(("#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:4\n" + text).utf8), url: "http://h/list.m3u8",
                status: 200, contentType: nil,
                timeToFirstByte: .zero, transferDuration: .zero))
        return tracker
    }

    private static let segments = "#EXT-X-MEDIA-SEQUENCE:10\n#EXTINF:4,\na.ts\n#EXT-X-GAP\n#EXTINF:4,\nb.ts\n#EXTINF:4,\nc.ts\n"
    private static let parts =
        "#EXT-X-PART-INF:PART-TARGET=1\n" + segments
        + "#EXT-X-PART:DURATION=1,URI=\"p0\",INDEPENDENT=YES\n#EXT-X-PART:DURATION=1,URI=\"p1\"\n#EXT-X-PART:DURATION=1,URI=\"p2\",INDEPENDENT=YES,GAP=YES\n"

    private func words(_ step: SegmentWalk.Step) -> String {
        switch step {
        case .fetch(let piece):
            "\(piece.uri) \(piece.start.milliseconds / 1000)-\(piece.end.milliseconds / 1000)\(piece.isPart ? " part" : "") then \(piece.next.mediaSequence).\(piece.next.part)"
        case .skip(let cursor, let end):
            "skip to \(cursor.mediaSequence).\(cursor.part) at \(end.map { "\($0.milliseconds / 1000)" } ?? "-")"
        case .wait: "wait"
        case .behind: "behind"
        case .end: "end"
        }
    }

    private func step(
        _ tracker: MediaPlaylistTracker, _ sequence: Int64, part: Int = 0, epoch: Int64 = 0, position: MediaTime = .zero
    ) -> String {
        words(SegmentWalk.step(from: .init(mediaSequence: sequence, part: part, epoch: epoch), in: tracker, position: position))
    }

    @Test("segments are fetched in order, gaps are skipped, and a live reader waits at the end")
    func segments() throws {
        let live = try tracker(Self.segments), ended = try tracker(Self.segments + "#EXT-X-ENDLIST\n")
        #expect(
            step(live, 10) == "a.ts 0-4 then 11.0" && step(live, 11) == "skip to 12.0 at 8"
                && step(live, 12) == "c.ts 8-12 then 13.0")
        #expect(step(live, 13) == "wait" && step(ended, 13) == "end" && step(live, 12, epoch: 1) == "skip to 10.0 at -")
        // Removed segments: a short way is stepped over, a long one must be asked about.
        // A window that was not seen for long: reading continues at its position, not at the start of the window.
        #expect(step(live, 5, position: .seconds(8)) == "skip to 12.0 at -")
        #expect(step(live, 9, position: .seconds(-8)) == "skip to 10.0 at 0" && step(live, 7, position: .seconds(-9)) == "behind")
    }

    @Test("parts follow the last segment, with their own gaps")
    func parts() throws {
        let live = try tracker(Self.parts)
        #expect(step(live, 13) == "p0 12-13 part then 13.1" && step(live, 13, part: 1) == "p1 13-14 part then 13.2")
        #expect(step(live, 13, part: 2) == "skip to 13.3 at 15" && step(live, 13, part: 3) == "wait" && step(live, 14) == "wait")
    }

    @Test("of a segment that is whole now only the parts that are missing are fetched")
    func wholeNow() throws {
        let live = try tracker(
            "#EXT-X-PART-INF:PART-TARGET=2\n#EXT-X-MEDIA-SEQUENCE:10\n#EXT-X-PART:DURATION=2,URI=\"p0\"\n#EXT-X-PART:DURATION=2,URI=\"p1\"\n#EXTINF:4,\na.ts\n"
        )
        #expect(
            step(live, 10) == "a.ts 0-4 then 11.0" && step(live, 10, part: 1) == "p1 2-4 part then 10.2"
                && step(live, 10, part: 2) == "skip to 11.0 at 4")
    }

    @Test("reading begins with the segment at the position, near the edge with a part that can be decoded by itself")
    func cursors() throws {
        func cursor(_ tracker: MediaPlaylistTracker, _ milliseconds: Int64, isFirst: Bool = true) -> String {
            let cursor = SegmentWalk.cursor(at: .milliseconds(milliseconds), isFirst: isFirst, in: tracker)
            return "\(cursor.mediaSequence).\(cursor.part)"
        }
        let live = try tracker(Self.parts), plain = try tracker(Self.segments),
            ended = try tracker(Self.segments + "#EXT-X-ENDLIST\n")
        #expect([-1000, 0, 3999, 4000, 11_999].map { cursor(live, $0) } == ["10.0", "10.0", "10.0", "11.0", "12.0"])
        #expect([12_000, 13_999, 14_000, 99_000].map { cursor(live, $0) } == ["13.0", "13.0", "13.2", "13.2"])
        #expect(cursor(plain, 12_000) == "12.0" && cursor(ended, 12_000) == "12.0")
        // When a reader continues from another variant, less than a frame before a boundary counts as after it.
        #expect(
            cursor(plain, 3980, isFirst: false) == "11.0" && cursor(plain, 3979, isFirst: false) == "10.0"
                && cursor(plain, 4000, isFirst: false) == "11.0")
        #expect(
            cursor(live, 12_900, isFirst: false) == "13.1" && cursor(live, 14_900, isFirst: false) == "13.3"
                && cursor(plain, 12_000, isFirst: false) == "13.0")
        #expect(cursor(ended, 12_000, isFirst: false) == "13.0")
    }

    @Test("a hinted part is fetched when it is the next one and its length is known")
    func hints() throws {
        func hint(_ attributes: String, sequence: Int64 = 13, part: Int = 3) throws -> String? {
            let tracker = try tracker(Self.parts + "#EXT-X-PRELOAD-HINT:\(attributes)\n")
            return SegmentWalk.hintedPiece(
                .init(mediaSequence: sequence, part: part, epoch: 0), in: tracker, position: .seconds(15)
            ).map {
                "\($0.uri) \($0.start.milliseconds / 1000)-\($0.end.milliseconds / 1000) then \($0.next.mediaSequence).\($0.next.part) \($0.range.map { "\($0.offset)+\($0.length)" } ?? "")"
            }
        }
        #expect(try hint("TYPE=PART,URI=\"p3\"") == "p3 15-16 then 13.4 ")
        #expect(try hint("TYPE=PART,URI=\"p3\",BYTERANGE-START=7,BYTERANGE-LENGTH=5") == "p3 15-16 then 13.4 7+5")
        #expect(try hint("TYPE=PART,URI=\"p3\",BYTERANGE-START=7") == nil && hint("TYPE=MAP,URI=\"m\"") == nil)
        #expect(try hint("TYPE=PART,URI=\"p3\"", part: 2) == nil && hint("TYPE=PART,URI=\"p3\"", sequence: 12) == nil)
    }
}
