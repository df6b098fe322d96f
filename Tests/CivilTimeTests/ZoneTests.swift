import CivilTime
import Glibc
import LinuxSupport
import MediaTime
import Testing

/// The zone of a name, from the machine's data.
func zone(_ name: String) throws -> CivilZone {
    let bytes = try #require(WholeFile.read("/usr/share/zoneinfo/\(name)"), "\(name) is not on this machine")
    return try #require(CivilZone(name: name, file: bytes), "\(name)")
}

/// An instant by its text in UTC.
func instant(_ text: String) throws -> Int64 {
    let read = try #require(ISO8601(text), "\(text)")
    return read.date.daysSince1970 * 86_400 + (read.nanoseconds ?? 0) / 1_000_000_000 - (read.offset ?? 0)
}

func day(_ text: String) throws -> Int64 { try #require(Days.date(text), "\(text)") }

@Suite("The clocks of a zone")
struct ZoneTests {
    /// Summer time of an hour, of half an hour, negative, with the change before midnight, by a table far into the future; a day that was left out; none.
    static let names = [
        "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Europe/Dublin", "America/Nuuk", "Africa/Casablanca",
        "Antarctica/Troll", "Pacific/Apia", "Asia/Kathmandu", "UTC",
    ]

    @Test("at every instant until 2100 clocks are where the machine's own library has them", arguments: names)
    func agrees(name: String) throws {
        let zone = try zone(name)
        var generator = SeededGenerator(seed: 7)
        var instants = (0..<300).map { _ in Int64.random(in: 0..<4_102_444_800, using: &generator) }
        for year: Int64 in [1986, 2011, 2026, 2027, 2028, 2060, 2099] {
            let first = try #require(CalendarDate(year: year, month: 1, day: 1)).daysSince1970 * 86_400
            instants += (0..<366 * 4).map { first + $0 * 21_600 + 3600 }
        }
        let path = "/tmp/zone-\(getpid())-\(name.replacing("/", with: "-"))"
        let file = try #require(fopen(path, "w"))
        for instant in instants { fputs("@\(instant)\n", file) }
        fclose(file)
        defer { unlink(path) }
        let pipe = try #require(popen("TZ=\(name) date -f \(path) +%z", "r"))
        var lines: [String] = []
        var line = [CChar](repeating: 0, count: 64)
        while fgets(&line, 64, pipe) != nil {
            lines.append(String(decoding: line.prefix { $0 != 10 && $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        try #require(pclose(pipe) == 0 && lines.count == instants.count)
        for (instant, line) in zip(instants, lines) {
            // Where nothing was decided yet, `date` shows a minus.
            let line = line == "-0000" ? "+0000" : line
            let offset = zone.offset(at: instant)
            // `date` shows whole minutes.
            let minutes = offset.magnitude / 60
            func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
            try #require("\(offset < 0 ? "-" : "+")\(two(minutes / 60))\(two(minutes % 60))" == line, "\(name) at \(instant)")
        }
    }

    @Test(
        "the instant of a local time is the first at which clocks show it or a later one, and later times have later instants",
        arguments: names)
    func instants(name: String) throws {
        let zone = try zone(name)
        for year in ["1995", "2011", "2026", "2071"] {
            let first = try day("\(year)-01-01")
            var last = Int64.min
            for day in first..<first + 366 {
                for minute: Int64 in stride(from: 0, to: 1440, by: 15) {
                    let found = zone.instant(day: day, second: minute * 60)
                    try #require(found >= last, "\(name) \(CalendarDate(daysSince1970: day)) \(minute)")
                    last = found
                    let wanted = day * 86_400 + minute * 60
                    func shown(_ instant: Int64) -> Int64 { instant + zone.offset(at: instant) }
                    // A change to earlier clocks may hide the time again: what counts is that it was shown then, and never before.
                    try #require(
                        shown(found) >= wanted && shown(found - 1) < wanted,
                        "\(name) \(CalendarDate(daysSince1970: day)) \(minute)")
                    let (there, second) = zone.local(at: found)
                    try #require(there * 86_400 + second == shown(found))
                }
            }
        }
    }

    @Test("a time that is left out is the instant of the change, and one that is there twice the first of both")
    func changes() throws {
        let paris = try zone("Europe/Paris")
        #expect(paris.instant(day: try day("2026-03-29"), second: 9000) == (try instant("2026-03-29T01:00:00Z")))
        #expect(paris.instant(day: try day("2026-10-25"), second: 9000) == (try instant("2026-10-25T00:30:00Z")))
        #expect(paris.instant(day: try day("2026-10-25"), second: 10_800) == (try instant("2026-10-25T02:00:00Z")))
        #expect(paris.local(at: try instant("2026-10-25T01:30:00Z")) == (try day("2026-10-25"), 9000))
    }

    @Test("a file that is cut off or damaged is none, or a zone, and never ends the program")
    func damaged() throws {
        let bytes = try #require(WholeFile.read("/usr/share/zoneinfo/Europe/Paris"))
        for length in 0..<bytes.count {
            #expect(CivilZone(name: "", file: Array(bytes.prefix(length))) == nil || length > bytes.count - 30)
        }
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            var bytes = bytes
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let zone = CivilZone(name: "", file: bytes)
            _ = zone?.offset(at: 1_774_746_000)
            _ = zone?.instant(day: 20_541, second: 9000)
        }
    }
}
