import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import HLSStreaming

@Suite("The container of a segment")
struct ContainerSnifferTests {
    /// Text, then bytes.
    private static func bytes(_ text: String, _ rest: [UInt8] = []) -> [UInt8] { Array(text.utf8) + rest }

    private static let examples: [([UInt8], ContainerHint)] = [
        (bytes("G") + [UInt8](repeating: 0, count: 187) + bytes("G"), .transportStream),
        (bytes("\0\0\0\u{18}ftypiso6"), .fragmentedMP4),
        (bytes("\0\0\0\u{18}styp"), .fragmentedMP4),
        (adts + adts, .packedAAC), (adts, .packedAAC),
        (mp3 + mp3, .packedMP3), (mp3, .packedMP3),
        (bytes("ID3", [4, 0, 0, 0, 0, 0, 2, 9, 9]) + adts + adts, .packedAAC),
        // What stands before the first packet: stuffing, half a packet, a picture, zeros.
        ([UInt8](repeating: 0xFF, count: 104) + packets(5), .transportStream),
        ([UInt8](packets(1).suffix(100)) + packets(6), .transportStream),
        ([0x89] + bytes("PNG\r\n\u{1A}\n") + [UInt8](repeating: 0x47, count: 60) + packets(6), .transportStream),
        ([UInt8](repeating: 0, count: 4000) + packets(8), .transportStream),
        // A segment without a sample: one packet of a table.
        (packets(1), .transportStream), (packets(1, before: [0, 0, 0, 0]), .transportStream),
        (packets(1, behind: [UInt8](repeating: 9, count: 16)), .transportStream),
        // With time stamps and with checksums.
        (packets(6, before: [0, 0, 0, 0]), .transportStream),
        (packets(6, behind: [UInt8](repeating: 9, count: 16)), .transportStream),
        ([0x0B, 0x77, 0, 0, 0, 0x40, 0], .packedAC3),
        ([0x0B, 0x77, 0, 0, 0, 0x80, 0], .packedEAC3),
    ]

    /// A frame of AAC of 20 bytes, and one of MPEG-1, layer III, of 104 bytes.
    private static let adts: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x9F, 0xFC] + [UInt8](repeating: 3, count: 13)
    private static let mp3: [UInt8] = [0xFF, 0xFB, 0x10, 0x64] + [UInt8](repeating: 3, count: 100)

    /// Packets of a transport stream.
    private static func packets(_ count: Int, before: [UInt8] = [], behind: [UInt8] = []) -> [UInt8] {
        (0..<count).flatMap { before + [0x47] + [UInt8](repeating: UInt8($0), count: 187) + behind }
    }

    @Test("what precedes the first packet is no media; the time stamp of a packet belongs to it")
    func junk() {
        func junk(_ bytes: [UInt8]) -> Int { ContainerSniffer.junkLength(in: bytes, .transportStream) }
        #expect(junk(Self.packets(5)) == 0)
        #expect(junk([UInt8](repeating: 0xFF, count: 104) + Self.packets(8)) == 104)
        #expect(junk(Self.packets(8, before: [1, 2, 3, 4])) == 0)
        #expect(junk([9, 9, 9] + Self.packets(8, before: [1, 2, 3, 4])) == 3)
        #expect(junk([9, 9, 9] + Self.packets(8, behind: [UInt8](repeating: 9, count: 16))) == 3)
    }

    @Test("one header of sound is an accident: a second one of the same kind must follow, and may be awaited")
    func accidents() {
        let other: [UInt8] = [0xFF, 0xF1, 0x4C, 0x80, 0x02, 0x9F, 0xFC] + [UInt8](repeating: 3, count: 13)
        for bytes in [Self.adts + [1, 2, 3, 4, 5, 6, 7], Self.adts + other, Self.mp3 + Self.adts] {
            #expect(ContainerSniffer.container(of: bytes) == nil)
        }
        #expect(ContainerSniffer.container(of: Self.adts, isComplete: false) == nil)
        #expect(ContainerSniffer.container(of: Self.mp3 + Self.mp3.prefix(3), isComplete: false) == nil)
        #expect(ContainerSniffer.container(of: [0xFF] + Self.packets(4), isComplete: false) == nil)
        #expect(ContainerSniffer.container(of: Self.packets(1), isComplete: false) == nil)
        #expect(ContainerSniffer.container(of: [UInt8](repeating: 0xFF, count: 5000)) == nil)
    }

    private static let foreign: [[UInt8]] = [
        [0xFF, 0xF1, 0x50, 0x80], [0xFF, 0xFB, 0x90, 0x64],
        [], [0x47], bytes("<!DOCTYPE html>"), bytes("#EXTM3U\n"), bytes("ID3", [4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f, 0]),
    ]

    @Test("containers are detected from their first bytes", arguments: examples)
    func known(_ bytes: [UInt8], _ container: ContainerHint) {
        #expect(ContainerSniffer.container(of: bytes) == container)
    }

    @Test("other bytes have no container", arguments: foreign)
    func unknown(_ bytes: [UInt8]) {
        #expect(ContainerSniffer.container(of: bytes) == nil)
    }
}

