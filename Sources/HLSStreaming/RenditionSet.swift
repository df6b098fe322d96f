import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// The readers of one presentation: of the variant itself, of audio and captions with separate playlists, and of key pictures.
@MainActor
final class RenditionSet {
    private let context: StreamContext
    private let onBehind: @MainActor () -> Void
    private let onMetadata: @MainActor ([SegmentMetadata]) -> Void
    private let onUnavailable: @MainActor (TrackID, MediaError) -> Void
    private let onAbsence: @MainActor (String, MediaError) -> Void
    /// The variant's reader comes first.
    private var readers: [(tracks: Set<TrackID>, reader: RenditionReader)] = []
    private var textReaders: [TextRenditionReader] = []
    private var keyFrameReader: KeyFrameReader?
    /// Counts the reading runs.
    private var sessionCount = 0
    /// Looks again at renditions that lag.
    private var lossTimer: ScheduledEvent?

    /// - Parameters:
    ///   - onBehind: called when the next media has left the live window.
    ///   - onMetadata: receives timed metadata as it is read.
    ///   - onUnavailable: called when the pictures go on without an audio track, which has ended.
    ///   - onAbsence: called when segments of a playlist do not have one of its tracks.
    init(
        context: StreamContext, onBehind: @escaping @MainActor () -> Void,
        onMetadata: @escaping @MainActor ([SegmentMetadata]) -> Void,
        onUnavailable: @escaping @MainActor (TrackID, MediaError) -> Void,
        onAbsence: @escaping @MainActor (String, MediaError) -> Void
    ) {
        self.onUnavailable = onUnavailable
        self.onAbsence = onAbsence
        self.context = context
        self.onBehind = onBehind
        self.onMetadata = onMetadata
    }

    /// The state of the variant's reader.
    var state: ReadingState { readers.first?.reader.state ?? ReadingState() }

    /// Whether a reader needs media that has left the live window.
    var isBehind: Bool { readers.contains { $0.reader.isBehind } }

    /// Closes the current readers and makes those of other tracks.
    ///
    /// - Parameters:
    ///   - main: the playlist of the variant, chosen before each segment.
    ///   - audio: the playlist of an audio track.
    func replace(
        with table: TrackTable, main: @escaping @MainActor (VariantQuestion?) -> MediaPlaylistTracker,
        audio: @escaping @MainActor (TrackID) -> MediaPlaylistTracker
    ) {
        readers.forEach { $0.reader.close() }
        readers = []
        add(RenditionReader(name: "main", outlets: table.mainOutlets, context: context, choose: main))
        for track in table.audio.keys.sorted() {
            add(
                RenditionReader(
                    name: "a\(track.number)", outlets: [.init(type: .audio, track: track)], context: context
                ) { _ in audio(track) })
        }
    }

    private func add(_ reader: RenditionReader) {
        reader.onBehind = onBehind
        reader.onMetadata = onMetadata
        reader.onAbsence = onAbsence
        reader.onComplete = { [weak self] in self?.review() }
        if let outlet = reader.outlets.first { reader.onUnavailable = { [onUnavailable] in onUnavailable(outlet.track, $0) } }
        readers.append((Set(reader.outlets.map(\.track)), reader))
    }

    /// The position of the picture decoder; nil while nothing is read.
    var playhead: MediaTime? { readers.first?.reader.playhead }

    /// Leaves out sound that is lost while the pictures load well.
    private func review() {
        lossTimer?.cancel()
        guard let first = readers.first?.reader, first.outlets.contains(where: { $0.type == .video }),
            let pictures = first.progress
        else { return }
        var pause: Duration?
        for (_, reader) in readers.dropFirst() {
            guard let sound = reader.progress, let tracker = reader.tracker else { continue }
            switch RenditionLoss.verdict(of: sound, beside: pictures, at: context.clock.now) {
            case .none: break
            case .pending(let next): pause = min(pause ?? next, next)
            case .lost:
                let silence = context.clock.now - sound.lastMedia
                reader.leaveOut(
                    MediaError(
                        .sourceTimeout,
                        "Nothing of the audio rendition \(tracker.url) could be loaded for \(silence.components.seconds) s, while its pictures could; the programme goes on without it. Check its encoder and its server."
                    ))
            }
        }
        lossTimer = pause.map { context.clock.schedule(after: $0, rank: .transfer) { [weak self] in self?.review() } }
    }

