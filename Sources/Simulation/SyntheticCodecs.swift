import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// Opens synthetic segments, for one process. Its decoders fail or hang while a fault of the world says so.
final class SyntheticCodecs: CodecFactory {
    private let clock: any HostClock
    private let began: HostTime
    private let faults: [Fault]
    /// Whether the process has ended, with all calls that hang.
    private let isOver: Monitor<Bool>

    /// - Parameter began: the start of the simulation.
    init(clock: any HostClock, faults: [Fault], began: HostTime) {
        self.clock = clock
        self.began = began
        self.faults = faults.filter { $0.kind == .decoderError || $0.kind == .decoderHang }
        isOver = Monitor(false, ledger: clock.ledger)
    }

    /// What happens to a call of a video decoder now. Time does not pass while a decoder works, so that the answer is the same in every run.
    fileprivate var incident: Fault.Kind? {
        if faults.isEmpty { return nil }
        let now = clock.now - began
        return faults.first { $0.isActive(at: now) }?.kind
    }

    /// Does not return before the process ends; simulated time passes.
    fileprivate func hang() { isOver.wait { $0 ? () : nil } }

    /// Ends the calls that hang.
    func end() { isOver.update { $0 = true } }

    func openDemuxer(_ stream: any ByteStream, hint: ContainerHint?) throws(MediaError) -> any Demuxing {
        try SyntheticDemuxer(stream)
    }

    func openVideoDecoder(_ parameters: any CodecParameters, allocator: any FrameAllocator) throws(MediaError)
        -> any VideoDecoding
    { SyntheticVideoDecoder(allocator: allocator, codecs: self) }

    func openAudioDecoder(
        _ parameters: any CodecParameters, output: AudioFormat, processing: SoundProcessing?
    ) throws(MediaError) -> any AudioDecoding {
        SyntheticAudioDecoder(output: output)
    }

    func canDecode(codecString: String) -> Bool? { nil }
}

/// The parameters of a track.
private final class SyntheticParameters: CodecParameters {
    let codecName: String

    init(_ codecName: String) { self.codecName = codecName }

    func canContinue(as other: any CodecParameters) -> Bool { other.codecName == codecName }
}

/// A sample, which is the number of its stream.
private final class SyntheticPayload: SamplePayload {
    let stream: UInt32
    let byteCount = SyntheticSegment.packetSize

    init(stream: UInt32) { self.stream = stream }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(of: stream.bigEndian, body)
    }
}

/// Reads the pictures and the sound of segments.
private final class SyntheticDemuxer: Demuxing {
    private let stream: any ByteStream
    private let pictures = SyntheticParameters("synthetic")
    private let sound = SyntheticParameters("synthetic-sound")
    private var packets: [UInt8] = []
    private var position = 0
    private var selected: Set<TrackID> = [pictureTrack, soundTrack]
    private var last: Int64?
    private static let (pictureTrack, soundTrack) = (TrackID(0), TrackID(1))
    private(set) var description: ContainerDescription

    /// - Throws: `MediaError` when the first packet is none of a segment.
    init(_ stream: any ByteStream) throws(MediaError) {
        self.stream = stream
        description = ContainerDescription(format: "synthetic", tracks: [], duration: nil, startTime: .zero)
        guard try fill(), packets[0] == 0x47 else {
            throw MediaError(.sourceFormat, "Opening \(stream.name) as media failed: it does not begin with a packet.")
        }
        var track = TrackDescription(id: Self.pictureTrack, type: .video, codec: pictures.codecName, isDefault: true)
        (track.width, track.height, track.frameRate) = (32, 18, Ratio(1, 2))
        description.tracks.append(track)
        guard SyntheticSegment.hasSound(packets[..<SyntheticSegment.packetSize]) else { return }
        var other = TrackDescription(id: Self.soundTrack, type: .audio, codec: sound.codecName, isDefault: true)
        (other.sampleRate, other.channels) = (1000, 1)
        description.tracks.append(other)
    }

