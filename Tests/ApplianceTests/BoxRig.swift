import BoxModel
import ChannelFeed
import CivilTime
import Display
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Playback
import Screens
import Sound
import StatusModel
import TestSupport
import Viewing

@testable import Appliance

/// Draws nothing; tests inspect the machine's state instead.
@MainActor
final class NoDrawing: InterfaceDrawing {
    private(set) var states: [PresentationState] = []

    func update(_ state: PresentationState, _ then: @escaping @MainActor @Sendable ([InterfaceLayer]) -> Void) {
        states.append(state)
        then([])
    }

    func background(for state: PresentationState) -> OpaqueColour { .black }
    func displayChanged(_ mode: DisplayMode) {}
    func setEmbeddedArtwork(_ bytes: [UInt8]?) {}
}

/// A whole box on the simulated clock, with films made of numbers.
@MainActor
final class BoxRig {
    let loop: MainLoop
    let clock: any HostClock
    let loader: FakeLoader
    let codecs = FakeCodecs()
    let places: any PlaceStore
    let display: HeadlessDisplay
    let drawing = NoDrawing()
    let parts: ApplianceParts
    let box: Appliance
    let player: Player
    private(set) var outcomes: [Appliance.Outcome] = []
    /// Each time the box went to standby (true) or woke (false).
    private(set) var standbys: [Bool] = []
    private var listening: Subscription?
    /// What is at the addresses of playlists, made anew each time that one is opened.
    var streams: [String: @MainActor (PlaybackServices) -> any MediaSource] {
        get { shelf.streams }
        set { shelf.streams = newValue }
    }
    private let shelf = Shelf()

    /// Makes the sources of playlists.
    @MainActor
    private final class Shelf {
        var streams: [String: @MainActor (PlaybackServices) -> any MediaSource] = [:]
        var services: PlaybackServices?
    }

    init(
        places: any PlaceStore = MemoryPlaceStore(), viewer: ViewerParts? = nil, policy: InterfacePolicy = InterfacePolicy(),
        wallClock: @escaping @MainActor () -> FeedDate? = { nil }, zone: CivilZone = .utc, following rates: [Ratio]? = nil,
        plays: (any PlayStore)? = nil, wakes: WakePolicy? = nil,
        sink: @MainActor (any HostClock) -> any AudioSink = { NullSink(clock: $0) }
    ) throws {
        self.places = places
        loop = try MainLoop(time: .simulated)
        clock = loop.clock
        loader = FakeLoader(clock: clock)
        display = HeadlessDisplay(
            mode: DisplayMode(width: 1920, height: 1080, refresh: Ratio(60)), clock: clock, refreshRates: rates ?? [])
        var services = PlaybackServices(
            clock: clock, loader: loader, codecs: codecs, display: display, sink: sink(clock),
            makeHLSSource: { [weak shelf] url, _ in shelf!.streams[url]!(shelf!.services!) }
        ).repeatable
        services.matchesRefresh = rates != nil
        if let wakes { services.wakes = wakes }
        shelf.services = services
        player = try Player(services: services, actionAtItemEnd: .advance)
        let sheet = Sheet()
        var parts = ApplianceParts(
            clock: clock, player: player, services: services, drawing: drawing, places: places, log: LogBook(clock: clock))
        parts.dump = EventDump(clock: clock) { sheet.add($0) }
        parts.wallClock = wallClock
        parts.zone = zone
        if let viewer { parts.viewer = viewer }
        parts.plays = plays
        self.parts = parts
        box = Appliance(parts: parts, policy: policy)
        self.sheet = sheet
        listening = box.events.listen { [weak self] event in
            switch event {
            case .outcome(let outcome): self?.outcomes.append(outcome)
            case .standby(let isStandby): self?.standbys.append(isStandby)
            default: break
            }
        }
    }

    private final class Sheet {
        var lines: [DumpLine] = []
        var frames: [Int64] = []
        var flips: [HostTime] = []

        /// Frames are read after each event: their times are kept separately.
        func add(_ line: DumpLine) {
            lines.append(line)
            if case .frame(let frame) = line.fact {
                frames.append(frame.asset.milliseconds)
                flips.append(frame.flip)
            }
        }
    }
    private let sheet: Sheet

    /// Puts films at their addresses.
    func put(_ films: [String: FakeMedia]) {
        for name in films.keys.sorted() { loader.put(films[name]!, at: "https://test/\(name)") }
    }

    /// Applies a feed with these items.
    func apply(items: String, channels: String = "[]", policy: String = #"{"snapBack": "first"}"#, series: String = "[]") throws {
        box.apply(try feed(#""channels": \#(channels), "items": \#(items), "policy": \#(policy), "series": \#(series)"#))
    }

    /// Runs until a condition holds.
    ///
    /// - Returns: whether it held within the limit of simulated time.
    @discardableResult
    func run(within limit: Duration = .seconds(120), until isDone: () -> Bool) -> Bool {
        loop.run(within: limit, until: isDone)
    }

    /// Lets simulated time pass.
    func run(for length: Duration) { run(within: length, until: { false }) }

    /// Presses a key and releases it a tenth of a second later.
    @discardableResult
    func press(_ key: RemoteKey) -> CommandResult {
        let result = box.handle(RemoteEvent(key: key, phase: .press, time: clock.now, device: "test"))
        run(for: .milliseconds(100))
        _ = box.handle(RemoteEvent(key: key, phase: .release, time: clock.now, device: "test"))
        return result
    }

    /// The facts of a kind, without their times.
    func told(_ kind: DumpFact.Kind) -> [DumpFact] { sheet.lines.map(\.fact).filter { $0.written.kind == kind } }

    /// The ids of what was opened.
    var opened: [String] {
        sheet.lines.compactMap { if case .open(let id) = $0.fact { id } else { nil } }
    }

    /// Asset times of the shown frames, in milliseconds.
    var frames: [Int64] { sheet.frames }

    /// When they were shown.
    var flips: [HostTime] { sheet.flips }

    func forget() {
        sheet.lines = []
        sheet.frames = []
        sheet.flips = []
        outcomes = []
    }

    /// All lines, as they are written.
    var lines: [String] { sheet.lines.map(\.description) }

    var nowPlaying: NowPlaying { box.nowPlaying }
    var state: PresentationState { box.machine.state }

    func close() { player.close() }
}

/// A failed expectation describes the rig by its name: the walk through all objects of a box takes longer than anybody waits.
extension BoxRig: @MainActor CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// A feed with these members.
func feed(_ members: String) throws -> Feed {
    let text = #"{"feedVersion": 1, "id": "test", \#(members)}"#
    let verdict = FeedReader.read(Array(text.utf8), baseURL: "https://test/feed.json")
    struct Refused: Error { var findings: [FeedFinding] }
    guard let feed = verdict.feed else { throw Refused(findings: verdict.findings) }
    return feed
}

/// Frames of a film at 25 frames a second, in milliseconds.
func millis(_ frames: Range<Int>) -> [Int64] { frames.map { Int64($0) * 40 } }
