import Composition
import MediaModel
import MediaTime

/// A sample of the file that is written.
struct WrittenSample {
    /// In the time of the export: what is written next is what comes first.
    var order: MediaTime
    /// In the time of the track's media.
    var sample: EncodedSample
}

/// One track of an export: gets the samples of its pieces and gives those of the file. Confined to one thread.
protocol ExportLane: AnyObject {
    /// The type of its track.
    var type: MediaType { get }
    /// The parameters of its samples; nil until the first.
    var parameters: (any CodecParameters)? { get }
    /// Begins a segment.
    func begin(_ mapping: TimeMapping, _ description: TrackDescription) throws(MediaError)
    /// Takes a sample in the time of its source.
    func take(_ sample: EncodedSample) throws(MediaError) -> [WrittenSample]
    /// Ends a segment.
    ///
    /// - Returns: what is ready, and how much of the segment its source does not cover, at its end.
    func end() throws(MediaError) -> (samples: [WrittenSample], missing: MediaTime)
    /// A segment without media.
    func gap(_ range: TimeRange) throws(MediaError)
    /// After the last segment.
    func finish() throws(MediaError) -> [WrittenSample]
    /// How its media is presented; complete after `finish`.
    var edits: [MovieEdit] { get }
    /// What `edits` will be, once the first sample is known, if there is one segment; the range of the export decides its end.
    func expectedEdits(_ duration: MediaTime) -> [MovieEdit]
}

/// Copies samples as they are.
final class CopyLane: ExportLane {
    let type: MediaType
    private(set) var parameters: (any CodecParameters)?
    private var timeline = TrackTimeline()
    private var mapping: TimeMapping?
    private let name: String
    private let writers: any WriterFactory
    private let container: WrittenContainer

    init(_ track: CompositionTrack, name: String, container: WrittenContainer, writers: any WriterFactory) {
        type = track.type
        self.name = name
        self.writers = writers
        self.container = container
    }

    func begin(_ mapping: TimeMapping, _ description: TrackDescription) throws(MediaError) {
        if let found = description.parameters, let refusal = writers.refusal(of: found, in: container) { throw refusal }
        self.mapping = mapping
        timeline.begin(mapping.source)
    }

    func take(_ sample: EncodedSample) throws(MediaError) -> [WrittenSample] {
        guard let mapping else { return [] }
        if let parameters, parameters !== sample.parameters, !parameters.canContinue(as: sample.parameters) {
            throw MediaError(
                .sourceFormat,
                "Copying \(type.rawValue) of \(name) failed at \(mapping.target.start) s: the format of the samples changes there; use a preset that encodes."
            )
        }
        if sample.isStampedInDecodingOrder {
            throw MediaError(
                .sourceFormat,
                "Copying \(type.rawValue) of \(name) was refused: its container states no presentation times; use a preset that encodes."
            )
        }
        parameters = parameters ?? sample.parameters
        guard let placed = timeline.place(sample) else {
            throw MediaError(
                .sourceFormat,
                "Copying \(type.rawValue) of \(name) failed at \(sample.presentationTime) s of the source: its decode times are not in order; use a preset that encodes."
            )
        }
        return [WrittenSample(order: mapping.unscaledTargetTime(atSource: sample.decodeTime), sample: placed)]
    }

    func end() throws(MediaError) -> (samples: [WrittenSample], missing: MediaTime) {
        mapping = nil
        return ([], timeline.end())
    }

    func gap(_ range: TimeRange) { timeline.gap(range.duration) }

    func finish() -> [WrittenSample] { [] }

    var edits: [MovieEdit] { timeline.edits }

    func expectedEdits(_ duration: MediaTime) -> [MovieEdit] { timeline.expectedEdits(duration) }
}

/// The part of a lane that encodes which does not depend on what is encoded: the piece that is read, and the places of the encoder's samples. A value.
private struct EncodedTrack {
    private(set) var mapping: TimeMapping?
    private(set) var description: TrackDescription?
    private var timeline = TrackTimeline()
    /// The end of the last picture or sound that was encoded.
    var end = MediaTime.zero

    init(duration: MediaTime) { timeline.begin(TimeRange(start: .zero, duration: duration)) }

    mutating func begin(_ mapping: TimeMapping, _ description: TrackDescription) {
        self.mapping = mapping
        self.description = description
    }

    /// Ends a piece.
    ///
    /// - Returns: how much of it was not encoded, at its end.
    mutating func endPiece() -> MediaTime {
        guard let target = mapping?.target else { return .zero }
        mapping = nil
        return max(target.end - max(end, target.start), .zero)
    }

