import Glibc

/// Part of a playlist's text, borrowed during a parse.
typealias Bytes = UnsafeBufferPointer<UInt8>

extension UnsafeBufferPointer where Element == UInt8 {
    /// The part from `lower` up to but not including `upper`.
    @inline(__always)
    func part(_ lower: Int, _ upper: Int) -> Bytes { Bytes(rebasing: self[lower..<upper]) }

    /// Whether the text starts with an ASCII literal.
    @inline(__always)
    func starts(with literal: StaticString) -> Bool {
        guard let base = baseAddress, count >= literal.utf8CodeUnitCount else { return false }
        return memcmp(base, literal.utf8Start, literal.utf8CodeUnitCount) == 0
    }

    /// The first position of a byte at or after `start`.
    @inline(__always)
    func position(of byte: UInt8, from start: Int = 0) -> Int? {
        guard let base = baseAddress, start < count else { return nil }
        guard let found = memchr(base + start, Int32(byte), count - start) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// The text without blanks and control characters at its ends: they are layout, or what files are filled up with.
    @inline(__always)
    var trimmed: Bytes {
        var lower = 0
        var upper = count
        while lower < upper, self[lower] <= 0x20 { lower += 1 }
        while upper > lower, self[upper - 1] <= 0x20 { upper -= 1 }
        return lower == 0 && upper == count ? self : part(lower, upper)
    }

    /// The text as a string; invalid UTF-8 becomes U+FFFD.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// An address as a string; bytes that are not UTF-8 are escaped, so that a server gets them as they are.
    var address: String {
        var rest = self
        var text = ""
        while let place = rest.span.firstInvalidUTF8 {
            text += rest.part(0, place).text + "%" + rest[place].hexadecimal(uppercase: true)
            rest = rest.part(place + 1, rest.count)
        }
        return text + rest.text
    }
}

extension UInt8 {
    /// Space, tab or carriage return.
    @inline(__always)
    var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }

    /// The value of an ASCII decimal digit.
    @inline(__always)
    var digit: Int64? {
        let value = self &- 0x30
        return value < 10 ? Int64(value) : nil
    }

    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let quote = UInt8(ascii: "\"")
    static let hash = UInt8(ascii: "#")
}

/// Iterates over the lines of a playlist, trimmed, with their numbers.
struct LineReader {
    private let bytes: Bytes
    private let separator: UInt8
    /// The number of the last line returned; the first line is 1.
    private(set) var number: Int
    /// The start of the next line.
    private(set) var position: Int

    init(_ bytes: Bytes, from position: Int = 0, after number: Int = 0) {
        self.bytes = bytes
        self.position = position
        self.number = number
        // Lines end in LF or CR LF; a text without LF uses lone CRs, as old editors wrote them.
        let onlyCarriageReturns = bytes.position(of: .lineFeed) == nil && bytes.position(of: .carriageReturn) != nil
        separator = onlyCarriageReturns ? .carriageReturn : .lineFeed
    }

    /// The next line, trimmed, or nil at the end of the text.
    @inline(__always)
    mutating func next() -> Bytes? {
        guard position < bytes.count else { return nil }
        let end = bytes.position(of: separator, from: position) ?? bytes.count
        let line = bytes.part(position, end).trimmed
        position = end + 1
        number += 1
        return line
    }

    /// The first line that is not blank.
    var firstContent: Bytes {
        var reader = self
        while let line = reader.next() {
            if !line.isEmpty { return line }
        }
        return Bytes(start: nil, count: 0)
    }
}
