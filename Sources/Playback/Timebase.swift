import LinuxSupport
import MediaModel
import MediaTime

/// The timebase of a player: its media clock, which the sound leads, and which scheduler and captions follow. Main loop.
@MainActor
final class Timebase {
    /// Where playback is and goes.
    private(set) var media = MediaClock(anchorHost: .zero, anchorTime: .zero, rate: .zero) {
        didSet {
            pipeline.captionLoader.follow(media)
            pipeline.captions.follow(media)
        }
    }
    /// Called when the media clock has changed: timers for places in asset time are armed again.
    var onChange: (@MainActor () -> Void)?
    private let pipeline: PlaybackPipeline

    /// A larger deviation from the sound is corrected at once, a smaller one step by step: the pictures must not jump for a millisecond.
    private static let largestDrift = MediaTime.milliseconds(40)

    init(_ pipeline: PlaybackPipeline) { self.pipeline = pipeline }

    private var clock: any HostClock { pipeline.clock }

    /// The asset time now.
    var now: MediaTime { media.time(at: clock.now) }

    /// How fast it moves.
    var rate: Ratio { media.rate }

    private func set(_ media: MediaClock) {
        self.media = media
        pipeline.scheduler.setClock(media)
        onChange?()
    }

    /// Stands at an asset time.
    func hold(at time: MediaTime) { set(MediaClock(anchorHost: clock.now, anchorTime: time, rate: .zero)) }

    /// Moves on at a rate from the next vertical blank on, with the sound that is queued.
    ///
    /// - Parameters:
    ///   - limit: where it stops.
    ///   - hasSound: whether there is sound to start.
    /// - Returns: the asset time from which it moves.
    @discardableResult
    func start(at rate: Ratio, limit: MediaTime?, hasSound: Bool) -> MediaTime {
        let position = now
        let blank = pipeline.scheduler.verticalBlank(atOrAfter: clock.now + .milliseconds(10))
        let start = hasSound ? pipeline.sound.start(at: blank, position: position, rate: rate) : blank
        set(MediaClock(anchorHost: start, anchorTime: position, rate: rate, limit: limit))
        return position
    }

    /// Stops at another place than before, if it moves.
    func limit(to limit: MediaTime?) {
        guard rate != .zero else { return }
        set(MediaClock(anchorHost: clock.now, anchorTime: now, rate: rate, limit: limit))
    }

    /// Corrects the clock by what is heard.
    ///
    /// - Returns: how far it was from the sound; nil while no sound is heard.
    func followSound(limit: MediaTime?) -> MediaTime? {
        guard let heard = pipeline.audio.heard(), heard.isRunning else { return nil }
        let deviation = pipeline.sound.pictureTime(ofSound: heard.time, at: rate) - media.time(at: heard.at)
        guard deviation.magnitude > .milliseconds(1), heard.at >= media.anchorHost else { return deviation.magnitude }
        let correction = deviation.magnitude > Self.largestDrift ? deviation : deviation / 8
        set(MediaClock(anchorHost: clock.now, anchorTime: now + correction, rate: rate, limit: limit))
        return deviation.magnitude
    }

    /// The next item has taken over: the same line in its asset time.
    ///
    /// - Parameter shift: added to times of the item before, gives those of the next.
    func becomeFollower(shift: MediaTime, limit: MediaTime?) {
        media = media.shifted(by: shift, limit: limit)
        pipeline.scheduler.becomeFollower(media)
    }

    /// Tells the scheduler the clock again, after it has begun another run.
    func tellScheduler() { pipeline.scheduler.setClock(media) }
}
