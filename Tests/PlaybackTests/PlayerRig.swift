import Display
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Sound
import TestSupport

@testable import Playback

/// A player on the simulated clock with fakes for all devices and sources: films made of numbers, a screen in memory, and sound that is not audible.
@MainActor
final class PlayerRig {
    let loop: MainLoop
    let clock: any HostClock
    let loader: FakeLoader
    let codecs: FakeCodecs
    let display: HeadlessDisplay
    /// What stands between the player and the display, if the screen shows high ranges.
    let screen: RangeScreen?
    let sink: RecordingSink
    let player: Player
    /// All reports of the player, with their instants.
    private(set) var events: [(at: HostTime, event: PlayerEvent)] = []
    /// The shown frames, in order.
    private(set) var frames: [FrameRecord] = []
    private(set) var item: PlayerItem?
    private var listening: Subscription?
    private let shelf = Shelf()
    /// What is at the addresses of playlists. Each is opened once.
    var presentations: [String: any MediaSource] {
        get { shelf.sources }
        set { shelf.sources = newValue }
    }
    /// Called for each event, after it was recorded.
    var onEvent: ((PlayerEvent) -> Void)?

    /// - Parameters:
    ///   - rates: further refresh rates of the screen, which follows those of films; nil if it does not.
    ///   - ranges: the high dynamic ranges that the screen offers.
    ///   - showsHighRange: whether they may be used.
    ///   - recording: a WAV file to which all sound is recorded.
    ///   - level: the value of every sample of sound, instead of its number.
    ///   - device: makes the sink instead.
    ///   - soundDelay: how much later than the picture the sound is.
    ///   - time: real or simulated time.
    ///   - wakes: how often the player is woken.
    ///   - buffering: how decoders and sources are resumed.
    ///   - times: of the decoders on the processor.
    ///   - decodesInHardware: whether hardware decoders are tried first.
    init(
        refresh: Ratio = Ratio(60), following rates: [Ratio]? = nil, ranges: Set<HighDynamicRange>? = nil,
        showsHighRange: Bool = true, isQueue: Bool = false, recording: String? = nil,
        level: Float? = nil, device: ((any HostClock) -> any AudioSink)? = nil,
        soundDelay: Duration = .zero, time: MainLoop.Time = .simulated, wakes: WakePolicy = .steady,
        buffering: BufferingPolicy = .immediate, times: ((any HostClock) -> any ProcessorTimes)? = nil,
        decodesInHardware: Bool = false
    ) throws {
        codecs = FakeCodecs(level: level)
        loop = try MainLoop(time: time)
        clock = loop.clock
        loader = FakeLoader(clock: clock)
        display = HeadlessDisplay(
            mode: DisplayMode(width: 64, height: 36, refresh: refresh), clock: clock, refreshRates: rates ?? [])
        screen = ranges.map { [display, clock] in RangeScreen(display, offering: $0, clock: clock) }
        if let recording {
            sink = RecordingSink(try WAVSink(path: recording, clock: clock))
        } else {
            sink = RecordingSink(device?(clock) ?? NullSink(clock: clock))
        }
        var services = PlaybackServices(
            clock: clock, loader: loader, codecs: codecs, display: screen ?? display, sink: sink,
            makeHLSSource: { [shelf] url, _ in shelf.sources.removeValue(forKey: url)! }
        ).repeatable
        services.wakes = wakes
        services.buffering = buffering
        if let times { services.processorTimes = times(clock) }
        services.soundDelay = soundDelay
        services.decodesInHardware = decodesInHardware
        services.matchesRefresh = rates != nil
        services.showsHighRange = showsHighRange
        player = try Player(services: services, actionAtItemEnd: isQueue ? .advance : .pause)
        listening = player.events.listen { [weak self] in self?.take($0) }
    }

    private func take(_ event: PlayerEvent) {
        events.append((clock.now, event))
        if case .frame(let record) = event { frames.append(record) }
        onEvent?(event)
    }

    /// Makes a film the current item.
    @discardableResult
    func open(_ media: FakeMedia, at url: String = "film", configure: (PlayerItem) -> Void = { _ in }) -> PlayerItem {
        loader.put(media, at: url)
        let item = PlayerItem(asset: Asset(url: url, services: player.services))
        configure(item)
        self.item = item
        player.replaceCurrentItem(with: item)
        return item
    }

    /// Runs until a condition holds.
    ///
    /// - Returns: false if the limit of simulated time was reached first.
    @discardableResult
    func run(within limit: Duration = .seconds(60), until isDone: () -> Bool) -> Bool {
        loop.run(within: limit, until: isDone)
    }

    /// Lets simulated time pass.
    func run(for length: Duration) { run(within: length, until: { false }) }

    /// Seeks and waits until the seek has completed.
    func seek(to time: MediaTime, before: MediaTime? = .zero, after: MediaTime? = .zero) -> Bool? {
        var result: Bool?
        player.seek(to: time, toleranceBefore: before, toleranceAfter: after) { result = $0 }
        run(until: { result != nil })
        return result
    }

    /// Discards the recorded reports.
    func forget() {
        events = []
        frames = []
    }

    var isAtEnd: Bool { player.state.isAtEnd }
    var isPlaying: Bool { player.state.timeControlStatus == .playing }

    /// How often the end was reported.
    var endCount: Int { events.filter { if case .didPlayToEnd = $0.event { true } else { false } }.count }

    func close() { player.close() }
}

@MainActor
private final class Shelf {
    var sources: [String: any MediaSource] = [:]
}

/// Converts decimal seconds to time.
func seconds(_ value: Int64, _ thousandths: Int64 = 0) -> MediaTime { MediaTime.milliseconds(value * 1000 + thousandths) }

/// Samples that are their own numbers plus a mark.
func ramp(_ numbers: Range<Int>, mark: Float = 0) -> [Float] { numbers.map { Float($0) + mark } }

/// Where two lists first differ, as text; nil if they are equal. Long lists are not printed whole.
func firstDifference<Element: Equatable>(_ left: [Element], _ right: [Element]) -> String? {
    guard
        let index = (0..<max(left.count, right.count)).first(where: { index in
            index >= left.count || index >= right.count || left[index] != right[index]
        })
    else { return nil }
    func item(_ list: [Element]) -> String { index < list.count ? "\(list[index])" : "nothing" }
    return "number \(index) is \(item(left)), not \(item(right)); there are \(left.count), not \(right.count)"
}

extension BufferingPolicy {
    /// Reads to the limits at once, and continues for each sample and each free place, so that a test need not know the stretches.
    static let immediate = {
        var policy = BufferingPolicy()
        policy.startLimit = nil
        policy.stretch = .zero
        policy.refillLevel = .one
        return policy
    }()
}
