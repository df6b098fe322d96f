/// The lines of a text that is not UTF-8 throughout.
///
/// Where a fair part of its characters is UTF-8, lines differ: guides are merged from several sources, and files are cut inside a character.
/// Otherwise the whole text is in another encoding, and lines that could be UTF-8 are so by chance.
struct TextLines {
    private enum Kind { case unicode, damaged, foreign }

    /// At most so many bytes are looked at to find an encoding.
    private static let sampleLength = 1 << 18

    private let bytes: [UInt8]
    private var lines: [(range: Range<Int>, kind: Kind)] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let whole = Self.count(bytes[...])
        // A text of the seven-bit encodings has no byte above ASCII, and escapes in their place.
        if Self.hasEscapes(bytes) {
            lines = [(bytes.indices, .foreign)]
        } else if whole.bad > 0, whole.good * 4 < whole.bad {
            lines = [(bytes.indices, .foreign)]
        } else {
            for range in Self.ranges(bytes) {
                let (good, bad) = Self.count(bytes[range])
                let kind: Kind = bad == 0 ? .unicode : good >= bad * 2 ? .damaged : .foreign
                // Neighbours of one kind are one piece.
                if let last = lines.last, last.kind == kind {
                    lines[lines.count - 1].range = last.range.lowerBound..<range.upperBound
                } else {
                    lines.append((range, kind))
                }
            }
        }
    }

    /// Whether bytes are UTF-8.
    static func isUnicode(_ bytes: [UInt8]) -> Bool { count(bytes[...]).bad == 0 }

    var hasForeign: Bool { lines.contains { $0.kind == .foreign } }

    /// The foreign lines with characters above ASCII, or as many of them as are needed to recognise their encoding.
    var foreign: [UInt8] {
        var sample: [UInt8] = []
        for line in lines where line.kind == .foreign {
            for range in Self.ranges(Array(bytes[line.range])) where sample.count < Self.sampleLength {
                let text = bytes[(line.range.lowerBound + range.lowerBound)..<(line.range.lowerBound + range.upperBound)]
                if text.contains(where: { $0 >= 0x80 || $0 == 0x1B }) { sample += text.prefix(Self.sampleLength - sample.count) }
            }
        }
        return sample
    }

    /// The whole text.
    ///
    /// - Parameter decode: decodes foreign lines.
    func text(_ decode: ([UInt8]) -> String?) -> String {
        var text = ""
        for line in lines {
            let part = bytes[line.range]
            text +=
                line.kind == .foreign
                ? decode(Array(part)) ?? String(decoding: part, as: UTF8.self) : String(decoding: part, as: UTF8.self)
        }
        return text
    }

    /// ISO 2022: an escape that designates a character set.
    private static func hasEscapes(_ bytes: [UInt8]) -> Bool {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
        return bytes.indices.dropLast(2).contains { bytes[$0] == 0x1B && (bytes[$0 + 1] == 0x24 || bytes[$0 + 1] == 0x28) }
    }

    /// The lines with their ends: LF, CR LF or CR.
    private static func ranges(_ bytes: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for (index, byte) in bytes.enumerated()
        where byte == 0x0A || byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A) {
            ranges.append(start..<(index + 1))
            start = index + 1
        }
        if start < bytes.count { ranges.append(start..<bytes.count) }
        return ranges
    }

    /// The characters of more than one byte that are UTF-8, and the bytes that are not.
    private static func count(_ bytes: ArraySlice<UInt8>) -> (good: Int, bad: Int) {
        var (good, bad) = (0, 0)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] >= 0x80 else {
                index += 1
                continue
            }
            let length = characterLength(bytes[index...])
            if length > 0 { good += 1 } else { bad += 1 }
            index += max(length, 1)
        }
        return (good, bad)
    }

    /// The length of the character of more than one byte at the beginning (Unicode, table 3-7); 0 for none.
    private static func characterLength(_ bytes: ArraySlice<UInt8>) -> Int {
        guard let first = bytes.first else { return 0 }
        let second: ClosedRange<UInt8>
        switch first {
        case 0xC2...0xDF: return bytes.dropFirst().first.map { (0x80...0xBF).contains($0) } == true ? 2 : 0
        case 0xE0: second = 0xA0...0xBF
        case 0xED: second = 0x80...0x9F
        case 0xF0: second = 0x90...0xBF
        case 0xF4: second = 0x80...0x8F
        case 0xE1...0xF3: second = 0x80...0xBF
        default: return 0
        }
        let length = first < 0xF0 ? 3 : 4
        let rest = bytes.dropFirst().prefix(length - 1)
        guard rest.count == length - 1, second.contains(rest.first ?? 0),
            rest.dropFirst().allSatisfy({ (0x80...0xBF).contains($0) })
        else { return 0 }
        return length
    }
}
