import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Metadata
import Synchronization

/// A file, local or on a server, as a source: one demuxer with its own thread.
@MainActor
final class FileSource: MediaSource, AlternateTrackSource, LiveSource {
    private let clock: any HostClock
    private let buffering: BufferingPolicy
    private let stream: any ByteStream
    private let reader: FileReader
    /// Whether the stream may be a radio station.
    private let isTitled: Bool
    private let isSent: Bool
    /// Opens the file again, for a track that is read in addition to the others.
    private let reopen: (@Sendable () -> any ByteStream)?
    let codecs: any CodecFactory
    private var alternates: [Alternate] = []

    /// A track that is read in addition to the others.
    private struct Alternate {
        var stream: any ByteStream
        var thread: WorkerThread
        var buffer: SampleBuffer
    }
    private let thread: WorkerThread
    private var current: SampleBuffer?
    /// Descriptions that are mixed with the programme: they may have gaps.
    private var sparseTracks: Set<TrackID> = []
    private var isClosed = false
    /// Watches the file while it is being recorded.
    private var growth: GrowthWatch?
    private var growing: GrowingFile?
    var liveStatus: LiveStatus? { growth?.status }
    let events = EventSource<SourceEvent>()
    private(set) var holes = HoleRule.omittedBehindSound
    private var newTracks: Doorbell!
    /// So many titles of a radio station may wait between two turns of the main loop.
    private static let mostTitles = 16

    init(
        stream: any ByteStream, captions: TrackCueStores, codecs: any CodecFactory, clock: any HostClock,
        buffering: BufferingPolicy, isSent: Bool = false, stillDuration: MediaTime = PictureMotion.standardDuration,
        reopen: (@Sendable () -> any ByteStream)? = nil
    ) {
        self.buffering = buffering
        self.clock = clock
        self.codecs = codecs
        self.reopen = reopen
        self.stream = stream
        isTitled = stream.titled != nil
        self.isSent = isSent
        let titles = Relay<TimedMetadata>(clock: clock, most: Self.mostTitles) { [events] in events.send(.timedMetadata($0)) }
        reader = FileReader(
            stream: stream, codecs: codecs, captions: captions, titles: isTitled ? titles : nil, isSent: isSent,
            stillDuration: stillDuration, reopen: reopen)
        thread = WorkerThread(name: "demux", clock: clock)
        newTracks = clock.makeDoorbell(rank: .media) { [weak self] in self?.takeNewTracks() }
        reader.newTracks.listen(newTracks)
    }

    /// Whether media comes at the pace of a sender, whether or not anybody reads it.
    static func isSent(_ source: (any MediaSource)?) -> Bool { (source as? FileSource)?.isSent ?? false }

    private func takeNewTracks() {
        guard !isClosed else { return }
        for track in reader.newTracks.take() { events.send(.trackAppeared(track)) }
    }

    func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void) {
        let reader = reader
        let (second, ledger) = (stream.recorded != nil ? reopen?() : nil, clock.ledger)
        clock.computeWaiting(on: thread, rank: .media) {
            reader.open(lookingAheadWith: second, ledger: ledger)
        } then: { [weak self] result in
            guard let self, !self.isClosed else { return }
            if case .success(let description) = result {
                self.sparseTracks = Set(description.tracks.filter(\.isDependent).map(\.id))
                // A recorded broadcast has a picture for each of its frames.
                if reader.isBroadcast { self.holes = .omitted }
                if let file = reader.growing, let second { self.follow(file, second) }
            }
            completion(result)
        }
    }

    private func follow(_ file: GrowingFile, _ stream: any ByteStream) {
        growing = file
        growth = GrowthWatch(file, stream: stream, start: reader.start, clock: clock)
        growth?.onChange = { [events] in events.send(.liveStatusChanged($0)) }
    }

    func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer {
        current?.cancel()
        growing?.knock()
        endAlternates()
        let buffer = SampleBuffer(
            tracks: tracks, sparseTracks: sparseTracks, buffering: buffering, ledger: clock.ledger)
        current = buffer
        let reader = reader
        thread.perform { reader.read(from: time, into: buffer) }
        return buffer
    }

    func startReadingKeyFrames(_ reading: KeyFrameReading, track: TrackID) -> SampleBuffer? {
        current?.cancel()
        growing?.knock()
        let buffer = SampleBuffer(tracks: [track], buffering: buffering.forKeyFrames, ledger: clock.ledger)
        current = buffer
        let reader = reader
        thread.perform { reader.readKeyFrames(reading, track: track, into: buffer) }
        return buffer
    }

    func startReading(alternate track: TrackID, insteadOf old: TrackID?, at time: MediaTime) -> SampleBuffer? {
        guard !isClosed, let reopen, current != nil else { return nil }
        endAlternates { $0.isCancelled }
        let stream = reopen()
        let reader = FileReader(stream: stream, codecs: codecs, captions: TrackCueStores())
        let thread = WorkerThread(name: "demux-alternate", clock: clock)
        let buffer = SampleBuffer(tracks: [track], buffering: buffering, ledger: clock.ledger)
        alternates.append(Alternate(stream: stream, thread: thread, buffer: buffer))
        thread.perform {
            switch reader.open(lookingAheadWith: nil, ledger: nil) {
            case .success: reader.read(from: time, into: buffer)
            case .failure(let error): buffer.fail(error)
            }
        }
        return buffer
    }

    private func endAlternates(where isOver: (SampleBuffer) -> Bool = { _ in true }) {
        for alternate in alternates where isOver(alternate.buffer) {
            alternate.buffer.cancel()
            alternate.stream.cancel()
            alternate.thread.retire()
        }
        alternates.removeAll { $0.buffer.isCancelled }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        current?.cancel()
        growth?.close()
        growing?.knock()
        endAlternates()
        stream.cancel()
        reader.cancelReopened()
        // A disk that hangs must not block the main loop.
        thread.retire()
    }
}

