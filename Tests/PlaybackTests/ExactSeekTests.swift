import Display
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import Sound
import Testing
import TestSupport
import Transfer

@testable import Playback

/// Exact seeks in real files: the frame number read from the screen is the requested one.
@Suite(
    "An exact seek shows the requested picture", .serialized,
    .enabled(if: DemoContent.isPresent, "\(DemoContent.absence)"))
@MainActor
struct ExactSeekTests {
    @MainActor
    private struct Box {
        let loop: MainLoop
        let display: HeadlessDisplay
        let player: Player

        @MainActor init(_ path: String) throws {
            loop = try MainLoop(time: .simulated)
            display = HeadlessDisplay(mode: DisplayMode(width: 1280, height: 720, refresh: Ratio(60)), clock: loop.clock)
            player = try Player(
                services: PlaybackServices(
                    clock: loop.clock, loader: CurlTransfer(clock: loop.clock, version: "test"), codecs: FFmpegCodecs(),
                    display: display,
                    sink: NullSink(clock: loop.clock),
                    makeHLSSource: { _, _ in preconditionFailure("a film is no playlist") }
                ).repeatable)
            var isShown = false
            let listening = player.events.listen { if case .frame = $0 { isShown = true } }
            defer { listening.cancel() }
            player.replaceCurrentItem(with: PlayerItem(asset: Asset(url: path, services: player.services)))
            loop.run(until: { isShown })
        }

        func seek(to time: MediaTime) -> Bool {
            var answer: Bool?
            player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { answer = $0 }
            loop.run(until: { answer != nil })
            return answer == true
        }

        func strip() -> FrameStrip? {
            var picture: ScreenPicture??
            display.readScreen { picture = .some($0) }
            loop.run(until: { picture != nil })
            return (picture ?? nil).flatMap { FrameStrip($0.pixels) }
        }
    }

    private nonisolated static let films: [(name: String, frames: Int)] = [("film/film-low.mp4", 900), ("film/film.mp4", 900)]
    private nonisolated static let count = Fixtures.variable("MARQUEE_LONG") == "1" ? 500 : 20

    @Test("random exact seeks: near and far, decoded and cached", arguments: films)
    func random(_ name: String, _ frames: Int) throws {
        let box = try Box(DemoContent.path(name))
        defer { box.player.close() }
        var state: UInt64 = 42
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        var frame = 0
        for number in 0..<Self.count {
            // Every third seek is to a nearby position, which may be cached.
            frame = number % 3 == 2 ? min(max(frame + next(21) - 10, 0), frames - 1) : next(frames)
            #expect(box.seek(to: MediaTime(Int64(frame), 25) + .milliseconds(Int64(next(40)))))
            let strip = box.strip()
            #expect(strip?.frame == frame, "seek \(number) to frame \(frame) shows \(strip.map { "\($0.frame)" } ?? "none")")
        }
    }

    @Test("steps back and forward show the adjacent frames")
    func steps() throws {
        let box = try Box(DemoContent.path("film/film-low.mp4"))
        defer { box.player.close() }
        #expect(box.seek(to: .seconds(10)))
        for (count, frame) in [(-1, 249), (-1, 248), (1, 249), (3, 252), (-5, 247)] {
            var answer: Bool?
            box.player.step(byCount: count) { answer = $0 }
            box.loop.run(until: { answer != nil })
            #expect(box.strip()?.frame == frame)
        }
    }

    @Test("backward playback shows every frame in order")
    func backward() throws {
        let box = try Box(DemoContent.path("film/film-low.mp4"))
        defer { box.player.close() }
        #expect(box.seek(to: .seconds(6)))
        var times: [MediaTime] = []
        let listening = box.player.events.listen { if case .frame(let record) = $0 { times.append(record.time) } }
        defer { listening.cancel() }
        #expect(box.player.setRate(Ratio(-1)))
        box.loop.run(until: { times.last.map { $0 <= .seconds(3) } ?? false })
        let shown = times.filter { $0 < .seconds(6) }
        let wanted = (75..<150).reversed().map { MediaTime(Int64($0), 25) }
        #expect(firstDifference(shown, wanted) == nil)
        #expect(box.strip()?.frame == 75)
    }

    @Test("scanning shows key pictures of the positions that the clock passes")
    func scanning() throws {
        let box = try Box(DemoContent.path("film/film-low.mp4"))
        defer { box.player.close() }
        var shown: [FrameRecord] = []
        let listening = box.player.events.listen { if case .frame(let record) = $0 { shown.append(record) } }
        defer { listening.cancel() }
        #expect(box.player.setRate(Ratio(12)))
        box.loop.run(until: { box.player.state.isAtEnd })
        #expect(shown.map(\.time) == (1...8).map { .seconds(4 * Int64($0)) })
        for record in shown { #expect((record.mediaTimeAtFlip - record.time).magnitude <= .milliseconds(420)) }
    }
}
