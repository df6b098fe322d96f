import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

@Suite("Segments without a sample", .serialized)
@MainActor
struct SegmentContentTests {
    private let bench: Bench
    private let tracker: MediaPlaylistTracker

    init() throws {
        bench = try Bench()
        tracker = bench.tracker()
    }

    private func adopt(tail: String) throws {
        try tracker.adopt(
            ByteResponse(
                bytes: Array("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n0\n\(tail)".utf8), url: "http://h/list.m3u8",
                status: 200,
                contentType: nil, timeToFirstByte: .zero, transferDuration: .zero))
    }

    private func delivery() -> RunDelivery {
        RunDelivery(
            context: bench.context, bell: bench.loop.clock.makeDoorbell(rank: .transfer) {}, start: .zero, isPrimary: true)
    }

    /// A piece of two seconds.
    private func piece(_ number: Int64) -> Piece {
        Piece(
            uri: "\(number)", range: nil, map: nil, key: nil, mediaSequence: number, sequence: 0, start: .seconds(number * 2),
            end: .seconds(number * 2 + 2), isPart: false, next: .init(mediaSequence: number + 1, epoch: 0))
    }

    /// A packet of a transport stream that begins with these bytes.
    private static func packet(_ head: [UInt8]) -> [UInt8] { head + [UInt8](repeating: 0xFF, count: 188 - head.count) }

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(8 + body.count)] + Array(type.utf8) + body
    }

    private static let tables =
        packet([0x47, 0x40, 0, 0x10, 0, 0, 0xB0, 0x0D]) + packet([0x47, 0x50, 0, 0x10, 0, 2, 0xB0, 0x17])
    private static let stuffing = packet([0x47, 0x1F, 0xFF, 0x10])
    /// A table, and a picture whose first packet has a clock before its payload.
    private static let pictures =
        tables + packet([0x47, 0x41, 0, 0x30, 7, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xE0]) + packet([0x47, 0x01, 0, 0x11])
    private static let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]
    private static let sound =
        tag + [0xFF, 0xF1, 0x4C, 0x80, 0x01, 0x1F, 0xFC, 0] + [0xFF, 0xF1, 0x4C, 0x80, 0x01, 0x1F, 0xFC, 0]
    private static let segment = box("styp", [1, 2, 3, 4])
    private static let fragment = segment + box("moof", [1]) + box("mdat", [2])
    private static let map = box("ftyp", [1])

    @Test(
        "they are holes: the run begins with the next one, where its playlist says, however they arrive",
        arguments: [1, 200, 9999])
    func holes(_ size: Int) throws {
        try adopt(tail: "#EXT-X-ENDLIST\n")
        let kinds: [(holes: [[UInt8]], whole: [UInt8], map: [UInt8]?)] = [
            ([[], Self.tables, Self.tables + Self.stuffing], Self.pictures, nil), ([[], Self.tag], Self.sound, nil),
            ([[], Self.segment, Self.segment + Self.box("moof", [1]) + Self.box("mdat", [])], Self.fragment, Self.map),
        ]
        for (holes, whole, map) in kinds {
            for hole in holes {
                let delivery = delivery()
                for (number, bytes) in [hole, whole, hole, whole].enumerated() {
                    delivery.expect(piece(Int64(number)), from: tracker)
                    delivery.ready(.init(map: map, key: nil))
                    for start in stride(from: 0, to: bytes.count, by: size) {
                        try delivery.add(Array(bytes[start..<min(start + size, bytes.count)]))
                    }
                    #expect(try delivery.complete()?.mediaSequence == Int64(number))
                    #expect(delivery.runs.count == min(number, 1) && delivery.piece == nil)
                }
                delivery.finish(tracker)
                let run = try #require(delivery.runs.tryPop())
                #expect(run.start == .seconds(2))
                var found: [UInt8] = []
                var part = [UInt8](repeating: 0, count: 1000)
                while case let count = try part.withUnsafeMutableBytes({ try run.stream.read(into: $0) }), count > 0 {
                    found += part.prefix(count)
                }
                let media = whole.starts(with: Self.tag) ? Array(whole.dropFirst(Self.tag.count)) : whole
                #expect(found == (map ?? []) + media + media)
            }
        }
    }

    @Test("an empty one of a live programme may not be written yet: it is refused, and expected again")
    func notWritten() throws {
        try adopt(tail: "")
        let delivery = delivery()
        delivery.expect(piece(0), from: tracker)
        delivery.ready(.init())
        let error = try #require(throws: MediaError.self) { try delivery.complete() }
        #expect(error.code == .sourceFormat && error.sentence.contains("is empty"))
        try delivery.add(Self.pictures)
        #expect(try delivery.complete()?.mediaSequence == 0)
        #expect(delivery.runs.count == 1)
    }

    @Test("a fragment whose data has not arrived, and bytes of something else, are not without a sample")
    func others() {
        let moof = Self.box("moof", [1])
        func isBarren(_ bytes: [UInt8], _ container: ContainerHint, isComplete: Bool) -> Bool {
            SegmentContent.isBarren(bytes, container, tagLength: 0, isComplete: isComplete)
        }
        #expect(isBarren(moof, .fragmentedMP4, isComplete: false) && !isBarren(moof, .fragmentedMP4, isComplete: true))
        #expect(!isBarren(moof + [0, 0, 0, 0] + Array("mdat".utf8), .fragmentedMP4, isComplete: false))
        #expect(!isBarren(Array(Self.segment.dropLast()), .fragmentedMP4, isComplete: true))
        #expect(!isBarren(Array("<html>".utf8), .fragmentedMP4, isComplete: false))
        #expect(!isBarren(Self.pictures, .transportStream, isComplete: false))
        // Packets that go on with something say nothing.
        #expect(
            !isBarren(Self.packet([0x47, 1, 0, 0x11]) + Self.packet([0x47, 1, 0, 0x12]), .transportStream, isComplete: true))
    }
}
