import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Testing

@testable import Downloads

/// Carries out the effects of a task against a server and a store that are dictionaries.
private struct Bench {
    var server = PlaylistServer()
    var task: AssetDownloadTask
    var store: [String: StoredPart] = [:]
    /// Every resource that was loaded, in order.
    var loaded: [String] = []
    var published: [[PlaylistText]] = []
    var records: [DownloadRecord] = []
    var discards = 0
    var fileLength: Int64 = 10 << 20
    var fileVersion: ResourceVersion { ResourceVersion(validator: tag, length: fileLength) }
    var tag = "\"1\""
    var cancelled = 0
    var now = HostTime.zero
    /// The error of the next load of a file.
    var errors: [String: MediaError] = [:]
    var pending: [AssetDownloadTask.Effect] = []

    init(_ task: AssetDownloadTask = AssetDownloadTask(Film.asset, configuration: Film.configuration())) { self.task = task }

    private func key(_ resource: DownloadResource) -> String { "\(resource.name) \(resource.range.map { "\($0)" } ?? "")" }

    mutating func send(_ event: AssetDownloadTask.Event) {
        for effect in task.handle(event, at: now) {
            guard effect == .cancelLoads else {
                pending.append(effect)
                continue
            }
            cancelled += 1
            pending.removeAll { if case .load = $0 { true } else if case .loadPlaylist = $0 { true } else { false } }
        }
    }

    /// Carries out effects until there are none left, or so many.
    mutating func run(steps: Int = .max) {
        var left = steps
        while !pending.isEmpty, left > 0 {
            left -= 1
            let effect = pending.removeFirst()
            if let answer = carryOut(effect) { send(answer) }
        }
    }

    /// Carries out effects until this is true.
    mutating func run(until isReached: (Bench) -> Bool) {
        while !pending.isEmpty, !isReached(self) { run(steps: 1) }
    }

    private mutating func carryOut(_ effect: AssetDownloadTask.Effect) -> AssetDownloadTask.Event? {
        switch effect {
        case .loadPlaylist(let role, let url):
            if let text = server.text(url) { return .loadedPlaylist(role, url: url, bytes: Array(text.utf8)) }
            if url.hasSuffix(".mp4") { return .foundFile }
            return .failedPlaylist(role, MediaError.loading(url, failed: .status(404)))
        case .record:
            if let record = task.record { records.append(record) }
            return nil
        case .takeInventory: return .inventory(task.plan!.resources.map { store[key($0)] ?? StoredPart() })
        case .load(let index):
            let resource = task.plan!.resources[index]
            if let error = errors.removeValue(forKey: resource.url) { return .failed(index, error) }
            loaded.append(resource.url + (resource.range.map { "@\($0.lowerBound)" } ?? ""))
            let size =
                resource.kind == .file
                ? min(resource.range?.upperBound ?? .max, fileLength) - (resource.range?.lowerBound ?? 0) : 1000
            store[key(resource)] = StoredPart(
                bytes: size, isComplete: true,
                version: resource.kind == .file || resource.url.hasSuffix("mid.ts") ? fileVersion : ResourceVersion())
            return .stored(index, store[key(resource)]!)
        case .cancelLoads: return nil
        case .discard:
            discards += 1
            store = [:]
            return nil
        case .discardRanges(let url):
            discards += 1
            for resource in task.plan!.resources where resource.url == url { store[key(resource)] = nil }
            return nil
        case .verify(let digest): return .verified(matches: digest == "good")
        case .publish:
            published.append(task.plan!.playlists)
            return .published
        case .removePartials:
            store = [:]
            return nil
        }
    }
}

@Suite struct AssetDownloadTaskTests {
    private static func url(_ file: String) -> String { "https://cdn.example/film/\(file)" }

    @Test func everythingIsStoredOnceAndThePlaylistsComeLast() throws {
        var bench = Bench()
        #expect(bench.task.state == .waiting && bench.task.fractionCompleted == 0)
        bench.send(.resume)
        bench.run()
        #expect(bench.task.state == .completed && bench.task.fractionCompleted == 1)
        #expect(bench.loaded.count == 14 && Set(bench.loaded).count == 14)
        #expect(bench.published.count == 1 && bench.published[0].last?.role == .root)
        // The plan is recorded before the first resource, and again at the end.
        #expect(bench.records.map(\.isComplete) == [false, true])
        #expect(bench.records[0].selection.map(\.name) == ["English", "Forced"])
        #expect(bench.task.furtherOptions.map(\.name) == ["Deutsch", "English"])
        #expect(bench.task.loadedTimeRanges == [TimeRange(start: .zero, duration: .seconds(12))])
        // An ended task ignores what follows.
        bench.send(.cancel)
        #expect(bench.pending.isEmpty && bench.task.state == .completed)
    }

