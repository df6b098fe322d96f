import Appliance
import BoxModel
import Downloads
import HLSPlaylist
import Housekeeping
import LinuxSupport
import MediaSources
import MediaTime
import Screens
import SegmentStore

/// The store of saved programmes, and the loader through which the player reads it.
@MainActor
package final class SavedProgrammes {
    let loading: SavedAssetLoading
    /// What the screens show of it.
    let items = SavedItems()
    package let store: SegmentStore
    private let stored: StoredLoading
    private let network: any ByteLoading
    private let folder: String
    private let disk: any StoreDisk
    package private(set) weak var keeper: DownloadKeeper?

    /// A player whose buffer is shorter needs the network for itself.
    private static let shortBuffer = MediaTime.seconds(8)

    /// - Parameter network: loads what is not stored.
    init(folder: String, disk: any StoreDisk, network: any ByteLoading, clock: any HostClock) {
        self.folder = folder
        self.disk = disk
        self.network = network
        store = SegmentStore(folder: folder, clock: clock, disk: disk)
        stored = StoredLoading(network, store: store, clock: clock)
        loading = SavedAssetLoading(network: network, stored: stored, bodies: store.bodies)
    }

    func close() { store.close() }

    /// Makes what stores the programmes of a box's feed.
    func makeKeeper(for box: Box, _ plan: BoxLife.Plan) -> DownloadKeeper {
        let configuration = plan.provisioning.configuration
        let clock = box.loop.clock
        let policy = DownloadPolicy(configuration, seed: BoxLife.seed(configuration, serial: MachineFacts.serial))
        let mode = box.display.mode
        let variants = VariantSelection(width: mode.width, height: mode.height) { [codecs = box.player.services.codecs] in
            codecs.canDecode(codecString: $0)
        }
        let session = AssetDownloadSession(
            .init(store: store, loading: stored, network: network, clock: clock, log: box.log), policy: policy,
            configuration: AssetDownloadConfiguration(variants: variants, plainHTTPHosts: configuration.plainHTTPHosts),
            conditions: DownloadConditions(hasNetwork: false))
        let keeper = DownloadKeeper(
            session: session, loading: loading, store: store, surroundings: surroundings(of: box, plan), policy: policy,
            languages: box.languages, clock: clock, log: box.log)
        self.keeper = keeper
        keeper.onStates = { [items] states, trouble in
            items.take(states.compactMapValues { HomeContent.Saving($0) }, trouble: trouble)
        }
        return keeper
    }

    // MARK: The page Storage of Settings

    private static let storePrefix = "download:"

    /// Why programmes cannot be stored; nil if they can.
    var trouble: StorageTrouble? { keeper?.trouble }

    /// The programmes that take space, also those that are not saved whole yet.
    func stores(languages: [String]) -> [BoxFacts.Store] {
        (keeper?.downloads(languages: languages) ?? []).filter { $0.bytes > 0 }.map {
            BoxFacts.Store(id: Self.storePrefix + $0.id, kind: .downloads, title: $0.title ?? $0.id, bytes: $0.bytes)
        }
    }

    /// Deletes one of `stores`.
    func delete(store id: String) {
        guard id.hasPrefix(Self.storePrefix) else { return }
        _ = keeper?.removeDownload(String(id.dropFirst(Self.storePrefix.count)))
    }

    private func surroundings(of box: Box, _ plan: BoxLife.Plan) -> DownloadKeeper.Surroundings {
        let address = plan.address
        return DownloadKeeper.Surroundings(
            date: { [wallClock = box.wallClock] in wallClock.now },
            timeOfDay: { [wallClock = box.wallClock] in wallClock.secondsSinceMidnight },
            hasNetwork: { address() != nil }, isMetered: box.isMetered,
            playbackNeedsNetwork: { [weak box] in box.map(Self.needsNetwork) ?? false },
            freeBytes: { [folder, disk] in try? disk.freeBytes(folder) })
    }

    private static func needsNetwork(_ box: Box) -> Bool {
        switch box.appliance.nowPlaying.state {
        case .loading, .buffering: return true
        case .playing:
            guard let end = box.player.loadedTimeRanges.last?.end else { return true }
            return end - box.player.currentTime < shortBuffer
        case .standby, .home, .paused, .ended, .failed: return false
        }
    }
}

extension HomeContent.Saving {
    /// nil for what is not stored, and will not be.
    fileprivate init?(_ state: DownloadState) {
        switch state {
        case .none, .failed: return nil
        case .queued: self = .waiting
        case .downloading(let fraction): self = .saving(percent: min(Int(fraction * 100), 99))
        case .saved: self = .saved
        }
    }
}
