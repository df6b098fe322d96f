import Display
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// A screen in memory that says it shows high ranges, and records what is asked of it.
final class RangeScreen: DisplayOutput {
    private let display: HeadlessDisplay
    private let state: Mutex<State>
    private let clock: any HostClock

    private struct State {
        var range: ScreenRange
        var requests: [(at: HostTime, request: SignalRequest)] = []
    }

    init(_ display: HeadlessDisplay, offering ranges: Set<HighDynamicRange>, clock: any HostClock) {
        self.display = display
        self.clock = clock
        state = Mutex(State(range: ScreenRange(offered: ranges)))
    }

    /// All requests, in order.
    var requests: [SignalRequest] { state.withLock { $0.requests.map(\.request) } }
    var lastRequest: HostTime? { state.withLock { $0.requests.last?.at } }

    var name: String { display.name }
    var mode: DisplayMode { display.mode }
    var videoAllocator: any FrameAllocator { display.videoAllocator }
    var interfaceAllocator: any FrameAllocator { display.interfaceAllocator }
    var refreshRates: [Ratio] { display.refreshRates }
    var range: ScreenRange { state.withLock { $0.range } }
    var counters: DisplayCounters { display.counters }
    func wake() { display.wake() }
    @MainActor func start(_ source: any PresentationSource) throws(MediaError) { try display.start(source) }
    @MainActor func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) { display.readScreen(then) }
    @MainActor func setPower(_ isOn: Bool) { display.setPower(isOn) }
    @MainActor func stop() { display.stop() }

    @MainActor func setSignal(_ request: SignalRequest) {
        let now = clock.now
        state.withLock { $0.requests.append((now, request)) }
        display.setSignal(request)
    }
}

@Suite("The signal to the screen follows the item")
@MainActor
struct ScreenMatchTests {
    private func film(_ range: HighDynamicRange?, rate: Ratio = Ratio(24)) -> FakeMedia {
        var film = FakeMedia(frameCount: 72, frameRate: rate, soundDuration: .seconds(3))
        film.highRange = range
        return film
    }

    private func play(_ film: FakeMedia, at url: String, on rig: PlayerRig) {
        rig.open(film, at: url)
        rig.player.play()
        #expect(rig.run(until: { rig.isPlaying }))
    }

    @Test("range and rate are asked for together before the first picture, not on a seek, and end three seconds after the item")
    func once() throws {
        let rig = try PlayerRig(following: [Ratio(24)], ranges: [.pq])
        defer { rig.close() }
        let screen = try #require(rig.screen)
        rig.open(film(.pq))
        rig.player.play()
        #expect(rig.run(until: { !rig.frames.isEmpty }))
        let first = try #require(rig.frames.first)
        #expect(screen.requests == [SignalRequest(refresh: Ratio(24), range: .pq)])
        #expect(try #require(screen.lastRequest) < first.flip)
        #expect(rig.seek(to: .seconds(1)) == true)
        rig.player.pause()
        rig.run(for: .seconds(20))
        #expect(screen.requests.count == 1)
        rig.player.replaceCurrentItem(with: nil)
        rig.player.endScreenMatching()
        let end = rig.clock.now
        rig.run(for: .seconds(10))
        #expect(screen.requests.count == 2 && screen.requests.last == SignalRequest())
        #expect(screen.lastRequest.map { $0 - end } == .seconds(3))
    }

    @Test(
        "an item that begins within the three seconds keeps the range; one in another range or a standard one changes it at its start"
    )
    func following() throws {
        let rig = try PlayerRig(following: [Ratio(24)], ranges: [.pq, .hlg])
        defer { rig.close() }
        let screen = try #require(rig.screen)
        play(film(.pq), at: "first", on: rig)
        rig.player.replaceCurrentItem(with: nil)
        rig.player.endScreenMatching()
        rig.run(for: .seconds(2))
        play(film(.pq), at: "second", on: rig)
        rig.run(for: .seconds(5))
        // Each item in a high range asks for its own light.
        let pq = SignalRequest(refresh: Ratio(24), range: .pq)
        #expect(screen.requests == [pq, pq])
        play(film(.hlg), at: "third", on: rig)
        play(film(nil), at: "fourth", on: rig)
        #expect(
            screen.requests.dropFirst(2) == [SignalRequest(refresh: Ratio(24), range: .hlg), SignalRequest(refresh: Ratio(24))])
        play(film(nil), at: "fifth", on: rig)
        rig.player.endScreenMatching()
        #expect(screen.requests.count == 5 && screen.requests.last == SignalRequest(), "at once")
    }

    @Test("a range that the screen does not show, or that the operator has switched off, is not asked for")
    func notShown() throws {
        for (ranges, isOn) in [([], true), ([.hlg], true), ([.pq], false)] as [(Set<HighDynamicRange>, Bool)] {
            let rig = try PlayerRig(ranges: ranges, showsHighRange: isOn)
            defer { rig.close() }
            play(film(.pq), at: "film", on: rig)
            rig.player.endScreenMatching()
            rig.run(for: .seconds(5))
            #expect(rig.screen?.requests.isEmpty == true)
        }
    }

    @Test("an item in another range is not joined to the one before, one in the same range is")
    func joined() throws {
        for (second, requests) in [(HighDynamicRange.pq, 1), (.hlg, 2), (nil, 2)] as [(HighDynamicRange?, Int)] {
            let rig = try PlayerRig(ranges: [.pq, .hlg], isQueue: true)
            defer { rig.close() }
            rig.open(film(.pq), at: "first")
            rig.loader.put(film(second), at: "second")
            rig.player.insert(PlayerItem(asset: Asset(url: "second", services: rig.player.services)), after: nil)
            rig.player.play()
            #expect(rig.run(until: { rig.player.currentItem?.asset.url == "second" && rig.isAtEnd }))
            #expect(rig.screen?.requests.count == requests, "\(String(describing: second))")
        }
    }
}
