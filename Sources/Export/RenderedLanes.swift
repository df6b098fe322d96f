import Composition
import MediaModel
import MediaTime

/// Encodes the pictures that a video composition makes.
final class RenderedPictureLane: RenderedLane {
    let type = MediaType.video
    private let pictures: any RenderedMedia<VideoFrame>
    private let frameDuration: MediaTime
    private let range: TimeRange
    private let encoder: PictureTrackEncoder

    /// - Parameter range: what is rendered, in the time of the composition.
    init(
        _ pictures: any RenderedMedia<VideoFrame>, frameDuration: MediaTime, range: TimeRange, _ settings: ExportSettings,
        writers: any WriterFactory
    ) {
        self.pictures = pictures
        self.frameDuration = frameDuration
        self.range = range
        encoder = PictureTrackEncoder(settings, duration: range.duration, writers: writers)
    }

    var parameters: (any CodecParameters)? { encoder.parameters }
    var position: MediaTime { encoder.end }

    func advance() throws(MediaError) -> [WrittenSample]? {
        guard let frames = try pictures.next() else { return nil }
        var samples: [WrittenSample] = []
        for var frame in frames {
            frame.time -= range.start
            samples += try encoder.encode(
                frame, frameRate: Ratio(MediaTime.seconds(1), over: frameDuration), timescale: frameDuration.timescale)
        }
        return samples
    }

    func finish() throws(MediaError) -> [WrittenSample] { try encoder.finish() }

    var edits: [MovieEdit] { encoder.edits }

    func expectedEdits(_ duration: MediaTime) -> [MovieEdit] { encoder.expectedEdits(duration) }
}

/// Encodes the sound that an audio mix makes.
final class RenderedSoundLane: RenderedLane {
    let type = MediaType.audio
    private let sound: any RenderedMedia<AudioBuffer>
    private let range: TimeRange
    private let encoder: SoundTrackEncoder

    /// - Parameter range: what is rendered, in the time of the composition.
    init(_ sound: any RenderedMedia<AudioBuffer>, range: TimeRange, _ settings: ExportSettings, writers: any WriterFactory) {
        self.sound = sound
        self.range = range
        encoder = SoundTrackEncoder(settings, duration: range.duration, writers: writers)
    }

    var parameters: (any CodecParameters)? { encoder.parameters }
    var position: MediaTime { encoder.end }

    func advance() throws(MediaError) -> [WrittenSample]? {
        guard let buffers = try sound.next() else { return nil }
        var samples: [WrittenSample] = []
        for var buffer in buffers {
            buffer.time -= range.start
            samples += try encoder.encode(buffer)
        }
        return samples
    }

    func finish() throws(MediaError) -> [WrittenSample] { try encoder.finish() }

    var edits: [MovieEdit] { encoder.edits }

    func expectedEdits(_ duration: MediaTime) -> [MovieEdit] { encoder.expectedEdits(duration) }
}
