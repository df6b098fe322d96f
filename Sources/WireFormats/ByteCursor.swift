/// Parses values from the front of bytes; every step returns nil when too few bytes are left.
package struct ByteCursor {
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(Array(bytes)) }
    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    package var count: Int { rest.count }
    package var isEmpty: Bool { rest.isEmpty }

    package mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A big-endian number of up to eight bytes.
    package mutating func big(_ count: Int) -> UInt64? { take(count)?.bigEndian }

    /// A little-endian number of four bytes.
    package mutating func little32() -> Int? { take(4).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } } }

    package mutating func byte() -> UInt8? { take(1)?.first }

    /// A synchsafe number: four bytes with seven bits each (ID3v2.4 section 6.2).
    package mutating func synchsafe() -> Int? {
        guard let bytes = take(4), bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return bytes.reduce(0) { $0 << 7 | Int($1) }
    }

    /// A four-character code: each byte is one character of ISO 8859-1, so that `©nam` is four characters.
    package mutating func fourCharacters() -> String? { take(4)?.latin1 }

    /// A text in UTF-8 that ends with a zero byte.
    package mutating func terminatedText() -> String? {
        guard let end = rest.firstIndex(of: 0), let text = take(end - rest.startIndex) else { return nil }
        _ = byte()
        return String(decoding: text, as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// The big-endian number in these bytes, of which there are at most eight.
    package var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }

    /// The big-endian number of `count` bytes at an offset from the start; nil when the bytes end before.
    package func big(_ count: Int, at offset: Int) -> UInt64? {
        guard offset >= 0, self.count >= offset + count else { return nil }
        return self[startIndex + offset..<startIndex + offset + count].bigEndian
    }

    /// The bytes as text in ISO 8859-1.
    package var latin1: String { String(String.UnicodeScalarView(map { Unicode.Scalar($0) })) }
}
