import Captions
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TextDecoding

/// Loads the cues of the selected captions into a store: from segments, samples of the file, video frames, or a separate file. Main loop.
///
/// Text is parsed on a separate thread. Unavailable captions are omitted and logged; they never fail an item.
@MainActor
final class CaptionLoader {
    /// An event of the captions of the current item.
    enum Event {
        /// Captions are unavailable; `isFirst` for the first failure of the current selection.
        case failed(MediaError, isFirst: Bool)
        /// The closed-caption channels found in the video so far.
        case foundClosedCaptions([String])
    }

    let events = EventSource<Event>()
    private var hasFailed = false
    private var foundBell: Doorbell?
    private let clock: any HostClock
    private let loader: any ByteLoading
    private let presenter: CaptionPresenter
    private lazy var thread = WorkerThread(name: "captions", clock: clock)
    private var hasThread = false
    private var source: (any MediaSource)?
    private var trackCues: TrackCueStores?
    private var option: MediaSelectionOption?
    private var store: CueStore?
    private var reading: (any TextReading)?
    private var load: (any ByteTask)?
    private var advanceTimer: ScheduledEvent?
    private var media = MediaClock(anchorHost: .zero, anchorTime: .zero, rate: .zero)
    /// How much later than the media clock captions are shown; negative means earlier. It decides which segments are read.
    var delay = MediaTime.zero { didSet { if delay != oldValue { readForDelay() } } }
    /// Where reading of segments began.
    private var readFrom = MediaTime.zero
    /// Stores of text renditions and files that were read, the last used last. Selecting them again shows them at once.
    private var kept: [(id: String, store: CueStore, placing: WebVTTPlacing)] = []
    private static let mostKept = 6
    /// A new reading begins this much earlier, so that further steps of the delay need no other.
    private static let slack = MediaTime.seconds(5)
    /// How often a source of segments is told the playback position.
    private static let advanceInterval = Duration.seconds(1)

    /// The closed captions inside the video.
    var closedCaptions = ClosedCaptionTap()

    init(clock: any HostClock, loader: any ByteLoading, presenter: CaptionPresenter) {
        self.clock = clock
        self.loader = loader
        self.presenter = presenter
        let bell = clock.makeDoorbell(rank: .media) { [weak self] in
            guard let self else { return }
            self.events.send(.foundClosedCaptions(self.closedCaptions.channels))
        }
        foundBell = bell
        closedCaptions.setOnFound { bell.ring() }
    }

    private func fail(_ error: MediaError) {
        let isFirst = !hasFailed
        hasFailed = true
        events.send(.failed(error, isFirst: isFirst))
    }

    /// Starts with an item's source.
    ///
    /// - Parameters:
    ///   - trackCues: the cues of its text tracks that are read together with the other tracks.
    ///   - tap: the collector of its closed captions, if it has been decoded in advance.
    func begin(_ source: any MediaSource, trackCues: TrackCueStores, closedCaptions tap: ClosedCaptionTap? = nil) {
        end()
        if let tap, let bell = foundBell {
            closedCaptions = tap
            tap.setOnFound { bell.ring() }
            if !tap.channels.isEmpty { bell.ring() }
        }
        self.source = source
        self.trackCues = trackCues
    }

    /// Ends the item's captions.
    func end() {
        select(nil, at: .zero)
        source = nil
        trackCues = nil
        kept = []
        closedCaptions.removeAll()
    }

    /// The video decoding whose closed captions are collected.
    func tapping(_ kind: TrackKind<VideoFrame>, _ tap: ClosedCaptionTap? = nil) -> TrackKind<VideoFrame> {
        var kind = kind
        let (tap, others) = (tap ?? closedCaptions, kind.onPiece)
        kind.onPiece = { frame in
            others?(frame)
            tap.take(frame)
        }
        return kind
    }

    /// Ends the thread.
    func stop() {
        end()
        if hasThread { thread.stop() }
    }

    /// Shows other captions, or none.
    func select(_ option: MediaSelectionOption?, at time: MediaTime) {
        guard option != self.option else { return }
        reading?.cancel()
        reading = nil
        load?.cancel()
        load = nil
        self.option = option
        store = nil
        hasFailed = false
        defer {
            presenter.show(store)
            armAdvance()
        }
        guard let option else { return }
        switch option.source {
        case .closedCaptions(let channel): store = closedCaptions.store(of: channel)
        case .track(let track):
            if let own = trackCues?[track] {
                store = own
            } else {
                store = keptStore(option.id)
                startReading(track, at: time)
            }
        case .file(let url):
            let isKnown = kept.contains { $0.id == option.id }
            store = keptStore(option.id, countLimit: CueStore.wholeFileCount)
            if !isKnown { loadFile(url, charset: option.charset, language: option.extendedLanguageTag) }
        }
    }

    /// Playback continues at another position.
    func jump(to time: MediaTime) {
        closedCaptions.restart()
        guard case .track(let track) = option?.source, reading != nil else { return }
        reading?.cancel()
        reading = nil
        startReading(track, at: time)
    }

    /// Follows the media clock.
    func follow(_ media: MediaClock) {
        self.media = media
        armAdvance()
    }

    private func armAdvance() {
        guard reading != nil, media.rate != .zero else {
            advanceTimer?.cancel()
            advanceTimer = nil
            return
        }
        guard advanceTimer == nil else { return }
        advanceTimer = clock.schedule(after: Self.advanceInterval, rank: .timer) { [weak self] in
            guard let self, self.advanceTimer != nil else { return }
            self.advanceTimer = nil
            self.reading?.advance(to: self.captionTime(at: self.media.time(at: self.clock.now)))
            self.armAdvance()
        }
    }

