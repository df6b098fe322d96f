import Display
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Playback

/// The scheduler asked blank by blank, without a player and without a display's own thread.
@MainActor
private struct SchedulerRig {
    let loop: MainLoop
    let display: HeadlessDisplay
    let scheduler: PresentationScheduler
    let refresh: Ratio

    init(refresh: Ratio = Ratio(60)) throws {
        loop = try MainLoop(time: .simulated)
        display = HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: refresh), clock: loop.clock)
        scheduler = PresentationScheduler(display: display)
        self.refresh = refresh
    }

    func blank(_ number: Int) -> HostTime { HostTime(nanoseconds: (refresh.period * number).nanoseconds) }

    /// Asks for the content of a blank, and reports it as shown there.
    func step(_ number: Int) -> (answer: PresentationAnswer, time: MediaTime?) {
        let answer = scheduler.answer(
            to: PresentationOpportunity(
                targetTime: blank(number), interval: .nanoseconds(refresh.period.nanoseconds), sequence: UInt64(number)))
        if let scene = answer.scene {
            scheduler.didPresent(
                Flip(
                    time: blank(number), sequence: UInt64(number), wantedTime: scene.wantedTime,
                    frameTime: scene.video?.frame.time))
        }
        return (answer, answer.scene?.video?.frame.time)
    }

    func queue(_ times: [MediaTime], duration: MediaTime, ends: Bool = true) throws -> BoundedQueue<Decoded<VideoFrame>> {
        let queue = BoundedQueue<Decoded<VideoFrame>>(capacity: times.count + 1, ledger: nil)
        let allocator = MemoryAllocator()
        for time in times {
            let frame = VideoFrame(
                pixels: try allocator.makeBuffer(format: .yuv420p, width: 16, height: 16), time: time, duration: duration,
                colour: ColourDescription(matrix: .bt709, isFullRange: false))
            #expect(queue.tryPush(.media(frame)))
        }
        if ends { #expect(queue.tryPush(.end)) }
        return queue
    }

    func run(rate: Ratio = .one, at host: HostTime = .zero, from time: MediaTime = .zero) {
        scheduler.setClock(MediaClock(anchorHost: host, anchorTime: time, rate: rate))
    }

    var shown: [FrameRecord] {
        scheduler.takeEvents().compactMap { if case .shown(let record) = $0 { record } else { nil } }
    }
}

@Suite("The scheduler picks the frame for each blank", .serialized)
@MainActor
struct SchedulerTests {
    @Test(
        "each cadence is the exact nearest pick, without skipped frames",
        arguments: [
            (Ratio(24), Ratio(60)), (Ratio(25), Ratio(60)), (Ratio(30), Ratio(60)), (Ratio(50), Ratio(60)),
            (Ratio(60), Ratio(60)),
            (Ratio(24000, 1001), Ratio(60)), (Ratio(30000, 1001), Ratio(60000, 1001)), (Ratio(25), Ratio(50)),
            (Ratio(24), Ratio(50)),
        ])
    func cadence(_ rate: Ratio, _ refresh: Ratio) throws {
        let rig = try SchedulerRig(refresh: refresh)
        defer { rig.display.stop() }
        let count = 240
        let times = (0..<count).map { rate.period * $0 }
        rig.scheduler.begin(try rig.queue(times, duration: rate.period))
        // The first frame is shown at once, and the clock starts on a blank.
        #expect(rig.step(0).time == .zero)
        rig.run(at: rig.blank(1))
        var picked: [MediaTime] = [.zero]
        var strangers: [Int] = []
        var blank = 1
        while picked.count < count, blank < 2000 {
            let step = rig.step(blank)
            if let time = step.time { picked.append(time) }
            // The frame that covers the middle of the blank's duration; exactly at an edge, either one.
            let middle = refresh.period * (blank - 1) + refresh.period / 2
            let shown = picked.last!
            if shown > middle + .nanoseconds(100) || shown + rate.period < middle - .nanoseconds(100) { strangers.append(blank) }
            blank += 1
        }
        #expect(strangers.isEmpty)
        #expect(firstDifference(picked, times) == nil)
        #expect(rig.scheduler.passedOverFrames == 0)
    }

