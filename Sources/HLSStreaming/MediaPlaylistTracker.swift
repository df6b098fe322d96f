import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import URLReferences

/// One media playlist of a presentation: loads it, places it on the timeline, and reloads it while it is live and followed.
@MainActor
final class MediaPlaylistTracker {
    /// A position in a live playlist that survives reloads.
    struct Cursor: Sendable, Hashable {
        /// The media sequence number of a segment.
        var mediaSequence: Int64
        /// How many of its parts have been fetched.
        var part = 0
        /// How often the server had restarted its numbering.
        var epoch: Int64
    }

    /// Its address when the presentation was opened, by which the presentation knows it.
    let address: String
    private var addresses: PlaylistAddresses
    /// The rendition it belongs to.
    let role: RenditionRole
    /// As last loaded; nil until then.
    private(set) var playlist: MediaPlaylist?
    private var placement = PlaylistPlacement()
    private var freshness = PlaylistFreshness()
    private var deltas = DeltaTrust()
    /// Why it could not be loaded for the first time, and when. A reload that fails is repeated as long as the playlist is followed.
    private var firstFailure: (error: MediaError, instant: HostTime)?
    /// Whether segments have left it: then it is live, whatever its type says.
    private(set) var slides = false

    private let context: StreamContext
    private let reference: @MainActor (MediaPlaylistTracker) -> PlaylistAlignment.Placed?
    private let state: @MainActor () -> ReadingState
    private let observers = ChangeObservers()
    private var followers = 0
    private var activity = LoadActivity<StreamTask>.idle
    private var lastRequest = HostTime.zero
    private var schedule = ReloadSchedule()
    /// A playlist that could not be loaded is not requested for another reader before this time has passed.
    private static let unavailability = Duration.seconds(30)
    /// The rendition report of another playlist: the first request may block until that content.
    private var report: RenditionReport?

    /// - Parameter reference: a playlist that is already placed, relative to which this one is placed; nil for the first.
    init(
        address: String, role: RenditionRole, context: StreamContext, state: @escaping @MainActor () -> ReadingState,
        reference: @escaping @MainActor (MediaPlaylistTracker) -> PlaylistAlignment.Placed?
    ) {
        self.address = address
        addresses = PlaylistAddresses(address)
        self.role = role
        self.context = context
        self.state = state
        self.reference = reference
    }

    /// Uses a playlist that was already loaded.
    ///
    /// - Parameter entrance: where it was asked for, before redirects; nil for its address.
    func adopt(_ response: ByteResponse, from entrance: String? = nil) throws(MediaError) {
        let playlist = try MediaPlaylistReader.read(response, importing: context.variables)
        lastRequest = context.clock.now - response.transferDuration
        addresses.enter(at: entrance ?? address)
        try take(playlist, after: nil, from: response)
    }

    /// Uses an answer that another request has brought, as if it were that of a reload.
    func renew(_ response: ByteResponse) {
        activity.stop { $0.cancel() }
        lastRequest = context.clock.now - response.transferDuration
        take(response)
    }

    // MARK: Queries

    /// Its address after redirects, the base of its references.
    var url: String { addresses.base }

    /// Why it could not be loaded for the first time.
    var failure: MediaError? { firstFailure?.error }

    /// When it was last loaded.
    var lastLoad: HostTime { freshness.lastLoad }

    /// When it last changed.
    var lastChange: HostTime { freshness.lastChange }

    /// Whether it has not changed for longer than promised.
    var isStuck: Bool { freshness.isStuck }

    /// Asset time of the start of its first segment.
    var anchor: MediaTime { placement.anchor }

    /// Counts how often the server has restarted its numbering.
    var epoch: Int64 { placement.epoch }

    /// Whether it is a live programme.
    var isLive: Bool { playlist.map { !$0.hasEndList && (!$0.isOnDemand || slides) } ?? false }

    /// Whether more media may come. Some servers list a film that states VOD while they still make it, so that it is reloaded for a while.
    var mayGrow: Bool { playlist.map { !$0.hasEndList && !freshness.isSettled } ?? false }

    /// Whether it could not be loaded a short while ago.
    var isUnavailable: Bool {
        guard playlist == nil, let firstFailure else { return false }
        return context.clock.now - firstFailure.instant < Self.unavailability
    }

    /// Asset time of the end of the listed media, including its newest parts.
    var end: MediaTime { anchor + (playlist.map { $0.totalDuration + $0.trailingDuration } ?? .zero) }

    /// The position of its segments, for placing others.
    var placed: PlaylistAlignment.Placed? {
        playlist.map { PlaylistAlignment.Placed(playlist: $0, anchor: anchor, numbering: placement.numbering) }
    }