@Suite("Stream time to asset time")
struct StreamTimelineTests {
    @Test("the first timestamp of a sequence fixes its offset permanently")
    func fixes() {
        let timeline = StreamTimeline(ledger: nil)
        #expect(timeline.fix(0, stamp: .seconds(10), segmentStart: .zero) == .seconds(-10))
        #expect(timeline.fix(0, stamp: .seconds(17), segmentStart: .seconds(6)) == .seconds(-10))
        #expect(timeline.fix(1, stamp: .seconds(1000), segmentStart: .seconds(20)) == .seconds(-980))
        #expect(timeline.offset(of: 1, session: 1, ownStamp: .seconds(5), segmentStart: .zero) == .seconds(-980))
    }

    @Test("without pictures the other renditions use their own timestamps, with one common offset")
    func barren() {
        let timeline = StreamTimeline(ledger: nil)
        timeline.leave(3)
        #expect(timeline.offset(of: 3, session: 1, ownStamp: .seconds(7), segmentStart: .seconds(2)) == .seconds(-5))
        #expect(timeline.offset(of: 3, session: 1, ownStamp: .seconds(9), segmentStart: .seconds(2)) == .seconds(-5))
    }

    @Test("threads that wait in a cancelled reading run are unblocked")
    func cancelled() {
        let timeline = StreamTimeline(ledger: nil)
        timeline.cancel(session: 4)
        #expect(timeline.offset(of: 9, session: 4, ownStamp: .zero, segmentStart: .zero) == nil)
    }
}

@Suite("Segments as one byte stream", .serialized)
@MainActor
struct SegmentByteStreamTests {
    private func read(_ stream: SegmentByteStream, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try bytes.withUnsafeMutableBytes { try stream.read(into: $0) }
        return Array(bytes.prefix(read))
    }

    @Test("bytes are in order across segments; empty segments are ignored; the end is reported")
    func order() throws {
        let loop = try MainLoop(time: .simulated)
        var rings = 0
        let stream = SegmentByteStream(name: "s", ledger: nil, bell: loop.clock.makeDoorbell(rank: .transfer) { rings += 1 })
        stream.append([1, 2, 3])
        stream.append([])
        stream.append([4, 5])
        stream.finish()
        #expect(stream.unreadSegments == 2)
        #expect(try read(stream, 2) == [1, 2])
        #expect(try read(stream, 2) == [3])
        #expect(stream.unreadSegments == 1)
        #expect(try read(stream, 9) == [4, 5])
        #expect(try read(stream, 9) == [])
        loop.run(until: { rings > 0 })
    }

    @Test("a read into an empty buffer returns at once; many segments keep their order, and dropped bytes are not read")
    func many() throws {
        let loop = try MainLoop(time: .simulated)
        var rings = 0
        let stream = SegmentByteStream(name: "s", ledger: nil, bell: loop.clock.makeDoorbell(rank: .transfer) { rings += 1 })
        for number in 0..<40 { stream.append([UInt8(number), UInt8(number)], cipher: nil, endsSegment: number % 2 == 1) }
        #expect(try read(stream, 0) == [] && stream.unreadSegments == 20)
        for number in 0..<36 { #expect(try read(stream, 8) == [UInt8(number), UInt8(number)]) }
        #expect(stream.unreadSegments == 2)
        stream.append([99])
        for number in 36..<38 { #expect(try read(stream, 8) == [UInt8(number), UInt8(number)]) }
        #expect(stream.unreadSegments == 2)
        stream.drop()
        #expect(stream.unreadSegments == 0)
        #expect(try read(stream, 8) == [])
        loop.run(until: { rings > 0 })
        #expect(throws: MediaError.self) { try stream.seek(to: 0) }
        #expect(stream.length == nil)
    }

    /// The reader of a stream may be what the one who adds to it waits for.
    @Test("the end of a segment that comes by itself is told before more is waited for")
    func loneEnd() throws {
        let loop = try MainLoop(time: .simulated)
        let reader = WorkerThread(name: "reader", clock: loop.clock)
        defer { reader.stop() }
        var rings = 0
        let stream = SegmentByteStream(
            name: "s", ledger: loop.clock.ledger, bell: loop.clock.makeDoorbell(rank: .transfer) { rings += 1 })
        stream.append([1, 2], cipher: nil, endsSegment: false)
        reader.perform { while let part = try? stream.read(count: 100), !part.isEmpty {} }
        loop.run(within: .seconds(1)) { false }
        #expect(rings == 0)
        stream.append([], cipher: nil, endsSegment: true)
        loop.run(within: .seconds(1)) { false }
        #expect(rings == 1 && stream.unreadSegments == 0)
        stream.finish()
    }

    @Test("a failure is reported after the earlier bytes, a cancellation at once")
    func ends() throws {
        let loop = try MainLoop(time: .simulated)
        let bell = loop.clock.makeDoorbell(rank: .transfer) {}
        let failing = SegmentByteStream(name: "s", ledger: nil, bell: bell)
        failing.append([1])
        failing.fail(MediaError(.networkDown, "The cable is out."))
        #expect(try read(failing, 4) == [1])
        #expect(throws: MediaError(.networkDown, "The cable is out.")) { try read(failing, 4) }
        let cancelled = SegmentByteStream(name: "s", ledger: nil, bell: bell)
        cancelled.append([1])
        cancelled.cancel()
        #expect(try read(cancelled, 4) == [])
    }
}
