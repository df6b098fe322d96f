import Cryptography
import WireFormats

/// What names a body: a checksum of its bytes, and their number. A fixed size, because the index holds one for each resource.
///
/// The checksum is Poly1305 with a fixed key. It finds damage as well as any sum of 128 bits, in a seventh of the time of SHA-256, which was a third of
/// the time of storing. It does not stop anybody from making two bodies with one name on purpose: `StoreFolder.place` compares them. Stores of earlier
/// versions named bodies by their SHA-256, and still have them.
struct BodyDigest: Hashable, Sendable {
    private let words: SIMD4<UInt64>

    /// - Parameter bytes: exactly 32.
    init(_ bytes: some Collection<UInt8>) {
        precondition(bytes.count == 32, "the name of a body has 32 bytes")
        var words = SIMD4<UInt64>()
        var rest = bytes[...]
        for index in 0..<4 {
            words[index] = rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(8)
        }
        self.words = words
    }

    /// - Parameter checksum: 16 bytes.
    fileprivate init(checksum: [UInt8], length: Int64) {
        let length = UInt64(bitPattern: length)
        self.init(
            checksum + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) }
                + [UInt8](repeating: 0, count: 8))
    }

    /// The name of a body that is in memory.
    init(of body: [UInt8]) {
        var sum = RunningBodyDigest()
        sum.update(body)
        self = sum.finish()
    }

    /// Whether it is a SHA-256 and not a checksum, whose last 8 bytes are zero.
    fileprivate var isSHA256: Bool { words[3] != 0 }

    var bytes: [UInt8] {
        (0..<4).flatMap { index in (0..<8).map { UInt8(truncatingIfNeeded: words[index] >> (56 - 8 * UInt64($0))) } }
    }

    /// 64 digits.
    var hexadecimal: String { bytes.hexadecimal }
}

/// The name of a body that arrives piece by piece. A value with references: one owner, one thread at a time.
struct RunningBodyDigest: Sendable {
    private enum Sum: Sendable {
        case checksum(RunningPoly1305)
        case sha256(RunningSHA256)
    }
    private let sum: Sum
    private var length: Int64 = 0

    /// Fixed, so that equal bodies have one name.
    static let key = SHA256.digest(Array("marquee body".utf8))

    init() { sum = .checksum(RunningPoly1305(key: Self.key)) }

    /// A digest of the kind of another one, for a comparison with it.
    init(like digest: BodyDigest) { sum = digest.isSHA256 ? .sha256(RunningSHA256()) : .checksum(RunningPoly1305(key: Self.key)) }

    /// Adds the next bytes.
    mutating func update(_ bytes: [UInt8]) {
        length += Int64(bytes.count)
        switch sum {
        case .checksum(let sum): sum.update(bytes)
        case .sha256(let sum): sum.update(bytes)
        }
    }

    /// Called once, as the last call.
    func finish() -> BodyDigest {
        switch sum {
        case .checksum(let sum): BodyDigest(checksum: sum.finish(), length: length)
        case .sha256(let sum): BodyDigest(sum.finish())
        }
    }
}
