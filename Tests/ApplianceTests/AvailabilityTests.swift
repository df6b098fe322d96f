import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime
import Testing
import TestSupport
import Viewing

@testable import Appliance

@Suite("What is available when", .serialized)
@MainActor
struct AvailabilityTests {
    /// A date that the test sets.
    @MainActor
    private final class Calendar {
        var now: FeedDate?
        init(_ text: String?) { now = text.flatMap { FeedDate($0) } }
    }

    private static func item(_ id: String, _ more: String = "") -> String {
        #"{"id": "\#(id)", "title": "\#(id)", "streams": [{"url": "\#(id).mp4"}]\#(more)}"#
    }
    private static let window = #", "window": {"from": "2026-11-20T20:00:00Z", "to": "2026-11-20T21:00:00Z"}"#

    private func rig(_ calendar: Calendar, isKiosk: Bool = false) throws -> BoxRig {
        let rig = try BoxRig(policy: InterfacePolicy(isKiosk: isKiosk), wallClock: { calendar.now })
        rig.put(["a.mp4": FakeMedia(), "b.mp4": FakeMedia()])
        return rig
    }

    /// The clock's report of every half minute.
    private func tick(_ rig: BoxRig, _ calendar: Calendar, _ text: String) {
        calendar.now = FeedDate(text)
        rig.box.tellWallClock(secondsSinceMidnight: 0)
    }

    private func offered(_ rig: BoxRig) -> [String] { (rig.state.home?.content.rows ?? []).flatMap { $0.entries.map(\.id) } }

    @Test("an item is on Home and can be opened in its window only; what plays at its end goes on")
    func window() throws {
        let calendar = Calendar("2026-11-20T19:59:59Z")
        let rig = try rig(calendar)
        defer { rig.close() }
        try rig.apply(items: "[\(Self.item("a", Self.window)), \(Self.item("b"))]")
        #expect(offered(rig) == ["b"] && !rig.box.open(id: "a"))
        tick(rig, calendar, "2026-11-20T20:00:00Z")
        #expect(offered(rig) == ["a", "b"] && rig.box.open(id: "a"))
        rig.run(for: .seconds(2))
        tick(rig, calendar, "2026-11-20T21:00:00Z")
        rig.run(for: .seconds(1))
        #expect(rig.nowPlaying.state == .playing && rig.nowPlaying.id == "a")
        #expect(!rig.box.open(id: "a"))
    }

    @Test("while the clock is not trusted windows wait, and only strict ones hide")
    func untrusted() throws {
        let calendar = Calendar(nil)
        let rig = try rig(calendar)
        defer { rig.close() }
        try rig.apply(items: "[\(Self.item("a", Self.window)), \(Self.item("b", #", "strictWindow": true"#))]")
        #expect(offered(rig) == ["a"])
        tick(rig, calendar, "2026-11-20T22:00:00Z")
        #expect(offered(rig) == ["b"])
    }

    @Test("a clock that jumps by hours, forwards and back, moves the windows and nothing that plays or waits")
    func jumps() throws {
        let calendar = Calendar("2026-11-20T12:00:00Z")
        let rig = try rig(calendar)
        defer { rig.close() }
        rig.put(["b.mp4": FakeMedia(frameCount: 5000, soundDuration: .seconds(200))])
        try rig.apply(items: "[\(Self.item("a", Self.window)), \(Self.item("b"))]")
        rig.box.open(id: "b")
        rig.run(for: .seconds(10))
        for (date, isOpen) in [
            ("2026-11-20T20:30:00Z", true), ("2026-11-19T03:00:00Z", false), ("1970-01-01T00:00:00Z", false),
            ("2026-11-20T20:30:00Z", true), ("2038-01-19T04:00:00Z", false), ("2026-11-20T20:30:00Z", true),
        ] {
            tick(rig, calendar, date)
            rig.run(for: .seconds(10))
            #expect(rig.nowPlaying.state == .playing && rig.nowPlaying.id == "b" && rig.standbys.isEmpty, "\(date)")
            let place = try #require(rig.places.place(of: "b")).time
            #expect((rig.player.currentTime - place).magnitude <= .seconds(5), "\(date)")
            #expect(rig.box.open(id: "a") == isOpen, "\(date)")
            if isOpen {
                rig.run(for: .seconds(1))
                rig.box.open(id: "b")
                rig.run(for: .seconds(5))
            }
        }
    }

    @Test("what is withdrawn while it plays is left at once, with words")
    func withdrawn() throws {
        let calendar = Calendar("2026-11-20T20:00:00Z")
        let rig = try rig(calendar)
        defer { rig.close() }
        try rig.apply(items: "[\(Self.item("a")), \(Self.item("b"))]")
        rig.box.open(id: "a")
        rig.run(for: .seconds(2))
        try rig.apply(items: "[\(Self.item("a", #", "withdrawn": true"#)), \(Self.item("b"))]")
        #expect(rig.nowPlaying.state == .home && rig.state.toast != nil && offered(rig) == ["b"])
        let count = rig.frames.count
        rig.run(for: .seconds(2))
        #expect(rig.frames.count == count)
    }

    @Test("a queue goes on with its next item when the current one is withdrawn")
    func withdrawnInQueue() throws {
        let calendar = Calendar("2026-11-20T20:00:00Z")
        let rig = try rig(calendar)
        defer { rig.close() }
        let channels = #"[{"id": "ch", "title": "C", "kind": "playlist", "items": ["a", "b"]}]"#
        try rig.apply(items: "[\(Self.item("a")), \(Self.item("b"))]", channels: channels)
        rig.box.open(id: "ch")
        rig.run(for: .seconds(2))
        try rig.apply(items: "[\(Self.item("a", #", "withdrawn": true"#)), \(Self.item("b"))]", channels: channels)
        rig.run(for: .seconds(2))
        #expect(rig.opened == ["a", "b"] && rig.nowPlaying.state == .playing)
    }

    @Test(
        "what stopped because the network is metered goes on when it may be loaded again; what plays from a file is not disturbed"
    )
    func metered() throws {
        let calendar = Calendar(nil)
        let rig = try rig(calendar)
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(failure: MediaError(.networkMetered, "It is metered."))])
        try rig.apply(items: "[\(Self.item("a"))]")
        rig.box.open(id: "a")
        #expect(rig.run(until: { rig.state.card?.kind == .error }))
        rig.put(["a.mp4": FakeMedia()])
        rig.box.networkRuleChanged()
        rig.run(for: .seconds(2))
        #expect(rig.nowPlaying.state == .playing && rig.state.card == nil)
        rig.box.networkRuleChanged()
        rig.run(for: .seconds(1))
        #expect(rig.opened == ["a", "a"])
    }

    @Test("a kiosk begins when the window of its channel opens, and does not wake from standby for it")
    func kiosk() throws {
        for isAsleep in [false, true] {
            let calendar = Calendar("2026-11-20T19:00:00Z")
            let rig = try rig(calendar, isKiosk: true)
            defer { rig.close() }
            let channel = #"[{"id": "ch", "title": "C", "streams": [{"url": "a.mp4"}]\#(Self.window)}]"#
            try rig.apply(items: "[\(Self.item("b"))]", channels: channel)
            if isAsleep { rig.press(.power) }
            #expect(rig.opened.isEmpty)
            tick(rig, calendar, "2026-11-20T20:00:30Z")
            rig.run(for: .seconds(1))
            #expect(rig.opened == (isAsleep ? [] : ["ch"]))
        }
    }
}