    private func keptStore(_ id: String, countLimit: Int = CueStore.usualCount) -> CueStore {
        if let index = kept.firstIndex(where: { $0.id == id }) {
            let entry = kept.remove(at: index)
            kept.append(entry)
            return entry.store
        }
        let store = CueStore(countLimit: countLimit)
        kept.append((id, store, WebVTTPlacing()))
        if kept.count > Self.mostKept { kept.removeFirst() }
        return store
    }

    // MARK: Segments

    /// The time of the captions that are shown at a position.
    private func captionTime(at position: MediaTime) -> MediaTime { max(position - delay, .zero) }

    /// Captions that are shown later come from further back, where nothing may have been read.
    private func readForDelay() {
        let now = media.time(at: clock.now)
        guard case .track(let track) = option?.source, let reading, captionTime(at: now) < readFrom else { return }
        reading.cancel()
        self.reading = nil
        startReading(track, at: max(now - Self.slack, .zero))
    }

    private func startReading(_ track: TrackID, at time: MediaTime) {
        guard let source = source?.textSource, let store, let placing = kept.last(where: { $0.store === store })?.placing else {
            return
        }
        readFrom = captionTime(at: time)
        reading = source.startReadingText(of: track, at: readFrom) { [weak self] segment in
            guard let self, self.store === store else { return }
            if let replaced = segment.asDeliveredBefore {
                self.parse {
                    TextSegmentReader.cues(of: replaced, placing).flatMap { old in
                        TextSegmentReader.cues(of: segment, placing).map { (old: old, new: $0) }
                    }
                } then: {
                    store.replace($0.old, with: $0.new)
                }
            } else {
                self.parse {
                    TextSegmentReader.cues(of: segment, placing)
                } then: {
                    store.insert($0)
                }
            }
        }
        armAdvance()
    }

    // MARK: Separate files

    private func loadFile(_ url: String, charset: String?, language: String?) {
        guard let store else { return }
        load = loader.load(ByteRequest(url: url, kind: .captions)) { [weak self] result in
            guard let self, self.store === store else { return }
            switch result {
            case .success(let response):
                let bytes = response.bytes
                let charset = charset ?? DeclaredEncoding.ofMediaType(response.contentType)
                self.parse {
                    do throws(CaptionError) {
                        return .success(try CaptionDocument.read(bytes, charset: charset, language: language).resolved())
                    } catch {
                        return .failure(MediaError(.sourceFormat, "The captions \(url) could not be read: \(error)."))
                    }
                } then: {
                    store.insert($0)
                }
            case .failure(let error):
                self.kept.removeAll { $0.store === store }
                self.fail(error)
            }
        }
    }

    private func parse<Cues: Sendable>(
        _ work: @escaping @Sendable () -> Result<Cues, MediaError>, then: @escaping @MainActor @Sendable (Cues) -> Void
    ) {
        hasThread = true
        clock.compute(on: thread, rank: .media, work) { [weak self] result in
            switch result {
            case .success(let cues): then(cues)
            case .failure(let error): self?.fail(error)
            }
        }
    }
}

/// Parses the segments of text renditions.
enum TextSegmentReader {
    /// The cues of a segment in asset time: by the placement of its own discontinuity sequence, or by the first other one with a cue in the segment.
    static func cues(of segment: TextSegment, _ placing: WebVTTPlacing) -> Result<[CaptionCue], MediaError> {
        do throws(CaptionError) {
            let cues = try reader(of: segment, placing)
            let own = try cues(segment.mapping.own)
            let range = segment.timeRange
            func hits(_ cues: [CaptionCue]) -> Bool { cues.contains { $0.end > range.start && $0.start < range.end } }
            if own.isEmpty || hits(own) { return .success(nearest(own, range)) }
            for other in segment.mapping.others {
                let placed = try cues(other)
                if hits(placed) { return .success(nearest(placed, range)) }
            }
            return .success(nearest(own, range))
        } catch {
            return .failure(
                MediaError(
                    .sourceFormat,
                    "Segment \(UInt64(bitPattern: segment.mediaSequence)) of captions could not be read: \(error); it is skipped."
                ))
        }
    }

    /// Of more cues than a rendition's store keeps, those that are nearest to their segment.
    private static func nearest(_ cues: [CaptionCue], _ range: TimeRange) -> [CaptionCue] {
        guard cues.count > CueStore.usualCount else { return cues }
        let distances = cues.map { max($0.start - range.end, range.start - $0.end, .zero) }
        let order = cues.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
        return order.prefix(CueStore.usualCount).sorted().map { cues[$0] }
    }

    private static func reader(of segment: TextSegment, _ placing: WebVTTPlacing) throws(CaptionError)
        -> (StampPlacement) throws(CaptionError) -> [CaptionCue]
    {
        let range = segment.timeRange
        if FragmentedText.isFragment(segment.bytes) {
            return { (placement) throws(CaptionError) in
                try FragmentedText.cues(of: segment.bytes, initialization: segment.initialization ?? []) {
                    placement.offset(from: $0, to: $1, in: range, wraps: false)
                }
            }
        }
        let document = try CaptionDocument.read(segment.bytes)
        return { (placement) in
            placing.cues(of: document, segment: range) { placement.offset(from: $0, to: $1, in: range, wraps: true) }
        }
    }
}
