import ChannelFeed

/// Parses XMLTV times: `YYYYMMDDhhmmss +hhmm`, where everything from the hours on is optional; without a zone it is UTC.
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
        guard let first = words.first, words.count <= 2 else { return nil }
        var digits = first.prefix { $0.isASCII && $0.isNumber }
        var zone = words.count == 2 ? words[1] : first.dropFirst(digits.count)
        // Some files have no blank before the zone.
        if words.count == 2, digits.count != first.count { return nil }
        guard digits.count >= 8, digits.count % 2 == 0 else { return nil }
        digits = digits.prefix(14)
        func part(_ from: Int) -> Substring {
            guard digits.count >= from + 2 else { return "00" }
            let start = digits.index(digits.startIndex, offsetBy: from)
            return digits[start..<digits.index(start, offsetBy: 2)]
        }
        if zone.isEmpty { zone = "Z" }
        guard let minutes = minutes(of: zone) else { return nil }
        let year = digits.prefix(4)
        guard let local = FeedDate("\(year)-\(part(4))-\(part(6))T\(part(8)):\(part(10)):\(part(12))Z") else { return nil }
        return FeedDate(milliseconds: local.milliseconds - Int64(minutes) * 60_000)
    }

    private static func minutes(of zone: Substring) -> Int? {
        if let known = zones[zone.lowercased()] { return known }
        guard let sign = zone.first, sign == "+" || sign == "-" else { return nil }
        let digits = zone.dropFirst().filter { $0 != ":" }
        guard digits.count == 4, let number = Int(digits), number / 100 < 24, number % 100 < 60 else { return nil }
        let minutes = number / 100 * 60 + number % 100
        return sign == "-" ? -minutes : minutes
    }
}
