import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import URLReferences

/// Delivers only key pictures, for scanning: from an I-frame playlist, or without one from ordinary segments.
@MainActor
final class KeyFrameReader {
    private struct Session {
        var number: Int
        var buffer: SampleBuffer
        var reading: KeyFrameReading
        var track: TrackID
        var tracker: MediaPlaylistTracker
        var observation: Int
        /// The last picture that was delivered.
        var last: MediaTime?
        /// The last segment that was examined.
        var index: Int64?
        var fetch: SegmentFetch?
        var body: [UInt8] = []
        var opening: SegmentFetch.Opening?
    }

    private let context: StreamContext
    private let thread: WorkerThread
    private var session: Session?
    /// Ten seconds of 50 Mbit/s: a segment is in memory whole while its key frames are sought.
    private static let longestBody = 64 << 20

    init(context: StreamContext) {
        self.context = context
        thread = WorkerThread(name: "demux-keys", clock: context.clock)
    }

    func start(
        _ reading: KeyFrameReading, track: TrackID, from tracker: MediaPlaylistTracker, session number: Int
    ) -> SampleBuffer {
        cancel()
        let buffer = SampleBuffer(
            tracks: [track], buffering: context.buffering.forKeyFrames, ledger: context.clock.ledger)
        let observation = tracker.observe { [weak self] in self?.trackerChanged() }
        session = Session(
            number: number, buffer: buffer, reading: reading, track: track, tracker: tracker, observation: observation)
        tracker.follow()
        if tracker.playlist == nil { tracker.load() } else { fetchNext() }
        return buffer
    }

    func cancel() {
        guard let session else { return }
        self.session = nil
        session.tracker.stopObserving(session.observation)
        session.tracker.unfollow()
        session.fetch?.cancel()
        session.buffer.cancel()
    }

    func close() {
        cancel()
        thread.retire()
    }

    private func trackerChanged() {
        guard let session else { return }
        if session.tracker.playlist == nil, let failure = session.tracker.failure { return session.buffer.fail(failure) }
        if session.fetch == nil, session.index == nil { fetchNext() }
    }

    /// The next segment to examine; nil when there is none in that direction.
    private func nextIndex(_ session: Session, _ playlist: MediaPlaylist) -> Int? {
        let segments = playlist.segments
        guard !segments.isEmpty else { return nil }
        let position: MediaTime
        if let last = session.last {
            position = session.reading.direction == .forward ? last + session.reading.step : last - session.reading.step
        } else {
            position = session.reading.start
        }
        guard let before = session.index.flatMap({ segments.index(ofMediaSequence: $0) }) else {
            return session.tracker.index(at: position)
        }
        switch session.reading.direction {
        case .forward:
            var index = max(before + 1, session.tracker.index(at: position))
            // A picture before the position is too close to the last one.
            if playlist.isIFramesOnly, index < segments.count, session.tracker.anchor + segments.startTime(at: index) < position {
                index += 1
            }
            return index < segments.count ? index : nil
        case .backward:
            guard position >= session.tracker.anchor else { return nil }
            return before > 0 ? min(before - 1, session.tracker.index(at: position)) : nil
        }
    }

    private func fetchNext() {
        guard let session, session.fetch == nil, !session.buffer.isCancelled, let playlist = session.tracker.playlist else {
            return
        }
        guard let index = nextIndex(session, playlist) else { return session.buffer.finish(session.track) }
        let segment = playlist.segments[index]
        self.session?.index = segment.mediaSequence
        let cursor = MediaPlaylistTracker.Cursor(mediaSequence: segment.mediaSequence, epoch: session.tracker.epoch)
        guard case .fetch(let piece) = SegmentWalk.step(from: cursor, in: session.tracker, position: .zero),
            piece.refusal(in: session.tracker.url) == nil
        else { return continueReading(session.number) }
        let fetch = SegmentFetch(
            piece.plan(role: session.tracker.role, playlistURL: session.tracker.url), context: context,
            state: { [context] in ReadingState(hasDelivered: true, now: context.clock.now) }, place: { (0, true) })
        self.session?.fetch = fetch
        self.session?.body = []
        let number = session.number
        fetch.listen { [weak self] event in
            guard let self, self.session?.number == number else { return }
            self.take(event, piece)
        }
        fetch.begin()
    }