    @Test("a late blank drops the frames whose time has passed, and counts them")
    func late() throws {
        let rig = try SchedulerRig()
        defer { rig.display.stop() }
        rig.scheduler.begin(try rig.queue((0..<20).map { .milliseconds(40 * $0) }, duration: .milliseconds(40)))
        _ = rig.step(0)
        rig.run()
        #expect(rig.step(15).time == .milliseconds(240))
        #expect(rig.scheduler.passedOverFrames == 5)
    }

    @Test("of several frames in one blank the one in its middle is shown, or that begins there; the others are counted")
    func several() throws {
        let rig = try SchedulerRig(refresh: Ratio(50))
        defer { rig.display.stop() }
        let times = [0, 40, 50, 60, 70, 80].map { MediaTime.milliseconds($0) }
        rig.scheduler.begin(try rig.queue(times, duration: .milliseconds(10)))
        #expect(rig.step(0).time == .zero)
        rig.run(at: rig.blank(1))
        #expect((1...5).map { rig.step($0).time } == [nil, nil, .milliseconds(50), .milliseconds(70), .milliseconds(80)])
        #expect(rig.scheduler.passedOverFrames == 2)
    }

    @Test("a frame that did not reach the screen is shown again when the display needs a scene, also while the clock is stopped")
    func lostFlip() throws {
        let rig = try SchedulerRig()
        defer { rig.display.stop() }
        rig.scheduler.begin(try rig.queue([seconds(3), seconds(3, 40)], duration: .milliseconds(40)))
        func ask(_ number: Int, needsScene: Bool = false) -> Scene? {
            rig.scheduler.answer(
                to: PresentationOpportunity(
                    targetTime: rig.blank(number), interval: .nanoseconds(rig.refresh.period.nanoseconds),
                    sequence: UInt64(number), needsScene: needsScene)
            ).scene
        }
        #expect(ask(0)?.video?.frame.time == seconds(3))
        #expect(ask(1) == nil)
        let again = try #require(ask(8, needsScene: true))
        #expect(again.video?.frame.time == seconds(3))
        rig.scheduler.didPresent(
            Flip(time: rig.blank(8), sequence: 8, wantedTime: again.wantedTime, frameTime: again.video?.frame.time))
        #expect(rig.shown.map(\.flip) == [rig.blank(8)])
        #expect(ask(9) == nil)
    }