/// Tracks that a file's demuxer found in the middle, on their way to the main loop.
final class NewTracks: Sendable {
    private struct State {
        var tracks: [TrackDescription] = []
        var bell: Doorbell?
    }
    private let state = Mutex(State())

    /// - Parameter bell: rung when there are some.
    func listen(_ bell: Doorbell) { state.withLock { $0.bell = bell } }

    /// Any thread.
    func add(_ track: TrackDescription) {
        let bell = state.withLock { state in
            state.tracks.append(track)
            return state.bell
        }
        bell?.ring()
    }

    /// Those that were not taken.
    func take() -> [TrackDescription] {
        state.withLock { state in
            defer { state.tracks = [] }
            return state.tracks
        }
    }
}

// What a radio station says of its programme comes while it plays.
extension FileSource: MetadataSource {
    var metadataSource: (any MetadataSource)? { isTitled ? self : nil }
    var sessionData: [SessionDatum] { [] }
    var chapters: [StreamChapter] { [] }
    var dateRangeMetadata: [DateRangeMetadata] { [] }
}

/// The demuxer and its state.
// Unchecked: after `init` all mutable state is used only by the jobs of one worker thread, which run one after another.
final class FileReader: @unchecked Sendable {
    /// The file. One that is only sent from the start is asked for anew by a seek.
    private var stream: any ByteStream
    private let reopen: (@Sendable () -> any ByteStream)?
    private let reopened = OpenStreams()
    private var hasRead = false
    /// Whether the stream is received as it is sent: there is only what comes next, whatever position is asked for.
    private let isSent: Bool
    /// The asset time of the next sample, if that does not follow from its stamp.
    private var position: MediaTime?
    private let codecs: any CodecFactory
    private(set) var demuxer: (any Demuxing)?
    /// The container's start time, which is asset time zero.
    private(set) var start = MediaTime.zero
    private let captions: TrackCueStores
    private var captionReader: SampleCaptionReader?
    /// The growing file, if it is being recorded. Set by `open`, before any other access.
    private(set) var growing: GrowingFile?
    /// The part of it that the demuxer covers: bytes, and the asset time at their end.
    private var known: (bytes: Int64, end: MediaTime) = (0, .zero)
    private var continuity = StampContinuity()
    /// Whether the container is one of broadcasts. Set by `open`, before any other access.
    private(set) var isBroadcast = false
    /// How long the picture lasts in a file that holds nothing else; nil for other files. `open` tells them apart, before any other access.
    private var stillDuration: MediaTime?
    /// The tracks of the current reading.
    private var wanted: Set<TrackID> = []
    /// The tracks that come in the middle.
    let newTracks = NewTracks()
    /// Receives the titles of a radio station.
    private let titles: Relay<TimedMetadata>?
    private var lastTitle: String?

    init(
        stream: any ByteStream, codecs: any CodecFactory, captions: TrackCueStores, titles: Relay<TimedMetadata>? = nil,
        isSent: Bool = false, stillDuration: MediaTime = PictureMotion.standardDuration,
        reopen: (@Sendable () -> any ByteStream)? = nil
    ) {
        self.stream = stream
        self.isSent = isSent
        self.stillDuration = stillDuration
        self.titles = titles
        self.reopen = reopen
        self.codecs = codecs
        self.captions = captions
    }

