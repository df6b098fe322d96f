import Display
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import NetworkConditions
import Sound
import TestSupport
import Testing

@testable import HLSStreaming
@testable import Playback

/// A player of HLS on the simulated clock: with a scripted origin, segments made of text lines, and a screen in memory.
@MainActor
final class StreamRig {
    let loop: MainLoop
    let player: Player
    /// The resources at `http://test/…`.
    let script = OriginScript()
    /// The live encoder at `http://live/…`, if there is one.
    private(set) var live: LiveOrigin?
    /// Frames of the presentation, in the order in which they were shown.
    private(set) var frames: [FrameRecord] = []
    /// The reports about interstitials: `begin a 1/2`, `end a completed`, each change once.
    private(set) var interstitials: [String] = []
    private(set) var statuses: [InterstitialStatus] = []
    /// How many frames of the presentation were shown before the first interstitial.
    private(set) var framesBefore: Int?
    private(set) var presentedMetadata: [(at: MediaTime, items: [String])] = []
    /// `begin a`, `end a`, `at 2` for metadata of a segment.
    private(set) var passages: [(at: MediaTime, line: String)] = []
    private(set) var hasEnded = false
    private(set) var error: MediaError?
    private(set) var rates: [Ratio] = []
    /// The errors of unavailable audio.
    private(set) var soundFailures: [MediaError] = []
    private var listening: Subscription?
    /// Records the device's input.
    let sink: RecordingSink

