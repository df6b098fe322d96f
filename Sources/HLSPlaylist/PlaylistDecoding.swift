/// The text of a playlist as its lines are read: UTF-8, with tags in capital letters. Some editors save UTF-16, and some programs write `#extm3u`.
enum PlaylistDecoding {
    /// A text in this form; nil if it has it already.
    static func repaired(_ bytes: Bytes, _ diagnostics: inout Diagnostics) -> [UInt8]? {
        if bytes.starts(with: "#EXTM3U") { return nil }
        let narrow = narrowed(bytes)
        if narrow != nil { diagnostics.error(.invalidUTF8, line: 1, "the text is UTF-16; save it as UTF-8") }
        guard let line = firstLine(narrow.map { ArraySlice($0) } ?? ArraySlice(Array(bytes.prefix(longestStart)))) else {
            return narrow
        }
        diagnostics.error(
            .missingHeader, line: line, "#EXTM3U is in small letters, as its tags may be; write tags in capital letters")
        return capitalized(narrow ?? Array(bytes))
    }

    /// A header in small letters is only looked for in the first bytes.
    private static let longestStart = 4096

    /// UTF-16 as UTF-8; nil for what is not UTF-16.
    private static func narrowed(_ bytes: Bytes) -> [UInt8]? {
        guard bytes.count >= 2 else { return nil }
        let start = (bytes[0], bytes[1])
        let isBig: Bool
        switch start {
        case (0xFF, 0xFE): isBig = false
        case (0xFE, 0xFF): isBig = true
        case (0, 1...0x7F): isBig = true
        case (1...0x7F, 0): isBig = false
        default: return nil
        }
        let units = stride(from: start.0 >= 0xFE ? 2 : 0, to: bytes.count - 1, by: 2).map { place -> UInt16 in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// The number of the first line that is not blank, if it is the header in small letters.
    private static func firstLine(_ bytes: ArraySlice<UInt8>) -> Int? {
        var number = 1
        let text = bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).drop { byte in
            if byte == .lineFeed { number += 1 }
            return byte <= 0x20
        }
        let head = text.prefix(header.count)
        guard !head.elementsEqual(header), head.map(capital).elementsEqual(header) else { return nil }
        return number
    }

    private static let header = Array("#EXTM3U".utf8)

    /// The names of tags in capital letters.
    private static func capitalized(_ bytes: [UInt8]) -> [UInt8] {
        var text = bytes
        var isTag = false
        var isStart = true
        for index in text.indices {
            switch text[index] {
            case .lineFeed, .carriageReturn: (isStart, isTag) = (true, false)
            case .hash where isStart:
                (isStart, isTag) = (false, text[index...].dropFirst().prefix(3).map(capital).elementsEqual("EXT".utf8))
            case .colon: isTag = false
            case let byte:
                if byte > 0x20, !(isStart && byte >= 0x80) { isStart = false }
                if isTag { text[index] = capital(byte) }
            }
        }
        return text
    }

    private static func capital(_ byte: UInt8) -> UInt8 { (0x61...0x7A).contains(byte) ? byte - 0x20 : byte }
}
