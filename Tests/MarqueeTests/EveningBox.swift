import Appliance
import BoxModel
import ChannelFeed
import Configuration
import Display
import Downloads
import Glibc
import Housekeeping
import LinuxSupport
import MediaModel
import MediaTime
import NetworkConditions
import Playback
import Screens
import Sound
import StatusModel
import Supervision
import TestSupport
import Testing

@testable import BoxAssembly
@testable import marquee

/// A whole box in simulated time with a server of fake films, whose network can be pulled.
@MainActor
final class EveningBox {
    let folder: ScratchFolder
    let script: OriginScript
    let box: Box
    private let keeping: BoxKeeping
    private let network = Link()
    private(set) var captions: Set<String> = []
    /// The lengths of the parts of films, by address.
    private var lengths: [String: Int] = [:]
    private var listening: Subscription?
    /// The date at the start of simulated time.
    private let start: FeedDate

    /// Whether the machine has an address.
    @MainActor
    private final class Link {
        var isPlugged = true
    }

    static let cdn = "https://cdn.example/"
    /// The cap of the downloads in kbit/s.
    static let cap = 200

    /// - Parameters:
    ///   - old: the same box before it was switched off, with its disk and its server.
    ///   - change: what the operator has set.
    init(start: FeedDate, after old: EveningBox? = nil, _ change: (inout BoxPlan) -> Void = { _ in }) throws {
        self.start = start
        folder = old?.folder ?? ScratchFolder("evening")
        script = old?.script ?? OriginScript()
        mkdir(folder.path + "/state", 0o755)
        var plan = BoxPlan(display: .headless(DisplayMode(text: "320x180@60")!), audio: .null, languages: ["en", "es"])
        plan.clock = .simulated(start: start)
        plan.stateFolder = folder.path + "/state"
        plan.savedFolder = folder.path + "/state/saved"
        change(&plan)
        let loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        let engines = BoxEngines(
            loop: loop, loader: SimulatedOrigin(clock: clock, script: script), codecs: FakeCodecs(),
            display: HeadlessDisplay(mode: DisplayMode(text: "320x180@60")!, clock: clock, asksAhead: true),
            sink: NullSink(clock: clock), dates: .starting(at: start, with: clock))
        box = try Box(plan, engines: engines, log: LogBook(clock: clock))
        let settings = """
            [feed]
            url = "\(Self.cdn)feed.json"
            [download]
            window = "01:00-06:00"
            max_kbit = \(Self.cap)
            keep_free_mib = 0
            """
        var life = BoxLife.Plan(provisioning: Provisioning(file: settings, applied: nil), files: nil)
        life.stateFolder = plan.stateFolder
        life.media = folder.path + "/media"
        life.question = { [] }
        life.address = { [network] in network.isPlugged ? "192.0.2.1" : nil }
        keeping = box.keep(life, supervisor: Supervisor(decision: .init(), session: nil))
        listening = box.appliance.events.listen { [weak self] in
            guard case .player(.captions(let cues)) = $0 else { return }
            self?.captions.formUnion(cues.map(\.plainText))
        }
        keeping.start()
    }

    func close() {
        keeping.close()
        box.close()
    }

    // MARK: Content

