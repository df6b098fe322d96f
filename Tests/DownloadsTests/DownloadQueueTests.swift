import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Testing

@testable import Downloads

/// A queue with a server and a store that answer at once.
private struct QueueBench {
    var server = PlaylistServer()
    var queue: DownloadQueue
    var now = HostTime.zero
    var pending: [DownloadQueue.Effect] = []
    var stored: [String: StoredPart] = [:]
    var loads: [(id: DownloadID, url: String)] = []
    var removed: [String] = []
    var room: [Int64] = []
    var wakes: [HostTime] = []
    var errors: [String: MediaError] = [:]
    var published: [DownloadID] = []

    init(
        window: String? = nil, free: Int64 = 0, conditions: DownloadConditions = DownloadConditions(timeOfDay: 7200),
        languages: [String] = [], records: [String: DownloadQueue.StoredRecords] = [:], spread: Double = 0
    ) {
        queue = DownloadQueue(
            policy: DownloadPolicy(window: window.flatMap { DailyWindow($0) }, bitRate: nil, freeBytes: free, spread: spread),
            configuration: Film.configuration(languages), conditions: conditions, records: records)
    }

    mutating func send(_ event: DownloadQueue.Event) {
        for effect in queue.handle(event, at: now) {
            if case .task(let id, .cancelLoads) = effect {
                pending.removeAll {
                    switch $0 {
                    case .task(id, .load), .task(id, .loadPlaylist): true
                    default: false
                    }
                }
            } else {
                pending.append(effect)
            }
        }
    }

    mutating func run(steps: Int = .max) {
        var left = steps
        while !pending.isEmpty, left > 0 {
            left -= 1
            switch pending.removeFirst() {
            case .task(let id, let effect): carryOut(id, effect)
            case .remove(let item): removed.append(item)
            case .makeRoom(let bytes): room.append(bytes)
            case .wake(let instant): wakes.append(instant)
            }
        }
    }

    private mutating func carryOut(_ id: DownloadID, _ effect: AssetDownloadTask.Effect) {
        guard let task = queue.task(id) else { return }
        func name(_ index: Int) -> String { task.plan?.resources[index].name ?? "" }
        switch effect {
        case .loadPlaylist(let role, let url):
            if let error = errors[url] { return send(.task(id, .failedPlaylist(role, error))) }
            guard let text = server.text(url) else { return send(.task(id, .foundFile)) }
            send(.task(id, .loadedPlaylist(role, url: url, bytes: Array(text.utf8))))
        case .takeInventory:
            send(.task(id, .inventory((task.plan?.resources ?? []).map { stored[$0.name] ?? StoredPart() })))
        case .load(let index):
            loads.append((id, name(index)))
            if let error = errors[name(index)] { return send(.task(id, .failed(index, error))) }
            stored[name(index)] = StoredPart(bytes: 1000, isComplete: true, version: ResourceVersion(length: 1000))
            send(.task(id, .stored(index, stored[name(index)]!)))
        case .publish:
            published.append(id)
            send(.task(id, .published))
        case .record, .cancelLoads, .discard, .discardRanges, .verify, .removePartials: break
        }
    }
}

private func file(_ id: String, _ priority: DownloadPriority) -> WantedDownload {
    WantedDownload(DownloadableAsset(id: id, streams: [.init(url: "https://cdn.example/\(id).mp4")]), priority)
}

@Suite struct DownloadQueueTests {
    @Test func oneAfterTheOtherByPriorityThenInTheOrderOfTheFeed() {
        var bench = QueueBench()
        bench.send(
            .wanted([file("o1", .opportunistic), file("r1", .required), file("o2", .opportunistic), file("r2", .required)]))
        #expect(bench.queue.items == ["r1", "r2", "o1", "o2"])
        #expect(bench.queue.state(of: "r1") == .downloading(0) && bench.queue.state(of: "r2") == .queued)
        bench.run()
        #expect(bench.loads.map(\.id.item) == ["r1", "r2", "o1", "o2"])
        #expect(bench.queue.items.allSatisfy { bench.queue.state(of: $0) == .saved })
        #expect(bench.queue.state(of: "unknown") == .none)
    }

    @Test func aMoreImportantDownloadGoesFirstAndTheOtherContinuesAfterwards() {
        var bench = QueueBench()
        bench.send(.wanted([file("o", .opportunistic)]))
        #expect(bench.queue.task(DownloadID(item: "o"))?.state == .running)
        bench.send(.wanted([file("o", .opportunistic), file("r", .required)]))
        #expect(bench.queue.task(DownloadID(item: "o"))?.state == .suspended(.queue))
        #expect(bench.queue.task(DownloadID(item: "r"))?.state == .running)
        bench.run()
        #expect(bench.loads.map(\.id.item) == ["r", "o"])
    }

