import LinuxSupport
import MediaModel
import MediaTime

/// Sound that is to be heard later (or earlier) than its picture, because what it is heard by delays one of the two: `PlaybackServices.soundDelay`.
///
/// The media clock is the pictures'. The sound of asset time `t` is due when that clock stands at `t` and the delay more.
extension Player {
    /// How much asset time the sound is behind the pictures at a rate.
    private func lag(at rate: Ratio) -> MediaTime {
        let delay = services.soundDelay
        guard delay != .zero else { return .zero }
        return MediaTime.nanoseconds(delay.wholeNanoseconds).scaled(by: rate)
    }

    /// The asset time of the pictures while sound of this time is heard.
    func pictureTime(ofSound time: MediaTime) -> MediaTime { time + lag(at: media.rate) }

    /// The asset time of the sound that belongs to the instant at which pictures of this time are seen.
    func soundTime(ofPicture time: MediaTime, at rate: Ratio) -> MediaTime { max(time - lag(at: rate), .zero) }

    /// Tells the sink to play so that its sound is due with pictures that begin at an instant.
    ///
    /// - Parameter position: the pictures' asset time then.
    /// - Returns: when they begin: later than asked for where the sound comes first.
    func startSound(at start: HostTime, position: MediaTime, rate: Ratio) -> HostTime {
        guard run?.audio != nil else { return start }
        guard services.soundDelay != .zero, rate > .zero else {
            services.sink.play(at: start)
            return start
        }
        // After a pause the sink goes on behind the pictures' place by itself; after a seek it stands at that place.
        let ahead = (audio.upcoming ?? position) - position
        let wait =
            Duration.nanoseconds(ahead.scaled(by: Ratio(rate.denominator, rate.numerator)).nanoseconds) + services.soundDelay
        services.sink.play(at: start + max(wait, .zero))
        return start + max(.zero - wait, .zero)
    }
}
