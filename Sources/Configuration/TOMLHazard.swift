/// Text that the TOML parser does not survive, or reads for minutes, instead of reporting an error: a date without the time that its `T`
/// announces (`a = 2026-11-22T`), a table whose name does not begin like one (`[=box]`), an array that ends like an inline table
/// (`a = [}`), and a name of very many parts (`a.a.a…`).
struct TOMLHazard {
    /// Counted from one.
    let line: Int
    /// In bytes, counted from one.
    let column: Int
    /// What is wrong, and what to write.
    let reason: String

    /// The most dots between two signs that separate keys and values. A name in use has two.
    private static let mostDots = 32

    private enum Place: Equatable {
        case bare, comment
        /// In a string that this many of these bytes end: one, or three in a string of several lines.
        case string(UInt8, Int)
    }

    /// The first one in a text; nil when there is none.
    init?(in text: String) {
        let bytes = Array(text.utf8)
        var (place, index, line, lineStart) = (Place.bare, 0, 1, 0)
        // The brackets of the open arrays and inline tables, and whether only blanks precede on the line.
        var (open, isAtStart) = ([UInt8](), true)
        var dots = 0
        while index < bytes.count {
            let byte = bytes[index]
            var step = 1
            switch place {
            case .comment: if byte == UInt8(ascii: "\n") { place = .bare }
            case .string(let quote, let count):
                if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                    // An escaped line feed still ends its line.
                    if index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: "\n") { step = 2 }
                } else if Self.run(of: quote, in: bytes, at: index) >= count {
                    place = .bare
                    step = count
                } else if byte == UInt8(ascii: "\n"), count == 1 {
                    place = .bare
                }
            case .bare:
                var reason: String?
                if Self.separators.contains(byte) { dots = 0 }
                switch byte {
                case UInt8(ascii: "."):
                    dots += 1
                    if dots > Self.mostDots { reason = "a name has at most \(Self.mostDots + 1) parts; write fewer" }
                case UInt8(ascii: "#"): place = .comment
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    step = Self.run(of: byte, in: bytes, at: index) >= 3 ? 3 : 1
                    place = .string(byte, step)
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    if open.isEmpty, isAtStart, !Self.isTable(bytes, at: index) {
                        reason = "a table needs a name; write [box]"
                    }
                    open.append(byte)
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    if byte == UInt8(ascii: "}"), open.last == UInt8(ascii: "[") { reason = "an array ends with ]" }
                    _ = open.popLast()
                default:
                    if Self.isDate(bytes, at: index) { reason = "the date has no time after its T; write the text in quotes" }
                }
                if let reason {
                    self.reason = reason
                    self.line = line
                    column = index - lineStart + 1
                    return
                }
            }
            if byte == UInt8(ascii: "\n") { (line, lineStart) = (line + 1, index + 1) }
            isAtStart = byte == UInt8(ascii: "\n") || isAtStart && Self.isBlank(byte)
            index += step
        }
        return nil
    }

    /// Between keys and values.
    private static let separators = Set("\n=,[]{}".utf8)

    /// How many of the bytes at a place are the same quotation mark, up to three.
    private static func run(of quote: UInt8, in bytes: [UInt8], at index: Int) -> Int {
        bytes[index...].prefix(3).prefix { $0 == quote }.count
    }

    /// Whether a name follows one or two brackets.
    private static func isTable(_ bytes: [UInt8], at index: Int) -> Bool {
        let rest = bytes[index...].dropFirst()
        let name = (rest.first == UInt8(ascii: "[") ? rest.dropFirst() : rest).drop(while: isBlank)
        guard let first = name.first else { return true }
        return isDigit(first) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20) || "_-\"'".utf8.contains(first)
    }

    private static func isDate(_ bytes: [UInt8], at index: Int) -> Bool {
        let pattern = Array("0000-00-00T".utf8)
        guard index + pattern.count <= bytes.count, isDigit(bytes[index]) else { return false }
        let isShaped = zip(bytes[index...], pattern).allSatisfy { byte, wanted in
            wanted == UInt8(ascii: "0")
                ? isDigit(byte) : byte == wanted || byte == UInt8(ascii: "t") && wanted == UInt8(ascii: "T")
        }
        let next = index + pattern.count
        return isShaped && (next == bytes.count || !isDigit(bytes[next]))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
