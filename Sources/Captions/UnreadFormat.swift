/// Caption formats that are recognised so that a message can name them, and not read.
enum UnreadFormat {
    /// The name of the format; nil for another one.
    static func name(of bytes: [UInt8], _ text: String) -> String? {
        // The disk format code of EBU Tech 3264.
        if bytes.dropFirst(3).starts(with: Array("STL".utf8)) { return "EBU STL" }
        let head = text.prefix(400).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if head.hasPrefix("Scenarist_SCC") { return "Scenarist SCC" }
        if head.hasPrefix("# VobSub index file") { return "VobSub, whose pictures are in a file of their own," }
        if head.hasPrefix("[INFORMATION]") || head.hasPrefix("[TITLE]") { return "SubViewer" }
        if head.lowercased().hasPrefix("<sami") { return "SAMI" }
        if beginsWithFrames(head, "{", "}") { return "MicroDVD, whose times are numbers of frames," }
        return beginsWithFrames(head, "[", "]") ? "MPL2" : nil
    }

    /// `{25}{50}` or `[25][50]`.
    private static func beginsWithFrames(_ text: Substring, _ open: Character, _ close: Character) -> Bool {
        var rest = text
        for _ in 0..<2 {
            guard rest.first == open, let end = rest.firstIndex(of: close) else { return false }
            let number = rest[rest.index(after: rest.startIndex)..<end]
            guard !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return false }
            rest = rest[rest.index(after: end)...]
        }
        return true
    }
}
