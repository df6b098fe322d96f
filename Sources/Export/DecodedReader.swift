import MediaModel
import MediaTime

/// Reads the decoded pictures and sound of a time range of one file; the counterpart of `AVAssetReader` with track outputs that decode.
///
/// Each picture and each stretch of sound is cut to the range, in the time of the asset. Confined to one thread, which waits for bytes and the processor.
package final class DecodedReader {
    /// What comes next.
    package enum Output: Sendable {
        case picture(TrackID, VideoFrame)
        /// Its track, and interleaved samples.
        case sound(TrackID, AudioBuffer)
    }
    private enum Decoder {
        case video(any VideoDecoding)
        case audio(any AudioDecoding)
    }
    private let reader: AssetReader
    private let codecs: any CodecFactory
    private let format: AudioFormat
    private let allocator: any FrameAllocator
    private var decoders: [TrackID: Decoder] = [:]
    private var range = TimeRange(start: .zero, duration: .zero)
    private var ready: ArraySlice<Output> = []
    private var hasEnded = true

    /// - Parameters:
    ///   - format: of all sound.
    ///   - allocator: for the memory of pictures.
    package init(
        _ reader: AssetReader, format: AudioFormat, codecs: any CodecFactory, allocator: any FrameAllocator = MemoryAllocator()
    ) {
        self.reader = reader
        self.format = format
        self.codecs = codecs
        self.allocator = allocator
    }

    /// Starts to read a range of some tracks with pictures or sound; what was being read is dropped.
    package func start(_ range: TimeRange, tracks: Set<TrackID>) throws(MediaError) {
        self.range = range
        decoders = [:]
        ready = []
        hasEnded = false
        try reader.start(range, tracks: tracks)
    }

    /// The next picture or stretch of sound, of each track in order of time; nil after the last.
    ///
    /// - Throws: the error of the source, or `decoderUnsupported`.
    package func next() throws(MediaError) -> Output? {
        while true {
            if let output = ready.popFirst() { return output }
            if hasEnded { return nil }
            if let sample = try reader.nextSample() {
                try decode(sample)
            } else {
                hasEnded = true
                for (track, decoder) in decoders.sorted(by: { $0.key < $1.key }) { try take(nil, track, decoder) }
            }
        }
    }

    private func decode(_ sample: EncodedSample) throws(MediaError) {
        if let decoder = decoders[sample.track] { return try take(sample, sample.track, decoder) }
        guard let track = reader.description.tracks.first(where: { $0.id == sample.track }) else { return }
        let decoder: Decoder =
            track.type == .video
            ? .video(try codecs.openVideoDecoder(sample.parameters, allocator: allocator))
            : .audio(try codecs.openAudioDecoder(sample.parameters, output: format, processing: nil))
        decoders[sample.track] = decoder
        try take(sample, sample.track, decoder)
    }

    private func take(_ sample: EncodedSample?, _ track: TrackID, _ decoder: Decoder) throws(MediaError) {
        switch decoder {
        case .video(let decoder):
            for frame in try decoder.decode(sample) {
                if let frame = frame.clipped(to: range) { ready.append(.picture(track, frame)) }
            }
        case .audio(let decoder):
            for buffer in try decoder.decode(sample) {
                if let buffer = buffer.clipped(to: range) { ready.append(.sound(track, buffer)) }
            }
        }
    }
}