    /// - Parameters:
    ///   - codecs: the demuxers and decoders.
    ///   - policy: chooses the variants; nil for the one of the box.
    ///   - above: makes the player's loader from the one of the origin.
    init(
        live plan: LiveOrigin.Plan? = nil, network: NetworkProfile = .unlimited, codecs: FakeCodecs = FakeCodecs(),
        policy: (any StreamPolicy)? = nil,
        above: (any ByteLoading, any HostClock) -> any ByteLoading = { loader, _ in loader }
    ) throws {
        loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        let live = plan.map { LiveOrigin($0, clock: clock) }
        self.live = live
        let scripted = SimulatedOrigin(clock: clock, script: script, network: network)
        let loader = above(live.map { RoutedLoader("http://live/", to: $0, others: scripted) } ?? scripted, clock)
        let sink = RecordingSink(NullSink(clock: clock))
        self.sink = sink
        let display = HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: Ratio(60)), clock: clock)
        player = try Player(
            services: PlaybackServices(
                clock: clock, loader: loader, codecs: codecs, display: display, sink: sink
            ) { url, playlist in
                guard let policy else {
                    return HLSSource(playlist: playlist, screen: (1920, 1080), loader: loader, codecs: codecs, clock: clock)
                }
                return HLSSource(
                    playlist: playlist, screen: (1920, 1080), loader: loader, codecs: codecs, clock: clock
                ) { _, _ in policy }
            }.repeatable)
        listening = player.events.listen { [weak self] in self?.take($0) }
    }

    private func take(_ event: PlayerEvent) {
        switch event {
        case .frame(let record): frames.append(record)
        case .didPlayToEnd: hasEnded = true
        case .soundChangeFailed(let error): soundFailures.append(error)
        case .state(let state):
            if case .failed(let error) = state.itemStatus { self.error = error }
            if rates.last != state.rate { rates.append(state.rate) }
        case .interstitial(let change): take(change)
        case .metadata(.presented(let items)):
            presentedMetadata.append((player.currentTime, items.map { "\($0.identifier.key)=\($0.stringValue ?? "")" }))
        case .metadata(.passed(let passed)): for passage in passed { take(passage) }
        default: break
        }
    }

    private func take(_ passage: MetadataPassage) {
        let line =
            switch passage {
            case .began(let range): "begin \(range.uniqueID)"
            case .ended(let range): "end \(range.uniqueID)"
            case .reached(let group): "at \(group.timeRange.start.wholeSteps(of: .seconds(1)))"
            }
        passages.append((player.currentTime, line))
    }

    private func take(_ change: InterstitialChange) {
        switch change {
        case .presenting(let status):
            statuses.append(status)
            framesBefore = framesBefore ?? frames.count
            let line = "begin \(status.interstitial.id) \(status.asset + 1)/\(status.assetCount)"
            if interstitials.last != line { interstitials.append(line) }
        case .ended(let interstitial, let outcome): interstitials.append("end \(interstitial.id) \(outcome.rawValue)")
        case .schedule: break
        }
    }

    /// Adds a playlist of two-second segments, with pictures and sound, at `http://test/NAME.m3u8`; its first segment starts at
    /// noon.
    func put(_ name: String, seconds: Int, header: String = "", isDated: Bool = false, kinds: String = "va") {
        let date = isDated ? "#EXT-X-PROGRAM-DATE-TIME:\(LiveOrigin.date(0))\n" : ""
        script.putStream(name, seconds: seconds, header: date + header, kinds: kinds)
    }

    /// A presentation with English sound in a playlist of its own.
    static let separateSound = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="en.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a"
        main.m3u8
        """

    /// Adds it at `http://test/all.m3u8`, with its playlists and segments.
    func putSeparateSound(seconds: Int) {
        put("main", seconds: seconds, kinds: "v")
        put("en", seconds: seconds, kinds: "a")
        script.put(Self.separateSound, at: "http://test/all.m3u8")
    }

    /// The line of an interstitial this many seconds after noon.
    static func interstitial(_ id: String, at second: Double, _ attributes: String) -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"\(LiveOrigin.date(second))\",\(attributes)\n"
    }

    /// Adds a presentation with English and Spanish audio, of which the Spanish is negative, and plays its first five seconds.
    ///
    /// - Parameter english: the playlist of the English audio; nil: it is in the video segments.
    func playTwoSounds(english: String?, seconds: Int) -> PlayerItem {
        put("main", seconds: seconds, kinds: english == nil ? "va" : "v")
        if let english { put(english, seconds: seconds, kinds: "a") }
        put("es", seconds: seconds, kinds: "b")
        let address = english.map { ",URI=\"\($0).m3u8\"" } ?? ""
        script.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES\(address)
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Español",LANGUAGE="es",URI="es.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a"
            main.m3u8
            """, at: "http://test/all.m3u8")
        let item = play("http://test/all.m3u8")
        #expect(run { player.currentTime >= .seconds(5) })
        return item
    }

    @discardableResult
    func play(_ url: String = "http://test/main.m3u8", configure: (PlayerItem) -> Void = { _ in }) -> PlayerItem {
        let item = PlayerItem(asset: Asset(url: url, services: player.services))
        configure(item)
        player.replaceCurrentItem(with: item)
        player.play()
        return item
    }

    /// Runs until a condition holds, or until a length of simulated time has passed.
    @discardableResult
    func run(within limit: Duration = .seconds(120), until isDone: () -> Bool) -> Bool {
        loop.run(within: limit, until: isDone)
    }

    /// Seeks exactly.
    ///
    /// - Returns: whether the picture was shown within 20 s.
    func seek(to time: MediaTime) -> Bool {
        var isThere: Bool?
        player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { isThere = $0 }
        return run(within: .seconds(20), until: { isThere != nil }) && isThere == true
    }

    /// Lets simulated time pass.
    func run(for length: Duration) { run(within: length, until: { false }) }

    func forgetFrames() { frames = [] }

    /// The times of the shown frames.
    var times: [MediaTime] { frames.map(\.time) }

    /// Whether a frame in a range was shown.
    func saw(_ start: Int64, _ end: Int64) -> Bool { times.contains { $0 >= .seconds(start) && $0 < .seconds(end) } }

    /// When an address was first requested, relative to the start.
    func instant(of url: String) -> Duration? { script.requests.first { $0.url == url }?.elapsed }

    /// How often an address was requested.
    func requestCount(of url: String) -> Int { script.requests.filter { $0.url == url }.count }

    func close() { player.close() }
}
