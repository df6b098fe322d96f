import Display
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Sound
import Synchronization
import TestSupport
import Testing

@testable import Playback

@Suite("Loading an asset: states and cancelling", .serialized)
@MainActor
struct AssetLoadTests {
    @Test("a property is loaded when it is requested, and others that come from the same bytes are loaded with it")
    func properties() async throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.loader.put(FakeMedia(), at: "film")
        let asset = Asset(url: "film", services: rig.player.services)
        guard case .notYetLoaded = asset.status(of: .duration) else { Issue.record("\(asset.status(of: .duration))"); return }
        asset.start(.duration)
        guard case .loading = asset.status(of: .tracks) else { Issue.record("\(asset.status(of: .tracks))"); return }
        guard case .notYetLoaded = asset.status(of: .metadata) else { Issue.record("\(asset.status(of: .metadata))"); return }
        rig.run(until: { if case .loaded = asset.status(of: .tracks) { true } else { false } })
        #expect(try await asset.load(.duration) == .finite(FakeMedia().duration))
        #expect(try await asset.load(.tracks, .isPlayable).0.count == 2)
        guard case .loaded(true) = asset.status(of: .isPlayable) else { Issue.record("it cannot be played"); return }
        asset.close()
    }

    @Test(
        "tracks are found by number, kind and characteristic, have typed formats, and mutually exclusive ones are grouped")
    func tracks() async throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.loader.put(FakeMedia(languages: ["en", "fr"]), at: "film")
        let asset = Asset(url: "film", services: rig.player.services)
        asset.start(.tracks)
        rig.run(until: { if case .loaded = asset.status(of: .tracks) { true } else { false } })
        #expect(try await asset.tracks(withMediaType: .audio).map(\.id) == [TrackID(1), TrackID(2), TrackID(3)])
        #expect(try await asset.track(withID: TrackID(3))?.languageTag == "fr")
        #expect(try await asset.track(withID: TrackID(9)) == nil)
        #expect(try await asset.tracks(withMediaCharacteristic: OptionCharacteristic.describesVideo).isEmpty)
        #expect(
            try await asset.load(.tracks).first?.format
                == .video(codec: "fake-video", width: 32, height: 18, frameRate: Ratio(25)))
        #expect(try await asset.load(.trackGroups) == [AssetTrackGroup(trackIDs: [TrackID(1), TrackID(2), TrackID(3)])])
        #expect(try await asset.load(.availableMediaCharacteristicsWithMediaSelectionOptions) == [.audible])
        #expect(
            try await asset.load(.segments) == [AssetTrackSegment(timeRange: TimeRange(start: .zero, end: FakeMedia().duration))])
        asset.close()
    }

    @Test("protected content is a result, and any other failure is an error", arguments: [ErrorCode.protected, .sourceFormat])
    func protected(code: ErrorCode) async throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.loader.put(FakeMedia(failure: MediaError(code, "Opening it failed: it was made to; do not.")), at: "film")
        let asset = Asset(url: "film", services: rig.player.services)
        asset.start(.tracks)
        rig.run(until: { if case .failed = asset.status(of: .tracks) { true } else { false } })
        if code == .protected {
            #expect(try await asset.hasProtectedContent())
        } else {
            await #expect(throws: MediaError.self) { try await asset.hasProtectedContent() }
        }
    }

    @Test("a spliced asset has a segment for each piece")
    func segments() {
        var description = SourceDescription(
            kind: "hls", tracks: [], duration: .finite(seconds(60)),
            seekableTimeRanges: [TimeRange(start: .zero, end: seconds(60))])
        description.discontinuities = [seconds(20), seconds(35)]
        guard case .description(let value) = AssetProperty<[AssetTrackSegment]>.segments.getter else {
            Issue.record("the description no longer gives segments")
            return
        }
        #expect(value(description).map(\.timeRange.start) == [.zero, seconds(20), seconds(35)])
        #expect(value(description).map(\.timeRange.end) == [seconds(20), seconds(35), seconds(60)])
    }

    @Test("for an address without a resource all properties fail with a sentence")
    func missing() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        let asset = Asset(url: "absent", services: rig.player.services)
        asset.start(.tracks)
        rig.run(until: { if case .failed = asset.status(of: .duration) { true } else { false } })
        guard case .failed(let error) = asset.status(of: .duration) else { Issue.record("it has not failed"); return }
        #expect(error.code == .sourceMissing && error.sentence.hasSuffix("."))
    }

    @Test(
        "a playlist beyond its limit is refused as such, whatever its name, and a film with the name of a playlist is opened",
        arguments: ["list.m3u8", "list", "film.m3u8"])
    func tooLong(url: String) throws {
        let loop = try MainLoop(time: .simulated)
        let loader = FileLoader(clock: loop.clock)
        let isFilm = url.hasPrefix("film")
        loader.put(.tooLong(isFilm ? FakeSegment.bytes(start: 0) : Array("#EXTM3U\n#EXTINF:2,\na.ts\n".utf8)), at: url)
        let display = HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: Ratio(60)), clock: loop.clock)
        let services = PlaybackServices(
            clock: loop.clock, loader: loader, codecs: FakeCodecs(), display: display, sink: NullSink(clock: loop.clock),
            makeHLSSource: { _, _ in preconditionFailure("nothing is HLS") })
        let asset = Asset(url: url, services: services)
        var answers: [Result<SourceDescription, MediaError>] = []
        asset.load { answers.append($0) }
        #expect(loop.run(within: .seconds(10)) { !answers.isEmpty })
        #expect(loader.loadCount == 1)
        switch answers.first {
        case .success(let description): #expect(isFilm && description.kind == "file")
        case .failure(let error): #expect(!isFilm && error.fault == .tooLong)
        case nil: Issue.record("there is no answer")
        }
        asset.close()
    }

    /// A server that accepts connections and never answers.
    private struct Silence {
        let loop: MainLoop
        let loader: SilentLoader
        let player: Player

        @MainActor init() throws {
            loop = try MainLoop(time: .real)
            loader = SilentLoader()
            let display = HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: Ratio(60)), clock: loop.clock)
            player = try Player(
                services: PlaybackServices(
                    clock: loop.clock, loader: loader, codecs: FakeCodecs(), display: display, sink: NullSink(clock: loop.clock),
                    makeHLSSource: { _, _ in preconditionFailure("nothing is HLS") }))
        }

        /// The loader's thread does not wake this loop, so the condition is polled.
        @MainActor func run(until isDone: () -> Bool) {
            var isLate = false
            let guardian = loop.clock.schedule(after: .seconds(60)) { isLate = true }
            while !isLate, !isDone() {
                var isTime = false
                let beat = loop.clock.schedule(after: .milliseconds(10)) { isTime = true }
                loop.run(until: { isLate || isTime || isDone() })
                beat.cancel()
            }
            guardian.cancel()
        }
    }

    @Test(
        "cancelling a load from a server that never answers takes effect at once, and its thread ends",
        arguments: ["film.mp4", "film.m3u8"])
    func cancel(url: String) throws {
        let silence = try Silence()
        defer { silence.player.close() }
        let asset = Asset(url: url, services: silence.player.services)
        var answers: [Result<SourceDescription, MediaError>] = []
        asset.load { answers.append($0) }
        silence.run(until: { silence.loader.isWaiting })
        #expect(silence.loader.isWaiting)
        asset.cancelLoading()
        // The result is set when the call returns, so a viewer who leaves does not wait for the thread.
        #expect(answers.count == 1)
        guard case .failure(let error) = answers.first, case .cancelled = asset.status else {
            Issue.record("it was not given up"); return
        }
        #expect(error.sentence.contains(url))
        silence.run(until: { !silence.loader.isWaiting })
        #expect(!silence.loader.isWaiting)
        #expect(answers.count == 1)
    }

    @Test("an item that never loads is left at once, and blanks continue while it loads")
    func leave() throws {
        let silence = try Silence()
        defer { silence.player.close() }
        silence.player.replaceCurrentItem(with: PlayerItem(asset: Asset(url: "film.mp4", services: silence.player.services)))
        silence.player.play()
        silence.run(until: { silence.loader.isWaiting })
        let before = silence.player.scheduler.flipCount
        for _ in 0..<3 {
            let count = silence.player.scheduler.flipCount
            silence.player.scheduler.showAgain()
            silence.run(until: { silence.player.scheduler.flipCount > count })
        }
        #expect(silence.player.scheduler.flipCount >= before + 3)
        #expect(silence.player.state.timeControlStatus == .waitingToPlayAtSpecifiedRate(.evaluatingBufferingRate))
        silence.player.replaceCurrentItem(with: nil)
        #expect(silence.player.state.itemStatus == nil && silence.player.state.timeControlStatus == .paused)
        silence.run(until: { !silence.loader.isWaiting })
        #expect(!silence.loader.isWaiting)
    }
}