    /// Whether its position is assumed, so that the time stamps of its segments have to tell it.
    var isPositionAssumed: Bool { placement.isAssumed && isLive }

    /// The discontinuities (EXT-X-DISCONTINUITY), in asset time.
    var discontinuities: [MediaTime] { playlist?.segments.discontinuities.map { anchor + $0 } ?? [] }

    /// The dates in the playlist (EXT-X-PROGRAM-DATE-TIME), by asset time.
    var dates: [DateAnchor] {
        playlist?.segments.dateMarks().map {
            DateAnchor(time: anchor + $0.time, nanosecondsSinceEpoch: $0.date.nanosecondsSinceEpoch)
        } ?? []
    }

    /// Asset time of the start of a segment in the current playlist.
    func startTime(of segment: MediaSegment) -> MediaTime { anchor + segment.startTime }

    /// The id of a segment's discontinuity sequence on the shared timeline.
    func timelineSequence(of segment: MediaSegment) -> Int64 { timelineSequence(segment.discontinuitySequence) }

    /// The same for a sequence number of the playlist.
    func timelineSequence(_ number: Int64) -> Int64 { placement.timelineSequence(number) }

    /// The index of the segment that contains an asset time; otherwise the first or last.
    func index(at time: MediaTime) -> Int {
        guard let playlist, !playlist.segments.isEmpty else { return 0 }
        let inside = time - anchor
        if inside < .zero { return 0 }
        return playlist.segments.index(containing: inside) ?? playlist.segments.count - 1
    }

    /// What loads the segment that contains an asset time; nil before the playlist is loaded.
    func request(at time: MediaTime) -> ByteRequest? {
        guard let playlist, !playlist.segments.isEmpty else { return nil }
        let segment = playlist.segments[index(at: time)]
        return ByteRequest(
            url: URLReference.resolve(reference: segment.uri, against: url), range: segment.byteRange.map { $0.offset..<$0.end })
    }

    // MARK: Loading and following

    /// Loads the playlist unless it is loaded or loading.
    func load() {
        guard playlist == nil, activity.isIdle else { return }
        firstFailure = nil
        request()
    }

    /// The presentation was looked up again, because addresses in it may have expired, and lists it here. A followed one is asked for at once if its
    /// address is another one.
    ///
    /// - Parameter reloadsEnded: whether one that has ended is asked for too, since the addresses of its segments may be others.
    func move(to address: String, reloadsEnded: Bool) {
        let isElsewhere = addresses.move(to: address, isLoaded: playlist != nil)
        guard playlist != nil else {
            if isElsewhere { firstFailure = nil }
            return
        }
        guard followers > 0, isLive ? isElsewhere : reloadsEnded else { return }
        if !isLive { addresses.startOver() }
        activity.stop { $0.cancel() }
        request()
    }

    /// Clears a failure, to try again.
    func forgetFailure() { firstFailure = nil }

    /// Reloads a live playlist until `unfollow` has been called as often.
    func follow() {
        followers += 1
        guard followers == 1, playlist != nil, mayGrow, activity.isIdle else { return load() }
        scheduleReload(hasChanged: true)
    }

    func unfollow() {
        followers -= 1
        // The first loading goes on: others may wait for it.
        if case .loading = activity, playlist == nil { return }
        if followers == 0 { activity.stop { $0.cancel() } }
    }

    /// Calls back after each change, and when loading has failed.
    func observe(_ action: @escaping @MainActor () -> Void) -> Int { observers.add(action) }

    /// Calls back once, at the next change.
    func observeOnce(_ action: @escaping @MainActor () -> Void) { observers.addOnce(action) }

    func stopObserving(_ token: Int) { observers.remove(token) }

    /// The time stamps of a segment have told where the playlist is.
    ///
    /// - Parameter difference: how much later it is than assumed.
    func confirmPosition(movedBy difference: MediaTime) {
        guard placement.isAssumed else { return }
        placement.confirm(movedBy: difference)
        if difference != .zero { observers.notify() }
    }

    /// The time stamps of its media have moved away from its durations.
    ///
    /// - Parameter difference: how much later it is.
    func move(by difference: MediaTime) {
        placement.move(by: difference)
        observers.notify()
    }

    /// Another playlist has reported this one's newest content: the first request may ask for it.
    func expect(_ report: RenditionReport) { if playlist == nil { self.report = report } }

    func close() {
        activity.stop { $0.cancel() }
        observers.removeAll()
    }

