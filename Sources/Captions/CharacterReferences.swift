/// Named and numeric character references (HTML): the names of WebVTT and Latin-1, a few others used in captions, and all
/// numbers.
enum CharacterReferences {
    /// Parses a reference at its `&`; returns nil and consumes nothing when there is none.
    static func read(_ scanner: inout CaptionScanner) -> String? {
        var ahead = scanner
        ahead.advance()
        let start = ahead.position
        ahead.skip { $0 == "#" || $0.isASCII && ($0.properties.isAlphabetic || CaptionText.isDigit($0)) }
        let name = ahead.text(from: start, to: ahead.position)
        guard ahead.next == ";", name.unicodeScalars.count <= 10, let text = character(name) else { return nil }
        ahead.advance()
        scanner = ahead
        return text
    }

    private static func character(_ name: String) -> String? {
        if name.hasPrefix("#x") || name.hasPrefix("#X") { return number(UInt32(name.dropFirst(2), radix: 16)) }
        if name.hasPrefix("#") { return number(UInt32(name.dropFirst())) }
        if let code = others[name] ?? latin1.firstIndex(of: name).map({ UInt32($0 + 0xA0) }) { return number(code) }
        return nil
    }

    private static func number(_ code: UInt32?) -> String? {
        guard let code else { return nil }
        return String(code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}")
    }

    private static let others: [String: UInt32] = [
        "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "lrm": 0x200E, "rlm": 0x200F, "zwj": 0x200D,
        "zwnj": 0x200C,
        "ndash": 0x2013, "mdash": 0x2014, "lsquo": 0x2018, "rsquo": 0x2019, "ldquo": 0x201C, "rdquo": 0x201D, "hellip": 0x2026,
        "bull": 0x2022,
        "euro": 0x20AC, "trade": 0x2122, "OElig": 0x152, "oelig": 0x153, "Scaron": 0x160, "scaron": 0x161, "Yuml": 0x178,
        "ensp": 0x2002,
        "emsp": 0x2003, "thinsp": 0x2009, "lsaquo": 0x2039, "rsaquo": 0x203A, "sbquo": 0x201A, "bdquo": 0x201E,
    ]

    /// U+00A0 to U+00FF in order.
    private static let latin1 = [
        "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf", "laquo", "not", "shy", "reg",
        "macr", "deg",
        "plusmn", "sup2", "sup3", "acute", "micro", "para", "middot", "cedil", "sup1", "ordm", "raquo", "frac14", "frac12",
        "frac34", "iquest",
        "Agrave", "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave", "Eacute", "Ecirc", "Euml", "Igrave",
        "Iacute",
        "Icirc", "Iuml", "ETH", "Ntilde", "Ograve", "Oacute", "Ocirc", "Otilde", "Ouml", "times", "Oslash", "Ugrave", "Uacute",
        "Ucirc", "Uuml",
        "Yacute", "THORN", "szlig", "agrave", "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil", "egrave", "eacute",
        "ecirc", "euml",
        "igrave", "iacute", "icirc", "iuml", "eth", "ntilde", "ograve", "oacute", "ocirc", "otilde", "ouml", "divide", "oslash",
        "ugrave",
        "uacute", "ucirc", "uuml", "yacute", "thorn", "yuml",
    ]

    /// The text up to a character, with its references resolved.
    static func text(_ scanner: inout CaptionScanner, until end: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        while let next = scanner.next, next != end {
            if next == "&", let reference = read(&scanner) {
                result.append(contentsOf: reference.unicodeScalars)
            } else {
                result.append(next)
                scanner.advance()
            }
        }
        return String(result)
    }
}
