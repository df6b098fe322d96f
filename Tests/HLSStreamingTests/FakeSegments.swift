import LinuxSupport
import MediaModel
import MediaTime
import TestSupport

@testable import HLSStreaming

/// Segments in a container of our own, packed like a transport stream: packets of 188 bytes, each a line of text behind eight bytes.
///
///     tracks v a         which kinds of samples follow
///     v 900000 3600 1    a picture: stamp and length in units of 1/90000 s, and whether it is a sync sample
///     a 900000 1920 1    sound, the same
enum FakeSegment {
    static let packetSize = 188

    /// Frames and sound of a stretch of stream time.
    ///
    /// - Parameters:
    ///   - start: the stamp of the first sample in units of 1/90000 s.
    ///   - count: so many samples of 40 ms of each kind.
    static func bytes(kinds: String = "v", start: Int64, count: Int = 25) -> [UInt8] {
        var bytes = packet("tracks " + kinds.map(String.init).joined(separator: " "))
        for number in 0..<count {
            for kind in kinds { bytes += packet("\(kind) \(start + Int64(number) * 3600) 3600 \(number == 0 ? 1 : 0)") }
        }
        return bytes
    }

    /// An initialisation section, by whose first bytes the container is known as fragmented MP4.
    static func initialisation(kinds: String = "v") -> [UInt8] {
        packet("tracks " + kinds.map(String.init).joined(separator: " "), head: [0, 0, 0, 24] + Array("ftyp".utf8))
    }

    private static func packet(_ line: String, head: [UInt8] = [0x47, 0, 0, 0, 0, 0, 0, 0]) -> [UInt8] {
        let bytes = head + Array(line.utf8)
        return bytes + [UInt8](repeating: 0x20, count: packetSize - bytes.count)
    }
}

/// Opens fake segments, and remembers how often.
final class FakeSegmentCodecs: CodecFactory {
    func openDemuxer(_ stream: any ByteStream, hint: ContainerHint?) throws(MediaError) -> any Demuxing {
        try FakeSegmentDemuxer(stream)
    }

    func openVideoDecoder(
        _ parameters: any CodecParameters, allocator: any FrameAllocator
    ) throws(MediaError) -> any VideoDecoding {
        throw MediaError(.decoderUnsupported, "Nothing is decoded in these tests.")
    }

    func openAudioDecoder(_ parameters: any CodecParameters, output: AudioFormat) throws(MediaError) -> any AudioDecoding {
        throw MediaError(.decoderUnsupported, "Nothing is decoded in these tests.")
    }

    func canDecode(codecString: String) -> Bool? { codecString.hasPrefix("hvc1") ? false : true }
}

private final class FakeSegmentDemuxer: Demuxing {
    private let stream: any ByteStream
    private let parameters = FakeParameters("fake")
    private var kinds: [Character] = []
    private var selected: Set<TrackID> = []
    private var last: Int64?
    let description: ContainerDescription

    init(_ stream: any ByteStream) throws(MediaError) {
        self.stream = stream
        guard let words = try Self.line(stream), words.first == "tracks" else {
            throw MediaError(.sourceFormat, "\(stream.name) begins with no line of tracks.")
        }
        kinds = words.dropFirst().compactMap(\.first)
        let tracks = kinds.enumerated().map { number, kind in
            TrackDescription(id: TrackID(number), type: kind == "v" ? .video : .audio, codec: "fake")
        }
        description = ContainerDescription(format: "fake segments", tracks: tracks, duration: nil, startTime: .zero)
    }

    func select(_ tracks: Set<TrackID>) { selected = tracks }

    func seek(to time: MediaTime) throws(MediaError) {
        throw MediaError(.internal, "Segments go forward only.")
    }

    func nextSample() throws(MediaError) -> EncodedSample? {
        while let words = try Self.line(stream) {
            guard let kind = words.first?.first, words.count == 4, let number = kinds.firstIndex(of: kind) else { continue }
            guard selected.contains(TrackID(number)), var stamp = Int64(words[1]), let length = Int64(words[2]) else { continue }
            // Stamps that come round go on, as a demuxer's do.
            if let last, stamp < last - 1 << 32 { stamp += 1 << 33 }
            last = stamp
            let time = MediaTime(stamp, 90_000)
            let duration = MediaTime(length, 90_000)
            return EncodedSample(
                track: TrackID(number), presentationTime: time, decodeTime: time, duration: duration, isSync: words[3] == "1",
                payload: FakePayload(duration: duration), parameters: parameters)
        }
        return nil
    }

