/// Caption formats that are recognised so that a message can name them, and not read.
enum UnreadFormat {
    /// Beginnings, in small letters, without white space before them.
    private static let beginnings: [(words: [String], name: String)] = [
        (["scenarist_scc"], "Scenarist SCC"), (["# vobsub index file"], "VobSub, whose pictures are in a file of their own,"),
        (["<sami"], "SAMI"), (["<window", "<time "], "RealText"),
        (["<transcript", "<timedtext"], "YouTube’s XML"), (["{\"", "[{\""], "JSON"),
        (["$fontname", "$horzalign", "$vertalign", "$bold", "//font select"], "Spruce STL"),
        (["format=", "title="], "MPSub"), (["#timeres", "#t ", "#shift"], "JACOsub"), (["-->>"], "AQTitle"),
        (["[ti:", "[ar:", "[al:", "[length:", "[offset:"], "LRC"),
    ]

    /// The name of the format; nil for another one.
    static func name(of bytes: [UInt8], _ text: String) -> String? {
        // The disk format code of EBU Tech 3264.
        if bytes.dropFirst(3).starts(with: Array("STL".utf8)) { return "EBU STL" }
        if bytes.starts(with: [0x1F, 0x8B]) { return "a file that gzip has compressed" }
        if bytes.starts(with: [0x50, 0x4B, 3, 4]) { return "a ZIP archive" }
        if bytes.starts(with: [0x50, 0x47]) { return "PGS, whose captions are pictures," }
        let head = String(text.prefix(400).drop { $0.isWhitespace || $0 == "\u{FEFF}" })
        var small = head.lowercased()[...]
        if small.hasPrefix("<?xml"), let end = small.firstRange(of: "?>") {
            small = small[end.upperBound...].drop(while: \.isWhitespace)
        }
        if let found = beginnings.first(where: { $0.words.contains { small.hasPrefix($0) } }) { return found.name }
        if beginsWithNumbers(head, "{", "}", count: 2) { return "MicroDVD, whose times are numbers of frames," }
        if beginsWithNumbers(head, "[", "]", count: 2) { return "MPL2" }
        let line = head.prefix { !$0.isNewline }
        if fits(line, "0:00:00.00 0:00:00.00 {") { return "JACOsub" }
        if fits(line, "[00:00.00]") { return "LRC" }
        if fits(line, "00:00:00:00,00:00:00:00,") || fits(line, "00:00:00:00 , 00:00:00:00 ,") { return "Spruce STL" }
        if fits(line, "00:00:00:") || fits(line, "00:00:00=") { return "VPlayer" }
        return isPhoenix(line) ? "PJS" : nil
    }

    /// `{25}{50}` or `[25][50]`.
    private static func beginsWithNumbers(_ text: String, _ open: Character, _ close: Character, count: Int) -> Bool {
        var rest = text[...]
        for _ in 0..<count {
            guard rest.first == open, let end = rest.firstIndex(of: close) else { return false }
            let number = rest[rest.index(after: rest.startIndex)..<end]
            guard !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return false }
            rest = rest[rest.index(after: end)...]
        }
        return true
    }

    /// Whether a line begins as a pattern, in which `0` is any digit.
    private static func fits(_ line: Substring, _ pattern: String) -> Bool {
        line.count > pattern.count
            && zip(line.unicodeScalars, pattern.unicodeScalars).allSatisfy { $1 == "0" ? CaptionText.isDigit($0) : $0 == $1 }
    }

    /// `12,34,"text"`.
    private static func isPhoenix(_ line: Substring) -> Bool {
        let parts = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map { String($0).trimmed }
        return parts.count == 3 && parts[2].hasPrefix("\"")
            && parts[..<2].allSatisfy { !$0.isEmpty && $0.unicodeScalars.allSatisfy(CaptionText.isDigit) }
    }
}
