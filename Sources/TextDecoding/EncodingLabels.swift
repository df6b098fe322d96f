/// Names of encodings: what texts, servers and detectors write, as iconv's names.
enum EncodingLabels {
    /// Names that mean more than they say, as browsers read them (WHATWG Encoding, 4.2): a text that declares one of these is in its superset.
    private static let supersets: [String: String] = [
        "UTF8": "UTF-8", "UNICODE-1-1-UTF-8": "UTF-8", "UTF-16": "UTF-16LE", "UNICODE": "UTF-16LE", "UCS-2": "UTF-16LE",
        "ISO-8859-1": "CP1252", "ISO8859-1": "CP1252", "ISO_8859-1": "CP1252", "LATIN1": "CP1252", "LATIN-1": "CP1252",
        "L1": "CP1252",
        "ASCII": "CP1252", "US-ASCII": "CP1252", "ANSI": "CP1252", "ISO-8859-9": "CP1254", "LATIN5": "CP1254",
        "ISO-8859-11": "CP874",
        "TIS-620": "CP874", "GB2312": "GB18030", "GBK": "GB18030", "CP936": "GB18030", "WINDOWS-936": "GB18030",
        "X-GBK": "GB18030",
        "EUC-CN": "GB18030", "BIG5": "CP950", "BIG-5": "CP950", "X-X-BIG5": "CP950", "SHIFT_JIS": "CP932", "SHIFT-JIS": "CP932",
        "SJIS": "CP932", "X-SJIS": "CP932", "MS_KANJI": "CP932", "WINDOWS-31J": "CP932", "EUC-KR": "CP949",
        "KS_C_5601-1987": "CP949",
        "KSC5601": "CP949", "UHC": "CP949", "ISO-8859-8-I": "ISO-8859-8", "MACINTOSH": "MACINTOSH", "X-MAC-ROMAN": "MACINTOSH",
        "X-MAC-CYRILLIC": "MAC-CYRILLIC",
    ]

    /// The Windows page that has the letters of an ISO page at the same places, or nearly, and letters where that has control characters.
    private static let windows: [String: String] = [
        "ISO-8859-1": "CP1252", "ISO-8859-15": "CP1252", "ISO-8859-2": "CP1250", "ISO-8859-5": "CP1251", "ISO-8859-6": "CP1256",
        "ISO-8859-7": "CP1253", "ISO-8859-8": "CP1255", "ISO-8859-9": "CP1254", "ISO-8859-3": "CP1254", "ISO-8859-13": "CP1257",
        "ISO-8859-4": "CP1257", "ISO-8859-10": "CP1257",
    ]

    /// iconv's name for a declared one; nil for none, and for names that iconv does not have.
    static func known(_ label: String?) -> String? {
        guard let label else { return nil }
        let name = String(label.unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "\"" && $0 != "'" }).uppercased()
        // A slash would begin iconv's options.
        guard !name.isEmpty, name.utf8.count <= 40, name.unicodeScalars.allSatisfy({ isNamed($0) }) else { return nil }
        let exact = supersets[name] ?? (name.hasPrefix("WINDOWS-") ? "CP" + name.dropFirst(8) : name)
        return TextConverter(exact) == nil ? nil : exact
    }

    /// Whether texts of an encoding have no byte above ASCII, and are no plain ASCII.
    static func isASCIIOnly(_ name: String) -> Bool {
        name.hasPrefix("ISO-2022") || name == "UTF-7" || name == "HZ" || name == "HZ-GB-2312"
    }

    /// Forms of Unicode are known by their bytes: where those are of none, a declaration of one is a mistake.
    static func isUnicode(_ name: String) -> Bool { name.hasPrefix("UTF") || name.hasPrefix("UCS") }

    /// iconv's name for what a detector found: the Windows page, where the text has characters that the ISO page lacks.
    static func widened(_ name: String, for sample: [UInt8]) -> String? {
        // ISO-8859-16 was hardly ever used: Romanian is written in the Windows page, whose letters have the same places.
        if name == "ISO-8859-16" { return "CP1250" }
        // The Ukrainian letters of KOI8-U are frames of boxes in KOI8-R.
        if name == "KOI8-R" { return "KOI8-U" }
        guard name != "UTF-8", let known = known(name) else { return nil }
        guard let wide = windows[name], sample.contains(where: { (0x80..<0xA0).contains($0) }) else { return known }
        return wide
    }

    private static func isNamed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_:.+".unicodeScalars.contains(scalar))
    }
}
