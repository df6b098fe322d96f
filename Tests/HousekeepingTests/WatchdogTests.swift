import LinuxSupport
import SystemServices
import TestSupport
import Testing

@testable import Housekeeping

@Suite("The watchdog is fed by page flips", .serialized)
@MainActor
struct WatchdogTests {
    /// A display that flips when requested, while it is alive.
    @MainActor
    private final class Screen {
        var isAlive = true
        private(set) var flips: UInt64 = 0
        private(set) var questions = 0

        var door: Watchdog.Display {
            .init(
                flipCount: { [unowned self] in flips },
                showAgain: { [unowned self] in if isAlive { flips += 1 } },
                ask: { [unowned self] answered in
                    questions += 1
                    if isAlive { answered() }
                })
        }
    }

    private func run(_ test: (MainLoop, Screen, Watchdog, _ feedings: () -> Int) throws -> Void) throws {
        let loop = try MainLoop(time: .simulated)
        let folder = ScratchFolder("watchdog")
        let manager = try NotifySocket(folder.path + "/notify")
        let screen = Screen()
        let watchdog = Watchdog(
            ServiceNotifier(path: manager.path, watchdog: .seconds(8)), display: screen.door, clock: loop.clock)
        watchdog.start()
        try test(loop, screen, watchdog) { manager.heard().filter { $0 == "WATCHDOG=1" }.count }
    }

    @Test("a slot on trial shows an unchanged picture until it has shown enough")
    func trial() throws {
        let loop = try MainLoop(time: .simulated)
        let folder = ScratchFolder("watchdog")
        let manager = try NotifySocket(folder.path + "/notify")
        let screen = Screen()
        let watchdog = Watchdog(
            ServiceNotifier(path: manager.path, watchdog: .seconds(8)), display: screen.door, clock: loop.clock, isOnTrial: true)
        watchdog.start()
        pass(31, loop)
        #expect(screen.flips >= SlotHealth.wantedFlips)
        let flips = screen.flips
        pass(8, loop)
        #expect(screen.flips - flips <= 5, "from then on as rarely as otherwise")
    }

    private func pass(_ seconds: Int, _ loop: MainLoop) { loop.run(within: .seconds(seconds), until: { false }) }

    @Test("four times per watchdog interval, as long as the display flips")
    func alive() throws {
        try run { loop, _, _, feedings in
            #expect(feedings() == 1, "the main loop has reached that time")
            pass(8, loop)
            #expect(feedings() == 4)
        }
    }

    @Test("a display that stops flipping starves it, and feeds it again when it resumes")
    func standsStill() throws {
        try run { loop, screen, _, feedings in
            pass(2, loop)
            screen.isAlive = false
            pass(3, loop)
            _ = feedings()
            pass(20, loop)
            #expect(feedings() == 0)
            screen.isAlive = true
            pass(6, loop)
            #expect(feedings() > 0)
        }
    }

    @Test("without a screen a reply of the display's thread counts as a flip")
    func lost() throws {
        try run { loop, screen, watchdog, feedings in
            watchdog.isScreenLost = true
            pass(4, loop)
            _ = feedings()
            pass(8, loop)
            #expect(feedings() == 4 && screen.questions >= 4)
            screen.isAlive = false
            pass(4, loop)
            _ = feedings()
            pass(16, loop)
            #expect(feedings() == 0)
        }
    }

    @Test("without a service manager the display gets no requests")
    func noManager() throws {
        let loop = try MainLoop(time: .simulated)
        let screen = Screen()
        let watchdog = Watchdog(ServiceNotifier(path: nil), display: screen.door, clock: loop.clock)
        watchdog.start()
        pass(60, loop)
        #expect(screen.flips == 0 && screen.questions == 0)
    }
}
