import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// Opens synthetic segments. Its decoders fail while a fault of the world says so.
final class SyntheticCodecs: CodecFactory {
    private let clock: any HostClock
    private let began: HostTime
    private let faults: [Fault]

    init(clock: any HostClock, faults: [Fault], began: HostTime) {
        self.clock = clock
        self.began = began
        self.faults = faults.filter { $0.kind == .decoderError }
    }

    /// Whether video decoders fail now. Time does not pass while a decoder works, so that the answer is the same in every run.
    fileprivate var isFailing: Bool {
        let now = clock.now - began
        return faults.contains { $0.isActive(at: now) }
    }

    func openDemuxer(_ stream: any ByteStream, hint: ContainerHint?) throws(MediaError) -> any Demuxing {
        try SyntheticDemuxer(stream)
    }

    func openVideoDecoder(_ parameters: any CodecParameters, allocator: any FrameAllocator) throws(MediaError)
        -> any VideoDecoding
    { SyntheticVideoDecoder(allocator: allocator, codecs: self) }

    func openAudioDecoder(
        _ parameters: any CodecParameters, output: AudioFormat, processing: SoundProcessing?
    ) throws(MediaError) -> any AudioDecoding {
        throw MediaError(.decoderUnsupported, "Opening an audio decoder failed: synthetic segments have no sound.")
    }

    func canDecode(codecString: String) -> Bool? { nil }
}

/// The parameters of the only track.
private final class SyntheticParameters: CodecParameters {
    let codecName = "synthetic"

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

/// Reads the pictures of segments.
private final class SyntheticDemuxer: Demuxing {
    private let stream: any ByteStream
    private let parameters = SyntheticParameters()
    private var packets: [UInt8] = []
    private var position = 0
    private var isSelected = true
    private var last: Int64?
    let description: ContainerDescription

    /// - Throws: `MediaError` when the first packet is none of a segment.
    init(_ stream: any ByteStream) throws(MediaError) {
        self.stream = stream
        var track = TrackDescription(id: TrackID(0), type: .video, codec: "synthetic", isDefault: true)
        (track.width, track.height, track.frameRate) = (32, 18, Ratio(1, 2))
        description = ContainerDescription(format: "synthetic", tracks: [track], duration: nil, startTime: .zero)
        guard try fill(), packets[0] == 0x47 else {
            throw MediaError(.sourceFormat, "Opening \(stream.name) as media failed: it does not begin with a packet.")
        }
    }

    func select(_ tracks: Set<TrackID>) { isSelected = tracks.contains(TrackID(0)) }

    func seek(to time: MediaTime) throws(MediaError) {
        throw MediaError(.internal, "Seeking in \(stream.name) failed: segments are read forwards only.")
    }

    func nextSample() throws(MediaError) -> EncodedSample? {
        while try fill() {
            let packet = packets[position..<position + SyntheticSegment.packetSize]
            position += SyntheticSegment.packetSize
            guard isSelected, let picture = SyntheticSegment.parse(packet) else { continue }
            var stamp = picture.stamp
            // Time stamps that wrap continue, as with a demuxer of transport streams.
            if let last {
                while stamp < last - SyntheticSegment.stampLimit / 2 { stamp += SyntheticSegment.stampLimit }
            }
            last = stamp
            let time = MediaTime(stamp, Int32(SyntheticSegment.timescale))
            return EncodedSample(
                track: TrackID(0), presentationTime: time, decodeTime: time, duration: .seconds(SyntheticSegment.pictureInterval),
                isSync: picture.isSync,
                payload: SyntheticPayload(stream: picture.stream), parameters: parameters)
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
        guard !codecs.isFailing else {
            throw MediaError(.internal, "Decoding the picture at \(sample.presentationTime) s failed: the decoder is defective.")
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

extension VideoFrame {
    /// The number of the stream of a synthetic picture.
    var syntheticStream: UInt32 { pixels.withBytes { UInt32(bigEndian: $0.load(as: UInt32.self)) } }
}
