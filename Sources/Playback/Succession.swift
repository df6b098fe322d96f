import LinuxSupport
import MediaModel
import MediaTime

/// The item that follows the current one, as far as it has been prepared: opened, then read and decoded up to its first pictures and sound, then arranged,
/// that is given to the sink and the scheduler to go on with. Main loop only.
@MainActor
final class Succession {
    /// How far it has come.
    enum Stage {
        /// Nothing has been done.
        case waiting
        /// It is being opened.
        case opening
        /// It is open.
        case open
        /// It is being read and decoded.
        case reading
        /// It takes over at the end of the current item.
        case arranged
    }

    let item: PlayerItem
    var stage = Stage.waiting
    var source: (any MediaSource)?
    var description: SourceDescription?
    /// What the source told while nobody kept a log of the item.
    var entries: [SourceLogEntry] = []
    private(set) var buffer: SampleBuffer?
    private(set) var video: BoundedQueue<Decoded<VideoFrame>>?
    private(set) var audio: BoundedQueue<Decoded<AudioBuffer>>?
    let cache = FrameCache()
    let closedCaptions = ClosedCaptionTap()
    private let clock: any HostClock
    private let buffering: BufferingPolicy
    private(set) var videoDecoder: TrackDecoder<VideoFrame>?
    private(set) var audioDecoder: TrackDecoder<AudioBuffer>?
    /// What describes its pictures, where that is mixed with its sound.
    private(set) var described: Player.DescriptionReading?
    /// Where reading began.
    private(set) var target = MediaTime.zero
    /// The joint, once it is arranged: the run of the pictures, the place of the current item where it takes over (nil: behind the last picture), and its own place.
    var generation = 0
    var end: MediaTime?
    var start = MediaTime.zero
    var timer: ScheduledEvent?

    /// What other threads have done, as it was when the event that is being handled began.
    struct Sensed {
        var picture: Decoded<VideoFrame>?
        var sound: Decoded<AudioBuffer>?
        var hasEnoughSound = false
        /// Where the pictures of the current item end, once it has been read to its end.
        var pictureEnd: MediaTime?
        var isRead = false
    }
    private(set) var sensed = Sensed()
    /// So many pieces of sound are decoded before it is relied on: about 200 ms in any codec.
    private static let piecesNeeded = 10

    init(item: PlayerItem, services: PlaybackServices) {
        self.item = item
        clock = services.clock
        buffering = services.buffering
    }

    var isArranged: Bool { stage == .arranged }

    func sense(_ run: Player.Run, pictures: TrackID?) {
        guard stage == .reading else { return }
        sensed.picture = video?.peek()
        sensed.sound = audio?.peek()
        sensed.hasEnoughSound = audio.map { $0.count >= Self.piecesNeeded || buffer?.isFinished == true } ?? true
        sensed.isRead = run.buffer?.isFinished == true
        sensed.pictureEnd = sensed.isRead ? pictures.flatMap { run.buffer?.bufferedUntil($0) } : nil
    }

    /// Reads and decodes its beginning.
    func startReading(
        at place: MediaTime, pictures: TrackKind<VideoFrame>?, sound: TrackKind<AudioBuffer>?,
        description: TrackKind<AudioBuffer>?, longestFrame: MediaTime,
        bell: Doorbell
    ) {
        guard let source, stage == .open else { return }
        stage = .reading
        target = place
        sensed = Sensed()
        let (picture, heard, describing) = (item.videoTrack, item.audioTrack, item.descriptionTrack)
        let buffer = source.startReading(at: place, tracks: [picture?.id, heard?.id, describing?.id].compactMap { $0 })
        self.buffer = buffer
        if let picture, let pictures {
            let decoder = videoDecoder ?? TrackDecoder(kind: pictures, clock: clock, buffering: buffering)
            videoDecoder = decoder
            video = decoder.start(
                reading: buffer, track: picture.id, earliest: place,
                capacity: TrackKind<VideoFrame>.framesAhead(width: picture.width, height: picture.height), bell: bell)
        }
        if let heard, let sound {
            let decoder = audioDecoder ?? TrackDecoder(kind: sound, clock: clock, buffering: buffering)
            audioDecoder = decoder
            audio = decoder.start(reading: buffer, track: heard.id, earliest: place - longestFrame, bell: bell)
        }
        if let describing, let description {
            let decoder = TrackDecoder(kind: description, clock: clock, buffering: buffering)
            let queue = decoder.start(reading: buffer, track: describing.id, earliest: place - longestFrame, bell: bell)
            described = .init(track: describing.id, queue: queue, decoder: decoder)
        }
    }

    /// Gives up what has been read; it stays open.
    func stopReading() {
        timer?.cancel()
        timer = nil
        guard stage == .reading || stage == .arranged else { return }
        stage = .open
        buffer?.cancel()
        video?.cancel()
        audio?.cancel()
        endDescription()
        buffer = nil
        video = nil
        audio = nil
        cache.removeAll()
        sensed = Sensed()
    }

    private func endDescription() {
        described?.cancel()
        described?.decoder.thread.retire()
        described = nil
    }

    /// Makes what mixes its description with its sound.
    func mixer(_ format: AudioFormat) -> DescriptionMixer? {
        guard let described, let sound = item.audioTrack?.id else { return nil }
        return DescriptionMixer(described.queue, format: format) { [weak buffer = self.buffer] in
            (buffer?.bufferedUntil(described.track), buffer?.bufferedUntil(sound))
        }
    }

    /// Hands what it has to the player: its threads are not this object's any more.
    func handOver() {
        timer?.cancel()
        timer = nil
        videoDecoder = nil
        audioDecoder = nil
        described = nil
    }

    /// Ends its threads, which nobody waits for.
    func close() {
        stopReading()
        videoDecoder?.thread.retire()
        audioDecoder?.thread.retire()
        handOver()
    }
}