    @Test func theWindowHoldsForRequiredDownloadsToo() {
        for (time, runs) in [(0, false), (3599, false), (3600, true), (21_599, true), (21_600, false)] {
            var bench = QueueBench(window: "01:00-06:00", conditions: DownloadConditions(timeOfDay: time))
            bench.send(.wanted([file("r", .required), file("o", .opportunistic)]))
            bench.run()
            #expect(
                (bench.queue.state(of: "r") == .saved) == runs && (bench.queue.state(of: "o") == .saved) == runs, "at \(time)")
        }
        // Until the clock is trusted the window waits.
        var untrusted = QueueBench(window: "00:00-23:59", conditions: DownloadConditions(timeOfDay: nil))
        untrusted.send(.wanted([file("r", .required)]))
        untrusted.run()
        #expect(untrusted.queue.state(of: "r") == .queued && untrusted.loads.isEmpty)
    }

    @Test func theEndOfTheWindowAndJumpsOfTheClockSuspend() {
        var bench = QueueBench(window: "01:00-06:00", conditions: DownloadConditions(timeOfDay: 7200))
        bench.send(.wanted([file("r", .required)]))
        let id = DownloadID(item: "r")
        for (time, state) in [
            (21_600, AssetDownloadTask.State.suspended(.window)), (7200, .running), (nil, .suspended(.untrustedClock)),
            (80_000, .suspended(.untrustedClock)),
            (3600, .running),
        ] as [(Int?, AssetDownloadTask.State)] {
            bench.send(.conditions(DownloadConditions(timeOfDay: time)))
            #expect(bench.queue.task(id)?.state == state, "at \(String(describing: time))")
        }
        bench.run()
        #expect(bench.queue.state(of: "r") == .saved)
    }

    @Test func aMeteredNetworkIsForRequiredDownloadsThatTheOperatorAllows() {
        for (priority, allows, runs) in [
            (DownloadPriority.required, true, true), (.required, false, false), (.opportunistic, true, false),
            (.opportunistic, false, false),
        ] {
            var bench = QueueBench(conditions: DownloadConditions(timeOfDay: 0, isMetered: true, allowsMetered: allows))
            bench.send(.wanted([file("x", priority)]))
            bench.run()
            #expect((bench.queue.state(of: "x") == .saved) == runs)
        }
    }

    @Test func playbackHasPriorityAndANetworkIsNeeded() {
        for (conditions, reason) in [
            (DownloadConditions(playback: .needsNetwork), AssetDownloadTask.SuspensionReason.playback),
            (DownloadConditions(hasNetwork: false), .network),
        ] {
            var bench = QueueBench()
            bench.send(.wanted([file("r", .required)]))
            bench.run(steps: 1)
            bench.send(.conditions(conditions))
            #expect(bench.queue.task(DownloadID(item: "r"))?.state == .suspended(reason))
            bench.send(.conditions(DownloadConditions()))
            bench.run()
            #expect(bench.queue.state(of: "r") == .saved)
        }
    }

    @Test func spaceIsKeptFreeAndMadeForRequiredDownloadsOnly() {
        let film = WantedDownload(Film.asset, .opportunistic)
        // The film has three million bytes.
        for (free, evictable, priority, runs, asksForRoom) in [
            (4_000_000, 0, DownloadPriority.opportunistic, true, false), (3_999_999, 9_000_000, .opportunistic, false, false),
            (3_999_999, 1, .required, true, true), (1_000_000, 2_999_999, .required, false, false),
        ] as [(Int64, Int64, DownloadPriority, Bool, Bool)] {
            var bench = QueueBench(free: 1_000_000, conditions: DownloadConditions(freeBytes: free, evictableBytes: evictable))
            bench.send(.wanted([WantedDownload(film.asset, priority)]))
            bench.run()
            #expect((bench.queue.state(of: "film") == .saved) == runs, "\(free) free")
            #expect(!bench.room.isEmpty == asksForRoom)
        }
    }

    @Test func whatTheFeedNoLongerHasIsRemoved() {
        var bench = QueueBench()
        bench.send(.wanted([file("a", .required), file("b", .required)]))
        bench.run(steps: 3)
        bench.send(.wanted([file("b", .required)]))
        bench.run()
        #expect(bench.removed == ["a"] && bench.queue.items == ["b"] && bench.queue.state(of: "b") == .saved)
        // Another path is another programme; another token is not.
        let moved = WantedDownload(DownloadableAsset(id: "b", streams: [.init(url: "https://cdn.example/b.mp4?t=2")]), .required)
        bench.send(.wanted([moved]))
        bench.run()
        #expect(bench.removed == ["a"] && bench.queue.state(of: "b") == .saved)
        let other = WantedDownload(DownloadableAsset(id: "b", streams: [.init(url: "https://cdn.example/other.mp4")]), .required)
        bench.send(.wanted([other]))
        #expect(bench.queue.state(of: "b") == .downloading(0))
        bench.run()
        #expect(bench.removed == ["a", "b"])
    }

    @Test func furtherOptionsFollowInSeriesAfterTheDefaultSelections() throws {
        var bench = QueueBench(languages: ["en", "de"])
        bench.send(.wanted([WantedDownload(Film.asset, .required), file("r", .required), file("o", .opportunistic)]))
        bench.run()
        #expect(
            bench.published.map { $0.option.map { "\($0.characteristic.rawValue) \($0.name)" } ?? $0.item } == [
                "film", "r", "audible Deutsch", "legible English", "o",
            ])
        #expect(bench.queue.localOptions(of: "film").map(\.name) == ["English", "Forced", "Deutsch", "English"])
        // Nothing of the default selection is loaded again for an option.
        #expect(Set(bench.loads.map(\.url)).count == bench.loads.count)
    }

    @Test func anOptionThatCannotBeStoredLeavesTheAssetSaved() throws {
        var bench = QueueBench(languages: ["en", "de"])
        bench.server.texts["de.m3u8"] = Film.media("de", tail: "")
        bench.send(.wanted([WantedDownload(Film.asset, .required)]))
        bench.run()
        #expect(bench.queue.state(of: "film") == .saved)
        #expect(bench.queue.localOptions(of: "film").map(\.name) == ["English", "Forced", "English"])
    }

    @Test func aFailureLetsTheNextDownloadRunAndIsTriedAgainLater() throws {
        var bench = QueueBench()
        bench.errors["https://cdn.example/a.mp4"] = MediaError.loading("a", failed: .unreachable)
        bench.send(.wanted([file("a", .required), file("b", .required)]))
        bench.run()
        #expect(bench.queue.state(of: "a") == .queued && bench.queue.state(of: "b") == .saved)
        #expect(bench.wakes.last == .zero + .seconds(5))
        bench.errors = [:]
        bench.now = .zero + .seconds(4)
        bench.send(.woken)
        bench.run()
        #expect(bench.queue.state(of: "a") == .queued)
        bench.now = .zero + .seconds(5)
        bench.send(.woken)
        bench.run()
        #expect(bench.queue.state(of: "a") == .saved)
    }

    @Test func aRestartContinuesFromTheRecordsAndRemovesWhatIsNoLongerWanted() throws {
        var first = QueueBench(languages: ["en", "de"])
        first.send(.wanted([WantedDownload(Film.asset, .required)]))
        first.run(steps: 14)
        let record = try #require(first.queue.task(DownloadID(item: "film"))?.record)
        #expect(!first.loads.isEmpty && first.published.isEmpty)
        var second = QueueBench(
            languages: ["en", "de"],
            records: [
                "film": .init(main: record),
                "gone": .init(
                    main: DownloadRecord(
                        asset: file("gone", .required).asset, stream: 0, playlists: [], selection: [], furtherOptions: [],
                        isComplete: true)),
            ])
        second.stored = first.stored
        second.send(.wanted([WantedDownload(Film.asset, .required)]))
        second.run()
        #expect(second.removed == ["gone"] && second.queue.state(of: "film") == .saved)
        let all = first.loads.map(\.url) + second.loads.map(\.url)
        #expect(Set(all).count == all.count)
        #expect(second.queue.localOptions(of: "film").count == 4)
    }

    @Test func whatIsSavedIsSavedAfterARestartAtAnyTimeOfDay() throws {
        var first = QueueBench()
        first.send(.wanted([WantedDownload(Film.asset, .required)]))
        first.run()
        let record = try #require(first.queue.task(DownloadID(item: "film"))?.record)
        var second = QueueBench(
            window: "01:00-06:00", conditions: DownloadConditions(timeOfDay: nil, hasNetwork: false),
            records: ["film": .init(main: record)])
        second.send(.wanted([WantedDownload(Film.asset, .required)]))
        second.run()
        #expect(second.queue.state(of: "film") == .saved && second.loads.isEmpty && second.published.isEmpty)
        #expect(second.queue.localOptions(of: "film").map(\.name) == ["English", "Forced"])
    }

    @Test func anOnlyOptionThatCannotBeStoredIsNotTriedForEver() throws {
        var bench = QueueBench(languages: ["de"])
        bench.server.texts["en.m3u8"] = Film.media("en", tail: "")
        bench.server.texts["s-en.m3u8"] = Film.media("en", tail: "")
        bench.send(.wanted([WantedDownload(Film.asset, .required)]))
        bench.run(steps: 1000)
        #expect(bench.pending.isEmpty && bench.queue.state(of: "film") == .saved)
        #expect(bench.queue.localOptions(of: "film").map(\.name) == ["Deutsch"])
    }

    /// After a power failure the boxes of a building do not begin at once, also within the window.
    @Test func aBoxThatStartsWithinTheWindowWaitsForItsTurn() {
        var bench = QueueBench(window: "01:00-06:00", conditions: DownloadConditions(timeOfDay: 14_000), spread: 0.5)
        bench.send(.wanted([file("r", .required)]))
        bench.run()
        #expect(bench.queue.state(of: "r") == .queued)
        bench.now = .zero + .seconds(900)
        bench.send(.conditions(DownloadConditions(timeOfDay: 14_900)))
        bench.run()
        #expect(bench.queue.state(of: "r") == .saved)
    }

    @Test func whatTheStoreHasLostIsLoadedAgain() throws {
        var bench = QueueBench()
        bench.send(.wanted([file("a", .required)]))
        bench.run()
        bench.stored = [:]
        bench.send(.lost(item: "a"))
        bench.run()
        #expect(bench.loads.count == 2 && bench.queue.state(of: "a") == .saved)
    }
}

