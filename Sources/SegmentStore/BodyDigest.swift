import WireFormats

/// The SHA-256 of a body, which names it. A fixed size, because the index holds one for each resource.
struct BodyDigest: Hashable, Sendable {
    private let words: SIMD4<UInt64>

    /// - Parameter bytes: exactly 32.
    init(_ bytes: some Collection<UInt8>) {
        precondition(bytes.count == 32, "a SHA-256 has 32 bytes")
        var words = SIMD4<UInt64>()
        var rest = bytes[...]
        for index in 0..<4 {
            words[index] = rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(8)
        }
        self.words = words
    }

    var bytes: [UInt8] {
        (0..<4).flatMap { index in (0..<8).map { UInt8(truncatingIfNeeded: words[index] >> (56 - 8 * UInt64($0))) } }
    }

    /// 64 digits.
    var hexadecimal: String { bytes.hexadecimal }
}
