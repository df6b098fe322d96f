import Cryptography
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import WireFormats

/// A run of segments for the demuxer's thread.
struct RunPlan: Sendable {
    var stream: SegmentByteStream
    var container: ContainerHint
    /// The discontinuity sequence on the shared timeline.
    var sequence: Int64
    /// Asset time of the start of the run's first segment according to its playlist.
    var start: MediaTime
    /// The timestamp of packed audio's first sample, if its ID3 tag has one.
    var firstStamp: MediaTime?
    /// Where the timestamps of the run's start can be in asset time; nil on demand.
    var window: TimeRange?
    /// What the demuxer's thread has to find out before the run is delivered.
    var check: EntryCheck?
    /// Samples delivered from here on are removed: half a segment was loaded, which now comes from another variant.
    var replacesFrom: MediaTime?
    /// Whether the presentation has other runs, which may have other tracks.
    var hasOthers = false
    /// For a run of one picture of an I-frame playlist: its duration. Its fragment may announce more samples than it has
    /// bytes for.
    var keyFrameDuration: MediaTime?
}

/// The questions at an entry into a playlist: whether the first segment of a run is where its playlist was assumed to be, and whether a key frame comes
/// soon enough. Asked on the main loop, answered once on the demuxer's thread.
final class EntryCheck: Sendable {
    enum Answer: Equatable, Sendable {
        /// It is where it was assumed, or has no timestamps, and its pictures can be decoded as soon as they are needed.
        case fits
        /// It is so much later than assumed. The run is not delivered.
        case elsewhere(by: MediaTime)
        /// Its pictures need a key frame that comes before it. The run is not delivered.
        case lacksKeyFrame
    }
    private let monitor: Monitor<Answer?>
    private let bell: Doorbell
    /// A smaller difference is one of boundaries, not of positions; nil if the position is known.
    let tolerance: MediaTime?
    /// The asset time at which a key frame is needed at the latest; nil if there is nothing to go back to.
    let keyFrameBy: MediaTime?

    init(tolerance: MediaTime? = nil, keyFrameBy: MediaTime? = nil, ledger: WorkLedger?, bell: Doorbell) {
        self.tolerance = tolerance
        self.keyFrameBy = keyFrameBy
        self.bell = bell
        monitor = Monitor(nil, ledger: ledger)
    }

    /// The answer; nil until known.
    var answer: Answer? { monitor.read { $0 } }

    /// Only the first answer counts.
    func take(_ answer: Answer) {
        let isFirst = monitor.update { known in
            defer { known = known ?? answer }
            return known == nil
        }
        if isFirst { bell.ring() }
    }

    /// How much later than needed the first picture of a segment may be, if it is a key frame: durations in playlists are rounded.
    private static let rounding = MediaTime.milliseconds(200)

    /// The answer by a sample, if it gives one.
    ///
    /// - Parameters:
    ///   - offset: maps its time stamps to asset time.
    ///   - isFirst: whether it is the first picture.
    func answer(by sample: EncodedSample, isPicture: Bool, isFirst: Bool, offset: MediaTime) -> Answer? {
        guard let keyFrameBy else { return .fits }
        let time = sample.presentationTime + offset
        if isPicture, sample.isSync { return time <= keyFrameBy + (isFirst ? Self.rounding : .zero) ? .fits : .lacksKeyFrame }
        if isPicture { return sample.decodeTime + offset > keyFrameBy ? .lacksKeyFrame : nil }
        // Where sound goes on, no picture is missing.
        return time > keyFrameBy + .seconds(2) ? .fits : nil
    }
}

/// Turns the bytes of segments into runs for the demuxer's thread: it finds out the container, and begins a run where a demuxer cannot
/// continue. Main loop.
@MainActor
final class RunDelivery {
    /// The run whose stream still receives bytes.
    private struct CurrentRun {
        var stream: SegmentByteStream
        var sequence: Int64
        var map: MediaInitialization?
        var container: ContainerHint
        var tracker: MediaPlaylistTracker
        /// The tables of the newest segment that begins with some, of a transport stream.
        var tables: ProgramTables?
    }

    /// A segment or part that is being received.
    private struct Arrival {
        var piece: Piece
        var tracker: MediaPlaylistTracker
        /// When a key frame is needed, if a run begins with the piece.
        var keyFrameBy: MediaTime?
        var opening: SegmentFetch.Opening?
        var cipher: CBCDecryption?
        /// Bytes that arrived before the container was known, as sent.
        var head: [UInt8] = []
        var isOpen = false
    }

