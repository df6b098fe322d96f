import BoxModel
import ChannelFeed
import Downloads
import Glibc
import HLSPlaylist
import LinuxSupport
import MediaTime
import NetworkConditions
import SegmentStore
import StatusModel
import TestSupport
import Testing

@testable import Housekeeping

@Suite("Storing the programmes of a feed")
@MainActor
struct DownloadKeeperTests {
    /// A box in simulated time with a server of films.
    @MainActor
    private final class Rig {
        let folder: ScratchFolder
        let loop: MainLoop
        let script = OriginScript()
        var date: FeedDate?
        var timeOfDay: Int? = 7200
        var hasNetwork = true
        var isMetered = false
        var playbackNeedsNetwork = false
        var freeBytes: Int64 = 1 << 40
        /// What the screen was told last.
        private(set) var trouble: StorageTrouble?
        private(set) var keeper: DownloadKeeper!

        init(window: String = "01:00-06:00", folder: ScratchFolder = ScratchFolder("saved")) throws {
            self.folder = folder
            loop = try MainLoop(time: .simulated)
            let clock = loop.clock
            let origin = SimulatedOrigin(clock: clock, script: script)
            let store = SegmentStore(folder: folder.path + "/store", clock: clock)
            let stored = StoredLoading(origin, store: store, clock: clock)
            let log = LogBook(clock: clock)
            let policy = DownloadPolicy(window: DailyWindow(window), bitRate: nil, freeBytes: 500)
            let session = AssetDownloadSession(
                .init(store: store, loading: stored, network: origin, clock: clock, log: log), policy: policy,
                configuration: AssetDownloadConfiguration(variants: VariantSelection(width: 1280, height: 720) { _ in true }),
                conditions: DownloadConditions(hasNetwork: false))
            let surroundings = DownloadKeeper.Surroundings(
                date: { [unowned self] in date }, timeOfDay: { [unowned self] in timeOfDay },
                hasNetwork: { [unowned self] in hasNetwork }, isMetered: { [unowned self] in isMetered },
                playbackNeedsNetwork: { [unowned self] in playbackNeedsNetwork }, freeBytes: { [unowned self] in freeBytes })
            keeper = DownloadKeeper(
                session: session,
                loading: SavedAssetLoading(network: origin, stored: stored, bodies: store.bodies), store: store,
                surroundings: surroundings, policy: policy, languages: ["en"], clock: clock, log: log)
            for name in ["a", "b", "c", "d"] { script.put([UInt8](repeating: 1, count: 1000), at: "/\(name).mp4") }
            keeper.onStates = { [unowned self] in trouble = $1 }
            keeper.start()
        }

        isolated deinit { keeper.close() }

        func close() { keeper.close() }

        func run(for length: Duration) { loop.run(within: length, until: { false }) }

        func apply(_ items: String, policy: String = "{}") throws {
            let text = #"{"feedVersion": 1, "id": "f", "items": [\#(items)], "policy": \#(policy)}"#
            keeper.take(
                try #require(
                    FeedFile.verdict(bytes: Array(text.utf8), url: "https://o.example/feed.json", plainHTTPHosts: []).feed))
        }

