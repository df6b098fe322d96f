import Composition
import MediaModel
import MediaTime

/// Decodes sound, cuts it at the edges of its pieces, applies the volume, and encodes it without a gap.
final class SoundLane: PieceLane {
    let type = MediaType.audio
    private let encoder: SoundTrackEncoder
    private let gain: (any SoundGain)?
    private let codecs: any CodecFactory
    private var decoder: (any AudioDecoding)?
    private var format: AudioFormat?
    /// The piece that is read.
    private var piece: (mapping: TimeMapping, description: TrackDescription)?

    /// - Parameter volume: in the time of the export; nil for full volume.
    init(
        _ settings: ExportSettings, duration: MediaTime, volume: RampCurve<Double>?, codecs: any CodecFactory,
        writers: any WriterFactory
    ) {
        encoder = SoundTrackEncoder(settings, duration: duration, writers: writers)
        gain = volume.map { MixGain($0) }
        self.codecs = codecs
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
        let format = format ?? AudioFormat(sampleRate: piece.description.sampleRate == 44_100 ? 44_100 : 48_000, channels: 2)
        self.format = format
        if decoder == nil { decoder = try codecs.openAudioDecoder(sample.parameters, output: format, processing: nil) }
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

    private func encode(_ buffers: [AudioBuffer]) throws(MediaError) -> [WrittenSample] {
        guard let piece else { return [] }
        var samples: [WrittenSample] = []
        for buffer in buffers {
            guard var buffer = buffer.clipped(to: piece.mapping.target) else { continue }
            gain?.apply(to: &buffer)
            samples += try encoder.encode(buffer)
        }
        return samples
    }
}