    /// All readers switch to the currently chosen playlists.
    func leave() { readers.forEach { $0.reader.leave() } }

    func close() {
        lossTimer?.cancel()
        readers.forEach { $0.reader.close() }
        readers = []
        textReaders.forEach { $0.cancel() }
        textReaders = []
        keyFrameReader?.close()
        keyFrameReader = nil
    }

    // MARK: Reading

    /// Starts a reading run and cancels the previous one. See `MediaSource.startReading`.
    func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer {
        keyFrameReader?.cancel()
        let session = nextSession()
        let used = readers.filter { !$0.tracks.isDisjoint(with: tracks) }
        let kept = used.flatMap { soundWithPictures(of: $0.reader) }
        let wanted = Set(tracks + kept)
        let buffer = SampleBuffer(
            tracks: tracks, keptTracks: kept, groups: used.map { $0.tracks.filter(wanted.contains).sorted() },
            buffering: context.buffering, ledger: context.clock.ledger)
        // The pictures come first in the list and are the primary rendition if they are read; otherwise the sound is.
        let hasPictures = used.contains { $0.reader.outlets.contains { $0.type == .video && tracks.contains($0.track) } }
        var hasPrimary = false
        for (owned, reader) in readers {
            if owned.isDisjoint(with: tracks) {
                reader.cancel()
            } else {
                reader.start(
                    at: time, session: session, isPrimary: !hasPrimary, isDispensable: hasPictures && hasPrimary, into: buffer)
                hasPrimary = true
            }
        }
        return buffer
    }

    /// Starts to read another audio track while the pictures continue. Audio with a separate playlist is read into a separate
    /// buffer; audio in the video segments is already in their buffer and is taken up there.
    func startReading(alternate track: TrackID, insteadOf old: TrackID?, at time: MediaTime) -> SampleBuffer? {
        guard let next = readers.first(where: { $0.tracks.contains(track) }) else { return nil }
        for (_, reader) in readers where reader.buffer?.isCancelled == true { reader.cancel(keepsBuffer: true) }
        if next.tracks != [track] {
            guard let buffer = next.reader.buffer, buffer.isRead(track) || buffer.takeUp(track, from: time) else {
                return nil
            }
            stopLoading(old)
            return buffer
        }
        stopLoading(old)
        let buffer = SampleBuffer(tracks: [track], buffering: context.buffering, ledger: context.clock.ledger)
        next.reader.start(at: time, session: nextSession(), isPrimary: false, into: buffer)
        return buffer
    }

    /// Starts to deliver only key pictures and cancels the previous reading.
    func startReadingKeyFrames(
        _ reading: KeyFrameReading, track: TrackID, from tracker: MediaPlaylistTracker
    ) -> SampleBuffer {
        readers.forEach { $0.reader.cancel() }
        let reader = keyFrameReader ?? KeyFrameReader(context: context)
        keyFrameReader = reader
        return reader.start(reading, track: track, from: tracker, session: nextSession())
    }

    /// Starts to read captions.
    ///
    /// - Parameter choose: the playlist to read from, chosen before each segment.
    func startReadingText(
        of track: TrackID, at time: MediaTime, choose: @escaping @MainActor () -> MediaPlaylistTracker?,
        deliver: @escaping @MainActor (TextSegment) -> Void
    ) -> any TextReading {
        let reader = TextRenditionReader(track, at: time, context: context, choose: choose, deliver: deliver)
        textReaders.removeAll(where: \.isCancelled)
        textReaders.append(reader)
        return reader
    }

    private func nextSession() -> Int {
        sessionCount += 1
        return sessionCount
    }

    /// Stops loading an audio track with a separate playlist; its received samples stay in its buffer.
    private func stopLoading(_ track: TrackID?) {
        guard let track else { return }
        readers.first { $0.tracks == [track] }?.reader.cancel(keepsBuffer: true)
    }

    /// The audio in the same segments as pictures, if there is a choice: its samples are kept while another audio track plays.
    private func soundWithPictures(of reader: RenditionReader) -> [TrackID] {
        let sounds = readers.flatMap(\.reader.outlets).filter { $0.type == .audio }
        guard sounds.count > 1, reader.outlets.contains(where: { $0.type == .video }) else { return [] }
        return reader.outlets.filter { $0.type == .audio }.map(\.track)
    }
}