    mutating func placed(_ samples: [EncodedSample]) throws(MediaError) -> [WrittenSample] {
        var result: [WrittenSample] = []
        for sample in samples {
            guard let placed = timeline.place(sample) else {
                throw MediaError(
                    .internal,
                    "Encoding failed: the encoder gave samples that are presented before they are decoded; use another preset.")
            }
            result.append(WrittenSample(order: sample.decodeTime, sample: placed))
        }
        return result
    }

    mutating func finish() { timeline.end() }

    var edits: [MovieEdit] { timeline.edits }

    func expectedEdits(_ duration: MediaTime) -> [MovieEdit] { timeline.expectedEdits(duration) }
}

/// Decodes pictures, cuts them at the edges of their pieces and encodes them.
final class PictureLane: ExportLane {
    let type = MediaType.video
    private var encoder: (any PictureEncoding)?
    private var decoder: (any VideoDecoding)?
    private var track: EncodedTrack
    private let settings: ExportSettings
    private let codecs: any CodecFactory
    private let writers: any WriterFactory
    private let allocator = MemoryAllocator()
    init(_ settings: ExportSettings, duration: MediaTime, codecs: any CodecFactory, writers: any WriterFactory) {
        self.settings = settings
        self.codecs = codecs
        self.writers = writers
        track = EncodedTrack(duration: duration)
    }

    var parameters: (any CodecParameters)? { encoder?.parameters }

    func begin(_ mapping: TimeMapping, _ description: TrackDescription) {
        track.begin(mapping, description)
        decoder?.flush()
    }

    func take(_ sample: EncodedSample) throws(MediaError) -> [WrittenSample] {
        guard let mapping = track.mapping else { return [] }
        var sample = sample
        mapping.move(&sample)
        if decoder == nil { decoder = try codecs.openVideoDecoder(sample.parameters, allocator: allocator) }
        return try encode(decoder?.decode(sample) ?? [], sample.parameters)
    }

    func end() throws(MediaError) -> (samples: [WrittenSample], missing: MediaTime) {
        let samples = try encode(decoder?.decode(nil) ?? [], nil)
        return (samples, track.endPiece())
    }

    func gap(_ range: TimeRange) {}

    func finish() throws(MediaError) -> [WrittenSample] {
        let samples = try encoder.map { encoder throws(MediaError) in try track.placed(encoder.encode(nil)) } ?? []
        track.finish()
        return samples
    }

    var edits: [MovieEdit] { track.edits }

    func expectedEdits(_ duration: MediaTime) -> [MovieEdit] { track.expectedEdits(duration) }

    private func encode(_ frames: [VideoFrame], _ parameters: (any CodecParameters)?) throws(MediaError) -> [WrittenSample] {
        guard let mapping = track.mapping else { return [] }
        var samples: [WrittenSample] = []
        for frame in frames {
            guard let frame = frame.clipped(to: mapping.target) else { continue }
            if encoder == nil { encoder = try writers.openPictureEncoder(encoding(of: frame, parameters)) }
            guard let encoder else { continue }
            samples += try track.placed(encoder.encode(frame))
            track.end = frame.end
        }
        return samples
    }

    /// The size of the preset's box at most, with square pixels, and never larger than the picture.
    private func encoding(of frame: VideoFrame, _ parameters: (any CodecParameters)?) -> VideoEncoding {
        let size = PictureFit.size(
            width: frame.pixels.width, height: frame.pixels.height, aspect: frame.sampleAspect, turns: frame.quarterTurns,
            box: settings.preset.box ?? (1920, 1080))
        let known = parameters.flatMap { writers.timescale(of: $0) } ?? 90_000
        var encoding = VideoEncoding(
            width: size.width, height: size.height, frameRate: track.description?.frameRate,
            // Fine enough for edges that are not on a frame.
            timescale: known < 10_000 ? known * (1 + 9_999 / known) : min(known, 1_000_000))
        encoding.quarterTurns = frame.quarterTurns
        encoding.colour = frame.colour
        if let quality = settings.quality { encoding.quality = quality }
        if let speed = settings.speed { encoding.speed = speed }
        return encoding
    }
}

