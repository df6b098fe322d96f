import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// One run of reading from a position, in one manner. Each seek and each change of manner creates a new one. Main loop.
@MainActor
protocol Reading: AnyObject {
    var progress: ReadingProgress { get set }
    /// The manner required by a rate; nil for a preview, which no rate requires.
    var manner: PlaybackManner? { get }
    /// The source of the samples; nil while nothing is read.
    var buffer: SampleBuffer? { get }
    /// Whether audio is read.
    var hasSound: Bool { get }
    /// The end of the buffered range when the current event began.
    var loadedUntil: MediaTime? { get }
    /// This reading, if it is normal playback.
    var forward: ForwardReading? { get }
    /// Whether the picture on the screen satisfies a tolerant seek to a position.
    func answers(_ time: MediaTime) -> Bool
    /// Begins, once this is the item's current reading.
    func begin()
    /// Samples what other threads change, once, before anything done here wakes them: the result must not depend on their speed.
    func sense()
    /// Continues until there is enough to begin playback.
    func preroll()
    /// Continues while the item can be played.
    func playOn()
    /// Continues if what had run out is available again.
    func recover()
    /// A frame of this reading was shown; `progress` has been updated.
    func frameWasShown()
    /// The last frame has had its full duration.
    func picturesEnded()
    /// How long nothing can happen; nil if something may at any moment.
    func calm(deviation: MediaTime?) -> Duration?
    /// Stops reading and decoding.
    func cancel()
}

extension Reading {
    var hasSound: Bool { false }
    var forward: ForwardReading? { nil }
    func answers(_ time: MediaTime) -> Bool { false }
    func begin() {}
    func frameWasShown() {}
    func calm(deviation: MediaTime?) -> Duration? { nil }
}

/// The progress of a reading. A value.
@MainActor
struct ReadingProgress {
    /// The scheduler's number of the run.
    private(set) var generation: Int
    let target: MediaTime
    /// The actual start: the time of the first picture or sound.
    private(set) var landing: MediaTime?
    /// A picture that begins long before this stands at it; nil where pictures are shown wherever they are, as in a scan.
    private let earliest: MediaTime?
    /// Start and end of the last frame shown.
    private(set) var shown: (from: MediaTime, until: MediaTime)?
    private var completion: (@MainActor (Bool) -> Void)?

    /// - Parameter keepsPosition: whether a picture that begins long before the position stands at it.
    init(_ generation: Int, of seek: SeekRequest, keepsPosition: Bool = false) {
        self.generation = generation
        target = seek.target
        earliest = keepsPosition ? seek.earliest : nil
        completion = seek.completion
    }

    /// A reading that took over from the previous item.
    init(_ generation: Int, landedAt start: MediaTime) {
        self.generation = generation
        target = start
        earliest = start
        landing = start
    }

    mutating func land(at time: MediaTime) { landing = time }

    /// Where playback begins with its first picture: where that begins, or at the position of the seek if it began long before, as a slide does, and the
    /// last picture beside sound that goes on.
    func landing(with record: FrameRecord) -> MediaTime {
        let end = record.time + record.duration
        guard let earliest, record.time + ForwardReading.longestFrame < earliest else { return record.time }
        // A step back asks for the picture that ends there.
        return earliest < end && end - earliest <= Self.shortestFrame ? record.time : earliest
    }

    private static let shortestFrame = MediaTime.milliseconds(1)

    mutating func show(_ record: FrameRecord) {
        let distance = shown.map { (record.time - $0.until).magnitude } ?? .zero
        steadyPictures = distance < ForwardReading.longestFrame ? min(steadyPictures + 1, Self.mostSteady) : 0
        shown = (record.time, record.time + record.duration)
    }

    /// Whether pictures have followed each other for a while, as those of a film do, and not as slides do.
    var isSteady: Bool { steadyPictures == Self.mostSteady }
    /// How many pictures have followed each other without a gap.
    private var steadyPictures = 0
    private static let mostSteady = 12