    @Test func progressIsTheSumOfTheLoadedTimeRangesByTheDuration() throws {
        var bench = Bench()
        bench.send(.resume)
        var last = 0.0
        for _ in 0..<200 where bench.task.state == .running {
            bench.run(steps: 1)
            let sum = bench.task.loadedTimeRanges.reduce(MediaTime.zero) { $0 + $1.duration }
            let fraction = bench.task.fractionCompleted
            #expect(fraction >= last && fraction <= 1)
            if bench.task.state == .running, bench.task.plan != nil {
                #expect(abs(fraction - min(Double(sum.milliseconds) / 12_000, 0.999)) < 0.0001)
            }
            last = fraction
        }
        #expect(bench.task.state == .completed)
    }

    /// After a cut at any step a new task made from the record, or from nothing, loads only what is not stored.
    @Test func aRestartAtAnyStepLoadsNothingTwice() throws {
        for step in 0..<40 {
            var first = Bench()
            first.send(.resume)
            first.run(steps: step)
            var second = Bench(
                AssetDownloadTask(Film.asset, configuration: Film.configuration(), record: first.records.last))
            second.store = first.store
            second.send(.resume)
            second.run()
            #expect(second.task.state == .completed)
            let all = first.loaded + second.loaded
            #expect(all.count == 14 && Set(all).count == 14, "cut after step \(step)")
            // A recorded plan needs no playlist from the network.
            if !first.records.isEmpty { #expect(second.task.plan?.playlists == first.records[0].playlists) }
        }
    }

    @Test func suspendedTasksContinueWhereTheyWere() throws {
        var bench = Bench()
        bench.send(.resume)
        bench.run(steps: 12)
        let before = bench.loaded.count
        #expect(before > 0 && bench.task.state == .running)
        bench.send(.suspend(.playback))
        #expect(bench.task.state == .suspended(.playback) && bench.cancelled == 1)
        bench.send(.suspend(.window))
        #expect(bench.task.state == .suspended(.window))
        bench.run()
        // The answer to a cancelled request is late and changes nothing.
        bench.send(.stored(0, StoredPart(bytes: 1, isComplete: true)))
        #expect(bench.task.state == .suspended(.window) && bench.loaded.count == before)
        bench.send(.resume)
        bench.run()
        #expect(bench.task.state == .completed && bench.loaded.count == 14)
    }

    @Test func cancellingRemovesWhatIsStored() throws {
        var bench = Bench()
        bench.send(.resume)
        bench.run(steps: 12)
        bench.send(.cancel)
        #expect(bench.task.state == .cancelled)
        #expect(bench.cancelled == 1 && bench.pending.last == .removePartials)
        bench.run()
        #expect(bench.store.isEmpty && bench.published.isEmpty)
    }

    @Test func failuresAreFollowedByGrowingPauses() throws {
        var bench = Bench()
        var waits: [Duration] = []
        for _ in 0..<10 {
            bench.errors[Self.url("mid-1.ts")] = MediaError.loading("mid-1.ts", failed: .unreachable)
            bench.send(.resume)
            bench.run()
            guard case .failed(let error, let retryAt?) = bench.task.state else { throw Missing() }
            #expect(error.code == .networkDown)
            waits.append(retryAt - bench.now)
            bench.now = retryAt
            // A failure of the first missing resource each time: no success resets the pause.
        }
        #expect(waits.first == .seconds(5) && waits.allSatisfy { $0 <= .seconds(900) })
        bench.send(.resume)
        bench.run()
        #expect(bench.task.state == .completed && Set(bench.loaded).count == bench.loaded.count)
    }

    @Test func refusedAddressesAreRenewedByThePlaylistsOnce() throws {
        var bench = Bench()
        bench.server = PlaylistServer(query: "?t=old")
        bench.send(.resume)
        bench.run(steps: 12)
        let before = bench.loaded
        bench.server = PlaylistServer(query: "?t=new")
        for name in ["mid", "en", "s-forced", "keys"] {
            for number in 0..<3 {
                bench.errors[Self.url("\(name)-\(number).ts?t=old")] = MediaError.loading("x", failed: .status(403))
            }
        }
        bench.run()
        #expect(bench.task.state == .completed)
        let after = bench.loaded.dropFirst(before.count)
        #expect(!after.isEmpty && after.allSatisfy { $0.hasSuffix("?t=new") || !$0.contains(".ts") })
        #expect(bench.loaded.count == 14)
        // A server that refuses the renewed addresses too ends the attempt.
        var refused = Bench()
        refused.errors[Self.url("mid-0.ts")] = MediaError.loading("x", failed: .status(403))
        refused.send(.resume)
        refused.run(steps: 9)
        refused.errors[Self.url("mid-0.ts")] = MediaError.loading("x", failed: .status(403))
        refused.run()
        guard case .failed(let error, .some) = refused.task.state else { throw Missing() }
        #expect(error.fault == .status(403))
    }

    @Test func whatTheAssetDoesNotNeedIsLeftOutWhenItIsMissing() throws {
        var bench = Bench()
        for file in ["keys-1.ts", "chapters.json"] {
            bench.errors[Self.url(file)] = MediaError.loading(file, failed: .status(404))
        }
        bench.errors["https://cdn.example/poster.jpg"] = MediaError.loading("poster.jpg", failed: .status(410))
        bench.server.texts["keys.m3u8"] = nil
        bench.send(.resume)
        bench.run()
        #expect(bench.task.state == .completed && bench.loaded.count == 9)
        #expect(bench.task.plan?.playlists.contains { $0.role == .iFrames } == false)
    }

    private static let file = DownloadableAsset(
        id: "f", streams: [.init(url: "https://cdn.example/f.mp4")],
        companions: [.init(.artwork, url: "https://cdn.example/p.jpg")])

    @Test func filesAreLoadedInPiecesAndCompared() throws {
        for (digest, isGood) in [("good", true), ("bad", false), (nil, true)] {
            var asset = Self.file
            asset.streams[0].sha256 = digest
            var bench = Bench(AssetDownloadTask(asset, configuration: Film.configuration()))
            bench.send(.resume)
            bench.run()
            #expect(
                bench.loaded == [
                    "https://cdn.example/f.mp4@0", "https://cdn.example/p.jpg", "https://cdn.example/f.mp4@4194304",
                    "https://cdn.example/f.mp4@8388608",
                ])
            #expect((bench.task.state == .completed) == isGood && (bench.discards == 1) == !isGood)
            if !isGood { #expect(bench.published.isEmpty && bench.store.isEmpty) }
            if isGood { #expect(bench.task.storedBytes == (10 << 20) + 1000) }
        }
    }

    @Test func aFileThatChangesBetweenTwoPiecesIsLoadedAgainFromItsStart() throws {
        var bench = Bench(AssetDownloadTask(Self.file, configuration: Film.configuration()))
        bench.send(.resume)
        bench.run(steps: 7)
        #expect(bench.loaded.contains("https://cdn.example/f.mp4@0") && bench.task.state == .running)
        bench.tag = "\"2\""
        bench.fileLength = 5 << 20
        bench.run()
        #expect(bench.task.state == .completed && bench.discards == 1)
        #expect(bench.store.values.allSatisfy { $0.version.validator != "\"1\"" })
        #expect(bench.task.plan?.fileLength == 5 << 20)
        // A file that changes with each piece ends the attempt.
        var restless = Bench(AssetDownloadTask(Self.file, configuration: Film.configuration()))
        restless.send(.resume)
        for number in 0..<200 where restless.task.state == .running {
            restless.tag = "\"\(number)\""
            restless.run(steps: 1)
        }
        guard case .failed(_, .some) = restless.task.state else { throw Missing() }
        restless.run()
        #expect(restless.discards == 4 && restless.store.isEmpty)
    }

    /// A presentation whose segments are ranges of one file.
    private static func ranges() -> Bench {
        var bench = Bench()
        let lines = (0..<12).map { "#EXTINF:4,\n#EXT-X-BYTERANGE:4000000@\($0 * 4_000_000)\nmid.ts\n" }.joined()
        bench.server.texts["mid.m3u8"] = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(lines)#EXT-X-ENDLIST\n"
        return bench
    }

    @Test func rangesOfAFileThatChangesInBetweenAreLoadedAgainAndTheOthersAreKept() throws {
        var bench = Self.ranges()
        bench.send(.resume)
        bench.run(until: { bench in bench.loaded.contains { $0.contains("mid.ts@20000000") } })
        #expect(bench.discards == 0 && bench.task.state == .running)
        bench.tag = "\"2\""
        bench.run()
        #expect(bench.task.state == .completed && bench.discards == 1)
        let ranges = bench.store.filter { $0.key.contains("mid.ts") }
        #expect(ranges.count == 12 && ranges.values.allSatisfy { $0.version.validator == "\"2\"" })
        #expect(bench.loaded.filter { $0.contains("mid.ts@0") }.count == 2)
        #expect(bench.loaded.filter { $0.contains("en-0.ts") }.count == 1, "another file stays")
    }

    @Test func aRestartWithRangesOfAnotherVersionMixesNothing() throws {
        var first = Self.ranges()
        first.send(.resume)
        first.run(until: { bench in bench.loaded.contains { $0.contains("mid.ts@20000000") } })
        var second = Bench(AssetDownloadTask(Film.asset, configuration: Film.configuration(), record: first.records.last))
        second.server = first.server
        second.store = first.store
        second.fileLength = 99_000_000
        second.send(.resume)
        second.run()
        #expect(second.task.state == .completed)
        let ranges = second.store.filter { $0.key.contains("mid.ts") }
        #expect(ranges.count == 12 && ranges.values.allSatisfy { $0.version.length == 99_000_000 })
    }

    @Test func aFileWhoseRangesChangeWithEachRequestEndsTheAttempt() throws {
        var bench = Self.ranges()
        bench.send(.resume)
        for number in 0..<500 where bench.task.state == .running {
            bench.tag = "\"\(number)\""
            bench.run(steps: 1)
        }
        guard case .failed(let error, .some) = bench.task.state else { throw Missing() }
        bench.run()
        #expect(error.sentence.contains("changed it 4 times") && bench.discards == 4)
        #expect(!bench.store.keys.contains { $0.contains("mid.ts") })
    }

    @Test func aVersionThatTheServerDoesNotStateContradictsNone() {
        let known = ResourceVersion(validator: "\"1\"", length: 10)
        #expect(!known.contradicts(ResourceVersion()) && !ResourceVersion(length: 10).contradicts(known))
        #expect(known.contradicts(ResourceVersion(validator: "\"2\"", length: 10)))
        #expect(known.contradicts(ResourceVersion(length: 11)))
    }

    @Test func aRestartWithAnotherVersionOfTheFileMixesNothing() throws {
        var first = Bench(AssetDownloadTask(Self.file, configuration: Film.configuration()))
        first.send(.resume)
        first.run(steps: 8)
        var second = Bench(AssetDownloadTask(Self.file, configuration: Film.configuration(), record: first.records.last))
        second.store = first.store
        second.tag = "\"2\""
        second.send(.resume)
        second.run()
        #expect(second.task.state == .completed)
        #expect(second.store.values.allSatisfy { $0.version.validator != "\"1\"" })
    }

    @Test func aServerWithoutRangesIsAskedForTheWholeFile() throws {
        var bench = Bench(AssetDownloadTask(Self.file, configuration: Film.configuration()))
        bench.errors["https://cdn.example/f.mp4"] = MediaError.loading("f", failed: .rangeIgnored)
        bench.send(.resume)
        bench.run()
        #expect(bench.task.state == .completed && bench.loaded == ["https://cdn.example/p.jpg", "https://cdn.example/f.mp4"])
    }

    @Test func theNextStreamIsStoredWhenTheFirstCannotBe() throws {
        let asset = DownloadableAsset(
            id: "film",
            streams: [.init(url: "https://gone.example/none.m3u8"), .init(url: Self.url("live.m3u8")), .init(url: Film.address)])
        var bench = Bench(AssetDownloadTask(asset, configuration: Film.configuration()))
        bench.server.texts["live.m3u8"] = Film.media("live", tail: "")
        bench.send(.resume)
        bench.run()
        #expect(bench.task.state == .completed && bench.task.stream == 2)
        // Without another stream a refusal is final, and a failed load is tried again from the first stream.
        for (url, isFinal) in [(Self.url("live.m3u8"), true), ("https://gone.example/none.m3u8", false)] {
            var alone = Bench(
                AssetDownloadTask(DownloadableAsset(id: "x", streams: [.init(url: url)]), configuration: Film.configuration()))
            alone.server.texts["live.m3u8"] = Film.media("live", tail: "")
            alone.send(.resume)
            alone.run()
            guard case .failed(_, let retryAt) = alone.task.state else { throw Missing() }
            #expect((retryAt == nil) == isFinal && alone.task.stream == 0)
        }
    }

    @Test func theMinimumBitRateOfTheFeedChoosesTheVariant() {
        var asset = Film.asset
        asset.minimumBitRate = 100_000
        var bench = Bench(AssetDownloadTask(asset, configuration: Film.configuration()))
        bench.send(.resume)
        bench.run()
        #expect(bench.loaded.contains { $0.contains("low-0.ts") } && !bench.loaded.contains { $0.contains("mid-0.ts") })
        #expect(!asset.isSameContent(as: Film.asset), "another quality is loaded anew")
    }

    @Test func aFullDiskIsAFailureThatIsTriedAgain() throws {
        var bench = Bench()
        bench.send(.resume)
        bench.run(steps: 10)
        bench.send(.storeRecovered)
        #expect(bench.task.state == .running)
        bench.send(.storeFailed(MediaError(.storage, "Saving failed: the disk is full.")))
        guard case .failed(_, .some) = bench.task.state else { throw Missing() }
        bench.run()
        bench.send(.storeRecovered)
        #expect(bench.task.state == .waiting)
        bench.send(.resume)
        bench.run()
        #expect(bench.task.state == .completed && Set(bench.loaded).count == bench.loaded.count)
    }
}