    @Test("while the clock is stopped only the first frame is shown")
    func standing() throws {
        let rig = try SchedulerRig()
        defer { rig.display.stop() }
        rig.scheduler.begin(try rig.queue([seconds(3), seconds(3, 40)], duration: .milliseconds(40)))
        #expect(rig.step(0).time == seconds(3))
        for blank in 1..<100 { #expect(rig.step(blank).time == nil) }
        #expect(rig.shown.map(\.time) == [seconds(3)])
    }

    @Test("an empty queue is reported once as starved, and playback continues with the next frames")
    func starved() throws {
        let rig = try SchedulerRig()
        defer { rig.display.stop() }
        let queue = try rig.queue([.zero], duration: .milliseconds(40), ends: false)
        rig.scheduler.begin(queue)
        _ = rig.step(0)
        rig.run()
        var starvations = 0
        for blank in 1..<20 {
            _ = rig.step(blank)
            starvations += rig.scheduler.takeEvents().filter { if case .starved = $0 { true } else { false } }.count
        }
        #expect(starvations == 1)
    }

    @Test("the display does not stay asleep when the end follows a stall and the clock is stopped before the end")
    func starvedAtTheEnd() throws {
        let rig = try SchedulerRig()
        defer { rig.display.stop() }
        let queue = try rig.queue([.zero], duration: .milliseconds(40), ends: false)
        rig.scheduler.begin(queue)
        _ = rig.step(0)
        rig.run()
        for blank in 1..<10 { _ = rig.step(blank) }
        // The stall set the clock back to the last position of sound and picture. It restarts only at a later blank.
        rig.run(at: rig.blank(12), from: .milliseconds(10))
        #expect(queue.tryPush(.end))
        #expect(rig.step(10).answer.wantsNext)
        for blank in 11..<20 { _ = rig.step(blank) }
        #expect(rig.scheduler.takeEvents().contains { if case .exhausted = $0 { true } else { false } })
    }

    @Test("the end is reported when the last frame has had its full duration, and not before")
    func exhausted() throws {
        let rig = try SchedulerRig()
        defer { rig.display.stop() }
        rig.scheduler.begin(try rig.queue([.zero, .milliseconds(40)], duration: .milliseconds(40)))
        _ = rig.step(0)
        rig.run()
        var end: Int?
        for blank in 1..<20 where end == nil {
            _ = rig.step(blank)
            if rig.scheduler.takeEvents().contains(where: { if case .exhausted = $0 { true } else { false } }) { end = blank }
        }
        // Two frames of 40 ms end at 80 ms; the nearest blank is the fifth, at 83 ms.
        #expect(end == 5)
    }

    @Test("no frame at or after the boundary is shown until it is lifted")
    func boundary() throws {
        let rig = try SchedulerRig()
        defer { rig.display.stop() }
        rig.scheduler.begin(try rig.queue((0..<10).map { .milliseconds(40 * $0) }, duration: .milliseconds(40)))
        rig.scheduler.setBoundary(.milliseconds(120))
        _ = rig.step(0)
        rig.run()
        for blank in 1..<60 { _ = rig.step(blank) }
        let records = rig.scheduler.takeEvents()
        #expect(!records.contains { if case .starved = $0 { true } else { false } })
        let times = records.compactMap { if case .shown(let record) = $0 { record.time } else { nil } }
        #expect(times == [.zero, .milliseconds(40), .milliseconds(80)])
        rig.scheduler.setBoundary(nil)
        #expect(rig.step(60).time != nil)
    }

    @Test(
        "the display is told when the next frame is due, but not of one behind the boundary, which another item may follow at any time"
    )
    func due() throws {
        let rig = try SchedulerRig()
        defer { rig.display.stop() }
        rig.scheduler.begin(try rig.queue((0..<10).map { .milliseconds(50 * $0) }, duration: .milliseconds(50)))
        rig.scheduler.setBoundary(.milliseconds(100))
        _ = rig.step(0)
        rig.run()
        // Half a blank and a microsecond before its time.
        let due = try #require(rig.step(1).answer.notBefore)
        #expect(due == HostTime.zero + .milliseconds(50) - .nanoseconds(8_334_333))
        #expect(rig.step(3).time == .milliseconds(50))
        let answer = rig.step(4).answer
        #expect(answer.wantsNext && answer.notBefore == nil)
    }

    @Test("a flip of an earlier run is not reported for the current run")
    func generations() throws {
        let rig = try SchedulerRig()
        defer { rig.display.stop() }
        rig.scheduler.begin(try rig.queue([.zero], duration: .milliseconds(40)))
        let answer = rig.scheduler.answer(
            to: PresentationOpportunity(
                targetTime: rig.blank(1), interval: .milliseconds(16), sequence: 1))
        let generation = rig.scheduler.begin(try rig.queue([seconds(9)], duration: .milliseconds(40)))
        rig.scheduler.didPresent(
            Flip(
                time: rig.blank(1), sequence: 1, wantedTime: try #require(answer.scene).wantedTime, frameTime: .zero))
        #expect(rig.shown.isEmpty)
        #expect(rig.step(2).time == seconds(9))
        #expect(rig.shown.map(\.generation) == [generation])
    }

    @Test("the interface alone makes a scene; without changes there is none, and the display may sleep")
    func layers() throws {
        let rig = try SchedulerRig()
        defer { rig.display.stop() }
        let pixels = try MemoryAllocator().makeBuffer(format: .argb8888, width: 4, height: 4)
        rig.scheduler.setLayers([
            InterfaceLayer(id: "a", pixels: pixels, destination: PixelRect(x: 0, y: 0, width: 4, height: 4), z: 1)
        ])
        let first = rig.step(0)
        #expect(first.answer.scene?.layers.map(\.id) == ["a"] && first.answer.scene?.video == nil)
        #expect(rig.step(1).answer.scene == nil)
        #expect(!rig.step(2).answer.wantsNext)
    }

    @Test("layers of the programme follow its pictures: opacity by their times, no scene of their own, none without a picture")
    func presence() throws {
        let rig = try SchedulerRig(refresh: Ratio(25))
        defer { rig.display.stop() }
        let pixels = try MemoryAllocator().makeBuffer(format: .argb8888, width: 4, height: 4)
        let place = PixelRect(x: 0, y: 0, width: 4, height: 4)
        let fading = LayerPresence(
            start: .milliseconds(80), end: .milliseconds(400), fadeIn: .milliseconds(80), fadeOut: .milliseconds(80))
        rig.scheduler.setLayers([
            InterfaceLayer(id: "logo", pixels: pixels, destination: place, alpha: 128, z: -2, presence: LayerPresence()),
            InterfaceLayer(id: "name", pixels: pixels, destination: place, z: -1, presence: fading),
            InterfaceLayer(id: "bar", pixels: pixels, destination: place, alpha: 200, z: 1),
        ])
        func alphas(_ number: Int) -> [String: Int]? {
            rig.step(number).answer.scene.map { scene in
                #expect(scene.layers.allSatisfy { $0.presence == nil && $0.pixels === pixels })
                return scene.layers.reduce(into: [:]) { $0[$1.id] = Int($1.alpha) }
            }
        }
        // Without a picture there is nothing for them to lie on.
        #expect(alphas(0) == ["bar": 200])
        rig.scheduler.begin(try rig.queue((0..<12).map { .milliseconds(40 * $0) }, duration: .milliseconds(40), ends: false))
        #expect(alphas(1) == ["logo": 128, "bar": 200])
        rig.run(at: rig.blank(1))
        var seen: [Int?] = []
        for blank in 2...12 { seen.append(alphas(blank)?["name"]) }
        #expect(seen == [nil, nil, 127, 255, 255, 255, 255, 255, 127, nil, nil])
        // Paused inside a ramp it stands, and nothing is committed for it.
        rig.scheduler.begin(try rig.queue([.milliseconds(360)], duration: .milliseconds(40), ends: false))
        rig.run(rate: .zero, from: .milliseconds(360))
        #expect(alphas(20)?["name"] == 127)
        for blank in 21..<60 { #expect(rig.step(blank).answer.scene == nil) }
    }

    @Test("clearing removes the picture of the previous item")
    func cleared() throws {
        let rig = try SchedulerRig()
        defer { rig.display.stop() }
        rig.scheduler.begin(try rig.queue([.zero], duration: .milliseconds(40)))
        #expect(rig.step(0).time == .zero)
        rig.scheduler.clearVideo()
        let scene = try #require(rig.step(1).answer.scene)
        #expect(scene.video == nil)
    }

    @Test("the blank at or after an instant is one of the display's")
    func blanks() throws {
        let rig = try SchedulerRig()
        defer { rig.display.stop() }
        _ = rig.step(10)
        for nanoseconds in stride(from: Int64(170_000_000), to: 300_000_000, by: 7_777_777) {
            let blank = rig.scheduler.verticalBlank(atOrAfter: HostTime(nanoseconds: nanoseconds))
            let steps = (blank - rig.blank(10)).wholeNanoseconds
            #expect(blank.nanoseconds >= nanoseconds)
            #expect(blank.nanoseconds - nanoseconds < 16_666_667)
            let beside = steps % 16_666_666
            #expect(min(beside, 16_666_666 - beside) < 100)
        }
    }
}
