import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

@Suite("From the bytes of segments to runs", .serialized)
@MainActor
struct RunDeliveryTests {
    private let bench: Bench
    private let tracker: MediaPlaylistTracker
    private let maps: [MediaInitialization]
    private let key: EncryptionKey

    /// A playlist with five discontinuity sequences of a segment each, the last two with initialization sections.
    init() throws {
        bench = try Bench()
        tracker = bench.tracker()
        let text = """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:2
            #EXTINF:2,
            0
            #EXT-X-DISCONTINUITY
            #EXTINF:2,
            1
            #EXT-X-DISCONTINUITY
            #EXT-X-KEY:METHOD=AES-128,URI="k"
            #EXTINF:2,
            2
            #EXT-X-KEY:METHOD=NONE
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="init0"
            #EXTINF:2,
            3
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="init1"
            #EXTINF:2,
            4
            #EXT-X-ENDLIST
            """
        try tracker.adopt(Self.response(text))
        let segments = try #require(tracker.playlist?.segments)
        maps = segments.compactMap(\.map)
        key = try #require(segments[2].key)
    }

    private static func response(_ text: String) -> ByteResponse {
        ByteResponse(
            bytes: Array(text.utf8), url: "http://h/list.m3u8", status: 200, contentType: nil, timeToFirstByte: .zero,
            transferDuration: .zero)
    }

    private func delivery(from start: MediaTime = .zero, isPrimary: Bool = true) -> RunDelivery {
        RunDelivery(
            context: bench.context, bell: bench.loop.clock.makeDoorbell(rank: .transfer) {}, start: start, isPrimary: isPrimary)
    }

    /// A piece of two seconds.
    private func piece(
        _ number: Int64 = 0, sequence: Int64 = 0, map: MediaInitialization? = nil, key: EncryptionKey? = nil
    ) -> Piece {
        Piece(
            uri: "\(number)", range: nil, map: map, key: key, mediaSequence: number, sequence: sequence,
            start: .seconds(number * 2), end: .seconds(number * 2 + 2), isPart: false,
            next: .init(mediaSequence: number + 1, epoch: 0))
    }

    /// Delivers a whole piece in parts.
    private func deliver(
        _ piece: Piece, _ parts: [[UInt8]], map: [UInt8]? = nil, key: [UInt8]? = nil, to delivery: RunDelivery,
        from other: MediaPlaylistTracker? = nil
    ) throws {
        delivery.expect(piece, from: other ?? tracker)
        delivery.ready(.init(map: map, key: key))
        for part in parts { try delivery.add(part) }
        #expect(try delivery.complete()?.mediaSequence == piece.mediaSequence)
        #expect(delivery.piece == nil)
    }

