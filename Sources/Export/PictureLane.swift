import Composition
import MediaModel
import MediaTime

/// Decodes pictures, cuts them at the edges of their pieces and encodes them.
final class PictureLane: PieceLane {
    let type = MediaType.video
    private let encoder: PictureTrackEncoder
    private let codecs: any CodecFactory
    private let writers: any WriterFactory
    private let allocator = MemoryAllocator()
    private var decoder: (any VideoDecoding)?
    /// The piece that is read.
    private var piece: (mapping: TimeMapping, description: TrackDescription)?
    private var timescale: Int32?

    init(_ settings: ExportSettings, duration: MediaTime, codecs: any CodecFactory, writers: any WriterFactory) {
        encoder = PictureTrackEncoder(settings, duration: duration, writers: writers)
        self.codecs = codecs
        self.writers = writers
    }

    var parameters: (any CodecParameters)? { encoder.parameters }

    func begin(_ mapping: TimeMapping, _ description: TrackDescription) {
        piece = (mapping, description)
        decoder?.flush()
    }

    func take(_ sample: EncodedSample, into waiting: inout SampleQueue) throws(MediaError) {
        guard let piece else { return }
        var sample = sample
        piece.mapping.move(&sample)
        if decoder == nil { decoder = try codecs.openVideoDecoder(sample.parameters, allocator: allocator) }
        timescale = timescale ?? writers.timescale(of: sample.parameters)
        waiting += try encode(decoder?.decode(sample) ?? [])
    }

    func end() throws(MediaError) -> (samples: [WrittenSample], missing: MediaTime) {
        let samples = try encode(decoder?.decode(nil) ?? [])
        defer { piece = nil }
        return (samples, piece?.mapping.missing(after: encoder.end) ?? .zero)
    }

    func gap(_ range: TimeRange) {}

    func finish() throws(MediaError) -> [WrittenSample] { try encoder.finish() }

    var edits: [MovieEdit] { encoder.edits }

    func expectedEdits(_ duration: MediaTime) -> [MovieEdit] { encoder.expectedEdits(duration) }

    private func encode(_ frames: [VideoFrame]) throws(MediaError) -> [WrittenSample] {
        guard let piece else { return [] }
        var samples: [WrittenSample] = []
        for frame in frames {
            guard let frame = frame.clipped(to: piece.mapping.target) else { continue }
            samples += try encoder.encode(frame, frameRate: piece.description.frameRate, timescale: timescale)
        }
        return samples
    }
}

extension TimeMapping {
    /// How much of its target comes after a time.
    func missing(after time: MediaTime) -> MediaTime { max(target.end - max(time, target.start), .zero) }
}