@Suite struct DailyWindowTests {
    @Test func windowsMayPassMidnight() throws {
        let night = try #require(DailyWindow("22:30-05:00"))
        #expect(night.contains(81_000) && night.contains(0) && night.contains(17_999))
        #expect(!night.contains(18_000) && !night.contains(80_999))
        let day = try #require(DailyWindow("06:00-06:00"))
        #expect([0, 21_599, 21_600, 86_399].allSatisfy { day.contains($0, spread: 1) })
        for text in [
            "", "1:00-2:00", "24:00-01:00", "01:60-02:00", "01:00", "01:00-02:00-03:00", "a1:00-02:00", "-1:00-02:00",
            "٠١:00-02:00",
        ] {
            #expect(DailyWindow(text) == nil)
        }
    }

    /// Ten thousand boxes with one window: the starts in any second are few.
    @Test func theBoxesOfABuildingBeginOneAfterTheOther() throws {
        let window = try #require(DailyWindow("01:00-06:00"))
        var random = SeededGenerator(seed: 1)
        var starts: [Int: Int] = [:]
        for _ in 0..<10_000 {
            let spread = random.nextUnit()
            let start = 3600 + window.delay(spread)
            #expect(!window.contains(start - 1, spread: spread) && window.contains(start, spread: spread))
            starts[start, default: 0] += 1
        }
        #expect(starts.keys.max()! < 7200 && starts.values.max()! < 15)
        // A window of ten minutes is half used by the spread.
        #expect(DailyWindow("01:00-01:10")?.delay(1) == 300)
        #expect(window.delay(-1) == 0 && window.delay(2) == 3600)
    }
}

