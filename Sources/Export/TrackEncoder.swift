import Composition
import MediaModel
import MediaTime

/// The samples of an encoder in the time of the track's media. A value.
private struct EncodedTrack {
    private var timeline = TrackTimeline()

    init(duration: MediaTime) { timeline.begin(TimeRange(start: .zero, duration: duration)) }

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

/// Encodes the pictures of one track, in the time of the export. Confined to one thread.
final class PictureTrackEncoder {
    private let settings: ExportSettings
    private let writers: any WriterFactory
    private var encoder: (any PictureEncoding)?
    private var track: EncodedTrack
    /// The end of the last picture.
    private(set) var end = MediaTime.zero

    init(_ settings: ExportSettings, duration: MediaTime, writers: any WriterFactory) {
        self.settings = settings
        self.writers = writers
        track = EncodedTrack(duration: duration)
    }

    var parameters: (any CodecParameters)? { encoder?.parameters }

    /// Encodes a picture. The first one decides the size.
    ///
    /// - Parameters:
    ///   - frameRate: nominal pictures per second, if known.
    ///   - timescale: the unit of the times of the pictures, if known.
    func encode(_ frame: VideoFrame, frameRate: Ratio?, timescale: Int32?) throws(MediaError) -> [WrittenSample] {
        if encoder == nil { encoder = try writers.openPictureEncoder(encoding(of: frame, frameRate, timescale ?? 90_000)) }
        guard let encoder else { return [] }
        end = frame.end
        return try track.placed(encoder.encode(frame))
    }

    func finish() throws(MediaError) -> [WrittenSample] {
        defer { track.finish() }
        guard let encoder else { return [] }
        return try track.placed(encoder.encode(nil))
    }

    var edits: [MovieEdit] { track.edits }

    func expectedEdits(_ duration: MediaTime) -> [MovieEdit] { track.expectedEdits(duration) }

    /// The size of the preset's box at most, with square pixels, and never larger than the picture.
    private func encoding(of frame: VideoFrame, _ frameRate: Ratio?, _ timescale: Int32) -> VideoEncoding {
        let size = PictureFit.size(
            width: frame.pixels.width, height: frame.pixels.height, aspect: frame.sampleAspect, turns: frame.quarterTurns,
            box: settings.preset.box ?? (1920, 1080))
        let known = max(timescale, 1)
        var encoding = VideoEncoding(
            width: size.width, height: size.height, frameRate: frameRate,
            // Fine enough for edges that are not on a frame.
            timescale: known < 10_000 ? known * (1 + 9_999 / known) : min(known, 1_000_000))
        encoding.quarterTurns = frame.quarterTurns
        encoding.colour = frame.colour
        if let quality = settings.quality { encoding.quality = quality }
        if let speed = settings.speed { encoding.speed = speed }
        return encoding
    }
}

/// Encodes the sound of one track, in the time of the export, without a hole. Confined to one thread.
final class SoundTrackEncoder {
    private let bitRate: Int
    private let writers: any WriterFactory
    private var encoder: (any SoundEncoding)?
    private var track: EncodedTrack
    /// The end of the last sound.
    private(set) var end = MediaTime.zero

    /// Silence is encoded in parts of this length.
    private static let silence = MediaTime.seconds(1)

    init(_ settings: ExportSettings, duration: MediaTime, writers: any WriterFactory) {
        bitRate = settings.preset == .h264At480 ? 128_000 : 160_000
        self.writers = writers
        track = EncodedTrack(duration: duration)
    }

    var parameters: (any CodecParameters)? { encoder?.parameters }

    /// Encodes sound. Silence fills the time since the sound before; what overlaps that is not heard twice.
    func encode(_ buffer: AudioBuffer) throws(MediaError) -> [WrittenSample] {
        guard let rest = buffer.clipped(to: TimeRange(start: min(end, buffer.end), end: buffer.end)) else { return [] }
        if encoder == nil { encoder = try writers.openSoundEncoder(AudioEncoding(format: rest.format, bitRate: bitRate)) }
        guard let encoder else { return [] }
        var samples = try silence(until: rest.time, encoder, rest.format)
        samples += try track.placed(encoder.encode(rest))
        end = rest.end
        return samples
    }

    func finish() throws(MediaError) -> [WrittenSample] {
        defer { track.finish() }
        guard let encoder else { return [] }
        return try track.placed(encoder.encode(nil))
    }

    var edits: [MovieEdit] { track.edits }

    func expectedEdits(_ duration: MediaTime) -> [MovieEdit] { track.expectedEdits(duration) }

    private func silence(
        until time: MediaTime, _ encoder: any SoundEncoding, _ format: AudioFormat
    ) throws(MediaError) -> [WrittenSample] {
        var samples: [WrittenSample] = []
        while end < time {
            let count = min(time - end, Self.silence).units(of: Int32(format.sampleRate))
            guard count > 0 else { break }
            let buffer = AudioBuffer(
                format: format, samples: [Float](repeating: 0, count: Int(count) * format.channels), time: end)
            samples += try track.placed(encoder.encode(buffer))
            end = buffer.end
        }
        return samples
    }
}