    /// - Parameter second: another stream over the same file, with which to detect that it is being recorded; nil skips the detection.
    func open(lookingAheadWith second: (any ByteStream)?, ledger: WorkLedger?) -> Result<SourceDescription, MediaError> {
        do throws(MediaError) {
            if let second { growing = try Self.growing(stream, second, ledger) }
            let demuxer = try openDemuxer()
            let container = demuxer.description
            guard container.tracks.contains(where: { $0.type == .video || $0.type == .audio }) else {
                throw MediaError(
                    .sourceFormat,
                    "\(stream.name) was opened as \(container.format) and has neither video nor audio; give a file that has.")
            }
            start = container.startTime
            isBroadcast = ["mpegts", "mpeg"].contains(container.format)
            if !container.isStill { stillDuration = nil }
            known.end -= start
            captionReader = SampleCaptionReader(tracks: container.tracks, codecs: codecs, stores: captions)
            let duration = stillDuration ?? (growing == nil ? container.duration : known.end)
            var description = SourceDescription(
                kind: container.isStill ? SourceDescription.pictureKind : "file", tracks: container.tracks,
                duration: growing != nil ? .live : duration.map { .finite($0) } ?? .indefinite,
                seekableTimeRanges: duration.map { [TimeRange(start: .zero, duration: $0)] } ?? [])
            description.tags = container.tags
            description.chapters = container.chapters
            description.artwork = container.artwork
            description.offersKeyFrames = demuxer.canSeek && !container.isStill
            return .success(description)
        } catch {
            return .failure(error)
        }
    }

    func read(from time: MediaTime, into buffer: SampleBuffer) {
        guard let current = demuxer, !buffer.isCancelled else { return }
        do throws(MediaError) {
            if !current.canSeek, hasRead { try restart() }
            // A channel that is opened again goes on at its position with what is sent now.
            if isSent, hasRead || time > .zero { position = time }
            hasRead = true
            let demuxer = try knows(time) ? self.demuxer ?? current : openDemuxer()
            let tracks = Set(buffer.tracks).union(captionReader?.tracks ?? [])
            wanted = tracks
            demuxer.select(tracks)
            if demuxer.canSeek || time <= .zero && position == nil { try demuxer.seek(to: time + start) }
            captionReader?.restart()
            continuity = StampContinuity()
            var lead =
                demuxer.canSeek || isSent || time <= .zero ? nil : ForwardLead(to: time, tracks: demuxer.description.tracks)
            guard try deliver(demuxer, after: &lead, into: buffer), try followGrowth(tracks, into: buffer) else { return }
            buffer.finish()
        } catch {
            buffer.fail(error)
        }
    }

    /// - Parameter lead: decides what is passed over before it; nil for nothing.
    /// - Returns: false when the run was cancelled.
    private func deliver(
        _ demuxer: any Demuxing, after lead: inout ForwardLead?, into buffer: SampleBuffer
    ) throws(MediaError) -> Bool {
        var passed = MediaTime.zero
        while let sample = try demuxer.nextSample() {
            var sample = sample
            if let stillDuration { sample.duration = stillDuration }
            if let position { start = sample.decodeTime - position }
            position = nil
            sample.presentationTime -= start
            sample.decodeTime -= start
            continuity.place(&sample)
            reportTitle(at: sample.presentationTime)
            if captionReader?.take(sample) == true { continue }
            guard append(sample, after: &lead, into: buffer) else { return false }
            // Tracks that the stream does not have here are not waited for.
            guard sample.decodeTime - passed >= Self.passStep else { continue }
            passed = sample.decodeTime
            for track in buffer.tracks where track != sample.track && !demuxer.lists(track) {
                buffer.pass(track, until: sample.decodeTime)
            }
        }
        for sample in lead?.rest ?? [] { guard buffer.append(sample) else { return false } }
        return true
    }

    /// Appends what is due, now that a sample is known.
    ///
    /// - Returns: false when the run was cancelled.
    private func append(_ sample: EncodedSample, after lead: inout ForwardLead?, into buffer: SampleBuffer) -> Bool {
        guard var held = lead else { return buffer.append(sample) }
        lead = nil
        let due = held.take(sample)
        lead = due == nil ? held : nil
        for sample in due ?? [] { guard buffer.append(sample) else { return false } }
        return !buffer.isCancelled
    }

    private static let passStep = MediaTime.milliseconds(250)

    /// Opens a file that is only sent from the start anew. A stream that is received as it is sent goes on where it is.
    private func restart() throws(MediaError) {
        guard let reopen else { return }
        reopened.end(stream)
        stream = reopen()
        reopened.add(stream)
        demuxer = nil
        _ = try openDemuxer()
    }

    /// Ends the waiting of the reading thread. Any thread.
    func cancelReopened() { reopened.close() }

    private func reportTitle(at time: MediaTime) {
        guard let titles, let title = stream.titled?.currentTitle, title != lastTitle else { return }
        lastTitle = title
        titles.add(
            TimedMetadata(
                time: time, duration: nil, scheme: MetadataIdentifier.icyMetadataStreamTitle.keySpace.rawValue,
                value: MetadataIdentifier.icyMetadataStreamTitle.key, data: Array(title.utf8)))
    }

