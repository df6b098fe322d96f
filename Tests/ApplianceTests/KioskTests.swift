import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing
import Viewing

@testable import Appliance

/// A kiosk has no viewer who would start anything.
@Suite("A kiosk plays whenever it can", .serialized)
@MainActor
struct KioskTests {
    private static let films =
        #"[{"id": "a", "title": "A", "streams": [{"url": "a.mp4"}]}, {"id": "b", "title": "B", "streams": [{"url": "b.mp4"}]}]"#

    /// A kiosk whose clock shows a date, or that does not know it.
    @MainActor
    private final class Kiosk {
        let rig: BoxRig
        private let calendar: Calendar

        @MainActor
        private final class Calendar {
            var now: FeedDate?
        }

        init(channels: String) throws {
            let calendar = Calendar()
            self.calendar = calendar
            rig = try BoxRig(policy: InterfacePolicy(isKiosk: true), wallClock: { calendar.now })
            let film = FakeMedia(frameCount: 250, soundDuration: .seconds(10))
            rig.put(["a.mp4": film, "b.mp4": film])
            try rig.apply(items: KioskTests.films, channels: channels)
            if let start = rig.box.startsByItself { rig.box.open(id: start) }
        }

        /// The clock's report of every half minute.
        func tick(_ date: String?) {
            calendar.now = date.flatMap { FeedDate($0) }
            rig.box.tellWallClock(secondsSinceMidnight: calendar.now == nil ? nil : 0)
        }
    }

    @Test("a schedule begins when the clock is known and an item is due, and goes on after its end")
    func schedule() throws {
        let kiosk = try Kiosk(
            channels: #"""
                [{"id": "ch", "title": "C", "kind": "schedule", "entries": [
                  {"at": "2026-11-20T20:00:00Z", "item": "a"}, {"at": "2026-11-20T20:00:30Z", "item": "b"}]}]
                """#)
        let rig = kiosk.rig
        defer { rig.close() }
        kiosk.tick(nil)
        kiosk.tick("2026-11-20T19:59:30Z")
        rig.run(for: .seconds(1))
        #expect(rig.opened.isEmpty)
        kiosk.tick("2026-11-20T20:00:00Z")
        rig.run(for: .seconds(20))
        #expect(rig.opened == ["a"] && rig.nowPlaying.state == .ended)
        // A player that is restarted now does not resume what is over.
        #expect(rig.box.session(boot: "x") == nil)
        kiosk.tick("2026-11-20T20:00:30Z")
        rig.run(for: .seconds(1))
        #expect(rig.opened == ["a", "b"] && rig.nowPlaying.state == .playing)
        #expect(rig.box.session(boot: "x")?.id == "b")
    }

    @Test(
        "after the end of a queue that does not loop it begins again, also while the clock is unknown",
        arguments: [nil, "2026-11-20T20:00:00Z"])
    func endOfQueue(date: String?) throws {
        let kiosk = try Kiosk(channels: #"[{"id": "ch", "title": "C", "kind": "playlist", "items": ["a", "b"]}]"#)
        let rig = kiosk.rig
        defer { rig.close() }
        kiosk.tick(date)
        rig.run(for: .seconds(60))
        #expect(rig.opened == ["a", "b"] && rig.nowPlaying.state != .playing)
        kiosk.tick(date)
        rig.run(for: .seconds(1))
        #expect(rig.opened == ["a", "b", "a"] && rig.nowPlaying.state == .playing)
    }

    @Test("what plays, what the operator looks at and standby are not disturbed")
    func leftAlone() throws {
        let kiosk = try Kiosk(channels: #"[{"id": "ch", "title": "C", "kind": "playlist", "loop": true, "items": ["a", "b"]}]"#)
        let rig = kiosk.rig
        defer { rig.close() }
        rig.run(for: .seconds(5))
        kiosk.tick("2026-11-20T20:00:00Z")
        rig.press(.pause)
        kiosk.tick("2026-11-20T20:00:30Z")
        rig.run(for: .seconds(1))
        #expect(rig.opened == ["a"] && rig.nowPlaying.state == .paused)
        rig.press(.power)
        kiosk.tick("2026-11-20T20:01:00Z")
        rig.run(for: .seconds(1))
        #expect(rig.opened == ["a"] && rig.nowPlaying.state == .standby && rig.standbys == [true])
    }
}