    private func request() {
        activity = .idle
        lastRequest = context.clock.now
        let previous = addresses.startsOver ? nil : playlist
        var target = previous == nil ? addresses.entrance : addresses.reload
        var isBlocking = false
        let isDelta = deltas.asks(after: previous, age: .init(context.clock.now - freshness.lastLoad))
        if let previous {
            let control = previous.serverControl
            isBlocking = control?.canBlockReload == true
            target = ReloadSchedule.address(
                target, mediaSequence: isBlocking ? previous.nextMediaSequence : nil,
                part: isBlocking && previous.partTargetDuration != nil ? Int64(previous.trailingParts.count) : nil,
                skip: isDelta ? (control?.canSkipDateRanges == true ? .dateRanges : .segments) : nil)
        } else if playlist == nil, let sequence = report?.lastMediaSequence {
            target = ReloadSchedule.address(url, mediaSequence: sequence, part: report?.lastPart, skip: nil)
            isBlocking = true
        }
        var bytes = ByteRequest(url: target, kind: .playlist)
        if isBlocking, let playlist {
            // The server answers when it has something new, which may take as long as a segment and its delay.
            let wait = max(bytes.firstByteTimeout, .init(playlist.targetDuration * 3))
            bytes.totalTimeout = bytes.totalTimeout.map { $0 + wait - bytes.firstByteTimeout }
            bytes.firstByteTimeout = wait
        }
        let request = StreamRequest(
            kind: .playlist, role: role, url: target, isBlocking: isBlocking && playlist != nil, isReload: playlist != nil)
        // What has failed may be a server to which the address led before, or what was asked of it.
        let again = playlist == nil ? nil : ByteRequest(url: addresses.entrance, kind: .playlist)
        activity = .loading(
            StreamTask(request, bytes: bytes, again: again, context: context, state: state) { [weak self] outcome in
                self?.activity = .idle
                self?.take(outcome)
            })
    }

    private func take(_ outcome: StreamTask.Outcome) {
        switch outcome {
        case .loaded(let response): take(response)
        case .superseded:
            // The other variant is read once its playlist is there; this one is left then.
            reloadAfterFailure()
        case .skipped(let error), .failed(let error):
            if FaultKind(error) == .final { context.lookUpAgain?(.playlist) }
            guard playlist != nil else { return fail(error) }
            noteUnchanged()
            reloadAfterFailure()
            observers.notify()
        }
    }

    /// What was loaded is not the playlist: another variant may have a good one.
    private func refuse(_ error: MediaError) {
        let failure = StreamFailure(
            request: StreamRequest(kind: .playlist, role: role, url: address), error: error, attempts: 1, missedSegments: 0,
            hasMediaBehind: false, state: state())
        if case .use(let variant) = context.policy.action(after: failure) { _ = context.useVariant?(variant) }
        fail(error)
    }

    private func fail(_ error: MediaError) {
        firstFailure = (error, context.clock.now)
        observers.notify()
    }

    private func reloadAfterFailure() {
        addresses.startOver()
        lastRequest = context.clock.now
        scheduleReload(hasChanged: false)
    }

    private func take(_ response: ByteResponse) {
        do throws(MediaError) {
            let fresh = try MediaPlaylistReader.read(
                response, importing: context.variables, reusing: playlist, mayBeEmpty: true)
            try take(fresh, after: playlist, from: response)
        } catch {
            guard playlist != nil else { return refuse(error) }
            // A broken reload is treated like an unchanged one.
            freshness.takeNonsense(error)
            noteUnchanged()
            scheduleReload(hasChanged: false)
        }
    }

    /// Takes a playlist, which may be a delta update.
    ///
    /// - Throws: `MediaError` with `sourceFormat` for one that cannot be used. The whole playlist is to be loaded, after the usual pause.
    private func take(_ fresh: MediaPlaylist, after previous: MediaPlaylist?, from response: ByteResponse) throws(MediaError) {
        if let previous, let whole = try? fresh.merging(into: previous) { return take(whole, from: response) }
        guard fresh.skipped != nil else { return take(fresh, from: response) }
        deltas.distrust()
        if previous != nil { addresses.startOver() }
        let error = deltas.error(at: response.url)
        let listed = fresh.withoutUnknownSegments(after: previous)
        guard !deltas.isAwaited, !listed.segments.isEmpty else { throw error }
        // What is listed is played: the cache may go on like this for long.
        if deltas.tell() { context.tell?(response.url, error) }
        take(listed, from: response)
    }

    private func take(_ fresh: MediaPlaylist, from response: ByteResponse) {
        let previous = playlist
        let hasChanged: Bool
        let elapsed = MediaTime(context.clock.now - freshness.lastChange)
        switch placement.take(fresh, after: previous, elapsed: elapsed, reference: { reference(self) }) {
        case .continued: hasChanged = previous.map { Self.hasNews(fresh, since: $0) } ?? true
        case .reset: hasChanged = true
        case .stale:
            noteUnchanged()
            return scheduleReload(hasChanged: false)
        }
        addresses.take(response, hasDirectives: fresh.serverControl?.canBlockReload == true)
        playlist = fresh
        if let previous, fresh.mediaSequence &- previous.mediaSequence > 0 { slides = true }
        firstFailure = nil
        freshness.take(hasChanged: hasChanged, at: context.clock.now)
        if !hasChanged { noteUnchanged() }
        scheduleReload(hasChanged: hasChanged)
        observers.notify()
    }

