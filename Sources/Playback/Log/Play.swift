import LinuxSupport
import MediaModel
import MediaTime

/// One play of a programme, or of an interstitial in it: what was shown, as the proof that it was. A value.
package struct Play: Sendable, Equatable {
    /// Who or what has started it.
    package enum Starter: String, Sendable, CaseIterable {
        /// A viewer, with a key.
        case viewer
        /// A command over the API, the broker or the session bus.
        case command
        /// The box by itself: the feed's start, or the programme of a kiosk.
        case start
        /// It followed in a queue, or a proposal was accepted automatically.
        case queue
        /// The player was started again and has gone on.
        case session
        /// The programme in which it is an interstitial.
        case programme
        /// The schedule of its channel.
        case schedule
    }

    /// How it ended.
    package enum End: String, Sendable, CaseIterable {
        /// It was played to its end.
        case completed
        /// The viewer skipped it with Skip.
        case skipped
        /// It was left before its end.
        case left
        /// It could not be played, or not any more.
        case failed
        /// The power was cut, or the player was ended.
        case interrupted
    }

    /// Differs between the plays of one run of the player.
    package var id: Int
    /// The item or channel, by its id in the feed; an address that is in no feed, without secrets.
    package var item: String
    /// The channel to whose queue it belongs.
    package var channel: String?
    /// The interstitial; nil for the programme itself.
    package var advertisement: String?
    package var starter: Starter
    /// When the first of it was shown.
    package var started: HostTime
    /// How far this is known.
    package var updated: HostTime
    /// The same as a date: nanoseconds since the start of 1970, UTC; nil while the box has no trusted date.
    package var updatedDate: Int64?
    /// The asset time of its first picture.
    package var from: MediaTime?
    /// The pictures that the display has flipped to.
    package var picturesShown = 0
    /// These, and those that should have been shown between them.
    package var picturesDue = 0
    /// How long it ran.
    package var length = Duration.zero
    /// For how much of that nothing could be seen: the screen was lost, off, or showed another input.
    package var screenOffLength = Duration.zero
    /// Nil while it plays.
    package var end: End?
    /// The code of the error that ended it.
    package var errorCode: String?

    package init(
        id: Int, item: String, channel: String? = nil, advertisement: String? = nil, starter: Starter, started: HostTime
    ) {
        self.id = id
        self.item = item
        self.channel = channel
        self.advertisement = advertisement
        self.starter = starter
        self.started = started
        updated = started
    }
}

/// Keeps plays for operators.
@MainActor
package protocol PlayStore: AnyObject {
    /// What plays now, each as far as it is; the others have ended.
    func update(_ playing: [Play])
    /// A play has ended. Called once for each.
    func keep(_ ended: Play, playing: [Play])
}

/// Counts the pictures that are missing between those that were shown. A value.
package struct MissingPictures: Sendable {
    private var last: FrameRecord?

    package init() {}

    /// Time does not advance, or has jumped: what is shown next follows nothing.
    package mutating func reset() { last = nil }

    /// A picture was shown.
    ///
    /// - Returns: how many are missing between the last one and it; nil if it does not follow one, or does not run.
    package mutating func take(_ frame: FrameRecord) -> Int? {
        guard frame.isRunning else { return nil }
        defer { last = frame }
        guard let last, last.generation == frame.generation, last.duration > .zero else { return nil }
        let gap = frame.time - (last.time + last.duration)
        // A longer gap is one of the stream.
        guard gap <= .seconds(1) else { return nil }
        return gap > .zero ? Int((gap + last.duration / 2).wholeSteps(of: last.duration)) : 0
    }
}
