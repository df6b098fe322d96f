import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import SegmentStore

/// One download (AVAssetDownloadTask): gathers the playlists of an asset, loads what they list, and shows the asset to the player when everything is
/// stored. A value without clock and transfers: events in, effects out.
///
/// It survives a restart: the plan is recorded before the first resource is loaded, and a new task made from the record asks the store what is there.
package struct AssetDownloadTask: Sendable {
    /// Why a task does not load although it could.
    package enum SuspensionReason: String, Sendable, Hashable {
        /// The window is closed.
        case window
        /// The time of day is unknown.
        case untrustedClock
        /// The network is metered.
        case metered
        /// Playback needs the network.
        case playback
        /// The disk has too little free space.
        case space
        /// A more important task is loading.
        case queue
        /// There is no network.
        case network
    }

    package enum State: Sendable, Equatable {
        /// It was never resumed.
        case waiting
        case running
        case suspended(SuspensionReason)
        case completed
        /// - `retryAt`: nil if trying again is pointless until the asset changes.
        case failed(MediaError, retryAt: HostTime?)
        case cancelled
    }

    package enum Event: Sendable {
        case resume
        case suspend(SuspensionReason)
        case cancel
        /// The answer to `loadPlaylist`.
        case loadedPlaylist(PlaylistRole, url: String, bytes: [UInt8])
        /// The answer to `loadPlaylist(.root)`: it is not a playlist.
        case foundFile
        case failedPlaylist(PlaylistRole, MediaError)
        /// The answer to `takeInventory`: what the store has, in the order of the resources.
        case inventory([StoredPart])
        /// The answer to `load`.
        case stored(Int, StoredPart)
        case failed(Int, MediaError)
        /// The answer to `verify`.
        case verified(matches: Bool)
        /// The answer to `publish`.
        case published
        /// The answer to `record`: the plan cannot be recorded, so that nothing of it is stored.
        case recordRefused(MediaError)
        /// The store cannot keep anything.
        case storeFailed(MediaError)
        /// The store can keep something again.
        case storeRecovered
    }

    package enum Effect: Sendable, Hashable {
        case loadPlaylist(PlaylistRole, url: String)
        /// The plan is known or has changed: it is written to the disk.
        case record
        case takeInventory
        /// Load a resource of the plan into the store.
        case load(Int)
        case cancelLoads
        /// Remove the resources that are stored, and begin anew.
        case discard
        /// Remove the stored byte ranges of the file with this address.
        case discardRanges(of: String)
        /// Compare the stored file with a SHA-256, in lower-case hexadecimal.
        case verify(String)
        /// Everything is stored: write the playlists, so that the player finds the asset.
        case publish
        /// Remove everything that is stored for this task alone.
        case removePartials
    }

    private enum Stage: Sendable {
        case idle
        case gathering(PlaylistGathering)
        case inventory
        case loading
        case verifying
        case publishing
    }

    /// A failure is followed by a pause of 5 s, doubled each time up to 15 minutes.
    package static let backoff = Duration.seconds(5)...Duration.seconds(900)
    /// A file that changes more often than this while it is loaded cannot be stored.
    private static let mostChanges = 3

    package let asset: DownloadableAsset
    /// The options to store; nil for the default selection.
    package let options: [RenditionID]?
    private let configuration: AssetDownloadConfiguration
    package private(set) var state = State.waiting
    /// What is to be stored; nil until the playlists are known.
    package private(set) var plan: DownloadPlan?
    /// The options that can be stored after this task, one by one.
    package private(set) var furtherOptions: [RenditionID] = []
    /// The stream that is stored, an index into the asset's.
    package private(set) var stream = 0
    private var stage = Stage.idle
    private var loading = ResourceLoading(resources: [])
    private var failures = 0
    private var changes = 0
    /// The version of a file whose pieces are loaded.
    private var fileVersion: ResourceVersion?
    /// The versions of the files of a presentation of which byte ranges are stored, by their addresses in the plan.
    private var rangeVersions: [String: ResourceVersion] = [:]
    /// Whether the playlists were loaded again since a resource was stored: refused addresses are then no longer renewed.
    private var isRenewed = false

    /// - Parameters:
    ///   - record: what an earlier task of the same asset has recorded. A complete one makes a task that has ended.
    package init(
        _ asset: DownloadableAsset, options: [RenditionID]? = nil, configuration: AssetDownloadConfiguration,
        record: DownloadRecord? = nil
    ) {
        self.asset = asset
        var configuration = configuration
        configuration.minimumBitRate = asset.minimumBitRate ?? configuration.minimumBitRate
        self.configuration = configuration
        self.options = options ?? record?.selection
        stream = min(record?.stream ?? 0, max(asset.streams.count - 1, 0))
        plan = record.flatMap { $0.plan(configuration) }
        furtherOptions = record?.furtherOptions ?? []
        if record?.isComplete == true, plan != nil { state = .completed }
    }

    // MARK: Progress

    /// The ranges of the asset's timeline that can be played from the store (loadedTimeRanges).
    package var loadedTimeRanges: [TimeRange] { loading.loadedTimeRanges }

    /// The part that is stored, from 0 to 1: of the duration, or of the bytes of a file. 1 only when everything is stored.
    package var fractionCompleted: Double {
        if state == .completed { return 1 }
        guard let duration = plan?.duration, duration > .zero else { return min(loading.fractionOfBytes, 0.999) }
        let loaded = loadedTimeRanges.reduce(MediaTime.zero) { $0 + $1.duration }
        return min(Double(loaded.nanoseconds) / Double(duration.nanoseconds), 0.999)
    }

    /// The bytes that are stored.
    package var storedBytes: Int64 { loading.storedBytes }

    /// The bytes that are still to be loaded, as far as known.
    package var missingBytes: Int64 { max((plan?.expectedBytes ?? 0) - storedBytes, 0) }

    /// The record of this task.
    package var record: DownloadRecord? {
        plan.map {
            DownloadRecord(
                asset: asset, stream: stream, playlists: $0.playlists, selection: $0.selection, furtherOptions: furtherOptions,
                fileLength: $0.fileLength, isComplete: state == .completed)
        }
    }

    private var isEnded: Bool {
        switch state {
        case .completed, .cancelled: true
        case .waiting, .running, .suspended, .failed: false
        }
    }

    // MARK: Events

    package mutating func handle(_ event: Event, at now: HostTime) -> [Effect] {
        guard !isEnded else { return [] }
        switch event {
        case .resume: return resume(at: now)
        case .suspend(let reason):
            guard state != .suspended(reason) else { return [] }
            return stop(.suspended(reason))
        case .cancel: return stop(.cancelled) + [.removePartials]
        case .storeFailed(let error): return fail(error, at: now)
        case .storeRecovered:
            guard case .failed(let error, .some) = state, error.code == .storage else { return [] }
            failures = 0
            return stop(.waiting)
        case .recordRefused(let error):
            plan = nil
            return stop(.failed(error, retryAt: nil))
        case .loadedPlaylist, .foundFile, .failedPlaylist, .inventory, .stored, .failed, .verified, .published:
            // Answers to what was cancelled are late.
            guard state == .running else { return [] }
            return take(event, at: now)
        }
    }

    private mutating func take(_ event: Event, at now: HostTime) -> [Effect] {
        switch (event, stage) {
        case (.loadedPlaylist(let role, let url, let bytes), .gathering(let gathering)):
            return take(role, bytes, url, gathering, at: now)
        case (.foundFile, .gathering): return begin(DownloadPlan(file: asset.streams[stream], of: asset, layout: .firstPiece))
        case (.failedPlaylist(let role, let error), .gathering(var gathering)):
            guard gathering.leaveOut(role) else { return failed(error, at: now) }
            return proceed(gathering, at: now)
        case (.inventory(let parts), .inventory): return take(inventory: parts, at: now)
        case (.stored(let index, let part), .loading): return stored(index, part, at: now)
        case (.failed(let index, let error), .loading): return failed(index, error, at: now)
        case (.verified(let matches), .verifying): return verified(matches, at: now)
        case (.published, .publishing):
            stage = .idle
            state = .completed
            return [.record]
        case (.loadedPlaylist, _), (.foundFile, _), (.failedPlaylist, _), (.inventory, _), (.stored, _), (.failed, _),
            (.verified, _),
            (.published, _), (.resume, _), (.suspend, _), (.cancel, _), (.recordRefused, _), (.storeFailed, _),
            (.storeRecovered, _):
            return []
        }
    }

    private mutating func resume(at now: HostTime) -> [Effect] {
        guard state != .running else { return [] }
        state = .running
        guard let plan else { return gather() }
        return begin(plan)
    }

    private mutating func stop(_ new: State) -> [Effect] {
        let wasRunning = state == .running
        state = new
        stage = .idle
        loading.stop()
        return wasRunning ? [.cancelLoads] : []
    }

    // MARK: Playlists

    private mutating func gather() -> [Effect] {
        guard asset.streams.indices.contains(stream) else {
            state = .failed(
                MediaError(.sourceMissing, "Storing \(asset.id) failed: it has no stream; correct the feed."), retryAt: nil)
            return []
        }
        let gathering = PlaylistGathering(
            address: asset.streams[stream].url, options: options, configuration: configuration)
        stage = .gathering(gathering)
        return gathering.missing.map { .loadPlaylist($0.role, url: $0.url) }
    }

    private mutating func take(
        _ role: PlaylistRole, _ bytes: [UInt8], _ url: String, _ gathering: PlaylistGathering, at now: HostTime
    ) -> [Effect] {
        var gathering = gathering
        do throws(MediaError) {
            try gathering.take(role, bytes, url: url)
        } catch {
            return gathering.leaveOut(role) ? proceed(gathering, at: now) : refused(error, at: now)
        }
        let more = role == .root ? gathering.missing.map { Effect.loadPlaylist($0.role, url: $0.url) } : []
        return more + proceed(gathering, at: now)
    }

    private mutating func proceed(_ gathering: PlaylistGathering, at now: HostTime) -> [Effect] {
        guard let presentation = gathering.presentation else {
            stage = .gathering(gathering)
            return []
        }
        furtherOptions = gathering.furtherOptions
        do throws(MediaError) {
            return begin(
                try DownloadPlan(
                    presentation, of: asset, address: asset.streams[stream].url, previous: plan, limits: configuration.limits,
                    plainHTTPHosts: configuration.plainHTTPHosts))
        } catch {
            return refused(error, at: now)
        }
    }

    private mutating func begin(_ plan: DownloadPlan) -> [Effect] {
        let isNew = plan != self.plan
        self.plan = plan
        loading = ResourceLoading(resources: plan.resources)
        rangeVersions = [:]
        stage = .inventory
        return (isNew ? [.record] : []) + [.takeInventory]
    }

    // MARK: Resources

    private mutating func take(inventory parts: [StoredPart], at now: HostTime) -> [Effect] {
        loading.take(inventory: parts)
        stage = .loading
        if let part = parts.first(where: { $0.isComplete }), let effects = checkFile(part, at: now) { return effects }
        for (index, part) in parts.enumerated() where part.isComplete {
            if let effects = checkRange(index, part, at: now) { return effects }
        }
        return loadMore(at: now)
    }

    private mutating func loadMore(at now: HostTime) -> [Effect] {
        guard loading.isComplete else { return loading.next(at: now).map { .load($0) } }
        if let digest = asset.streams[stream].sha256, plan?.isFile == true {
            stage = .verifying
            return [.verify(digest)]
        }
        stage = .publishing
        return [.publish]
    }

    private mutating func stored(_ index: Int, _ part: StoredPart, at now: HostTime) -> [Effect] {
        loading.take(part, of: index, at: now)
        failures = 0
        isRenewed = false
        if loading.resource(index)?.kind == .file, let effects = checkFile(part, at: now) { return effects }
        return checkRange(index, part, at: now) ?? loadMore(at: now)
    }

    /// Byte ranges of one file of a presentation must be of one version: those of two do not fit together.
    ///
    /// - Returns: nil if there is nothing to do.
    private mutating func checkRange(_ index: Int, _ part: StoredPart, at now: HostTime) -> [Effect]? {
        guard let resource = loading.resource(index), resource.kind != .file, resource.range != nil else { return nil }
        guard let known = rangeVersions[resource.url] else {
            rangeVersions[resource.url] = part.version
            return nil
        }
        guard known.contradicts(part.version) else { return nil }
        // The playlist with its ranges may have changed too.
        return [.cancelLoads, .discardRanges(of: resource.url)] + changed(resource.url, at: now) { $0.gather() }
    }

    /// A server has changed a file while it was loaded.
    ///
    /// - Parameter again: what follows, unless it happens too often.
    private mutating func changed(_ url: String, at now: HostTime, _ again: (inout Self) -> [Effect]) -> [Effect] {
        changes += 1
        loading.stop()
        guard changes > Self.mostChanges else { return again(&self) }
        changes = 0
        return fail(
            MediaError(
                .sourceFormat,
                "Storing \(url) failed: the server changed it \(Self.mostChanges + 1) times while it was loaded; publish each version under its own address."
            ),
            at: now)
    }

    /// The first piece of a file states its length. Another version in a later piece means that the server has changed the file.
    ///
    /// - Returns: nil if there is nothing to do.
    private mutating func checkFile(_ part: StoredPart, at now: HostTime) -> [Effect]? {
        guard let plan, plan.isFile else { return nil }
        guard let known = fileVersion else {
            fileVersion = part.version
            guard plan.layout == .firstPiece else { return nil }
            // A shorter piece is the whole file. Without a length the end of a longer one is known only when it is loaded whole.
            let length = part.version.length ?? (part.bytes < FilePieces.length ? part.bytes : nil)
            let layout = length.map { FileLayout.pieces(length: $0) } ?? .whole
            return begin(DownloadPlan(file: asset.streams[stream], of: asset, layout: layout))
        }
        guard known != part.version else { return nil }
        fileVersion = nil
        let stream = asset.streams[stream]
        return [.cancelLoads, .discard]
            + changed(stream.url, at: now) { $0.begin(DownloadPlan(file: stream, of: $0.asset, layout: .firstPiece)) }
    }

    private mutating func verified(_ matches: Bool, at now: HostTime) -> [Effect] {
        guard !matches else {
            stage = .publishing
            return [.publish]
        }
        fileVersion = nil
        let url = asset.streams[stream].url
        return [.discard]
            + fail(
                MediaError(
                    .sourceFormat, "Storing \(url) failed: its SHA-256 is not the one in the feed; correct the file or the feed."),
                at: now)
    }

    private mutating func failed(_ index: Int, _ error: MediaError, at now: HostTime) -> [Effect] {
        guard let resource = loading.resource(index) else { return [] }
        if error.fault == .rangeIgnored, resource.kind == .file, resource.range != nil {
            loading.stop()
            return [.cancelLoads] + begin(DownloadPlan(file: asset.streams[stream], of: asset, layout: .whole))
        }
        if resource.isOptional, ![.networkDown, .sourceTimeout].contains(error.code) {
            loading.leaveOut(index)
            return loadMore(at: now)
        }
        // The token in the address may have expired: a new playlist has a new one.
        if error.refusesAddress, !isRenewed, plan?.playlists.isEmpty == false {
            isRenewed = true
            loading.stop()
            return [.cancelLoads] + gather()
        }
        return fail(error, at: now)
    }

    // MARK: Failures

    /// A presentation that cannot be stored: another stream may be stored instead.
    private mutating func refused(_ error: MediaError, at now: HostTime) -> [Effect] {
        guard plan == nil, stream + 1 < asset.streams.count else {
            // What is stored cannot be completed with this presentation.
            return stop(.failed(error, retryAt: nil))
        }
        stream += 1
        return [.cancelLoads] + gather()
    }

    /// A first playlist that cannot be loaded now: the other streams are tried, then all again after a pause.
    private mutating func failed(_ error: MediaError, at now: HostTime) -> [Effect] {
        guard plan == nil, stream + 1 < asset.streams.count else {
            if plan == nil { stream = 0 }
            return fail(error, at: now)
        }
        stream += 1
        return [.cancelLoads] + gather()
    }

    private mutating func fail(_ error: MediaError, at now: HostTime) -> [Effect] {
        let pause = min(Self.backoff.lowerBound * (1 << min(failures, 16)), Self.backoff.upperBound)
        failures += 1
        isRenewed = false
        return stop(.failed(error, retryAt: now + pause))
    }
}
