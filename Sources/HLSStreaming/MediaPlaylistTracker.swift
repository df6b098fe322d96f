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
    /// Where it is asked for first, and after a failure.
    private var entrance: String
    /// Where it is asked for at a reload: a redirect that is not permanent holds for one answer, and a permanent one until the first failure.
    private var reloadAddress: String
    /// The rendition it belongs to.
    let role: RenditionRole
    /// Its address after redirects, the base of its references.
    private(set) var url: String
    /// As last loaded; nil until then.
    private(set) var playlist: MediaPlaylist?
    private var placement = PlaylistPlacement()
    /// Why it could not be loaded for the first time. A reload that fails is repeated as long as the playlist is followed.
    private(set) var failure: MediaError?
    private var failureInstant = HostTime.zero
    /// When it was last loaded.
    private(set) var lastLoad = HostTime.zero
    /// When it last changed.
    private(set) var lastChange = HostTime.zero
    /// Whether it has not changed for longer than promised.
    private(set) var isStuck = false
    /// Whether segments have left it: then it is live, whatever its type says.
    private(set) var slides = false
    /// Whether it is on demand without EXT-X-ENDLIST, and reloads have brought nothing more.
    private var isSettled = false
    /// When the policy was asked last what to do about that.
    private var reportedStuck: HostTime?

    private let context: StreamContext
    private let reference: @MainActor (MediaPlaylistTracker) -> PlaylistAlignment.Placed?
    private let state: @MainActor () -> ReadingState
    private let observers = ChangeObservers()
    private var followers = 0
    private var task: StreamTask?
    private var timer: ScheduledEvent?
    private var lastRequest = HostTime.zero
    private var schedule = ReloadSchedule()
    /// Whether a delta update was asked for last, and whether that is not done any more.
    private var hasAskedForDelta = false
    private var isDeltaDistrusted = false
    private var hasToldOfDelta = false
    /// What was wrong with the last answer, in words.
    private var nonsense: MediaError?
    /// Whether the next reload starts over, at the entrance and without delivery directives: the last one failed, or its addresses have expired.
    private var startsOver = false
    /// A playlist that could not be loaded is not requested for another reader before this time has passed.
    private static let unavailability = Duration.seconds(30)
    /// While it is stuck, the policy is asked again after this time: the encoder of another variant may work again by then.
    private static let stuckReportInterval = Duration.seconds(60)
    /// The rendition report of another playlist: the first request may block until that content.
    private var report: RenditionReport?

    /// - Parameter reference: a playlist that is already placed, relative to which this one is placed; nil for the first.
    init(
        address: String, role: RenditionRole, context: StreamContext, state: @escaping @MainActor () -> ReadingState,
        reference: @escaping @MainActor (MediaPlaylistTracker) -> PlaylistAlignment.Placed?
    ) {
        self.address = address
        entrance = address
        reloadAddress = address
        self.role = role
        self.context = context
        self.state = state
        self.reference = reference
        url = address
    }

    /// Uses a playlist that was already loaded.
    ///
    /// - Parameter entrance: where it was asked for, before redirects; nil for its address.
    func adopt(_ response: ByteResponse, from entrance: String? = nil) throws(MediaError) {
        let playlist = try MediaPlaylistReader.read(response, importing: context.variables)
        lastRequest = context.clock.now - response.transferDuration
        self.entrance = entrance ?? address
        try take(playlist, after: nil, from: response)
    }

    /// Uses an answer that another request has brought, as if it were that of a reload.
    func renew(_ response: ByteResponse) {
        task?.cancel()
        timer?.cancel()
        (task, timer) = (nil, nil)
        lastRequest = context.clock.now - response.transferDuration
        take(response)
    }

    // MARK: Queries

    /// Asset time of the start of its first segment.
    var anchor: MediaTime { placement.anchor }

    /// Counts how often the server has restarted its numbering.
    var epoch: Int64 { placement.epoch }

    /// Whether it is a live programme.
    var isLive: Bool { playlist.map { !$0.hasEndList && (!$0.isOnDemand || slides) } ?? false }

    /// Whether more media may come. Some servers list a film that states VOD while they still make it, so that it is reloaded for a while.
    var mayGrow: Bool { playlist.map { !$0.hasEndList && !isSettled } ?? false }

    /// Whether it could not be loaded a short while ago.
    var isUnavailable: Bool {
        playlist == nil && failure != nil && context.clock.now - failureInstant < Self.unavailability
    }

    /// Asset time of the end of the listed media, including its newest parts.
    var end: MediaTime { anchor + (playlist.map { $0.totalDuration + $0.trailingDuration } ?? .zero) }

    /// The position of its segments, for placing others.
    var placed: PlaylistAlignment.Placed? {
        playlist.map { PlaylistAlignment.Placed(playlist: $0, anchor: anchor, numbering: placement.numbering) }
    }

    /// Whether its position is assumed, so that the time stamps of its segments have to tell it.
    var isPlaceAssumed: Bool { placement.isAssumed && isLive }

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
        guard playlist == nil, task == nil, timer == nil else { return }
        failure = nil
        request()
    }

    /// The presentation was looked up again, because addresses in it may have expired, and lists it here. A followed one is asked for at once if its
    /// address is another one.
    ///
    /// - Parameter reloadsEnded: whether one that has ended is asked for too, since the addresses of its segments may be others.
    func move(to address: String, reloadsEnded: Bool) {
        let isElsewhere = address != entrance
        entrance = address
        guard playlist != nil else {
            if isElsewhere { failure = nil }
            return
        }
        if isElsewhere { (url, reloadAddress) = (address, address) }
        guard followers > 0, isLive ? isElsewhere : reloadsEnded else { return }
        startsOver = startsOver || !isLive
        task?.cancel()
        timer?.cancel()
        request()
    }

    /// Clears a failure, to try again.
    func forgetFailure() { failure = nil }

    /// Reloads a live playlist until `unfollow` has been called as often.
    func follow() {
        followers += 1
        guard followers == 1, playlist != nil, mayGrow, task == nil, timer == nil else { return load() }
        scheduleReload(hasChanged: true)
    }

    func unfollow() {
        followers -= 1
        guard followers == 0 else { return }
        timer?.cancel()
        timer = nil
        if playlist != nil {
            task?.cancel()
            task = nil
        }
    }

    /// Calls back after each change, and when loading has failed.
    func observe(_ action: @escaping @MainActor () -> Void) -> Int { observers.add(action) }

    /// Calls back once, at the next change.
    func observeOnce(_ action: @escaping @MainActor () -> Void) { observers.addOnce(action) }

    func stopObserving(_ token: Int) { observers.remove(token) }

    /// The time stamps of a segment have told where the playlist is.
    ///
    /// - Parameter difference: how much later it is than assumed.
    func confirmPlace(movedBy difference: MediaTime) {
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
        task?.cancel()
        timer?.cancel()
        task = nil
        timer = nil
        observers.removeAll()
    }

    private func request() {
        timer = nil
        lastRequest = context.clock.now
        var target = playlist == nil || startsOver ? entrance : reloadAddress
        var isBlocking = false
        var isDelta = false
        if let playlist, !startsOver {
            let control = playlist.serverControl
            if control?.canBlockReload == true { isBlocking = true }
            isDelta = !isDeltaDistrusted && ReloadSchedule.mayAskForDelta(playlist, age: .init(context.clock.now - lastLoad))
            target = ReloadSchedule.address(
                reloadAddress, mediaSequence: isBlocking ? playlist.nextMediaSequence : nil,
                part: isBlocking && playlist.partTargetDuration != nil ? Int64(playlist.trailingParts.count) : nil,
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
        hasAskedForDelta = isDelta
        let request = StreamRequest(
            kind: .playlist, role: role, url: target, isBlocking: isBlocking && playlist != nil, isReload: playlist != nil)
        // What has failed may be a server to which the address led before, or what was asked of it.
        let again = playlist == nil ? nil : ByteRequest(url: entrance, kind: .playlist)
        task = StreamTask(request, bytes: bytes, again: again, context: context, state: state) { [weak self] outcome in
            self?.task = nil
            self?.take(outcome)
        }
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
        failure = error
        failureInstant = context.clock.now
        observers.notify()
    }

    private func reloadAfterFailure() {
        startsOver = true
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
            nonsense = error
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
        let wasAskedFor = hasAskedForDelta
        isDeltaDistrusted = true
        startsOver = previous != nil
        let error = MediaError(
            .sourceFormat,
            wasAskedFor
                ? "The delta update (EXT-X-SKIP) of \(response.url) skips segments that the playlist before it did not have; check the packager."
                : "\(response.url) was answered with a delta update (EXT-X-SKIP) that was not asked for; have the caches of its CDN heed the query."
        )
        let listed = fresh.withoutUnknownSegments(after: previous)
        guard !wasAskedFor, !listed.segments.isEmpty else { throw error }
        // What is listed is played: the cache may go on like this for long.
        if !hasToldOfDelta { context.tell?(response.url, error) }
        hasToldOfDelta = true
        take(listed, from: response)
    }

    private func take(_ fresh: MediaPlaylist, from response: ByteResponse) {
        let previous = playlist
        let hasChanged: Bool
        let elapsed = MediaTime(context.clock.now - lastChange)
        switch placement.take(fresh, after: previous, elapsed: elapsed, reference: { reference(self) }) {
        case .continued: hasChanged = previous.map { Self.hasNews(fresh, since: $0) } ?? true
        case .reset: hasChanged = true
        case .stale:
            noteUnchanged()
            return scheduleReload(hasChanged: false)
        }
        url = Self.withoutDirectives(response.url)
        // With delivery directives, which a router need not pass on, it stays at its server until that fails.
        reloadAddress = fresh.serverControl?.canBlockReload == true ? url : Self.withoutDirectives(response.lastingURL)
        playlist = fresh
        if let previous, fresh.mediaSequence &- previous.mediaSequence > 0 { slides = true }
        (failure, nonsense) = (nil, nil)
        startsOver = false
        lastLoad = context.clock.now
        if hasChanged {
            lastChange = context.clock.now
            (isStuck, isSettled) = (false, false)
        } else {
            noteUnchanged()
        }
        scheduleReload(hasChanged: hasChanged)
        observers.notify()
    }

    private func noteUnchanged() {
        guard let playlist else { return }
        let silence = MediaTime(context.clock.now - lastChange)
        guard isLive else {
            guard !isSettled, silence >= ReloadSchedule.settlingTime(targetDuration: playlist.targetDuration) else { return }
            isSettled = true
            return observers.notify()
        }
        guard silence >= ReloadSchedule.stuckLimit(targetDuration: playlist.targetDuration) else { return }
        if isStuck, let reportedStuck, context.clock.now - reportedStuck < Self.stuckReportInterval { return }
        isStuck = true
        reportedStuck = context.clock.now
        let error = MediaError(
            .sourceTimeout,
            "The live playlist \(url) has not been updated for \(silence.milliseconds / 1000) s, although its target duration is \(playlist.targetDuration) s; check its encoder.\(nonsense.map { " Its last answer: \($0.sentence)" } ?? "")"
        )
        // It has been reloaded several times by now.
        let failure = StreamFailure(
            request: StreamRequest(kind: .playlist, role: role, url: url, isReload: true), error: error, attempts: 2,
            missedSegments: 0, hasMediaBehind: false, state: state(), isStuck: true)
        // Another variant may still have a working encoder; otherwise this one is polled, since it may come back.
        if case .use(let variant) = context.policy.action(after: failure) { _ = context.useVariant?(variant) }
        observers.notify()
    }

    private func scheduleReload(hasChanged: Bool) {
        guard followers > 0, let playlist, mayGrow, task == nil else { return }
        timer?.cancel()
        let answer = ReloadSchedule.LastAnswer(
            targetDuration: playlist.targetDuration, partTargetDuration: playlist.partTargetDuration,
            lastSegmentDuration: playlist.segments.last?.duration,
            slidingWindow: playlist.mediaSequence != 0 ? playlist.totalDuration : nil, hasChanged: hasChanged && isLive,
            canBlockReload: playlist.serverControl?.canBlockReload ?? false)
        let due = schedule.next(after: answer, request: lastRequest, now: context.clock.now)
        timer = context.clock.schedule(at: due, rank: .transfer) { [weak self] in self?.request() }
    }

    private static func hasNews(_ new: MediaPlaylist, since old: MediaPlaylist) -> Bool {
        new.nextMediaSequence != old.nextMediaSequence || new.trailingParts.count != old.trailingParts.count
            || new.hasEndList != old.hasEndList || new.preloadHints != old.preloadHints || new.dateRanges != old.dateRanges
    }

    /// References are relative to the address without the delivery directives.
    private static func withoutDirectives(_ url: String) -> String {
        var reference = URLReference(url)
        guard let query = reference.query, query.contains("_HLS_") else { return url }
        let kept = query.split(separator: "&").filter { !$0.hasPrefix("_HLS_") }.joined(separator: "&")
        reference.query = kept.isEmpty ? nil : kept
        return reference.description
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
