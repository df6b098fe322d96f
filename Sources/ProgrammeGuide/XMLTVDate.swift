import ChannelFeed

/// Parses XMLTV times: `YYYYMMDDhhmmss +hhmm`, where everything from the hours on is optional; without a zone it is UTC. ISO 8601 and seconds since
/// 1970, which other guides have, are read too.
enum XMLTVDate {
    /// Zone abbreviations used in files, in minutes east of Greenwich.
    private static let zones: [String: Int] = [
        "z": 0, "utc": 0, "gmt": 0, "wet": 0, "bst": 60, "cet": 60, "west": 60, "cest": 120, "eet": 120, "eest": 180, "msk": 180,
        "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "jst": 540,
        "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780,
    ]

    /// The time; nil when the text is not one.
    static func read(_ text: String) -> FeedDate? {
        let words = text.split { $0 == " " || $0 == "\t" }
        guard let first = words.first else { return nil }
        if first.contains(where: { $0 == "-" || $0 == "T" }), first.prefix(4).allSatisfy(isDigit), let time = iso(words) {
            return time
        }
        guard words.count <= 2 else { return nil }
        let digits = first.prefix(while: isDigit)
        var zone = withoutFraction(first.dropFirst(digits.count))
        if words.count == 2 {
            guard zone.isEmpty else { return nil }
            zone = words[1]
        }
        // Otherwise the zone stands without a blank before it, as some files have it.
        guard digits.count >= 8, digits.count % 2 == 0 || digits.count > 14 else { return sinceEpoch(digits, zone) }
        if zone.isEmpty { zone = "Z" }
        return local(digits.prefix(14)).flatMap { shifted($0, zone) } ?? sinceEpoch(digits, zone)
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    /// What follows a fraction of a second.
    private static func withoutFraction(_ text: Substring) -> Substring {
        text.first == "." ? text.dropFirst().drop(while: isDigit) : text
    }

    /// The time of `YYYYMMDD` to `YYYYMMDDhhmmss`, as if in UTC.
    private static func local(_ digits: Substring) -> FeedDate? {
        func part(_ from: Int) -> Substring {
            guard digits.count >= from + 2 else { return "00" }
            let start = digits.index(digits.startIndex, offsetBy: from)
            return digits[start..<digits.index(start, offsetBy: 2)]
        }
        return FeedDate("\(digits.prefix(4))-\(part(4))-\(part(6))T\(part(8)):\(part(10)):\(part(12))Z")
    }

    private static func shifted(_ time: FeedDate, _ zone: Substring) -> FeedDate? {
        minutes(of: zone).map { FeedDate(milliseconds: time.milliseconds - Int64($0) * 60_000) }
    }

    /// `2026-11-20T20:30:00Z`, `2026-11-20 20:30`, `2026-11-20 20:30:00 +0100`, `20261120T203000Z`.
    private static func iso(_ words: [Substring]) -> FeedDate? {
        var words = words
        if words[0].contains("T") {
            words = words[0].split(separator: "T", maxSplits: 1) + words.dropFirst()
        }
        let date = words[0].filter { $0 != "-" }
        guard date.count == 8, date.allSatisfy(isDigit), words.count <= 3 else { return nil }
        guard words.count > 1 else { return local(Substring(date)) }
        let clock = words[1].prefix { isDigit($0) || $0 == ":" }
        var zone = withoutFraction(words[1].dropFirst(clock.count))
        if words.count == 3 {
            guard zone.isEmpty else { return nil }
            zone = words[2]
        }
        let digits = clock.filter { $0 != ":" }
        guard [2, 4, 6].contains(digits.count) else { return nil }
        return local(Substring(date + digits)).flatMap { shifted($0, zone.isEmpty ? "Z" : zone) }
    }

    /// Seconds, or milliseconds, since 1970, from 2001 on.
    private static func sinceEpoch(_ digits: Substring, _ zone: Substring) -> FeedDate? {
        guard zone.isEmpty || minutes(of: zone) == 0, let number = Int64(digits) else { return nil }
        switch digits.count {
        case 10: return FeedDate(milliseconds: number * 1000)
        case 13: return FeedDate(milliseconds: number)
        default: return nil
        }
    }

    private static func minutes(of zone: Substring) -> Int? {
        let name = zone.lowercased()
        if let known = zones[name] { return known }
        // `UTC+1` and `GMT+02:00`.
        if name.hasPrefix("utc") || name.hasPrefix("gmt") { return minutes(of: zone.dropFirst(3)) }
        guard let sign = zone.first, sign == "+" || sign == "-" else { return nil }
        let digits = zone.dropFirst().filter { $0 != ":" }
        // `+0100`, `+01`, and without the zero, as programs that count write them.
        guard (1...4).contains(digits.count), let number = Int(digits) else { return nil }
        let (hours, rest) = digits.count <= 2 ? (number, 0) : (number / 100, number % 100)
        guard hours < 24, rest < 60 else { return nil }
        return sign == "-" ? -(hours * 60 + rest) : hours * 60 + rest
    }
}