    /// Delivers the key pictures of one track that a scan passes. Each is found by a seek, so that media between them is not read if the container
    /// has an index.
    func readKeyFrames(_ reading: KeyFrameReading, track: TrackID, into buffer: SampleBuffer) {
        guard let demuxer, !buffer.isCancelled else { return }
        do throws(MediaError) {
            demuxer.select([track])
            switch reading.direction {
            case .forward: try readForward(reading, demuxer, into: buffer)
            case .backward: try readBackward(reading, demuxer, into: buffer)
            }
        } catch {
            buffer.fail(error)
        }
    }

    private func readForward(_ reading: KeyFrameReading, _ demuxer: any Demuxing, into buffer: SampleBuffer) throws(MediaError) {
        var position = reading.start
        var last: MediaTime?
        while !buffer.isCancelled {
            try demuxer.seek(to: position + start)
            // A seek that lands on the previously delivered picture reads on to the next.
            guard let sample = try nextKeyFrame(demuxer, after: last) else { return buffer.finish() }
            guard buffer.append(sample) else { return }
            last = sample.presentationTime
            position = sample.presentationTime + reading.step
        }
    }

    private func readBackward(_ reading: KeyFrameReading, _ demuxer: any Demuxing, into buffer: SampleBuffer) throws(MediaError) {
        var position = reading.start
        var step = reading.step
        var last: MediaTime?
        while !buffer.isCancelled {
            try demuxer.seek(to: max(position, .zero) + start)
            let sample = try nextKeyFrame(demuxer, after: nil)
            if let sample, last.map({ sample.presentationTime < $0 }) ?? true {
                guard buffer.append(sample) else { return }
                last = sample.presentationTime
                position = sample.presentationTime - reading.step
                step = reading.step
            } else {
                // Without an index a seek may land too late; then it is repeated further back, in growing steps.
                guard position > .zero else { return buffer.finish() }
                position -= step
                step = step * 2
            }
            if last.map({ $0 <= .zero }) ?? false { return buffer.finish() }
        }
    }

    private func nextKeyFrame(_ demuxer: any Demuxing, after last: MediaTime?) throws(MediaError) -> EncodedSample? {
        while var sample = try demuxer.nextSample() {
            sample.presentationTime -= start
            sample.decodeTime -= start
            if sample.isSync, last.map({ sample.presentationTime > $0 }) ?? true { return sample }
        }
        return nil
    }
}

// A file that is being recorded.
extension FileReader {
    /// The available part of a fragmented file that is being written; nil for any other file.
    private static func growing(
        _ stream: any ByteStream, _ second: any ByteStream, _ ledger: WorkLedger?
    ) throws(MediaError) -> GrowingFile? {
        guard let recorded = stream.recorded, recorded.isBeingWritten else { return nil }
        second.recorded?.readLittle()
        var index = FragmentIndex()
        try index.scan(second)
        return index.isFragmented && !index.isFinal ? GrowingFile(index, ledger: ledger) : nil
    }

    /// Opens the demuxer, over the complete part if the file is growing.
    private func openDemuxer() throws(MediaError) -> any Demuxing {
        var stream = stream
        if let index = growing?.index {
            stream = SplicedByteStream(stream, [0..<index.completeEnd], isSeekable: true)
            known = (index.completeEnd, (index.end ?? start) - start)
        }
        let demuxer = try codecs.openDemuxer(stream, hint: nil)
        demuxer.offerNewTracks { [newTracks, unowned self] track in
            if [.video, .audio].contains(track.type) { newTracks.add(track) }
            // Others are read from the next reading on.
            return self.wanted.contains(track.id)
        }
        self.demuxer = demuxer
        return demuxer
    }

    /// Whether a position is within the range of the demuxer.
    private func knows(_ time: MediaTime) -> Bool {
        guard let index = growing?.index, index.completeEnd > known.bytes else { return true }
        return time < known.end
    }

    /// Continues with media that is added after the demuxer's range, as it arrives: each batch of fragments is read after the file's header, as if
    /// nothing were in between.
    ///
    /// - Returns: false when the run was cancelled.
    private func followGrowth(_ tracks: Set<TrackID>, into buffer: SampleBuffer) throws(MediaError) -> Bool {
        guard let growing else { return true }
        var offset = known.bytes
        while let end = growing.more(than: offset, unless: { buffer.isCancelled }) {
            let parts = [0..<growing.index.headerEnd, offset..<end]
            let demuxer = try codecs.openDemuxer(SplicedByteStream(stream, parts, isSeekable: false), hint: .fragmentedMP4)
            demuxer.select(tracks)
            var lead: ForwardLead?
            guard try deliver(demuxer, after: &lead, into: buffer) else { return false }
            offset = end
        }
        return !buffer.isCancelled
    }
}
