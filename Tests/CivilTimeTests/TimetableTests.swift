import CivilTime
import LinuxSupport
import MediaTime
import Testing

@Suite("What recurs when")
struct TimetableTests {
    private typealias Table = Timetable<String>

    private static func rule(
        _ what: String, _ texts: String..., except: [String] = [], priority: Int = 0
    ) throws -> Table.Rule {
        Table.Rule(what, try texts.map { try Recurrence($0) }, except: try except.map { try Days($0) }, priority: priority)
    }

    /// `08:00 a`, by the clock on the wall, between two midnights.
    private static func plan(_ table: Table, _ first: String, days: Int64 = 1, in zone: CivilZone) throws -> [String] {
        let first = try day(first)
        let last = zone.instant(day: first + days, second: 0) - 1
        return table.switches(from: zone.instant(day: first, second: 0), until: last, in: zone).map {
            ISO8601.timeOfDay(zone.local(at: $0.at).second).prefix(5) + " " + ($0.what ?? "-")
        }
    }

    @Test("days, times past midnight, exceptions by date, dates and priorities")
    func rules() throws {
        let table = Table([
            try Self.rule("work", "mon-fri 08:00-12:00,13:00-18:00", except: ["05-01", "2026-12-24..2027-01-03"]),
            try Self.rule("late", "fri,sat 22:00-02:00"), try Self.rule("feast", "2026-05-01 10:00-11:00"),
            try Self.rule("alarm", "daily 09:00-09:05", priority: 1),
        ])
        let paris = try zone("Europe/Paris")
        let work = ["00:00 -", "08:00 work", "09:00 alarm", "09:05 work", "12:00 -", "13:00 work", "18:00 -"]
        #expect(try Self.plan(table, "2026-04-30", in: paris) == work)
        // The first of May is a Friday.
        #expect(
            try Self.plan(table, "2026-05-01", days: 2, in: paris) == [
                "00:00 -", "09:00 alarm", "09:05 -", "10:00 feast", "11:00 -", "22:00 late", "02:00 -", "09:00 alarm", "09:05 -",
                "22:00 late",
            ])
        #expect(try Self.plan(table, "2026-12-31", in: paris) == ["00:00 -", "09:00 alarm", "09:05 -"])
        #expect(try Self.plan(table, "2027-01-04", in: paris) == work)
    }

    @Test("dates outrank days of each year, and these days of the week, whatever their order")
    func exactness() throws {
        let rules = [
            try Self.rule("date", "2026-12-25 08:00-10:00"), try Self.rule("year", "12-24..01-06 08:00-12:00"),
            try Self.rule("week", "daily 08:00-18:00"), try Self.rule("second", "daily 08:00-19:00"),
        ]
        let plan = ["00:00 -", "08:00 date", "10:00 year", "12:00 week", "18:00 second", "19:00 -"]
        #expect(try Self.plan(Table(rules), "2026-12-25", in: .utc) == plan)
        #expect(try Self.plan(Table([rules[1], rules[2], rules[0], rules[3]]), "2026-12-25", in: .utc) == plan)
        #expect(try Self.plan(Table(rules), "2027-01-06", in: .utc)[1] == "08:00 year")
        #expect(try Self.plan(Table(rules), "2027-01-07", in: .utc)[1] == "08:00 week")
    }

    @Test("where clocks are changed each rule has its time once, without a gap: a day of 23 hours and one of 25")
    func changeOfClocks() throws {
        let table = Table([
            try Self.rule("a", "daily 00:00-02:30"), try Self.rule("b", "daily 02:30-02:45"),
            try Self.rule("c", "daily 02:45-24:00"),
        ])
        let paris = try zone("Europe/Paris")
        // Half past two and a quarter to three are left out: b has no time, and c begins with the change.
        #expect(try Self.plan(table, "2026-03-29", in: paris) == ["00:00 a", "03:00 c"])
        #expect(try Self.plan(table, "2026-10-25", in: paris) == ["00:00 a", "02:30 b", "02:45 c"])
        func length(_ text: String) throws -> Int64 {
            paris.instant(day: try day(text) + 1, second: 0) - paris.instant(day: try day(text), second: 0)
        }
        #expect(try length("2026-03-29") == 23 * 3600 && length("2026-10-25") == 25 * 3600)
        let night = Table([try Self.rule("n", "sat 22:00-04:00")])
        let found = night.switches(
            from: try instant("2026-03-28T12:00:00Z"), until: try instant("2026-03-29T12:00:00Z"), in: paris)
        #expect(found.map(\.at).dropFirst() == [try instant("2026-03-28T21:00:00Z"), try instant("2026-03-29T02:00:00Z")])
    }

    @Test("29 February recurs in leap years only, and is a day like others there")
    func leapDay() throws {
        let table = Table([try Self.rule("leap", "02-29 08:00-09:00"), try Self.rule("range", "02-28..03-01 10:00-11:00")])
        #expect(try Self.plan(table, "2028-02-29", in: .utc) == ["00:00 -", "08:00 leap", "09:00 -", "10:00 range", "11:00 -"])
        #expect(
            try Self.plan(table, "2027-02-28", days: 2, in: .utc) == [
                "00:00 -", "10:00 range", "11:00 -", "10:00 range", "11:00 -",
            ])
        #expect(throws: CivilFault.self) { try Recurrence("2027-02-29 08:00-09:00") }
    }

    @Test("what is said of any instant is what holds then, in every zone and for drawn rules", arguments: 0..<30)
    func properties(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let zone = try zone(ZoneTests.names[Int(seed) % ZoneTests.names.count])
        let first = try day("2026-03-20") + Int64.random(in: 0..<700, using: &generator)
        func time() -> String {
            let minutes = Int64.random(in: 0..<96, using: &generator) * 15
            return ISO8601.timeOfDay(minutes * 60).prefix(5) + ""
        }
        let days = ["daily", "mon", "sat,sun", "fri-mon", "03-29", "02-20..11-02", "\(CalendarDate(daysSince1970: first + 3))"]
        let rules = (0..<Int.random(in: 1...6, using: &generator)).compactMap { number -> Table.Rule? in
            let text = "\(days.randomElement(using: &generator)!) \(time())-\(time())"
            let except =
                Bool.random(using: &generator)
                ? [try! Days(String(days.randomElement(using: &generator)!.split(separator: ",")[0]))] : []
            guard let times = try? Recurrence(text) else { return nil }
            return Table.Rule("\(number)", [times], except: except, priority: Int.random(in: 0...1, using: &generator))
        }
        let table = Table(rules)
        let begin = zone.instant(day: first, second: 0)
        let end = begin + 12 * 86_400
        let switches = table.switches(from: begin, until: end, in: zone)
        for (place, change) in switches.enumerated() {
            #expect(table.what(at: change.at, in: zone) == change.what)
            if place > 0 {
                #expect(switches[place - 1].at < change.at && switches[place - 1].what != change.what)
                #expect(table.what(at: change.at - 1, in: zone) == switches[place - 1].what)
                #expect(table.nextSwitch(after: change.at - 1, in: zone) == change)
            }
        }
        for _ in 0..<200 {
            let now = Int64.random(in: begin...end, using: &generator)
            // Minute by minute, without the order of edges: the rules whose time it is.
            let local = zone.local(at: now)
            let due = rules.indices.filter { place in
                (local.day - 2...local.day).contains { day in
                    !rules[place].except.contains { $0.contains(day) }
                        && rules[place].times.contains { times in
                            times.days.contains { $0.contains(day) }
                                && times.spans.contains {
                                    zone.instant(day: day, second: $0.start * 60) <= now
                                        && now < zone.instant(day: day, second: $0.end * 60)
                                }
                        }
                }
            }
            let what = table.what(at: now, in: zone)
            #expect(what == switches.last { $0.at <= now }!.what)
            #expect((what == nil) == due.isEmpty)
            if let what, let place = Int(what) {
                let highest = due.map { place in rules[place].priority }.max()
                #expect(due.contains { rules[$0].what == what && rules[$0].priority == highest }, "\(place)")
            }
        }
    }

    @Test(
        "what cannot be read is said in words",
        arguments: [
            ("", "is not days and times"), ("mon", "is not days and times"), ("mon 08:00", "is not two times of day"),
            ("mon 08:00-08:00", "ends when it begins"), ("mon 8-18", "is not two times of day"),
            ("mon 08:00-24:01", "is not two times of day"),
            ("mon 24:00-08:00", "is not two times of day"), ("moon 08:00-09:00", "names no days"),
            ("mon-tue-wed 08:00-09:00", "names no days"),
            ("2026-12-31..2026-12-24 08:00-09:00", "ends before it begins"),
            ("2026-13-01 08:00-09:00", "is not a date of the calendar"),
            ("02-30 08:00-09:00", "is not a date of the calendar"), ("mon closed", "is not two times of day"),
            ("-mon 08:00-09:00", "names no days"),
            ("mon, 08:00-09:00", "is not days and times"),
            ("2026-12-25..12-31 08:00-09:00", "is not a date of the calendar"),
            (String(repeating: "mon,", count: 60) + "tue 08:00-09:00", "a text of"),
        ])
    func faults(text: String, words: String) throws {
        let fault = #expect(throws: CivilFault.self) { try Recurrence(text) }
        #expect(fault?.message.contains(words) == true && fault?.remedy.hasSuffix(".") == true, "\(fault?.message ?? "")")
    }

    @Test("overlaps of one rank are found, also past midnight; others are meant")
    func overlaps() throws {
        func found(_ first: String, _ second: String, priority: Int = 0) throws -> Bool {
            !Table([try Self.rule("a", first), try Self.rule("b", second, priority: priority)]).overlaps().isEmpty
        }
        #expect(try found("mon-fri 08:00-12:00", "fri 11:00-13:00"))
        #expect(try found("sun 22:00-02:00", "mon 01:00-03:00") && found("mon 01:00-03:00", "sun 22:00-02:00"))
        #expect(try found("2026-12-24..2026-12-26 22:00-02:00", "2026-12-27 00:00-01:00"))
        #expect(
            try found("12-31 22:00-02:00", "01-01 01:00-02:00") && found("12-24..01-02 08:00-09:00", "02-29,01-01 08:30-08:45"))
        #expect(try !found("mon-fri 08:00-12:00", "fri 12:00-13:00") && !found("mon 08:00-12:00", "tue 08:00-12:00"))
        #expect(
            try !found("mon-fri 08:00-12:00", "2026-12-25 08:00-12:00")
                && !found("daily 08:00-12:00", "daily 08:00-12:00", priority: 1))
        let table = Table([try Self.rule("old", "2026-01-02..2026-01-03 08:00-09:00"), try Self.rule("new", "daily 08:00-09:00")])
        #expect(try table.rulesOver(before: day("2026-01-04")) == [0])
        #expect(try table.rulesOver(before: day("2026-01-03")).isEmpty)
    }

    @Test("opening hours: a date replaces the hours of its day, closed days and nights past midnight")
    func openingHours() throws {
        let hours = try #require(
            try OpeningHours([
                "mon-fri 08:00-18:00", "sat 22:00-04:00", "12-24..12-31 closed", "2026-12-28 10:00-11:00",
                "2026-12-25..2026-12-26 closed",
            ]))
        let paris = try zone("Europe/Paris")
        func open(_ text: String) throws -> [String] {
            let first = try day(text)
            return hours.changes(
                from: paris.instant(day: first, second: 0), until: paris.instant(day: first + 1, second: 0) - 1, in: paris
            ).map { ISO8601.timeOfDay(paris.local(at: $0.at).second).prefix(5) + ($0.isOpen ? "+" : "-") }
        }
        #expect(try open("2026-03-27") == ["00:00-", "08:00+", "18:00-"])
        #expect(try open("2026-03-28") == ["00:00-", "22:00+"] && open("2026-03-29") == ["00:00+", "04:00-"])
        #expect(try open("2026-12-24") == ["00:00-"] && open("2026-12-28") == ["00:00-", "10:00+", "11:00-"])
        #expect(try OpeningHours([]) == nil)
        #expect(throws: CivilFault.self) { try OpeningHours(["daily closed"]) }
    }
}
