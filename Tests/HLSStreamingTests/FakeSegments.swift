import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport

@testable import HLSStreaming

/// Opens fake segments, and counts them.
final class FakeSegmentCodecs: CodecFactory {
    func openDemuxer(_ stream: any ByteStream, hint: ContainerHint?) throws(MediaError) -> any Demuxing {
        try FakeSegmentDemuxer(stream)
    }

    func openVideoDecoder(
        _ parameters: any CodecParameters, allocator: any FrameAllocator
    ) throws(MediaError) -> any VideoDecoding {
        throw MediaError(.decoderUnsupported, "Nothing is decoded in these tests.")
    }

    func openAudioDecoder(
        _ parameters: any CodecParameters, output: AudioFormat, processing: SoundProcessing?
    ) throws(MediaError) -> any AudioDecoding {
        throw MediaError(.decoderUnsupported, "Nothing is decoded in these tests.")
    }

    func canDecode(codecString: String) -> Bool? { codecString.hasPrefix("hvc1") ? false : true }
}

/// A source on the simulated clock, with the output of its buffers.
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
    func prepare(
        _ url: String, screen: (width: Int, height: Int) = (1920, 1080), policy: (any StreamPolicy)? = nil
    ) -> Result<SourceDescription, MediaError>? {
        var playlist: ByteResponse?
        var result: Result<SourceDescription, MediaError>?
        loader.load(ByteRequest(url: url)) { playlist = try? $0.get() }
        run { playlist != nil }
        guard let playlist else { return nil }
        if let policy {
            source = HLSSource(
                playlist: playlist, screen: screen, loader: loader, codecs: FakeSegmentCodecs(), clock: loop.clock
            ) { _, _ in policy }
        } else {
            source = HLSSource(
                playlist: playlist, screen: screen, loader: loader, codecs: FakeSegmentCodecs(), clock: loop.clock)
        }
        source.prepare { result = $0 }
        run { result != nil }
        return result
    }

    /// The output of a track: its samples, and how it ended.
    struct Delivery: Sendable {
        var samples: [EncodedSample] = []
        var error: MediaError?
        var isCancelled = false
        var times: [MediaTime] { samples.map(\.presentationTime) }
    }

    /// Reads tracks of a buffer to their ends, each on a separate thread like a decoder.
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
        // Threads that still wait are unblocked, and are missing in the result.
        let complete = deliveries.read { $0 }
        if complete.count < tracks.count { buffer.cancel() }
        threads.forEach { $0.stop() }
        return complete
    }

    /// Runs until a condition holds; at most a minute of simulated time.
    func run(until isDone: () -> Bool) {
        loop.run(within: .seconds(60), until: isDone)
    }

    func close() { source?.close() }

    private nonisolated static func drain(_ buffer: SampleBuffer, _ track: TrackID) -> Delivery {
        var delivery = Delivery()
        while true {
            switch buffer.next(track) {
            case .sample(let sample): delivery.samples.append(sample)
            case .gap: break
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
