import ChannelFeed
import CivilTime
import Housekeeping
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing
import Viewing

@testable import Appliance

/// A kiosk in Paris with opening hours and a schedule of rules, on the simulated clock.
@MainActor
private final class WaitingRoom {
    static let films = ["news", "yoga", "quiz", "night", "loop"]
    static let hours = ["mon-fri 08:00-18:00", "sat 20:00-04:00", "2026-03-26 10:00-12:00"]
    static let rules = #"""
        [{"when": "mon-fri 08:00-12:00", "items": ["news", "quiz"]}, {"when": "mon-fri 12:00-13:00", "channel": "list"},
         {"when": "sat 22:00-03:30", "items": ["night"]}, {"when": "2026-03-25 08:30-08:31", "items": ["quiz"], "priority": 1}]
        """#

    let rig: BoxRig
    let zone: CivilZone
    private let calendar: Calendar
    private let reports: Duration

    /// A date that runs with the box's clock.
    @MainActor
    final class Calendar {
        var clock: (any HostClock)?
        var start: FeedDate?
        var now: FeedDate? {
            start.flatMap { start in clock.map { FeedDate(milliseconds: start.milliseconds + $0.now.nanoseconds / 1_000_000) } }
        }
    }

    /// - Parameter reports: how often the clock tells the time.
    init(
        at date: String?, hours: [String]? = WaitingRoom.hours, isKiosk: Bool = true, rules: String = WaitingRoom.rules,
        filler: String = #"["loop"]"#, reports: Duration = .seconds(30)
    ) throws {
        let calendar = Calendar()
        (self.calendar, self.reports) = (calendar, reports)
        zone = try #require(.named("Europe/Paris"))
        var viewer = ViewerParts()
        viewer.hours = try hours.flatMap { try OpeningHours($0) }
        rig = try BoxRig(
            viewer: viewer, policy: InterfacePolicy(isKiosk: isKiosk), wallClock: { calendar.now }, zone: zone,
            wakes: WakePolicy(longestTick: .seconds(1)))
        calendar.clock = rig.clock
        calendar.start = date.flatMap { FeedDate($0) }
        for name in Self.films {
            // A picture every two seconds, for five minutes.
            rig.put(["\(name).mp4": FakeMedia(frameCount: 150, frameRate: Ratio(1, 2), soundDuration: nil)])
        }
        report()
        let items = Self.films.map { #"{"id": "\#($0)", "title": "\#($0)", "streams": [{"url": "\#($0).mp4"}]}"# }
        rig.box.apply(
            try feed(
                #"""
                "start": {"channel": "room"}, "items": [\#(items.joined(separator: ", "))], "channels": [
                 {"id": "room", "title": "Room", "kind": "schedule", "filler": \#(filler), "rules": \#(rules)},
                 {"id": "list", "title": "List", "kind": "playlist", "items": ["yoga"]}]
                """#))
        rig.box.open(id: "room")
    }

    private func report() {
        rig.box.tellWallClock(secondsSinceMidnight: calendar.now.map { Int(zone.local(at: $0.second).second) })
        rig.clock.schedule(after: reports) { [weak self] in self?.report() }
    }

    var now: Int64? { calendar.now?.second }

    /// When pictures were shown between two instants, in milliseconds since 1970. The clock was not set meanwhile.
    func pictures(from first: Int64, until last: Int64) -> [Int64] {
        let start = calendar.start?.milliseconds ?? 0
        return rig.flips.map { start + $0.nanoseconds / 1_000_000 }.filter { first * 1000 <= $0 && $0 < last * 1000 }
    }

    /// Sets the clock.
    func set(_ date: String?) {
        calendar.start = date.flatMap { FeedDate($0) }.map {
            FeedDate(milliseconds: $0.milliseconds - rig.clock.now.nanoseconds / 1_000_000)
        }
        rig.box.tellWallClock(secondsSinceMidnight: calendar.now.map { Int(zone.local(at: $0.second).second) })
    }

    /// What is on, in a word.
    var shown: String {
        rig.box.isInStandby ? "off" : rig.nowPlaying.state == .playing ? rig.nowPlaying.id ?? "?" : "\(rig.nowPlaying.state)"
    }
}

@Suite("Schedules of rules and opening hours", .serialized)
@MainActor
struct WaitingRoomTests {
    @Test("a week with the change of clocks in it: each switch within a second, the screen off and on, and no gap")
    func week() throws {
        // Monday 23 March 2026, 00:00 in Paris. On Sunday the 29th two o'clock is three o'clock. The clock's reports come at other times than the switches.
        let room = try WaitingRoom(
            at: "2026-03-22T23:00:00Z", hours: ["mon-fri 11:55-12:40", "sat 23:50-03:20", "2026-03-26 10:00-10:30"],
            rules: #"""
                [{"when": "mon-fri 08:00-12:00", "items": ["news", "quiz"]}, {"when": "mon-fri 12:00-12:30", "channel": "list"},
                 {"when": "sat 23:55-03:10", "items": ["night"]}, {"when": "2026-03-25 11:57-11:58", "items": ["quiz"], "priority": 1}]
                """#,
            reports: .seconds(287))
        let rig = room.rig
        defer { rig.close() }
        // What is due, told by hand: days of the month, hours and minutes of Paris, in UTC.
        func at(_ day: Int64, _ hour: Int64, _ minute: Int64 = 0, east: Int64 = 1) throws -> Int64 {
            try #require(CalendarDate(year: 2026, month: 3, day: day)).daysSince1970 * 86_400 + (hour - east) * 3600 + minute * 60
        }
        var due: [(at: Int64, what: Set<String>)] = []
        func add(_ at: Int64, _ what: String...) { due.append((at, Set(what))) }
        add(try at(23, 0), "off")
        for day: Int64 in [23, 24, 25, 27] {
            add(try at(day, 11, 55), "news", "quiz")
            if day == 25 {
                add(try at(day, 11, 57), "quiz")
                add(try at(day, 11, 58), "news", "quiz")
            }
            add(try at(day, 12), "yoga")
            add(try at(day, 12, 30), "loop")
            add(try at(day, 12, 40), "off")
        }
        add(try at(26, 10), "news", "quiz")
        add(try at(26, 10, 30), "off")
        add(try at(28, 23, 50), "loop")
        add(try at(28, 23, 55), "night")
        add(try at(29, 3, 10, east: 2), "loop")
        add(try at(29, 3, 20, east: 2), "off")
        due.sort { $0.at < $1.at }
        var (wrong, gaps) = ([String](), [String]())
        rig.run(for: .milliseconds(900))
        let end = try at(30, 0, east: 2)
        // Every second around a switch, within a second of it, and every five minutes between them.
        for place in due.indices {
            let (begin, what) = due[place]
            let last = place + 1 < due.count ? due[place + 1].at : end
            var next = begin
            while next < last {
                if let now = room.now, next > now { rig.run(for: .seconds(next - now)) }
                let shown = room.shown
                if !what.contains(shown) || rig.display.isPowered == what.contains("off") {
                    wrong.append("\(FeedDate(second: next)): \(shown) instead of \(what)")
                }
                next += next < begin + 5 || next >= last - 5 ? 1 : min(300, last - 5 - next)
            }
            // Between the looks the pictures tell: each is shown for two seconds at most.
            let pictures = room.pictures(from: begin, until: last)
            guard !what.contains("off") else {
                wrong += pictures.map { "a picture at \(FeedDate(milliseconds: $0))" }
                continue
            }
            let times = [begin * 1000] + pictures + [last * 1000]
            for (before, after) in zip(times, times.dropFirst()) where after - before > 2100 {
                gaps.append("\(after - before) ms from \(FeedDate(milliseconds: before))")
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
        #expect(gaps.isEmpty, "\(gaps.count) gaps: \(gaps.prefix(5))")
        #expect(rig.standbys.filter { $0 }.count == 7 && rig.standbys.filter { !$0 }.count == 6)
    }

    @Test("a viewer is told a minute before, may stay, and is told again after half an hour without a key")
    func words() throws {
        // Ten minutes before six, on a Monday in winter time.
        let room = try WaitingRoom(at: "2026-03-23T16:50:00Z", isKiosk: false)
        let rig = room.rig
        defer { rig.close() }
        rig.run(for: .seconds(535))
        #expect(room.shown == "loop" && rig.state.card == nil)
        rig.run(for: .seconds(10))
        #expect(rig.state.card?.kind == .sleepTimer && room.shown == "loop")
        #expect(rig.state.card?.title == "Opening Hours")
        rig.press(.volumeUp)
        rig.run(for: .seconds(1700))
        #expect(room.shown == "loop" && rig.state.card == nil)
        rig.run(for: .seconds(80))
        #expect(rig.state.card?.kind == .sleepTimer)
        rig.run(for: .seconds(40))
        #expect(room.shown == "off" && !rig.display.isPowered)
        // Any key wakes the box outside of the hours, for as long.
        rig.press(.ok)
        #expect(!rig.box.isInStandby && rig.display.isPowered)
        rig.run(for: .seconds(1750))
        #expect(rig.state.card?.kind == .sleepTimer)
        // Who looks at the other button is asked still.
        rig.press(.right)
        #expect(rig.state.card?.kind == .sleepTimer)
        rig.press(.back)
        #expect(rig.state.card == nil)
        rig.run(for: .seconds(1700))
        #expect(!rig.box.isInStandby)
        rig.run(for: .seconds(200))
        #expect(rig.box.isInStandby)
    }

    @Test(
        "without a date the filler plays and the screen stays on; a clock that is set is followed at once, with words for who watches"
    )
    func clock() throws {
        let room = try WaitingRoom(at: nil)
        let rig = room.rig
        defer { rig.close() }
        rig.run(for: .seconds(60))
        #expect(room.shown == "loop")
        room.set("2026-03-23T08:00:00Z")
        rig.run(for: .seconds(1))
        #expect(["news", "quiz"].contains(room.shown))
        // The clock was wrong: it is evening.
        room.set("2026-03-23T19:00:00Z")
        rig.run(for: .seconds(2))
        #expect(rig.state.card?.kind == .sleepTimer && !rig.box.isInStandby)
        rig.run(for: .seconds(60))
        #expect(room.shown == "off")
        room.set("2026-03-24T11:30:00Z")
        rig.run(for: .seconds(1))
        #expect(room.shown == "yoga")
    }

    @Test("a box that starts outside of the hours stays dark, until it opens")
    func startsDark() throws {
        let room = try WaitingRoom(at: "2026-03-23T06:59:00Z")
        let rig = room.rig
        defer { rig.close() }
        rig.run(for: .seconds(30))
        #expect(room.shown == "off" && rig.opened.isEmpty && !rig.display.isPowered)
        rig.run(for: .seconds(31))
        #expect(room.shown == "news")
    }

    @Test("a viewer who has paused sees the rest; Home stays where it is while its corner changes; nothing due is said")
    func viewers() throws {
        let room = try WaitingRoom(
            at: "2026-03-23T10:59:00Z", hours: nil, isKiosk: false,
            rules: #"""
                [{"when": "mon 08:00-12:00", "items": ["news"]}, {"when": "mon 12:00-13:00", "items": ["yoga"]},
                 {"when": "mon 13:00-13:01", "items": ["quiz"]}]
                """#,
            filler: "[]")
        let rig = room.rig
        defer { rig.close() }
        rig.run(for: .seconds(5))
        rig.press(.pause)
        rig.run(for: .seconds(120))
        #expect(rig.nowPlaying.id == "news" && rig.nowPlaying.state == .paused)
        rig.press(.play)
        rig.run(for: .seconds(31))
        #expect(room.shown == "yoga")
        rig.press(.home)
        room.set("2026-03-23T11:59:30Z")
        rig.run(for: .seconds(35))
        #expect(rig.state.screen == .home && room.shown == "quiz")
        rig.run(for: .seconds(60))
        #expect(rig.nowPlaying.state == .home && rig.opened == ["news", "yoga", "quiz"])
    }

    @Test("a restarted player goes on with the item if it is still due, and with what is due otherwise")
    func sessions() throws {
        let room = try WaitingRoom(at: "2026-03-23T08:00:00Z")
        let rig = room.rig
        defer { rig.close() }
        rig.run(for: .seconds(330))
        #expect(room.shown == "quiz")
        let session = try #require(rig.box.session(boot: "x"))
        room.rig.box.open(id: "list")
        rig.run(for: .seconds(5))
        #expect(rig.box.resume(session))
        rig.run(for: .seconds(15))
        #expect(room.shown == "quiz" && rig.player.currentTime >= .seconds(20))
        // It belongs to the schedule still: at noon something else is due.
        room.set("2026-03-23T11:00:00Z")
        rig.run(for: .seconds(1))
        #expect(room.shown == "yoga")
        #expect(rig.box.resume(session))
        rig.run(for: .seconds(1))
        #expect(room.shown == "yoga")
    }
}