        var states: [String: DownloadState] {
            Dictionary(uniqueKeysWithValues: ["a", "b", "c", "d"].map { ($0, keeper.session.state(of: $0)) })
        }
    }

    private static func item(_ id: String, _ offline: String, _ more: String = "") -> String {
        #"{"id": "\#(id)", "title": "T", "streams": [{"url": "https://cdn.example/\#(id).mp4"}], "offline": "\#(offline)"\#(more)}"#
    }

    @Test("what the feed marks is stored, what it does not mark is not")
    func marked() throws {
        let rig = try Rig()
        try rig.apply(
            [Self.item("a", "required"), Self.item("b", "opportunistic"), Self.item("c", "none")].joined(separator: ","))
        rig.run(for: .seconds(60))
        #expect(rig.states == ["a": .saved, "b": .saved, "c": .none, "d": .none])
        #expect(AssetCache(rig.keeper.session).isPlayableOffline("a"))
        #expect(!rig.script.requests.contains { $0.url.contains("c.mp4") })
    }

    @Test("of a feed that marks 100,000 items the required ones come first, and no more than the bound are wanted")
    func tooMany() throws {
        let rig = try Rig()
        rig.hasNetwork = false
        let marked = (0..<99_999).map { Self.item("m\($0)", "opportunistic") } + [Self.item("a", "required")]
        try rig.apply((marked + [Self.item("b", "none")]).joined(separator: ","))
        rig.run(for: .seconds(10))
        #expect(rig.keeper.session.count == 2_000)
        let first = rig.keeper.downloads(0..<2, languages: ["en"]).map(\.id)
        #expect(first == ["a", "m0"])
        #expect(rig.keeper.session.state(of: "m1998") == .queued && rig.keeper.session.state(of: "m1999") == .none)
        // A choice that could have no effect is refused; one that takes a place has an effect.
        #expect(rig.keeper.addDownload("b", isRequired: false) == .failed(.notSupported))
        #expect(rig.keeper.addDownload("b", isRequired: true) == .success)
        #expect(rig.keeper.session.state(of: "b") == .queued && rig.keeper.session.state(of: "m1998") == .none)
        #expect(rig.keeper.removeDownload("m0") == .success)
        #expect(rig.keeper.session.state(of: "m1998") == .queued && rig.keeper.session.count == 2_000)
    }

    @Test("a new episode comes when the window opens, under the rules of the network")
    func window() throws {
        let rig = try Rig()
        rig.timeOfDay = 72_000
        try rig.apply(Self.item("a", "required"))
        rig.run(for: .seconds(600))
        #expect(rig.states["a"] == .queued && rig.script.requests.isEmpty)
        rig.hasNetwork = false
        rig.timeOfDay = 3600
        rig.run(for: .seconds(60))
        #expect(rig.states["a"] == .queued)
        (rig.hasNetwork, rig.isMetered) = (true, true)
        rig.run(for: .seconds(60))
        #expect(rig.states["a"] == .queued && rig.script.requests.isEmpty)
        (rig.isMetered, rig.playbackNeedsNetwork) = (false, true)
        rig.run(for: .seconds(60))
        #expect(rig.states["a"] == .queued)
        rig.playbackNeedsNetwork = false
        rig.run(for: .seconds(60))
        #expect(rig.states["a"] == .saved)
    }

    @Test("a programme that is removed by choice stays removed, also after a restart, until it is added or leaves the feed")
    func choices() throws {
        let folder = ScratchFolder("saved")
        let items = [Self.item("a", "required"), Self.item("b", "none"), Self.item("c", "opportunistic")].joined(separator: ",")
        do {
            let rig = try Rig(folder: folder)
            #expect(rig.keeper.removeDownload("a") == .failed(.notReady))
            try rig.apply(items)
            rig.run(for: .seconds(60))
            #expect(
                rig.keeper.removeDownload("x") == .failed(.unknownID)
                    && rig.keeper.addDownload("a", isRequired: true) == .failed(.noChange))
            #expect(
                rig.keeper.downloads(languages: ["en"]).map { "\($0.id) \($0.title ?? "") \($0.state) \($0.bytes > 1000)" } == [
                    "a T saved true", "c T saved true",
                ])
            #expect(rig.keeper.removeDownload("a") == .success && rig.keeper.addDownload("b", isRequired: true) == .success)
            #expect(rig.keeper.removeDownload("a") == .failed(.noChange))
            rig.run(for: .seconds(60))
            #expect(rig.states == ["a": .none, "b": .saved, "c": .saved, "d": .none])
        }
        do {
            let rig = try Rig(folder: folder)
            try rig.apply(items)
            rig.run(for: .seconds(60))
            #expect(rig.states == ["a": .none, "b": .saved, "c": .saved, "d": .none])
            #expect(rig.keeper.removeDownload("b") == .success && rig.keeper.removeDownload("c") == .success)
            #expect(rig.keeper.addDownload("a", isRequired: false) == .success)
            rig.run(for: .seconds(60))
            #expect(rig.states == ["a": .saved, "b": .none, "c": .none, "d": .none])
            try rig.apply(Self.item("a", "required"))
            try rig.apply(items)
            rig.run(for: .seconds(60))
            #expect(rig.states["c"] == .saved)
        }
    }

    @Test("what is damaged on the disk is found by comparing, and loaded again")
    func verification() throws {
        let rig = try Rig()
        #expect(rig.keeper.verifyDownload("a") == .failed(.notReady))
        try rig.apply([Self.item("a", "required"), Self.item("b", "required")].joined(separator: ","))
        rig.run(for: .seconds(60))
        // All films have the same bytes, so that one body is shared.
        rig.script.put([UInt8](repeating: 2, count: 1000), at: "/c.mp4")
        try rig.apply([Self.item("a", "required"), Self.item("c", "required")].joined(separator: ","))
        rig.run(for: .seconds(60))
        func verification(_ id: String) -> DownloadStatus.Verification? {
            rig.keeper.downloads(0..<9).downloads.first { $0.id == id }?.verification
        }
        #expect(rig.keeper.verifyDownload("x") == .failed(.unknownID))
        #expect(rig.keeper.verifyDownload("a") == .success && rig.keeper.verifyDownload("c") == .failed(.notReady))
        #expect(verification("a") == .running)
        rig.run(for: .seconds(60))
        #expect(verification("a") == .intact && verification("c") == nil)
        let bodies = rig.folder.path + "/store/bodies/"
        let film = try #require(Folder.names(bodies).first { WholeFile.read(bodies + $0) == [UInt8](repeating: 2, count: 1000) })
        #expect(WholeFile.write([UInt8](repeating: 2, count: 999) + [3], to: bodies + film))
        let requests = rig.script.requests.count
        #expect(rig.keeper.verifyDownload("c") == .success)
        rig.run(for: .seconds(60))
        #expect(verification("c") == .damaged && rig.states["c"] == .saved && rig.script.requests.count > requests)
        #expect(rig.keeper.verifyDownload("c") == .success)
        rig.run(for: .seconds(60))
        #expect(verification("c") == .intact)
    }

    @Test("without a running box, the store itself is listed, compared and changed, and the next box obeys")
    func closedBox() throws {
        let folder = ScratchFolder("saved")
        let items = [Self.item("a", "required"), Self.item("b", "none")].joined(separator: ",")
        do {
            let rig = try Rig(folder: folder)
            try rig.apply(items)
            rig.run(for: .seconds(60))
        }
        let loop = try MainLoop(time: .simulated)
        let store = SegmentStore(folder: folder.path + "/store", clock: loop.clock)
        var isOpen = false
        store.open { _ in isOpen = true }
        loop.run(until: { isOpen })
        let stored = StoredDownloads(store, clock: loop.clock)
        #expect(stored.list.map { "\($0.id) \($0.state) \($0.isRequired) \($0.bytes > 1000)" } == ["a saved true true"])
        var answers: [String] = []
        func settle(_ count: Int) { loop.run(until: { answers.count == count }) }
        stored.verify("a") { answers.append("\((try? $0.get().count) ?? -1) damaged") }
        settle(1)
        stored.add("b", isRequired: false) { answers.append($0?.sentence ?? "added") }
        settle(2)
        stored.remove("a") { answers.append($0?.sentence ?? "removed") }
        settle(3)
        #expect(answers == ["0 damaged", "added", "removed"] && stored.list.isEmpty)
        stored.close()
        store.close()
        let rig = try Rig(folder: folder)
        try rig.apply(items)
        rig.run(for: .seconds(60))
        #expect(rig.states == ["a": .none, "b": .saved, "c": .none, "d": .none])
    }

    @Test("a disk that is too full for a required programme is told until there is room")
    func tooFull() throws {
        let rig = try Rig()
        rig.freeBytes = 400
        try rig.apply(Self.item("b", "opportunistic"))
        rig.run(for: .seconds(60))
        #expect(rig.trouble == nil && rig.states["b"] == .queued, "opportunistic downloads wait without a word")
        try rig.apply([Self.item("a", "required"), Self.item("b", "opportunistic")].joined(separator: ","))
        rig.run(for: .seconds(60))
        #expect(rig.trouble == .full && rig.states["a"] == .queued)
        #expect(rig.keeper.downloads(languages: []).map(\.waitsFor) == ["space", "space"])
        rig.freeBytes = 1 << 40
        rig.run(for: .seconds(60))
        #expect(rig.trouble == nil && rig.states["a"] == .saved && rig.states["b"] == .saved)
    }

    @Test("a store that cannot be opened, or that another process has, is told and tried again")
    func unusable() throws {
        let folder = ScratchFolder("saved")
        let path = folder.path + "/store"
        #expect(WholeFile.write([1], to: path))
        let rig = try Rig(folder: folder)
        try rig.apply(Self.item("a", "required"))
        rig.run(for: .seconds(60))
        #expect(rig.trouble == .unusable && rig.states["a"] == .some(.none))
        #expect(rig.keeper.addDownload("a", isRequired: true) == .failed(.notReady))
        remove(path)
        rig.run(for: .seconds(60))
        #expect(rig.trouble == nil && rig.states["a"] == .saved)
        let second = try Rig(folder: folder)
        try second.apply(Self.item("a", "required"))
        second.run(for: .seconds(60))
        #expect(second.trouble == .unusable)
        rig.close()
        second.run(for: .seconds(60))
        #expect(second.trouble == nil && second.states["a"] == .saved && second.script.requests.isEmpty)
    }

    @Test("what was withdrawn, has expired or is gone is removed; what is not available yet is stored before its time")
    func gone() throws {
        let rig = try Rig()
        rig.date = FeedDate(milliseconds: 1_790_000_000_000)
        let late = #", "window": {"from": "2099-01-01T00:00:00Z"}"#
        let past = #", "window": {"to": "2026-10-01T00:00:00Z"}"#
        try rig.apply(
            [
                Self.item("a", "required"), Self.item("b", "required", late), Self.item("c", "required", past),
                Self.item("d", "required"),
            ]
            .joined(separator: ","))
        rig.run(for: .seconds(60))
        #expect(rig.states == ["a": .saved, "b": .saved, "c": .saved, "d": .saved])
        // Its window closes while the feed stays the same.
        rig.date = FeedDate(milliseconds: 1_795_000_000_000)
        rig.run(for: .seconds(60))
        #expect(rig.states["c"] == .some(.none))
        try rig.apply([Self.item("a", "required", #", "withdrawn": true"#), Self.item("b", "none", late)].joined(separator: ","))
        rig.run(for: .seconds(60))
        #expect(rig.states == ["a": .none, "b": .none, "c": .none, "d": .none])
    }
}