    /// A film of 20 s: pictures, sound in two wanted languages and one that nobody wants, and English captions.
    func put(film name: String) {
        for (track, kinds) in [("main", "v"), ("en", "a"), ("es", "b"), ("fr", "a")] {
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n"
            for number in 0..<2 {
                text += "#EXTINF:10,\n\(track)-\(number).ts\n"
                let stamp = Int64(900_000 + number * 900_000)
                put(FakeSegment.bytes(kinds: kinds, start: stamp, count: 250), at: "\(Self.cdn)\(name)/\(track)-\(number).ts")
            }
            script.put(text + "#EXT-X-ENDLIST\n", at: "\(Self.cdn)\(name)/\(track).m3u8")
        }
        script.put(
            "#EXTM3U\n#EXT-X-TARGETDURATION:20\n#EXTINF:20,\ntext.vtt\n#EXT-X-ENDLIST\n", at: "\(Self.cdn)\(name)/text.m3u8")
        let captions =
            "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n00:00:01.000 --> 00:00:19.000\nwords of \(name)\n"
        put(Array(captions.utf8), at: "\(Self.cdn)\(name)/text.vtt")
        script.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Español",LANGUAGE="es",AUTOSELECT=YES,URI="es.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Français",LANGUAGE="fr",AUTOSELECT=YES,URI="fr.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="text.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a",SUBTITLES="s"
            main.m3u8
            """, at: "\(Self.cdn)\(name)/all.m3u8")
    }

    private func put(_ bytes: [UInt8], at url: String) {
        lengths[url] = bytes.count
        script.put(bytes, at: url)
    }

    /// - Parameter marks: the items with their `offline`.
    func put(feed marks: [(name: String, offline: String)]) {
        let items = marks.map {
            #"{"id":"\#($0.name)","title":"\#($0.name)","proposal":null,"streams":[{"url":"\#($0.name)/all.m3u8"}],"offline":"\#($0.offline)"}"#
        }
        script.put(#"{"feedVersion":1,"id":"f","items":[\#(items.joined(separator: ","))]}"#, at: "\(Self.cdn)feed.json")
    }

    /// Without a network the machine has no address, and no connection is made.
    func pullNetwork() {
        network.isPlugged = false
        script.fail("\(Self.cdn)*", with: .refusal)
    }

    func plugNetwork() {
        network.isPlugged = true
        script.heal()
    }

    // MARK: Time

    /// Seconds since the midnight before the start.
    var time: Int { Int((start.milliseconds + box.loop.clock.now.nanoseconds / 1_000_000) / 1000) - midnight }

    private var midnight: Int { Int(start.milliseconds / 1000) / 86_400 * 86_400 }

    /// Lets time pass until an hour of the first day; 25 is one o'clock of the next day.
    /// Afterwards the screen saver, which stands for Home when nobody has pressed a key, is ended by one.
    func run(untilHour hour: Double) {
        run(for: .seconds(hour * 3600 - Double(time)))
        if box.appliance.shown.screenSaver != nil { _ = press(.info) }
    }

    func run(for length: Duration) { box.loop.run(within: length, until: { false }) }

    func run(within limit: Duration = .seconds(60), until isDone: () -> Bool) -> Bool {
        box.loop.run(within: limit, until: isDone)
    }

    /// The requests for parts of a film with the seconds since the midnight before the start.
    func loads(of film: String) -> [(time: Double, bytes: Int)] {
        script.requests.filter { $0.url.hasPrefix("\(Self.cdn)\(film)/") && !$0.url.hasSuffix(".m3u8") }.map { request in
            let seconds = Double(start.milliseconds) / 1000 + request.elapsed / .seconds(1) - Double(midnight)
            return (seconds, lengths[request.url] ?? 0)
        }
    }

    // MARK: The viewer

    @discardableResult
    func press(_ key: RemoteKey) -> CommandResult {
        let result = box.appliance.handle(RemoteEvent(key: key, phase: .press, time: box.loop.clock.now, device: "test"))
        run(for: .milliseconds(100))
        _ = box.appliance.handle(RemoteEvent(key: key, phase: .release, time: box.loop.clock.now, device: "test"))
        return result
    }

    var shown: PresentationState { box.appliance.shown }
    var home: HomeView? { shown.home }

    /// The states of the posters by the ids of their items.
    var savings: [String: HomeContent.Saving] {
        let entries = home?.content.rows.flatMap(\.entries) ?? []
        return Dictionary(entries.compactMap { entry in entry.saving.map { (entry.id, $0) } }, uniquingKeysWith: { $1 })
    }

    func selectTag(_ tag: String, _ characteristic: MediaCharacteristic) throws {
        let selection = try #require(box.player.currentItem?.selection)
        let group = try #require(selection.group(characteristic))
        let option = try #require(group.options.first { $0.extendedLanguageTag == tag })
        #expect(selection.select(option, in: group))
    }

    func tags(_ characteristic: MediaCharacteristic) -> [String?] {
        box.player.currentItem?.selection.group(characteristic)?.options.map(\.extendedLanguageTag) ?? []
    }
}