    /// Called from the loop, so that a playlist of gaps does not grow the stack.
    private func continueReading(_ number: Int) {
        context.clock.schedule(at: context.clock.now, rank: .transfer) { [weak self] in
            guard let self, self.session?.number == number else { return }
            self.session?.fetch = nil
            self.fetchNext()
        }
    }

    private func take(_ event: SegmentFetch.Event, _ piece: Piece) {
        guard let session else { return }
        switch event {
        case .ready(let opening): self.session?.opening = opening
        case .bytes(let bytes):
            self.session?.body += bytes
            guard session.body.count + bytes.count > Self.longestBody else { return }
            // A scan does without the pictures of a segment that is far too large.
            session.fetch?.cancel()
            self.session?.body = []
            continueReading(session.number)
        case .superseded, .skipped: continueReading(session.number)
        case .failed(let error): session.buffer.fail(error)
        case .finished: demux(piece)
        }
    }

    private func demux(_ piece: Piece) {
        guard let session else { return }
        let body = session.opening?.clear(session.body, of: piece) ?? session.body
        self.session?.body = []
        let map = session.opening?.map
        guard let container = ContainerSniffer.container(of: map ?? body) else { return continueReading(session.number) }
        let stream = SegmentByteStream(
            name: session.tracker.url, ledger: context.clock.ledger, bell: context.clock.makeDoorbell(rank: .transfer) {})
        if let map { stream.append(map, cipher: nil, endsSegment: false) }
        stream.append(map == nil ? Array(body.dropFirst(ContainerSniffer.junkLength(in: body, container))) : body)
        stream.finish()
        let job = KeyFrameJob(
            codecs: context.codecs, stream: stream, container: container, buffer: session.buffer, track: session.track,
            start: piece.start, offset: context.timeline.knownOffset(of: piece.sequence), reading: session.reading,
            last: session.last, takesFirstOnly: session.tracker.playlist?.isIFramesOnly ?? false)
        let number = session.number
        context.clock.computeWaiting(on: thread, rank: .media) {
            job.run()
        } then: { [weak self] last in
            guard let self, self.session?.number == number else { return }
            if let last { self.session?.last = last }
            self.session?.fetch = nil
            self.fetchNext()
        }
    }
}

/// Extracts the wanted key pictures from one segment.
private struct KeyFrameJob: Sendable {
    var codecs: any CodecFactory
    var stream: SegmentByteStream
    var container: ContainerHint
    var buffer: SampleBuffer
    var track: TrackID
    var start: MediaTime
    var offset: MediaTime?
    var reading: KeyFrameReading
    var last: MediaTime?
    var takesFirstOnly: Bool

    /// - Returns: the time of the last picture that was delivered.
    func run() -> MediaTime? {
        var pictures = read()
        if reading.direction == .backward { pictures.reverse() }
        var last = last
        for (index, picture) in pictures.enumerated() {
            let time = picture.presentationTime
            switch (last, reading.direction) {
            case (nil, .forward):
                // The first is the last one at or before the start.
                if index + 1 < pictures.count, pictures[index + 1].presentationTime <= reading.start { continue }
            case (nil, .backward):
                if time > reading.start, index + 1 < pictures.count { continue }
            case (let before?, .forward): if time < before + reading.step { continue }
            case (let before?, .backward): if time > before - reading.step { continue }
            }
            guard buffer.append(picture) else { return last }
            last = time
        }
        return last
    }

    /// A damaged segment has no pictures: a scan continues after it.
    private func read() -> [EncodedSample] {
        guard let demuxer = try? codecs.openDemuxer(stream, hint: container),
            let video = demuxer.description.tracks.first(where: { $0.type == .video })
        else { return [] }
        demuxer.select([video.id])
        var pictures: [EncodedSample] = []
        var offset = offset
        while let sample = try? demuxer.nextSample() {
            var place = offset ?? start - sample.presentationTime
            if container == .transportStream { place += StampPeriod.shift(of: sample.presentationTime + place, toward: start) }
            offset = offset ?? place
            guard sample.isSync || (takesFirstOnly && pictures.isEmpty) else { continue }
            var picture = sample
            picture.track = track
            picture.presentationTime += place
            picture.decodeTime += place
            picture.isSync = true
            // Each is decoded independently.
            picture.run = 0
            pictures.append(picture)
            if takesFirstOnly { break }
        }
        return pictures
    }
}
