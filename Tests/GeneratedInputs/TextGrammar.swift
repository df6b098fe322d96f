import LinuxSupport

/// A grammar that random texts are drawn from.
///
/// A rule is a list of alternatives. In an alternative `‹name›` is replaced by the rule of that name, `‹name*›` by several of them
/// and `‹name?›` by one or none; everything else is literal text. All grammars share the rules of `Terminals`.
struct TextGrammar: Sendable {
    private enum Piece: Sendable {
        case literal([UInt8])
        /// The rule, and how often it occurs at most and at least.
        case rule(Int, ClosedRange<Int>)
    }

    private var rules: [[[Piece]]] = []
    private let start: Int
    /// The deepest nesting; below it each rule takes its shortest form.
    private static let deepest = 24
    /// Longer texts only take longer.
    static let longest = 32 << 10

    init(_ start: String, _ rules: [String: [String]]) {
        let all = rules.merging(Terminals.rules) { own, _ in own }
        let names = all.keys.sorted()
        let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        self.start = numbers[start]!
        self.rules = names.map { name in all[name]!.map { Self.pieces($0, numbers, in: name) } }
    }

    private static func pieces(_ text: String, _ numbers: [String: Int], in rule: String) -> [Piece] {
        var pieces: [Piece] = []
        for (index, part) in text.split(separator: "‹", omittingEmptySubsequences: false).enumerated() {
            var literal = part
            if index > 0 {
                let end = part.firstIndex(of: "›")!
                var name = part[..<end]
                let count: ClosedRange<Int> = name.last == "*" ? 0...6 : name.last == "?" ? 0...1 : 1...1
                if count != 1...1 { name.removeLast() }
                guard let number = numbers[String(name)] else { fatalError("the rule \(rule) names \(name), which is no rule") }
                pieces.append(.rule(number, count))
                literal = part[part.index(after: end)...]
            }
            if !literal.isEmpty { pieces.append(.literal(Array(literal.utf8))) }
        }
        return pieces
    }

    /// Draws one text.
    func text(_ random: inout SeededGenerator) -> [UInt8] {
        var text: [UInt8] = []
        expand(start, into: &text, depth: 0, &random)
        return text
    }

    private func expand(_ rule: Int, into text: inout [UInt8], depth: Int, _ random: inout SeededGenerator) {
        guard text.count < Self.longest else { return }
        let alternatives = rules[rule]
        let choice = depth < Self.deepest ? Int.random(in: 0..<alternatives.count, using: &random) : 0
        for piece in alternatives[choice] {
            switch piece {
            case .literal(let bytes): text += bytes
            case .rule(let rule, let count):
                let times = depth < Self.deepest ? Int.random(in: count, using: &random) : count.lowerBound
                for _ in 0..<times { expand(rule, into: &text, depth: depth + 1, &random) }
            }
        }
    }
}

/// The rules that all grammars share, and the dictionary of extreme numbers.
enum Terminals {
    /// Numbers at which parsers and arithmetic have limits, and texts that only resemble numbers.
    static let extremes = [
        "-1", "-0", "1", "59", "60", "999", "1000", "1001", "16384", "16385", "65535", "65536", "86400", "86400.000000001",
        "86401",
        "999999", "1000000", "100000000", "999999999", "1000000000", "2147483647", "2147483648", "3000000000", "4294967295",
        "4294967296", "9000000000", "9007199254740992", "9007199254740993", "4611686018427387904", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "99999999999999999999",
        "340282366920938463463374607431768211456", "0.000000001", "0.9999999999", "-0.5", "1e9", "1e-9", "1e308", "1e309",
        "-1e308",
        "5e-324", "1e400", "nan", "NaN", "inf", "-inf", "Infinity", "0x7fffffffffffffff", "00000000000000000007", "+5", "1_000",
        "1,5", "٣", "", " ", "null", "true",
    ]

    /// The extremes that JSON can write.
    private static let json: [String] = extremes.filter { (text: String) -> Bool in
        let digits: Substring = text.first == "-" ? text.dropFirst() : text[...]
        let hasLeadingZero = digits.count > 1 && digits.first == "0" && !digits.hasPrefix("0.")
        return digits.first?.isWholeNumber == true && !hasLeadingZero
            && digits.utf8.allSatisfy { "-.e0123456789".utf8.contains($0) }
    }

    static let rules: [String: [String]] = [
        "small": (0...12).map(String.init) + ["25", "30", "100"],
        "extreme": extremes,
        "int": ["‹small›", "‹small›", "‹small›", "‹digit›‹digit›‹digit›", "‹extreme›"],
        "decimal": ["‹small›", "‹small›.‹digit›", "‹digit›.‹digit›‹digit›‹digit›", "29.97", "‹extreme›", "‹extreme›.‹extreme›"],
        "json": json,
        "digit": (0...9).map(String.init),
        "two": ["‹digit›‹digit›", "00", "01", "02", "59", "60", "99", "‹extreme›"],
        "date": [
            "2026-11-22T‹two›:‹two›:‹two›Z", "2026-11-22T12:00:0‹digit›.‹digit›‹digit›‹digit›+01:00",
            "2026-11-22T12:00:0‹digit›Z",
            "1700-01-01T00:00:00Z", "1900-01-01T00:00:00+23:59", "2189-12-31T24:00:00-23:59", "9999-12-31T23:59:60Z",
            "0000-01-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-11-22", "20261122T120000Z",
            "‹extreme›-‹two›-‹two›T‹two›:‹two›:‹two›Z",
        ],
        "word": [
            "a", "b", "x", "en", "deu", "zh-Hant", "é", "词", "\u{1F600}", "a\u{301}", "‹word›‹word›", "\u{0}", "\u{FEFF}",
            "\u{202E}",
        ],
        "name": ["a", "b", "c", "d", "v1", "v2"],
        "url": [
            "a.ts", "‹name›.m3u8", "‹name›/‹name›.ts?‹name›=‹int›", "https://h.example/‹name›", "http://127.0.0.1:‹int›/",
            "//h/‹name›", "../..",
            "file:///etc/passwd", "data:,‹word›", "https://[::1]:‹int›/%‹digit›‹digit›%zz", "HTTPS://U:P@h.example:99999/#‹word›",
            "", ":",
        ],
        "blank": [" ", "  ", "\t", ""],
        "line": ["\n", "\n", "\n", "\r\n", "\r", "\n\n"],
        "flag": ["YES", "NO", "true", "false", "0", ""],
        "junk": ["\u{0}", "\u{7F}", "\"", "'", "<", ">", "&", "{", "}", "\\", "%", "-->", "]]>", "‹extreme›", "‹word›"],
        "yes": ["true", "false", "‹extreme›"],
    ]
}