    private func noteUnchanged() {
        guard let playlist else { return }
        let finding = freshness.noteSilence(
            at: context.clock.now, isLive: isLive, targetDuration: playlist.targetDuration)
        guard let finding else { return }
        if case .stuck(let silence) = finding { askForOther(playlist, after: silence) }
        observers.notify()
    }

    /// It is stuck: another variant may still have a working encoder; otherwise this one is polled, since it may come back.
    private func askForOther(_ playlist: MediaPlaylist, after silence: MediaTime) {
        let nonsense = freshness.nonsense.map { " Its last answer: \($0.sentence)" } ?? ""
        let error = MediaError(
            .sourceTimeout,
            "The live playlist \(url) has not been updated for \(silence.milliseconds / 1000) s, although its target duration is \(playlist.targetDuration) s; check its encoder.\(nonsense)"
        )
        // It has been reloaded several times by now.
        let failure = StreamFailure(
            request: StreamRequest(kind: .playlist, role: role, url: url, isReload: true), error: error, attempts: 2,
            missedSegments: 0, hasMediaBehind: false, state: state(), isStuck: true)
        if case .use(let variant) = context.policy.action(after: failure) { _ = context.useVariant?(variant) }
    }

    private func scheduleReload(hasChanged: Bool) {
        guard followers > 0, let playlist, mayGrow else { return }
        if case .loading = activity { return }
        activity.stop { $0.cancel() }
        let answer = ReloadSchedule.LastAnswer(
            targetDuration: playlist.targetDuration, partTargetDuration: playlist.partTargetDuration,
            lastSegmentDuration: playlist.segments.last?.duration,
            slidingWindow: playlist.mediaSequence != 0 ? playlist.totalDuration : nil, hasChanged: hasChanged && isLive,
            canBlockReload: playlist.serverControl?.canBlockReload ?? false)
        let due = schedule.next(after: answer, request: lastRequest, now: context.clock.now)
        activity = .waiting(context.clock.schedule(at: due, rank: .transfer) { [weak self] in self?.request() })
    }

    private static func hasNews(_ new: MediaPlaylist, since old: MediaPlaylist) -> Bool {
        new.nextMediaSequence != old.nextMediaSequence || new.trailingParts.count != old.trailingParts.count
            || new.hasEndList != old.hasEndList || new.preloadHints != old.preloadHints || new.dateRanges != old.dateRanges
    }
}

extension MediaPlaylist {
    /// The duration of the parts after the last whole segment.
    var trailingDuration: MediaTime { trailingParts.reduce(.zero) { $0 + $1.duration } }
}

extension MediaTime {
    /// Converts a length of wall time to media time.
    init(_ length: Duration) { self = .nanoseconds(length.wholeNanoseconds) }
}

extension Duration {
    /// Converts a length of media time to wall time.
    init(_ time: MediaTime) { self = .nanoseconds(time.nanoseconds) }
}

/// Parses the response to a request as a media playlist.
enum MediaPlaylistReader {
    /// - Parameters:
    ///   - previous: the playlist before a reload.
    ///   - mayBeEmpty: whether a playlist without segments is valid: a live one that has not started.
    static func read(
        _ response: ByteResponse, importing variables: [String: String] = [:], reusing previous: MediaPlaylist? = nil,
        mayBeEmpty: Bool = false
    ) throws(MediaError) -> MediaPlaylist {
        let parser = PlaylistParser(importedVariables: variables, url: response.url)
        let parsed = previous.map { parser.parse(response.bytes, reusing: $0) } ?? parser.parse(response.bytes)
        guard let playlist = parsed.playlist else {
            throw MediaError(
                .sourceFormat,
                "The playlist \(response.url) was refused: \(parsed.errors.last.map(String.init(describing:)) ?? "it is empty")."
            )
        }
        guard case .media(let media) = playlist else {
            throw MediaError(
                .sourceFormat,
                "\(response.url) lists variants where a media playlist was expected; point the variant at a media playlist.")
        }
        guard !media.segments.isEmpty || media.skipped != nil || (mayBeEmpty && !media.hasEndList) else {
            throw MediaError(.sourceFormat, "The playlist \(response.url) has no segments; check that the packager has finished.")
        }
        return media
    }
}
