import LinuxSupport
import MediaModel
import MediaTime
import Synchronization
import Testing

@testable import Display

extension LoopSuites {
    @Suite("HeadlessDisplay", .serialized)
    @MainActor
    struct HeadlessDisplayTests {
        private func rig(_ refresh: Ratio) throws -> (loop: MainLoop, display: HeadlessDisplay) {
            let loop = try MainLoop(time: .simulated)
            return (loop, HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: refresh), clock: loop.clock))
        }

        @Test("a screen that hangs turned has the mode that viewers see, also when another is connected or the rate changes")
        func turned() throws {
            let loop = try MainLoop(time: .simulated)
            let display = HeadlessDisplay(
                mode: DisplayMode(width: 64, height: 36, refresh: Ratio(50)), rotation: .threeQuarters, clock: loop.clock,
                refreshRates: [Ratio(60)])
            defer { display.stop() }
            let source = TestSource { _, opportunity in
                PresentationAnswer(scene: Scene(wantedTime: opportunity.targetTime), wantsNext: false)
            }
            try display.start(source)
            #expect(display.mode == DisplayMode(width: 36, height: 64, refresh: Ratio(50)))
            display.setSignal(SignalRequest(refresh: Ratio(60)))
            display.connect(nil)
            display.connect(DisplayMode(width: 80, height: 20, refresh: Ratio(25)))
            #expect(
                source.seen.modes == [
                    DisplayMode(width: 36, height: 64, refresh: Ratio(60)), nil,
                    DisplayMode(width: 20, height: 80, refresh: Ratio(25)),
                ])
            #expect(display.probe.cardFacts.contains("rotation 270: pictures of a screen in memory are upright"))
        }

        @Test(
            "in simulated time every blank is at an exact multiple of the period, and a scene is shown at its requested target"
        )
        func exact() throws {
            let (loop, display) = try rig(Ratio(60000, 1001))
            let source = TestSource { count, opportunity in
                PresentationAnswer(scene: Scene(wantedTime: opportunity.targetTime), wantsNext: count < 599)
            }
            try display.start(source)
            loop.run(until: { source.seen.flips.count == 600 })
            for (index, flip) in source.seen.flips.enumerated() {
                #expect(flip.sequence == UInt64(index + 1))
                #expect(flip.time.nanoseconds == Int64(index + 1) * 1_001_000_000 / 60)
                #expect(flip.time == flip.wantedTime)
            }
            display.stop()
        }

        @Test("a wake between two blanks is answered at the next one")
        func wakeBetween() throws {
            let (loop, display) = try rig(Ratio(50))
            let source = TestSource { _, _ in PresentationAnswer(scene: nil, wantsNext: false) }
            try display.start(source)
            loop.clock.schedule(at: HostTime(nanoseconds: 75_000_000), rank: .input) { display.wake() }
            loop.run(until: { source.seen.opportunities.count == 2 })
            #expect(loop.clock.now == HostTime(nanoseconds: 80_000_000))
            #expect(source.seen.opportunities[1].targetTime == HostTime(nanoseconds: 100_000_000))
            display.stop()
        }

        @Test("simulated time waits for the screen to be composed")
        func composing() throws {
            let (loop, display) = try rig(Ratio(50))
            let source = TestSource { _, _ in
                PresentationAnswer(
                    scene: Scene(background: OpaqueColour(red: 7, green: 8, blue: 9), wantedTime: .zero), wantsNext: false)
            }
            try display.start(source)
            var readAt: HostTime?
            var picture: ScreenPicture?
            loop.clock.schedule(at: HostTime(nanoseconds: 1_000_000_000), rank: .timer) {
                display.readScreen {
                    picture = $0
                    readAt = loop.clock.now
                }
            }
            loop.run(until: { readAt != nil })
            #expect(readAt == HostTime(nanoseconds: 1_000_000_000))
            #expect(picture?.pixels.pixel(1, 1) == RGB(red: 7, green: 8, blue: 9))
            #expect(picture?.time == HostTime(nanoseconds: 20_000_000))
            display.stop()
        }

        @Test("before the first scene the screen is black and its serial is zero")
        func before() throws {
            let (loop, display) = try rig(Ratio(50))
            var picture: ScreenPicture?
            display.readScreen { picture = $0 }
            loop.run(until: { picture != nil })
            #expect(picture?.serial == 0)
            #expect(picture?.pixels.pixel(0, 0) == RGB(red: 0, green: 0, blue: 0))
            display.stop()
        }

        @Test(
            "losing the screen is reported, nothing is requested while it is lost, and its return causes requests in the new mode"
        )
        func unplugged() throws {
            let (loop, display) = try rig(Ratio(50))
            let source = TestSource { _, opportunity in
                PresentationAnswer(scene: Scene(wantedTime: opportunity.targetTime), wantsNext: true)
            }
            try display.start(source)
            loop.run(until: { source.seen.flips.count == 3 })
            display.connect(nil)
            let count = source.seen.opportunities.count
            display.wake()
            var isOver = false
            loop.clock.schedule(after: .seconds(1)) { isOver = true }
            loop.run(until: { isOver })
            #expect(source.seen.opportunities.count == count)
            let mode = DisplayMode(width: 32, height: 18, refresh: Ratio(25))
            display.connect(mode)
            loop.run(until: { source.seen.flips.count == 5 })
            #expect(source.seen.modes == [nil, mode])
            #expect(display.mode == mode)
            #expect(source.seen.opportunities.last?.interval == .milliseconds(40))
            display.stop()
        }

        @Test(
            "a source that has named a blank is asked at that very blank, and its answer is shown there",
            arguments: [MainLoop.Time.simulated, .real])
        func atItsOwnBlank(time: MainLoop.Time) throws {
            let loop = try MainLoop(time: time)
            let display = HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: Ratio(100)), clock: loop.clock)
            let source = TestSource { count, opportunity in
                PresentationAnswer(
                    scene: Scene(wantedTime: opportunity.targetTime), wantsNext: count < 5,
                    notBefore: opportunity.targetTime + .milliseconds(35))
            }
            try display.start(source)
            loop.run(until: { source.seen.flips.count == 6 })
            let seen = source.seen
            #expect(seen.opportunities.count == 6)
            // The first is asked for at the blank before; a late loop shows it later.
            for (opportunity, flip) in zip(seen.opportunities, seen.flips).dropFirst() {
                #expect(flip.time == opportunity.targetTime && flip.wantedTime == flip.time)
                #expect(flip.sequence == opportunity.sequence)
            }
            for (one, next) in zip(seen.opportunities, seen.opportunities.dropFirst()) {
                #expect(next.targetTime >= one.targetTime + .milliseconds(35))
            }
            display.stop()
        }

        @Test(
            "a display that asks ahead asks for a named blank at the blank before it",
            arguments: [MainLoop.Time.simulated, .real])
        func ahead(time: MainLoop.Time) throws {
            let loop = try MainLoop(time: time)
            let mode = DisplayMode(width: 64, height: 36, refresh: Ratio(100))
            let display = HeadlessDisplay(mode: mode, clock: loop.clock, asksAhead: true)
            let clock = loop.clock
            let asked = Mutex<[HostTime]>([])
            let source = TestSource { count, opportunity in
                asked.withLock { $0.append(clock.now) }
                return PresentationAnswer(
                    scene: Scene(wantedTime: opportunity.targetTime), wantsNext: count < 5,
                    notBefore: opportunity.targetTime + .milliseconds(35))
            }
            try display.start(source)
            loop.run(until: { source.seen.flips.count == 6 })
            let seen = source.seen
            let instants = asked.withLock { $0 }
            #expect(instants.count == 6)
            // In real time a late loop may come to the blank itself.
            for (instant, opportunity) in zip(instants, seen.opportunities) where time == .simulated {
                #expect(opportunity.targetTime - instant == .milliseconds(10))
            }
            for (opportunity, flip) in zip(seen.opportunities, seen.flips) { #expect(flip.time >= opportunity.targetTime) }
            for (one, next) in zip(seen.opportunities, seen.opportunities.dropFirst()) {
                #expect(next.targetTime >= one.targetTime + .milliseconds(35))
            }
            display.stop()
        }

        @Test(
            "a wake is answered before the blank that the source has named",
            arguments: [MainLoop.Time.simulated, .real], [true, false])
        func wokenBefore(time: MainLoop.Time, asksAhead: Bool) throws {
            let loop = try MainLoop(time: time)
            let mode = DisplayMode(width: 64, height: 36, refresh: Ratio(100))
            let display = HeadlessDisplay(mode: mode, clock: loop.clock, asksAhead: asksAhead)
            let source = TestSource { _, opportunity in
                PresentationAnswer(
                    scene: Scene(wantedTime: opportunity.targetTime), wantsNext: true,
                    notBefore: opportunity.targetTime + .seconds(3600))
            }
            try display.start(source)
            loop.run(until: { source.seen.flips.count == 1 })
            display.wake()
            loop.run(until: { source.seen.flips.count == 2 })
            #expect(source.seen.opportunities.count == 2)
            display.stop()
        }
    }
}