    func select(_ tracks: Set<TrackID>) { selected = tracks }

    func seek(to time: MediaTime) throws(MediaError) {
        throw MediaError(.internal, "Seeking in \(stream.name) failed: segments are read forwards only.")
    }

    func nextSample() throws(MediaError) -> EncodedSample? {
        while try fill() {
            let packet = packets[position..<position + SyntheticSegment.packetSize]
            position += SyntheticSegment.packetSize
            guard let sample = SyntheticSegment.parse(packet) else { continue }
            let track = sample.isSound ? Self.soundTrack : Self.pictureTrack
            guard selected.contains(track) else { continue }
            var stamp = sample.stamp
            // Time stamps that wrap continue, as with a demuxer of transport streams.
            if let last {
                while stamp < last - SyntheticSegment.stampLimit / 2 { stamp += SyntheticSegment.stampLimit }
            }
            last = stamp
            let time = MediaTime(stamp, Int32(SyntheticSegment.timescale))
            return EncodedSample(
                track: track, presentationTime: time, decodeTime: time, duration: .seconds(SyntheticSegment.pictureInterval),
                isSync: sample.isSync || sample.isSound, payload: SyntheticPayload(stream: sample.stream),
                parameters: sample.isSound ? sound : pictures)
        }
        return nil
    }

    /// Waits for a whole packet.
    ///
    /// - Returns: false at the end.
    private func fill() throws(MediaError) -> Bool {
        while packets.count - position < SyntheticSegment.packetSize {
            packets.removeSubrange(..<position)
            position = 0
            let part = try stream.read(count: SyntheticSegment.packetSize - packets.count)
            if part.isEmpty { return false }
            packets += part
        }
        return true
    }
}

/// Makes a small picture that carries the number of its stream.
private final class SyntheticVideoDecoder: VideoDecoding {
    private let allocator: any FrameAllocator
    private let codecs: SyntheticCodecs
    var skipsNonReference = false

    init(allocator: any FrameAllocator, codecs: SyntheticCodecs) {
        self.allocator = allocator
        self.codecs = codecs
    }

    func decode(_ sample: EncodedSample?) throws(MediaError) -> [VideoFrame] {
        guard let sample, let payload = sample.payload as? SyntheticPayload, !sample.doesNotDisplay else { return [] }
        switch codecs.incident {
        case .decoderError:
            throw MediaError(.internal, "Decoding the picture at \(sample.presentationTime) s failed: the decoder is defective.")
        case .decoderHang: codecs.hang()
        default: break
        }
        let pixels = try allocator.makeBuffer(format: .yuv420p, width: 32, height: 18)
        pixels.withMutableBytes { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0x80)
            bytes.storeBytes(of: payload.stream.bigEndian, as: UInt32.self)
        }
        return [
            VideoFrame(
                pixels: pixels, time: sample.presentationTime,
                duration: sample.duration ?? .seconds(SyntheticSegment.pictureInterval),
                colour: ColourDescription(matrix: .bt709, isFullRange: false))
        ]
    }

    func flush() {}
}

/// Makes silence.
private final class SyntheticAudioDecoder: AudioDecoding {
    private let output: AudioFormat

    init(output: AudioFormat) { self.output = output }

    func decode(_ sample: EncodedSample?) throws(MediaError) -> [AudioBuffer] {
        guard let sample, let duration = sample.duration else { return [] }
        let frames = Int(duration.units(of: Int32(output.sampleRate)))
        return [
            AudioBuffer(
                format: output, samples: [Float](repeating: 0, count: frames * output.channels), time: sample.presentationTime)
        ]
    }

    func flush() {}
}

extension VideoFrame {
    /// The number of the stream of a synthetic picture.
    var syntheticStream: UInt32 { pixels.withBytes { UInt32(bigEndian: $0.load(as: UInt32.self)) } }
}