/// Accepts all bytes and answers nothing.
private final class SilentLoader: ByteLoading {
    private let waiting = Atomic(0)
    var isWaiting: Bool { waiting.load(ordering: .sequentiallyConsistent) > 0 }

    private final class Task: ByteTask {
        private let loader: SilentLoader
        private let isOver = Atomic(false)
        init(_ loader: SilentLoader) {
            self.loader = loader
            loader.waiting.add(1, ordering: .sequentiallyConsistent)
        }
        func cancel() {
            if !isOver.exchange(true, ordering: .sequentiallyConsistent) {
                loader.waiting.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
    }

    private final class Stream: ByteStream {
        let name = "silence"
        let length: Int64? = nil
        private let loader: SilentLoader
        private let isCancelled = Monitor(false, ledger: nil)
        init(_ loader: SilentLoader) { self.loader = loader }
        func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
            loader.waiting.add(1, ordering: .sequentiallyConsistent)
            isCancelled.wait { $0 ? () : nil }
            loader.waiting.subtract(1, ordering: .sequentiallyConsistent)
            return 0
        }
        func seek(to offset: Int64) throws(MediaError) {}
        func cancel() { isCancelled.update { $0 = true } }
    }

    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { Task(self) }

    func stream(_ url: String) -> any ByteStream { Stream(self) }
}