    /// The words of the next packet; nil at the end.
    private static func line(_ stream: any ByteStream) throws(MediaError) -> [String]? {
        var packet = [UInt8](repeating: 0, count: FakeSegment.packetSize)
        var count = 0
        while count < packet.count {
            let result = packet.withUnsafeMutableBytes { bytes -> Result<Int, MediaError> in
                do throws(MediaError) {
                    return .success(try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...])))
                } catch {
                    return .failure(error)
                }
            }
            let part = try result.get()
            if part == 0 { return nil }
            count += part
        }
        return String(decoding: packet[8...], as: UTF8.self).split(separator: " ").map(String.init)
    }
}

/// A source on the simulated clock, and what comes out of its buffers.
@MainActor
final class SourceRig {
    let loop: MainLoop
    let loader: FakeLoader
    private(set) var source: HLSSource!

    init() throws {
        loop = try MainLoop(time: .simulated)
        loader = FakeLoader(clock: loop.clock)
    }

    /// Puts a playlist at an address, as literal text.
    func put(_ text: String, at url: String) { loader.put(Array(text.utf8), at: url) }

    /// Prepares the presentation at an address.
    func prepare(_ url: String, screen: (width: Int, height: Int) = (1920, 1080)) -> Result<SourceDescription, MediaError>? {
        var playlist: ByteResponse?
        var result: Result<SourceDescription, MediaError>?
        loader.load(ByteRequest(url: url)) { playlist = try? $0.get() }
        run { playlist != nil }
        guard let playlist else { return nil }
        source = HLSSource(
            url: url, playlist: playlist, screen: screen, loader: loader, codecs: FakeSegmentCodecs(), clock: loop.clock)
        source.prepare { result = $0 }
        run { result != nil }
        return result
    }

    /// What a track of a buffer gave: its samples, and how it ended.
    struct Delivery: Sendable {
        var samples: [EncodedSample] = []
        var error: MediaError?
        var isCancelled = false
        var times: [MediaTime] { samples.map(\.presentationTime) }
    }

    /// Reads tracks of a buffer to their ends, each as a decoder would, on a thread of its own.
    func read(_ buffer: SampleBuffer, _ tracks: [Int]) -> [Int: Delivery] {
        let deliveries = Monitor<[Int: Delivery]>([:], ledger: nil)
        let bell = loop.clock.makeDoorbell(rank: .media) {}
        let threads = tracks.map { _ in WorkerThread(name: "reader", clock: loop.clock) }
        for (track, thread) in zip(tracks, threads) {
            thread.perform {
                let delivery = Self.drain(buffer, TrackID(track))
                deliveries.update { $0[track] = delivery }
                bell.ring()
            }
        }
        run { deliveries.read(\.count) == tracks.count }
        // Whoever still waits is let go, and is missing in the answer.
        let complete = deliveries.read { $0 }
        if complete.count < tracks.count { buffer.cancel() }
        threads.forEach { $0.stop() }
        return complete
    }

    /// Runs until something holds; a minute of simulated time at most.
    func run(until isDone: () -> Bool) {
        var isLate = false
        let guardian = loop.clock.schedule(after: .seconds(60), rank: .display) { isLate = true }
        loop.run(until: { isLate || isDone() })
        guardian.cancel()
    }

    func close() { source?.close() }

    private nonisolated static func drain(_ buffer: SampleBuffer, _ track: TrackID) -> Delivery {
        var delivery = Delivery()
        while true {
            switch buffer.next(track) {
            case .sample(let sample): delivery.samples.append(sample)
            case .end: return delivery
            case .failed(let error):
                delivery.error = error
                return delivery
            case .cancelled:
                delivery.isCancelled = true
                return delivery
            }
        }
    }
}

/// Times every 40 ms.
func frames(_ range: Range<Int>) -> [MediaTime] { range.map { .milliseconds(Int64($0) * 40) } }