    /// This many bytes may arrive before they go to the demuxer: enough for the container and the metadata before the media.
    private static let longestHead = 64 << 10
    /// How many segments may wait for the demuxer before the next one is fetched.
    private static let segmentsAhead = 2
    /// The same for runs.
    private static let runsAhead = 4

    /// The runs that the demuxer's thread has not begun.
    let runs: BoundedQueue<RunPlan>
    /// The bytes that the demuxer's thread has not read.
    private let unread = UnreadBytes()
    /// Timed metadata in segments, with the asset time of their start.
    var onMetadata: (@MainActor ([SegmentMetadata]) -> Void)?
    private let context: StreamContext
    private let bell: Doorbell
    private let start: MediaTime
    private let isPrimary: Bool
    private var current: CurrentRun?
    private var arrival: Arrival?
    /// The start of a segment that was abandoned after a part was delivered.
    private var replacesFrom: MediaTime?
    /// The questions about the current run.
    private var check: EntryCheck?
    /// The first discontinuity sequence of which there is nothing yet.
    private var nextSequence: Int64?

    /// - Parameters:
    ///   - bell: rung when there is room for another segment.
    ///   - start: the position from which the rendition is read.
    ///   - isPrimary: whether the other renditions wait for the timestamps of this one.
    init(context: StreamContext, bell: Doorbell, start: MediaTime, isPrimary: Bool) {
        self.context = context
        self.bell = bell
        self.start = start
        self.isPrimary = isPrimary
        runs = BoundedQueue(capacity: 4096, ledger: context.clock.ledger)
    }

    /// Whether the demuxer needs another segment soon.
    var hasRoom: Bool {
        (current?.stream.unreadSegments ?? 0) < Self.segmentsAhead && runs.count < Self.runsAhead && !unread.isFull
    }

    /// Whether no more bytes of the piece should come for now.
    var isFull: Bool { unread.isFull }

    /// Whether a piece that waits may go on.
    var isLow: Bool { unread.isLow }

    /// Whether the demuxer has read everything.
    var isRead: Bool { (current?.stream.unreadSegments ?? 0) == 0 && runs.count == 0 }

    /// The segment or part that is being received.
    var piece: Piece? { arrival?.piece }

    // MARK: Entries

    /// The state of the questions about the current run.
    enum Entry {
        /// They are answered, or more segments have to be fetched for an answer.
        case known
        /// Nothing more should be fetched until they are answered.
        case unknown
        /// They have been answered. The run was not delivered unless it fits.
        case found(EntryCheck.Answer)
    }

    /// The answer of the demuxer's thread, given once.
    func takeEntry() -> Entry {
        guard let check else { return .known }
        guard let answer = check.answer else { return (current?.stream.unreadSegments ?? 0) > 0 ? .unknown : .known }
        self.check = nil
        if answer != .fits {
            // The rest of it is not read, and must not count as unread.
            current?.stream.cancel()
            current = nil
            arrival = nil
        }
        return .found(answer)
    }

    // MARK: One segment or part

    /// What comes next are the bytes of a piece of a playlist.
    ///
    /// - Parameter keyFrameBy: when a key frame is needed at the latest, if the piece begins a run; nil if that is not asked.
    func expect(_ piece: Piece, from tracker: MediaPlaylistTracker, keyFrameBy: MediaTime? = nil) {
        arrival = Arrival(piece: piece, tracker: tracker, keyFrameBy: keyFrameBy)
    }

    /// What the piece needs has been loaded: its key and its initialization section.
    func ready(_ opening: SegmentFetch.Opening) {
        guard let piece = arrival?.piece else { return }
        arrival?.opening = opening
        arrival?.cipher = opening.cipher(of: piece)
    }

    /// - Throws: `MediaError` with `sourceFormat` when the bytes are of no known container. Then the piece is expected again from its
    ///   beginning.
    func add(_ bytes: [UInt8]) throws(MediaError) {
        guard let arrival else { return }
        if arrival.isOpen { return current!.stream.append(bytes, cipher: arrival.cipher, endsSegment: false) }
        self.arrival?.head += bytes
        _ = try open(isComplete: false)
    }

    /// The piece has arrived whole.
    ///
    /// - Returns: the piece.
    /// - Throws: as `add`.
    func complete() throws(MediaError) -> Piece? {
        guard let arrival else { return nil }
        if !arrival.isOpen, try !open(isComplete: true) {
            self.arrival = nil
            return arrival.piece
        }
        current?.stream.append([], cipher: arrival.cipher, endsSegment: true)
        self.arrival = nil
        return arrival.piece
    }