/// Decodes sound, cuts it at the edges of its pieces, applies the volume, and encodes it without a gap.
final class SoundLane: ExportLane {
    let type = MediaType.audio
    private var encoder: (any SoundEncoding)?
    private var decoder: (any AudioDecoding)?
    private var format: AudioFormat?
    private var track: EncodedTrack
    private let gain: (any SoundGain)?
    private let bitRate: Int
    private let codecs: any CodecFactory
    private let writers: any WriterFactory

    /// Silence is encoded in parts of this length.
    private static let silence = MediaTime.seconds(1)

    init(
        _ settings: ExportSettings, duration: MediaTime, volume: RampCurve<Double>?, codecs: any CodecFactory,
        writers: any WriterFactory
    ) {
        gain = volume.map { MixGain($0) }
        bitRate = settings.preset == .h264At480 ? 128_000 : 160_000
        self.codecs = codecs
        self.writers = writers
        track = EncodedTrack(duration: duration)
    }

    var parameters: (any CodecParameters)? { encoder?.parameters }

    func begin(_ mapping: TimeMapping, _ description: TrackDescription) {
        track.begin(mapping, description)
        decoder?.flush()
    }

    func take(_ sample: EncodedSample) throws(MediaError) -> [WrittenSample] {
        guard let mapping = track.mapping else { return [] }
        var sample = sample
        mapping.move(&sample)
        let format = format ?? AudioFormat(sampleRate: track.description?.sampleRate == 44_100 ? 44_100 : 48_000, channels: 2)
        self.format = format
        if decoder == nil { decoder = try codecs.openAudioDecoder(sample.parameters, output: format, processing: nil) }
        return try encode(decoder?.decode(sample) ?? [])
    }

    func end() throws(MediaError) -> (samples: [WrittenSample], missing: MediaTime) {
        let samples = try encode(decoder?.decode(nil) ?? [])
        return (samples, track.endPiece())
    }

    func gap(_ range: TimeRange) {}

    func finish() throws(MediaError) -> [WrittenSample] {
        let samples = try encoder.map { encoder throws(MediaError) in try track.placed(encoder.encode(nil)) } ?? []
        track.finish()
        return samples
    }

    var edits: [MovieEdit] { track.edits }

    func expectedEdits(_ duration: MediaTime) -> [MovieEdit] { track.expectedEdits(duration) }

    private func encode(_ buffers: [AudioBuffer]) throws(MediaError) -> [WrittenSample] {
        guard let mapping = track.mapping, let format else { return [] }
        var samples: [WrittenSample] = []
        for buffer in buffers {
            guard var buffer = buffer.clipped(to: mapping.target) else { continue }
            // What overlaps sound that is encoded already is not heard twice.
            guard let rest = buffer.clipped(to: TimeRange(start: min(track.end, buffer.end), end: buffer.end)) else { continue }
            buffer = rest
            gain?.apply(to: &buffer)
            if encoder == nil { encoder = try writers.openSoundEncoder(AudioEncoding(format: format, bitRate: bitRate)) }
            guard let encoder else { continue }
            samples += try silence(until: buffer.time, encoder, format)
            samples += try track.placed(encoder.encode(buffer))
            track.end = buffer.end
        }
        return samples
    }

    private func silence(until time: MediaTime, _ encoder: any SoundEncoding, _ format: AudioFormat) throws(MediaError)
        -> [WrittenSample]
    {
        var samples: [WrittenSample] = []
        while track.end < time {
            let count = min(time - track.end, Self.silence).units(of: Int32(format.sampleRate))
            guard count > 0 else { break }
            let buffer = AudioBuffer(
                format: format, samples: [Float](repeating: 0, count: Int(count) * format.channels), time: track.end)
            samples += try track.placed(encoder.encode(buffer))
            track.end = buffer.end
        }
        return samples
    }
}

/// The size of encoded pictures.
enum PictureFit {
    /// The largest even size with the shape of a picture within a box, never larger than the picture; the box is turned with it.
    static func size(
        width: Int, height: Int, aspect: Ratio, turns: Int, box: (width: Int, height: Int)
    ) -> (width: Int, height: Int) {
        let shape = max(Double(width) * max(min(aspect.approximateValue, 16), 1.0 / 16), 1) / Double(max(height, 1))
        let isUpright = turns % 2 == 0
        let (most, mostHigh) = isUpright ? (box.width, box.height) : (box.height, box.width)
        let high = min(Double(height), Double(mostHigh), Double(most) / shape)
        func even(_ value: Double) -> Int { max(Int((value / 2).rounded()) * 2, 2) }
        return (min(even(high * shape), most / 2 * 2), min(even(high), mostHigh / 2 * 2))
    }
}