    /// The bytes of a run that has ended.
    private func bytes(_ plan: RunPlan) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            var part = [UInt8](repeating: 0, count: 1000)
            let count = try part.withUnsafeMutableBytes { try plan.stream.read(into: $0) }
            if count == 0 { return bytes }
            bytes += part.prefix(count)
        }
    }

    @Test("unread bytes of all runs together are bounded, and what waits for them goes on when half of them are read")
    func bounded() throws {
        var rings = 0
        let delivery = RunDelivery(
            context: bench.context, bell: bench.loop.clock.makeDoorbell(rank: .transfer) { rings += 1 }, start: .zero,
            isPrimary: true)
        let piece = Array(repeatElement(Self.transport, count: (10 << 20) / Self.transport.count + 1).joined())
        for number in Int64(0)..<5 {
            #expect(!delivery.isFull && delivery.isLow == (number < 3))
            delivery.expect(self.piece(number, sequence: number), from: tracker)
            delivery.ready(.init(map: nil, key: nil))
            try delivery.add(piece)
        }
        #expect(delivery.isFull && !delivery.hasRoom && !delivery.isLow)
        bench.run(for: 0.1)
        rings = 0
        for _ in 0..<3 {
            let plan = try #require(delivery.runs.pop())
            plan.stream.finish()
            _ = try bytes(plan)
        }
        bench.run(for: 0.1)
        #expect(delivery.isLow && !delivery.isFull && rings > 0)
        delivery.cancel()
    }

    @Test("what is left of runs that were refused does not count as unread")
    func refusedBytes() throws {
        let delivery = delivery()
        let piece = Array(repeatElement(Self.transport, count: (10 << 20) / Self.transport.count + 1).joined())
        for number in Int64(0)..<6 {
            delivery.expect(self.piece(number), from: tracker, keyFrameBy: .zero)
            delivery.ready(.init(map: nil, key: nil))
            try delivery.add(piece)
            let plan = try #require(delivery.runs.pop())
            try #require(plan.check).take(.lacksKeyFrame)
            guard case .found(.lacksKeyFrame) = delivery.takeEntry() else {
                Issue.record("the answer was not found")
                return
            }
        }
        #expect(delivery.isLow && delivery.hasRoom)
    }

    private static let transport = [0x47] + [UInt8](repeating: 0, count: 187) + [0x47] + [UInt8](repeating: 1, count: 187)
    /// Two frames of eight bytes.
    private static let adts: [UInt8] = [0xff, 0xf1, 0x50, 0x80, 1, 0, 4, 5, 0xff, 0xf1, 0x50, 0x80, 1, 0, 6, 7]

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let size = body.count + 8
        return [0, 0, UInt8(size >> 8), UInt8(size & 0xff)] + Array(type.utf8) + body
    }

    private static func tag(_ frames: [UInt8]) -> [UInt8] {
        let size = frames.count
        return Array("ID3".utf8) + [4, 0, 0, 0, UInt8(size >> 14), UInt8(size >> 7 & 0x7f), UInt8(size & 0x7f)] + frames
    }

    private static func frame(_ id: String, _ body: [UInt8]) -> [UInt8] {
        let size = body.count
        return Array(id.utf8) + [0, UInt8(size >> 14), UInt8(size >> 7 & 0x7f), UInt8(size & 0x7f), 0, 0] + body
    }

    /// The timestamp of ten seconds.
    private static let stamp = frame(
        "PRIV", Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0] + [0, 0, 0, 0, 0, 0x0d, 0xbb, 0xa0])

    // MARK: Runs

    @Test("segments of a sequence are one run, in which their bytes follow each other; another sequence begins a run")
    func sequences() throws {
        let delivery = delivery()
        try deliver(piece(0), [Self.transport, [7]], to: delivery)
        try deliver(piece(1), [Self.transport, [8]], to: delivery)
        #expect(delivery.runs.count == 1)
        try deliver(piece(2, sequence: 1), [Self.transport], to: delivery)
        #expect(delivery.runs.count == 2)
        delivery.finish(tracker)
        let first = try #require(delivery.runs.tryPop()), second = try #require(delivery.runs.tryPop())
        #expect(first.sequence == 0 && first.start == .zero && first.container == .transportStream)
        #expect(second.sequence == 1 && second.start == .seconds(4))
        #expect(first.replacesFrom == nil && first.firstStamp == nil && first.keyFrameDuration == nil)
        #expect(try bytes(first) == Self.transport + [7] + Self.transport + [8])
        #expect(try bytes(second) == Self.transport)
    }

    @Test(
        "a web page is refused, after an initialization section too, and its segment is expected again", arguments: [true, false])
    func webPage(_ hasMap: Bool) throws {
        let delivery = delivery()
        let map = hasMap ? Self.box("ftyp", [1]) : nil
        let media = hasMap ? Self.box("moof", [Int](0..<40).map(UInt8.init)) : Self.transport
        delivery.expect(piece(0, map: hasMap ? maps[0] : nil), from: tracker)
        delivery.ready(.init(map: map, key: nil))
        for byte in Array("<!DOCTYPE html><p>Sign in".utf8) { try delivery.add([byte]) }
        #expect(throws: MediaError.self) { _ = try delivery.complete() }
        #expect(delivery.runs.count == 0 && delivery.piece?.mediaSequence == 0)
        try delivery.add(media)
        #expect(try delivery.complete()?.mediaSequence == 0)
        delivery.finish(tracker)
        #expect(try bytes(#require(delivery.runs.tryPop())) == (map ?? []) + media)
    }

    @Test("another initialization section, another container and another playlist each begin a run")
    func changes() throws {
        let delivery = delivery()
        let fragment = Self.box("moof", [1, 2, 3])
        try deliver(piece(0, map: maps[0]), [fragment], map: [0, 0, 0, 9] + Array("ftypa".utf8), to: delivery)
        try deliver(piece(1, map: maps[0]), [fragment], map: [0, 0, 0, 9] + Array("ftypa".utf8), to: delivery)
        #expect(delivery.runs.count == 1)
        try deliver(piece(2, map: maps[1]), [fragment], map: [0, 0, 0, 9] + Array("ftypb".utf8), to: delivery)
        #expect(delivery.runs.count == 2)
        try deliver(piece(3), [Self.transport], to: delivery)
        #expect(delivery.runs.count == 3)
        try deliver(piece(4), [Self.adts], to: delivery)
        #expect(delivery.runs.count == 4)
        let other = bench.tracker()
        try other.adopt(Self.response("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na\n#EXT-X-ENDLIST\n"))
        try deliver(piece(5), [Self.adts], to: delivery, from: other)
        #expect(delivery.runs.count == 5)
        delivery.finish(tracker)
        let first = try #require(delivery.runs.tryPop()), second = try #require(delivery.runs.tryPop())
        // The section comes once, before the fragments.
        #expect(try bytes(first) == [0, 0, 0, 9] + Array("ftypa".utf8) + fragment + fragment)
        #expect(try bytes(second) == [0, 0, 0, 9] + Array("ftypb".utf8) + fragment)
    }

    @Test("each picture of an I-frame playlist is a run with its duration")
    func keyFrames() throws {
        let keys = bench.tracker()
        try keys.adopt(
            Self.response(
                "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:2\n#EXT-X-I-FRAMES-ONLY\n#EXTINF:2,\na\n#EXTINF:2,\nb\n#EXT-X-ENDLIST\n"
            ))
        let delivery = delivery()
        for number in 0..<2 { try deliver(piece(Int64(number)), [Self.transport], to: delivery, from: keys) }
        #expect(delivery.runs.count == 2 && delivery.runs.peek()?.keyFrameDuration == .seconds(2))
    }

    @Test("the container is known when enough bytes are there; a segment without a known one is refused by name")
    func unknown() throws {
        let delivery = delivery()
        delivery.expect(piece(0), from: tracker)
        delivery.ready(.init())
        try delivery.add(Array(Self.transport.prefix(100)))
        #expect(delivery.runs.count == 0)
        try delivery.add(Array(Self.transport.dropFirst(100)))
        #expect(delivery.runs.count == 1)
        let foreign = self.delivery()
        foreign.expect(piece(0), from: tracker)
        foreign.ready(.init())
        try foreign.add([UInt8](repeating: 0x3c, count: 64 << 10))
        #expect(throws: MediaError.self) { try foreign.add([0x3c]) }
        let short = self.delivery()
        short.expect(piece(0), from: tracker)
        short.ready(.init())
        try short.add([0x3c])
        let error = try #require(throws: MediaError.self) { try short.complete() }
        #expect(error.code == .sourceFormat && error.sentence.contains("Segment 0 of http://h/list.m3u8"))
    }

    @Test("bytes that come while nothing is expected are ignored")
    func unexpected() throws {
        let delivery = delivery()
        delivery.ready(.init())
        try delivery.add(Self.transport)
        #expect(try delivery.complete() == nil)
        delivery.abandon(isReplaced: true)
        #expect(delivery.runs.count == 0)
    }

    // MARK: Room

    @Test("the next segment is fetched while at most one waits for the demuxer, and at most three runs")
    func room() throws {
        let delivery = delivery()
        #expect(delivery.hasRoom)
        // However many parts it comes in, it is one segment.
        try deliver(piece(0), [Self.transport, [2], [3], [4]], to: delivery)
        #expect(delivery.hasRoom)
        try deliver(piece(1), [Self.transport], to: delivery)
        #expect(!delivery.hasRoom)
        let stream = try #require(delivery.runs.peek()?.stream)
        func take() throws -> UInt8 {
            var taken = [UInt8](repeating: 0, count: Self.transport.count)
            let count = try taken.withUnsafeMutableBytes { try stream.read(into: $0) }
            return taken[count - 1]
        }
        #expect(try (0..<4).map { _ in try take() } == [1, 2, 3, 4])
        // Its end is noticed with the next byte.
        #expect(try take() == 1)
        #expect(delivery.hasRoom)
        let runs = self.delivery()
        for number in 0..<4 {
            #expect(runs.hasRoom)
            try deliver(piece(Int64(number), sequence: Int64(number)), [Self.transport], to: runs)
        }
        #expect(!runs.hasRoom)
        _ = runs.runs.tryPop()
        #expect(runs.hasRoom)
    }

    // MARK: Segments that do not come to their end

    @Test("of a segment that another variant replaces, the part that is there is taken back; the next run begins elsewhere")
    func replaced() throws {
        let delivery = delivery()
        try deliver(piece(0), [Self.transport], to: delivery)
        delivery.expect(piece(1), from: tracker)
        delivery.ready(.init())
        try delivery.add(Self.transport)
        delivery.abandon(isReplaced: true)
        #expect(delivery.piece == nil)
        let first = try #require(delivery.runs.tryPop())
        // It has ended: the demuxer does not wait for the rest.
        #expect(try bytes(first).count == Self.transport.count * 2)
        try deliver(piece(1), [Self.transport], to: delivery)
        try deliver(piece(2, sequence: 1), [Self.transport], to: delivery)
        #expect(delivery.runs.tryPop()?.replacesFrom == .milliseconds(1985))
        #expect(delivery.runs.tryPop()?.replacesFrom == nil)
    }

    @Test("a segment of which nothing was delivered leaves the run as it is, unless its sound has no timestamps")
    func gaps() throws {
        let delivery = delivery()
        try deliver(piece(0), [Self.transport], to: delivery)
        for isReplaced in [true, false] {
            delivery.expect(piece(1), from: tracker)
            delivery.ready(.init())
            try delivery.add([0x47])
            delivery.abandon(isReplaced: isReplaced)
        }
        try deliver(piece(2), [Self.transport], to: delivery)
        #expect(delivery.runs.count == 1)
        // A gap after a part was delivered: the demuxer would lose its position.
        delivery.expect(piece(3), from: tracker)
        delivery.ready(.init())
        try delivery.add(Self.transport)
        delivery.abandon(isReplaced: false)
        try deliver(piece(4), [Self.transport], to: delivery)
        #expect(delivery.runs.count == 2)
        _ = delivery.runs.tryPop()
        #expect(delivery.runs.tryPop()?.replacesFrom == nil)
        let sound = self.delivery()
        try deliver(piece(0), [Self.adts], to: sound)
        sound.expect(piece(1), from: tracker)
        sound.abandon(isReplaced: false)
        try deliver(piece(2), [Self.adts], to: sound)
        #expect(sound.runs.count == 2)
        _ = sound.runs.tryPop()
        #expect(sound.runs.tryPop()?.start == .seconds(4))
    }

    // MARK: Packed audio and metadata

    @Test("the tag at the start of packed audio gives the timestamp, and is no sound; the tags of later segments neither")
    func packedAudio() throws {
        let delivery = delivery()
        let head = Self.tag(Self.stamp)
        try deliver(piece(0), [Array(head.prefix(4)), Array(head.dropFirst(4)) + Self.adts, [6]], to: delivery)
        try deliver(piece(1), [head + Self.adts], to: delivery)
        #expect(delivery.runs.count == 1)
        delivery.finish(tracker)
        let run = try #require(delivery.runs.tryPop())
        #expect(run.container == .packedAAC && run.firstStamp == .seconds(10))
        #expect(try bytes(run) == Self.adts + [6] + Self.adts)
    }

    @Test("a tag with a large picture is waited for")
    func largeTag() throws {
        let delivery = delivery()
        let head = Self.tag(Self.stamp + Self.frame("APIC", [UInt8](repeating: 1, count: 90_000)))
        try deliver(piece(0), [Array(head.prefix(80_000)), Array(head.dropFirst(80_000)) + Self.adts], to: delivery)
        delivery.finish(tracker)
        let run = try #require(delivery.runs.tryPop())
        #expect(run.firstStamp == .seconds(10))
        #expect(try bytes(run) == Self.adts)
    }

    @Test("encrypted segments are recognised by their clear bytes, however they arrive", arguments: [1, 200, 100_000])
    func encrypted(_ size: Int) throws {
        let secret = [UInt8](repeating: 9, count: 16)
        let samples = Self.adts + [UInt8](repeating: 6, count: 60)
        let sound = Self.tag(Self.stamp) + samples
        for (clear, container, expected) in [
            (Self.transport, ContainerHint.transportStream, Self.transport), (sound, .packedAAC, samples),
        ] {
            let delivery = delivery()
            let body = Enciphered.bytes(clear, key: secret, vector: Enciphered.vector(3))
            let parts = stride(from: 0, to: body.count, by: size).map { Array(body[$0..<min($0 + size, body.count)]) }
            try deliver(piece(3, key: key), parts, key: secret, to: delivery)
            delivery.finish(tracker)
            let run = try #require(delivery.runs.tryPop())
            #expect(run.container == container)
            #expect(try bytes(run) == expected)
        }
    }

    @Test("a tag with more than the timestamp is metadata at the start of its segment; one without is not")
    func tags() throws {
        let delivery = delivery()
        var found: [[SegmentMetadata]] = []
        delivery.onMetadata = { found.append($0) }
        try deliver(piece(0), [Self.tag(Self.stamp) + Self.adts], to: delivery)
        #expect(found.isEmpty)
        let tag = Self.tag(Self.stamp + Self.frame("TIT2", [3, 65]))
        try deliver(piece(1), [tag + Self.adts], to: delivery)
        #expect(found == [[SegmentMetadata(time: .seconds(2), stamp: nil, sequence: 0, content: .id3(tag))]])
    }

    @Test("event messages before the fragments are metadata, however they arrive", arguments: [1, 30, 100_000])
    func eventMessages(_ size: Int) throws {
        func word(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        let names: [UInt8] = Array("urn:test".utf8) + [0, 0]
        let message = Self.box("emsg", [0, 0, 0, 0] + names + word(1000) + word(500) + word(2000) + word(7) + [9])
        let body = Self.box("styp", [1, 2, 3, 4]) + message + message + Self.box("moof", [UInt8](repeating: 1, count: 20))
        for map in [nil, Self.box("ftyp", [1, 2, 3, 4])] {
            let delivery = delivery()
            var found: [[SegmentMetadata]] = []
            delivery.onMetadata = { found.append($0) }
            let parts = stride(from: 0, to: body.count, by: size).map { Array(body[$0..<min($0 + size, body.count)]) }
            try deliver(piece(1), parts, map: map, to: delivery)
            try deliver(piece(2), [Self.box("moof", [])], map: map, to: delivery)
            #expect(found.count == 1 && found.first?.map(\.time) == [.milliseconds(2500), .milliseconds(2500)])
            delivery.finish(tracker)
            #expect(try bytes(try #require(delivery.runs.tryPop())) == (map ?? []) + body + Self.box("moof", []))
        }
    }

    @Test("a message that is longer than any head does not hold back the media")
    func longMessage() throws {
        let delivery = delivery()
        delivery.expect(piece(0), from: tracker)
        delivery.ready(.init())
        try delivery.add([0, 1, 0x86, 0xa0] + Array("emsg".utf8) + [UInt8](repeating: 0, count: 60_000))
        #expect(delivery.runs.count == 0)
        try delivery.add([UInt8](repeating: 0, count: 10_000))
        #expect(delivery.runs.count == 1)
    }

    // MARK: The end

    @Test("sequences without any segment of the pictures are left: the sound of them does not wait", arguments: [true, false])
    func left(_ isPrimary: Bool) throws {
        let delivery = delivery(from: .seconds(2), isPrimary: isPrimary)
        func left() -> [Int64] { (0..<6).filter { bench.context.timeline.isBarren($0) } }
        try deliver(piece(3, sequence: 3), [Self.transport], to: delivery)
        #expect(left() == (isPrimary ? [1, 2] : []))
        delivery.finish(tracker)
        #expect(left() == (isPrimary ? [1, 2, 4] : []))
        // The runs end there.
        #expect(delivery.runs.tryPop() != nil)
        #expect(delivery.runs.isExhausted)
    }

    @Test("numbers from before a restart of the server are not gone through one by one")
    func restart() throws {
        let delivery = delivery()
        try deliver(piece(0), [Self.transport], to: delivery)
        try deliver(piece(1, sequence: 1 << 40), [Self.transport], to: delivery)
        #expect(!bench.context.timeline.isBarren(1) && delivery.runs.count == 2)
    }

    @Test("after a failure everything that was received can be read, then the error comes")
    func failed() throws {
        let delivery = delivery()
        try deliver(piece(0), [Self.transport], to: delivery)
        delivery.fail(MediaError(.sourceMissing, "It is gone."))
        let first = try #require(delivery.runs.tryPop()), second = try #require(delivery.runs.tryPop())
        #expect(try bytes(first) == Self.transport)
        #expect(throws: MediaError(.sourceMissing, "It is gone.")) { try bytes(second) }
        #expect(delivery.runs.isExhausted)
    }

    @Test("after a cancellation nothing is read any more")
    func cancelled() throws {
        let delivery = delivery()
        try deliver(piece(0), [Self.transport], to: delivery)
        let run = try #require(delivery.runs.peek())
        delivery.cancel()
        #expect(delivery.runs.tryPop() == nil)
        #expect(try bytes(run).isEmpty)
    }
}