    /// The rest of the piece does not come.
    ///
    /// - Parameter isReplaced: whether the same time is fetched again from another variant.
    func abandon(isReplaced: Bool) {
        guard let arrival else { return }
        if isReplaced, arrival.isOpen { replacesFrom = arrival.piece.start - .milliseconds(15) }
        // After half a segment, or a gap in sound without timestamps, a demuxer would lose its position.
        if arrival.isOpen || current.map({ !ContainerSniffer.hasSharedStamps($0.container) }) ?? false {
            current?.stream.finish()
            current = nil
        }
        self.arrival = nil
    }

    // MARK: The end

    /// A playlist has been read to its end.
    func finish(_ tracker: MediaPlaylistTracker) {
        if let last = tracker.playlist?.segments.last { leave(before: tracker.timelineSequence(of: last) &+ 1, tracker) }
        current?.stream.finish()
        runs.finish()
    }

    /// Nothing more can be read. What was received is still played.
    func fail(_ error: MediaError) {
        current?.stream.finish()
        runs.offer(failing: error, clock: context.clock, bell: bell)
    }

    /// Lets go of the demuxer's thread.
    func cancel() {
        runs.cancel()
        current?.stream.cancel()
    }

    // MARK: Runs

    /// The first bytes determine the container and hold the metadata; later bytes go straight to the demuxer.
    ///
    /// - Returns: false while more bytes are needed, and for a segment without a sample.
    private func open(isComplete: Bool) throws(MediaError) -> Bool {
        guard let arrival else { return false }
        let head = Self.clear(arrival)
        let tag = arrival.opening?.map == nil ? PackedAudioTag(head) : nil
        if !isComplete, PackedAudioTag.mayBegin(head) { return false }
        let known = ContainerSniffer.container(
            ofSegment: head, map: arrival.opening?.map, tagLength: tag?.length ?? 0, isComplete: isComplete)
        if head.count < Self.longestHead,
            SegmentContent.isBarren(head, known, tagLength: tag?.length ?? 0, isComplete: isComplete)
        {
            guard isComplete else { return false }
            // What is live may not be written yet.
            guard !head.isEmpty || !arrival.tracker.isLive else {
                throw MediaError(
                    .sourceFormat, "Segment \(arrival.piece.uri) of \(arrival.tracker.url) is empty; check the packager.")
            }
            if let known = known ?? current?.container { reportMetadata(arrival.piece, head: head, tag: tag, known) }
            return false
        }
        guard let container = known else {
            guard isComplete || head.count > Self.longestHead else { return false }
            self.arrival?.head = []
            let name = "Segment \(arrival.piece.uri) of \(arrival.tracker.url)"
            if ContainerSniffer.isMarkup(head) { throw .loading(name, failed: .webPage) }
            throw MediaError(
                .sourceFormat,
                "\(name) is neither MPEG-TS, fragmented MP4 nor packed audio; check the reply of the server."
            )
        }
        if container == .fragmentedMP4, !isComplete, head.count < Self.longestHead, EventMessage.isIncomplete(head) {
            return false
        }
        // What is before the first packet, and tags between frames, are not media.
        let surplus =
            ContainerSniffer.hasSharedStamps(container) ? ContainerSniffer.junkLength(in: head, container) : tag?.length ?? 0
        let tables = container == .transportStream ? ProgramTables(head: Array(head.dropFirst(surplus))) : nil
        if needsNewRun(arrival, container, tables) { beginRun(arrival, container, firstStamp: tag?.transportStreamTimestamp) }
        if let tables { current?.tables = tables }
        reportMetadata(arrival.piece, head: head, tag: tag, container)
        if surplus == 0 {
            current?.stream.append(arrival.head, cipher: arrival.cipher, endsSegment: false, timeRange: arrival.piece.timeRange)
        } else {
            // It is little, so it is decrypted here.
            let bytes = arrival.cipher.map { $0.decrypt(arrival.head) } ?? arrival.head
            current?.stream.append(
                Array(bytes.dropFirst(surplus)), cipher: nil, endsSegment: false, timeRange: arrival.piece.timeRange)
        }
        self.arrival?.isOpen = true
        self.arrival?.head = []
        return true
    }

    /// The first bytes decrypted; encrypted bytes are decrypted on a copy.
    private static func clear(_ arrival: Arrival) -> [UInt8] {
        guard let cipher = arrival.opening?.cipher(of: arrival.piece) else { return arrival.head }
        return cipher.decrypt(Array(arrival.head.prefix(128 << 10)))
    }