@Suite struct RateCapTests {
    @Test func theMeanRateStaysBelowTheCap() {
        var cap = RateCap(bitRate: 4_000_000)
        var now = HostTime.zero
        var bytes: Int64 = 0
        for _ in 0..<100 {
            now = cap.start(at: now)
            cap.take(2_000_000, at: now)
            bytes += 2_000_000
            #expect(Double(bytes - 2_000_000) * 8 <= 4_000_000 * Double(now.nanoseconds) / 1e9 + 1)
        }
        #expect(cap.start(at: now) == .zero + .seconds(400))
        // A pause saves nothing up.
        now = .zero + .seconds(10_000)
        cap.take(500_000, at: now)
        #expect(cap.start(at: now) == now + .seconds(1))
    }

    @Test func extremeNumbersNeitherOverflowNorBlockForever() {
        var cap = RateCap(bitRate: 1)
        cap.take(.max, at: .zero)
        #expect(cap.start(at: .zero) <= .zero + .seconds(1_000_000_000))
        var none = RateCap(bitRate: nil)
        none.take(.max, at: .zero)
        #expect(none.start(at: .zero) == .zero)
        var zero = RateCap(bitRate: 0)
        zero.take(1, at: .zero)
        #expect(zero.start(at: .zero) == .zero + .seconds(8))
    }
}
