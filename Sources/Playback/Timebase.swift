import LinuxSupport
import MediaModel
import MediaTime

/// The timebase of a player: its media clock, which follows the audio and is followed by the scheduler and the captions. Main loop.
@MainActor
final class Timebase {
    /// Position and rate.
    private(set) var media = MediaClock(anchorHost: .zero, anchorTime: .zero, rate: .zero) {
        didSet {
            pipeline.captionLoader.follow(media)
            pipeline.captions.follow(media)
        }
    }
    /// Called when the media clock has changed: timers for asset times must be rescheduled.
    var onChange: (@MainActor () -> Void)?
    private let pipeline: PlaybackPipeline

    /// A larger deviation from the audio is corrected at once, a smaller one gradually: pictures must not jump for a millisecond.
    private static let largestDrift = MediaTime.milliseconds(40)

    init(_ pipeline: PlaybackPipeline) { self.pipeline = pipeline }

    private var clock: any HostClock { pipeline.clock }

    /// The current asset time.
    var now: MediaTime { media.time(at: clock.now) }

    /// The current rate.
    var rate: Ratio { media.rate }

    private func set(_ media: MediaClock) {
        self.media = media
        pipeline.scheduler.setClock(media)
        onChange?()
    }

    /// Stops at an asset time.
    func hold(at time: MediaTime) { set(MediaClock(anchorHost: clock.now, anchorTime: time, rate: .zero)) }

    /// Starts at a rate from the next vertical blank on, with the queued audio.
    ///
    /// - Parameters:
    ///   - limit: where it stops.
    ///   - hasSound: whether there is audio to start.
    /// - Returns: the asset time at which it starts.
    @discardableResult
    func start(at rate: Ratio, limit: MediaTime?, hasSound: Bool) -> MediaTime {
        let position = now
        let blank = pipeline.scheduler.verticalBlank(atOrAfter: clock.now + .milliseconds(10))
        let start = hasSound ? pipeline.sound.start(at: blank, position: position, rate: rate) : blank
        set(MediaClock(anchorHost: start, anchorTime: position, rate: rate, limit: limit))
        return position
    }

    /// Changes where it stops, if it runs.
    func limit(to limit: MediaTime?) {
        guard rate != .zero else { return }
        set(MediaClock(anchorHost: clock.now, anchorTime: now, rate: rate, limit: limit))
    }

    /// Corrects the clock by the audio position.
    ///
    /// - Returns: its deviation from the audio; nil without audio.
    func followSound(limit: MediaTime?) -> MediaTime? {
        guard let heard = pipeline.audio.heard(), heard.isRunning else { return nil }
        let deviation = pipeline.sound.pictureTime(ofSound: heard.time, at: rate) - media.time(at: heard.at)
        guard deviation.magnitude > .milliseconds(1), heard.at >= media.anchorHost else { return deviation.magnitude }
        let correction = deviation.magnitude > Self.largestDrift ? deviation : deviation / 8
        set(MediaClock(anchorHost: clock.now, anchorTime: now + correction, rate: rate, limit: limit))
        return deviation.magnitude
    }

    /// The next item has taken over: the same clock in its asset time.
    ///
    /// - Parameter shift: from times of the previous item to those of the next.
    func becomeFollower(shift: MediaTime, limit: MediaTime?) {
        media = media.shifted(by: shift, limit: limit)
        pipeline.scheduler.becomeFollower(media)
    }

    /// Sets the scheduler's clock again after another run has begun.
    func tellScheduler() { pipeline.scheduler.setClock(media) }
}
