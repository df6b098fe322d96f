import CivilTime
import LinuxSupport
import Testing

@testable import ChannelFeed

@Suite("Schedules of rules")
struct ScheduleTests {
    private static let text = #"""
        {"feedVersion": 1, "policy": {"hours": ["mon-fri 07:45-18:15", "sat 20:00-04:00", "12-24..12-26 closed"]}, "channels": [
         {"id": "news", "title": "News", "streams": [{"url": "news.m3u8"}]},
         {"id": "room", "title": "Room", "kind": "schedule", "filler": ["loop"], "rules": [
          {"when": "mon-fri 08:00-12:00, 13:00-17:00", "except": ["05-01"], "items": ["a", "gone"]},
          {"when": ["mon-fri 12:00-13:00", "sat 23:00-02:30"], "title": "Noon", "channel": "news"},
          {"when": "2026-10-05..2026-10-09 10:00-10:15", "priority": 1, "items": ["b"]},
          {"when": "daily 06:00-07:00", "items": ["gone"]}, {"when": "25:00", "items": ["a"]}]},
         {"id": "once", "title": "Once", "kind": "schedule", "entries": [{"at": "2026-10-05T18:00:30Z", "item": "a"}]}],
         "items": [{"id": "loop", "streams": [{"url": "l.mp4"}]}, {"id": "a", "streams": [{"url": "a.mp4"}]}, {"id": "b", "streams": [{"url": "b.mp4"}]},
          {"id": "gone", "streams": [{"url": "ftp://cdn.example/g.mp4"}]}]}
        """#

    private func paris() throws -> CivilZone {
        let bytes = try #require(WholeFile.read("/usr/share/zoneinfo/Europe/Paris"))
        return try #require(CivilZone(name: "Europe/Paris", file: bytes))
    }

    @Test("what cannot be used is left out of a schedule, and the rest of its rules hold")
    func dropped() throws {
        let verdict = read(Self.text)
        #expect(verdict.findings.map(\.code.rawValue) == ["FEED-084", "FEED-061"])
        let room = try #require(verdict.feed?.channel("room"))
        #expect(room.schedule.timetable.rules.count == 3 && room.schedule.timetable.rules[0].what.shows == .items(["a"]))
        #expect(room.schedule.due(at: nil, in: .utc)?.shows == .items(["loop"]) && room.schedule.items == ["loop", "a", "b"])
    }

    @Test("a day is told by the clocks of the zone, also where they are changed")
    func day() throws {
        let feed = try #require(read(Self.text).feed)
        func plan(_ date: String) throws -> String { DayPlan(of: feed, at: try #require(FeedDate(date)), in: try paris()).text() }
        #expect(
            try plan("2026-10-05T12:00:00Z") == """
                2026-10-05 in Europe/Paris, 24 hours:
                  the screen
                    00:00 off
                    07:45 on
                    18:15 off
                  room
                    00:00 the filler: loop
                    08:00 a
                    10:00 b
                    10:15 a
                    12:00 channel news
                    13:00 a
                    17:00 the filler: loop
                  once
                    20:00:30 a

                """)
        // The night of 28 March: half past two does not exist.
        #expect(
            try plan("2026-03-28T23:30:00Z") == """
                2026-03-29 in Europe/Paris, 23 hours:
                  the screen
                    00:00 on
                    04:00 off
                  room
                    00:00 channel news
                    03:00 the filler: loop
                  once: nothing begins

                """)
        #expect(try plan("2026-12-25T12:00:00Z").contains("  the screen\n    00:00 off\n  room"))
        let json = DayPlan(of: feed, at: try #require(FeedDate("2026-12-25T12:00:00Z")), in: try paris()).json()
        #expect(
            json.hasPrefix(
                #"{"date": "2026-12-25", "zone": "Europe/Paris", "hours": 24.0, "parts": [{"name": "the screen", "changes": [{"time": "00:00", "what": "off"}]}"#
            ))
    }

    @Test("a window has times of day by the clocks of the box, and none while the date is not known")
    func windows() throws {
        let text = #"""
            {"feedVersion": 1, "items": [{"id": "a", "streams": [{"url": "a.mp4"}], "window": {"from": "2026-03-01T00:00:00Z", "when": "mon-fri 17:00-22:00"}}]}
            """#
        let feed = try #require(read(text).feed)
        func availability(_ date: String) throws -> Availability {
            feed.availability(of: feed.items[0], clock: .trusted(try #require(FeedDate(date))), in: try paris())
        }
        #expect(try availability("2026-02-27T17:00:00Z") == .notYet(from: try #require(FeedDate("2026-03-01T00:00:00Z"))))
        #expect(try availability("2026-03-27T16:00:00Z") == .playable && availability("2026-03-27T15:59:59Z") == .notNow)
        // Summer time since the day before.
        #expect(try availability("2026-03-30T15:00:00Z") == .playable && availability("2026-03-30T20:00:00Z") == .notNow)
        #expect(feed.availability(of: feed.items[0], clock: .untrusted) == .playable)
    }
}