    /// The scheduler has begun another run for the same reading.
    mutating func renumber(_ generation: Int) { self.generation = generation }

    /// The completion of the seek; nil after it was returned.
    mutating func takeCompletion() -> (@MainActor (Bool) -> Void)? {
        defer { completion = nil }
        return completion
    }
}

/// A pending seek. A value.
struct SeekRequest {
    /// The picture that answers it.
    enum Precision {
        /// The frame whose interval contains the target.
        case exact
        /// One within the tolerances.
        case tolerant
        /// Any that is quickly available.
        case preview
    }

    var target: MediaTime
    /// The earliest start of the picture that is shown.
    var earliest: MediaTime
    var precision: Precision
    /// Whether the picture on the screen already answers the seek.
    var isAnswered = false
    var completion: (@MainActor (Bool) -> Void)?
    /// The client's boundary in force from the seek on.
    var boundary: MediaTime?
    /// Whether samples of which nothing can be decoded are passed over: decoders have failed on them.
    var passesOver = false

    /// A seek with tolerances, clamped to the seekable range of an item.
    ///
    /// - Parameters:
    ///   - origin: the current position.
    ///   - shownUntil: the end of the frame on the screen.
    @MainActor
    init(
        to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?, in item: PlayerItem,
        from origin: MediaTime, shownUntil: MediaTime?, isAnswered: Bool, boundary: MediaTime?,
        completion: (@MainActor (Bool) -> Void)?
    ) {
        var target = max(time, item.reversePlaybackEndTime ?? .zero)
        if let end = item.endTime { target = min(target, end) }
        target = item.withinWindow(target)
        // A forward seek lands after the frame on the screen.
        var earliest = before.map { target - $0 } ?? .zero
        if target > origin, let shownUntil { earliest = max(earliest, min(shownUntil, target)) }
        self.target = target
        self.earliest = earliest
        precision = before == .zero && after == .zero ? .exact : before == nil && after == nil ? .preview : .tolerant
        self.isAnswered = isAnswered
        self.boundary = boundary
        self.completion = completion
    }

    /// A seek to exactly the frame whose interval contains the target.
    init(
        exactly target: MediaTime, boundary: MediaTime?, passesOver: Bool = false, completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        self.passesOver = passesOver
        self.target = target
        earliest = target
        precision = .exact
        self.boundary = boundary
        self.completion = completion
    }
}

/// The results of other threads for a reading, sampled when the current event began. A value.
struct SensedReading {
    var loadedUntil: MediaTime?
    /// Whether the source has finished, or itself waits for the decoders.
    var isAllThere = false
    var hasPicture = false
    var picture: Decoded<VideoFrame>?
    /// Up to where the stream has sound but no pictures; nil if it has pictures.
    var noPicturesUntil: MediaTime?

    init() {}

    /// - Parameters:
    ///   - pictures: nil if none are decoded.
    ///   - video: their track.
    ///   - track: a track that others do not wait for.
    init(
        _ buffer: SampleBuffer?, pictures: BoundedQueue<Decoded<VideoFrame>>?, of video: TrackID? = nil,
        except track: TrackID? = nil
    ) {
        loadedUntil = buffer?.bufferedUntil(except: track)
        isAllThere = buffer?.isAllThere ?? true
        picture = pictures?.peek()
        noPicturesUntil = pictures == nil ? nil : video.flatMap { Self.missing($0, in: buffer) }
        hasPicture = pictures.map { $0.count > 0 || $0.isExhausted } ?? true
    }

    /// Of pictures that cannot be decoded the next one may come before the last one, by their reordering.
    private static let longestReordering = MediaTime.milliseconds(500)

    /// Up to where pictures are missing. Where the source has read to their end, the decoder may not even have begun: what waits for it comes first.
    private static func missing(_ track: TrackID, in buffer: SampleBuffer?) -> MediaTime? {
        guard let until = buffer?.missingUntil(track) else { return nil }
        guard let head = buffer?.headTime(of: track), head + longestReordering < until else { return until }
        return nil
    }
}
