import Display
import HLSStreaming
import LinuxSupport
import MediaModel
import MediaTime
import NetworkConditions
import Sound
import TestSupport
import Testing

@testable import Playback

/// A queue of streams and films whose samples are their own numbers.
@MainActor
private final class Evening {
    let loop: MainLoop
    let player: Player
    let sink: RecordingSink
    private let script = OriginScript()
    private let films: FakeLoader
    private(set) var frames: [FrameRecord] = []
    private(set) var ends = 0
    private var listening: Subscription?
    private(set) var errors: [String] = []

    init(network: NetworkProfile = .unlimited) throws {
        loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        films = FakeLoader(clock: clock)
        sink = RecordingSink(NullSink(clock: clock))
        let loader = RoutedLoader(
            "http://test/", to: SimulatedOrigin(clock: clock, script: script, network: network), others: films)
        let codecs = FakeCodecs()
        player = try Player(
            services: PlaybackServices(
                clock: clock, loader: loader, codecs: codecs,
                display: HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: Ratio(60)), clock: clock), sink: sink
            ) { url, playlist in
                HLSSource(playlist: playlist, screen: (1920, 1080), loader: loader, codecs: codecs, clock: clock)
            }.repeatable, actionAtItemEnd: .advance)
        listening = player.events.listen { [weak self] event in
            switch event {
            case .frame(let record): self?.frames.append(record)
            case .didPlayToEnd: self?.ends += 1
            case .newErrorLogEntry(let entry): self?.errors.append(entry.errorComment ?? "")
            case .itemSkipped(_, let error): self?.errors.append(error.sentence)
            default: break
            }
        }
    }

    /// Adds a stream of two-second segments to the queue, with arbitrary timestamps.
    func insertStream(_ name: String, seconds: Int, stamp: Int64 = 900_000) {
        script.putStream(name, seconds: seconds, stamp: stamp)
        insert("http://test/\(name).m3u8")
    }

    func insertFilm(_ name: String, frames: Int) {
        films.put(FakeMedia(frameCount: frames, soundDuration: MediaTime(Int64(frames), 25)), at: name)
        insert(name)
    }

    private func insert(_ url: String) {
        player.insert(PlayerItem(asset: Asset(url: url, services: player.services)), after: nil)
    }

    /// Plays everything.
    func play(items: Int) -> Bool {
        player.play()
        return loop.run(within: .seconds(120), until: { self.ends == items || !self.errors.isEmpty })
    }

    var longestStandstill: Duration { zip(frames, frames.dropFirst()).map { $1.flip - $0.flip }.max() ?? .zero }
}

@Suite("Streams in a queue are joined without a missing sample or frame")
@MainActor
struct StreamJointTests {
    private func numbers(_ lengths: Int...) -> [Float] { lengths.flatMap { (0..<$0 * 48_000).map { Float($0) } } }
    private func times(_ lengths: Int...) -> [MediaTime] { lengths.flatMap { (0..<$0 * 25).map { MediaTime(Int64($0), 25) } } }

    private func expectWhole(_ evening: Evening, _ sound: [Float], _ frames: [MediaTime]) {
        #expect(evening.errors == [])
        #expect(evening.frames.map(\.time).count == frames.count)
        #expect(zip(evening.frames.map(\.time), frames).first { $0 != $1 } == nil)
        let heard = Array(evening.sink.enqueued.prefix(sound.count))
        let wrong = zip(heard, sound).enumerated().first { $1.0 != $1.1 }
        #expect(heard.count == sound.count && wrong == nil, "sample \(wrong?.offset ?? heard.count) of \(sound.count)")
        #expect(evening.longestStandstill <= .milliseconds(51), "a frame was shown for \(evening.longestStandstill)")
        #expect(evening.player.state.stallCount == 0)
    }

    @Test("a stream after a stream with unrelated timestamps")
    func streams() throws {
        let evening = try Evening()
        defer { evening.player.close() }
        evening.insertStream("a", seconds: 6)
        evening.insertStream("b", seconds: 8, stamp: 5_000_000)
        evening.insertStream("c", seconds: 6, stamp: 0)
        #expect(evening.play(items: 3))
        expectWhole(evening, numbers(6, 8, 6), times(6, 8, 6))
    }

    @Test("a file after a stream, and a stream after a file")
    func mixed() throws {
        let evening = try Evening()
        defer { evening.player.close() }
        evening.insertStream("a", seconds: 6)
        evening.insertFilm("film", frames: 125)
        evening.insertStream("b", seconds: 6, stamp: 123_456)
        #expect(evening.play(items: 3))
        expectWhole(evening, numbers(6, 5, 6), times(6, 5, 6))
    }

    @Test("over a slow network")
    func slow() throws {
        let evening = try Evening(network: try #require(NetworkProfile("dsl")))
        defer { evening.player.close() }
        evening.insertStream("a", seconds: 6)
        evening.insertStream("b", seconds: 6)
        #expect(evening.play(items: 2))
        expectWhole(evening, numbers(6, 6), times(6, 6))
    }
}
