import LinuxSupport
import MediaModel
import MediaTime

/// How a rate is played.
enum PlaybackManner: Equatable {
    /// Pictures and sound, forward.
    case forward
    /// Key pictures only.
    case scan(KeyFrameReading.Direction)
    /// All pictures, backward, without sound.
    case reverse

    /// The slowest and the fastest rate with sound.
    static let slowest = Ratio(1, 2)
    static let fastest = Ratio(2)

    init(rate: Ratio) {
        if rate > Self.fastest {
            self = .scan(.forward)
        } else if rate >= .zero {
            self = .forward
        } else {
            self = rate >= Ratio(-1) ? .reverse : .scan(.backward)
        }
    }
}

/// One run of reading from a place, in one manner. Each seek and each change of the manner of playing makes a new one. Main loop.
@MainActor
protocol Reading: AnyObject {
    var progress: ReadingProgress { get set }
    /// The manner that a rate asks for; nil for a picture to look at, which no rate asks for.
    var manner: PlaybackManner? { get }
    /// Where the samples come from; nil while nothing is read.
    var buffer: SampleBuffer? { get }
    /// Whether sound is read.
    var hasSound: Bool { get }
    /// Up to where media was buffered when the event that is being handled began.
    var loadedUntil: MediaTime? { get }
    /// The reading of ordinary play, if this is one.
    var forward: ForwardReading? { get }
    /// Whether the picture on the screen answers a tolerant seek to a place.
    func answers(_ time: MediaTime) -> Bool
    /// Begins, once this is the item's reading.
    func begin()
    /// Looks once at what other threads change, before anything that is done here wakes them: what is seen must not depend on how fast they are.
    func sense()
    /// Goes on until there is enough to begin with.
    func preroll()
    /// Goes on while the item can be played.
    func playOn()
    /// Goes on if what ran out is there again.
    func recover()
    /// A frame of this reading was seen, after it was noted in `progress`.
    func frameWasShown()
    /// The last frame has had its time.
    func picturesEnded()
    /// For how long nothing can happen; nil: something may at any moment.
    func calm(deviation: MediaTime?) -> Duration?
    /// Ends reading and decoding.
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

/// How far a reading has come. A value.
@MainActor
struct ReadingProgress {
    /// The scheduler's number of the run.
    private(set) var generation: Int
    let target: MediaTime
    /// Where play really begins: the time of the first picture or sound.
    private(set) var landing: MediaTime?
    /// Where the last frame that was shown begins and ends.
    private(set) var shown: (from: MediaTime, until: MediaTime)?
    private var completion: (@MainActor (Bool) -> Void)?

    init(_ generation: Int, of seek: SeekRequest) {
        self.generation = generation
        target = seek.target
        completion = seek.completion
    }

    /// A reading that took over from the item before.
    init(_ generation: Int, landedAt start: MediaTime) {
        self.generation = generation
        target = start
        landing = start
    }

    mutating func land(at time: MediaTime) { landing = time }

    mutating func show(_ record: FrameRecord) { shown = (record.time, record.time + record.duration) }

    /// The scheduler has begun another run for the same reading.
    mutating func renumber(_ generation: Int) { self.generation = generation }

    /// Whom to tell that the seek has ended; nil the next time.
    mutating func takeCompletion() -> (@MainActor (Bool) -> Void)? {
        defer { completion = nil }
        return completion
    }
}

/// A seek that is to be carried out. A value.
struct SeekRequest {
    var target: MediaTime
    /// How early the picture may begin that is shown.
    var earliest: MediaTime
    /// Whether the frame is wanted whose interval holds the target.
    var isExact = false
    /// Whether any picture will do that is quickly available.
    var isPreview = false
    /// Whether the picture on the screen is the answer already.
    var isAnswered = false
    var completion: (@MainActor (Bool) -> Void)?
    /// The client's boundary in force from the seek on.
    var boundary: MediaTime?

    /// To a place with tolerances, kept within what can be sought of an item.
    ///
    /// - Parameters:
    ///   - origin: where playback is.
    ///   - shownUntil: where the frame on the screen ends.
    @MainActor
    init(
        to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?, in item: PlayerItem,
        from origin: MediaTime, shownUntil: MediaTime?, isAnswered: Bool, boundary: MediaTime?,
        completion: (@MainActor (Bool) -> Void)?
    ) {
        var target = max(time, item.reversePlaybackEndTime ?? .zero)
        if let end = item.endTime { target = min(target, end) }
        target = item.withinWindow(target)
        // A forward seek lands behind the frame on the screen.
        var earliest = before.map { target - $0 } ?? .zero
        if target > origin, let shownUntil { earliest = max(earliest, min(shownUntil, target)) }
        self.target = target
        self.earliest = earliest
        isExact = before == .zero && after == .zero
        isPreview = before == nil && after == nil
        self.isAnswered = isAnswered
        self.boundary = boundary
        self.completion = completion
    }

    /// To exactly the frame whose interval holds the target.
    init(exactly target: MediaTime, boundary: MediaTime?, completion: (@MainActor (Bool) -> Void)? = nil) {
        self.target = target
        earliest = target
        isExact = true
        self.boundary = boundary
        self.completion = completion
    }
}

/// What other threads have done for a reading, as it was when the event that is being handled began. A value.
struct SensedReading {
    var loadedUntil: MediaTime?
    /// Whether the source has nothing more, or waits for the decoders itself.
    var isAllThere = false
    var hasPicture = false
    var picture: Decoded<VideoFrame>?

    init() {}

    /// - Parameters:
    ///   - pictures: nil where none are decoded.
    ///   - track: a track that others do not wait for.
    init(_ buffer: SampleBuffer?, pictures: BoundedQueue<Decoded<VideoFrame>>?, except track: TrackID? = nil) {
        loadedUntil = buffer?.bufferedUntil(except: track)
        isAllThere = buffer?.isAllThere ?? true
        picture = pictures?.peek()
        hasPicture = pictures.map { $0.count > 0 || $0.isExhausted } ?? true
    }
}