    private func needsNewRun(_ arrival: Arrival, _ container: ContainerHint, _ tables: ProgramTables?) -> Bool {
        guard let current, arrival.tracker.playlist?.isIFramesOnly != true else { return true }
        if let tables, let before = current.tables, tables != before { return true }
        return current.sequence != arrival.piece.sequence || current.map != arrival.piece.map || current.container != container
            || current.tracker !== arrival.tracker
    }

    private func beginRun(_ arrival: Arrival, _ container: ContainerHint, firstStamp: MediaTime?) {
        let (piece, tracker) = (arrival.piece, arrival.tracker)
        current?.stream.finish()
        let stream = SegmentByteStream(name: tracker.url, ledger: context.clock.ledger, counter: unread, bell: bell)
        if let map = arrival.opening?.map { stream.append(map, cipher: nil, endsSegment: false) }
        current = CurrentRun(
            stream: stream, sequence: piece.sequence, map: piece.map, container: container, tracker: tracker)
        leave(before: piece.sequence, tracker)
        nextSequence = piece.sequence &+ 1
        let cut = replacesFrom
        replacesFrom = nil
        check = question(arrival)
        runs.offer(
            RunPlan(
                stream: stream, container: container, sequence: piece.sequence, start: piece.start, firstStamp: firstStamp,
                window: Self.window(of: tracker), check: check, replacesFrom: cut,
                hasOthers: tracker.playlist.map { $0.discontinuitySequence != 0 || !$0.segments.discontinuities.isEmpty }
                    ?? false,
                keyFrameDuration: tracker.playlist?.isIFramesOnly == true ? piece.end - piece.start : nil))
    }

    private func question(_ arrival: Arrival) -> EntryCheck? {
        let (piece, tracker) = (arrival.piece, arrival.tracker)
        guard tracker.playlist?.isIFramesOnly != true, tracker.isPositionAssumed || arrival.keyFrameBy != nil else { return nil }
        return EntryCheck(
            tolerance: tracker.isPositionAssumed ? max((piece.end - piece.start) / 4, .milliseconds(250)) : nil,
            keyFrameBy: arrival.keyFrameBy, ledger: context.clock.ledger, bell: bell)
    }

    /// The window of a live playlist, and as much on both sides: durations in playlists are rounded.
    private static func window(of tracker: MediaPlaylistTracker) -> TimeRange? {
        guard tracker.isLive else { return nil }
        let margin = max(tracker.end - tracker.anchor, .seconds(30))
        return TimeRange(start: tracker.anchor - margin, end: tracker.end + margin)
    }

    /// Unblocks threads that wait for the timestamps of a sequence of which no segment could be loaded.
    private func leave(before end: Int64, _ tracker: MediaPlaylistTracker) {
        guard isPrimary, let playlist = tracker.playlist else { return }
        let first: Int64
        if let next = nextSequence {
            first = next
        } else if playlist.segments.isEmpty {
            first = end
        } else {
            first = tracker.timelineSequence(of: playlist.segments[tracker.index(at: start)])
        }
        // Numbers from before a restart of the server are not iterated over.
        let count = end &- first
        guard count > 0, count < 1 << 20 else { return }
        for step in 0..<count { context.timeline.leave(first &+ step) }
    }

    private func reportMetadata(_ piece: Piece, head: [UInt8], tag: PackedAudioTag?, _ container: ContainerHint) {
        guard let onMetadata else { return }
        var found: [SegmentMetadata] = []
        if let tag, tag.hasContent {
            found.append(SegmentMetadata(time: piece.start, stamp: nil, sequence: piece.sequence, content: .id3(tag.bytes)))
        }
        if container == .fragmentedMP4 { found += EventMessage.messages(in: head, of: piece) }
        if !found.isEmpty { onMetadata(found) }
    }
}

extension BoundedQueue where Element == RunPlan {
    /// Adds a run without waiting: a presentation has far fewer runs than the queue holds.
    @MainActor fileprivate func offer(_ plan: RunPlan) {
        let isAccepted = tryPush(plan)
        assert(isAccepted || isExhausted, "more runs than a queue of runs holds")
    }

    /// Adds a run that fails at once, so that the demuxer's thread notifies the decoders in order.
    @MainActor fileprivate func offer(failing error: MediaError, clock: any HostClock, bell: Doorbell) {
        let stream = SegmentByteStream(name: "", ledger: clock.ledger, bell: bell)
        stream.fail(error)
        offer(RunPlan(stream: stream, container: .transportStream, sequence: -1, start: .zero))
        finish()
    }
}
