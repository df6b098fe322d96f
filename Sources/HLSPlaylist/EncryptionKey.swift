/// EXT-X-KEY or EXT-X-SESSION-KEY: the encryption of segments and the location of the key.
package struct EncryptionKey: Sendable, Hashable {
    /// METHOD. `none` never appears on a segment: an unencrypted segment has no key.
    package enum Method: Sendable, Hashable {
        /// Nothing is encrypted.
        case none
        /// Whole segments in AES-128-CBC with PKCS7 padding.
        case aes128
        /// Samples inside the container, in AES-128-CBC patterns.
        case sampleAES
        /// Samples in the `cenc` mode of Common Encryption.
        case sampleAESCTR
        /// An unknown method, as written.
        case other(String)

        init(_ text: String) {
            switch text {
            case "NONE": self = .none
            case "AES-128": self = .aes128
            case "SAMPLE-AES": self = .sampleAES
            case "SAMPLE-AES-CTR", "SAMPLE-AES-CENC": self = .sampleAESCTR
            default: self = .other(text)
            }
        }
    }

    /// METHOD.
    package internal(set) var method: Method
    /// URI of the key; nil only with METHOD=NONE or an invalid tag.
    package internal(set) var uri: String?
    /// IV as 16 bytes, big-endian; nil means that the segment's media sequence number is the IV.
    package internal(set) var initializationVector: [UInt8]?
    /// KEYFORMAT, `identity` if absent: the key is a resource of 16 bytes.
    package internal(set) var keyFormat: String
    /// KEYFORMATVERSIONS, `[1]` if absent.
    package internal(set) var keyFormatVersions: [Int]
    /// Every attribute as written.
    package internal(set) var attributes: AttributeList

    /// The IV for a segment: the declared one, or its media sequence number as 16 bytes, big-endian (RFC 8216bis 5.2).
    package func initializationVector(mediaSequence: Int64) -> [UInt8] {
        if let initializationVector { return initializationVector }
        let number = UInt64(bitPattern: mediaSequence)
        return [UInt8](repeating: 0, count: 8) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    /// Whether the player can decrypt what it protects: whole segments, with a key that anybody may load. There is no DRM.
    package var isPlayable: Bool { method == .none || method == .aes128 && keyFormat == "identity" }

    /// The method and, where it is not the standard one, the format of the key, for messages.
    package var protectionName: String { keyFormat == "identity" ? methodName : "\(methodName) of \(keyFormat)" }

    /// METHOD as written.
    package var methodName: String { attributes["METHOD"] ?? "NONE" }
}

/// EXT-X-MAP: the media initialization section, such as the header of fragmented MP4.
package struct MediaInitialization: Sendable, Hashable {
    /// Its URI as written, variables substituted.
    package let uri: String
    /// The bytes of the resource; nil for all of it.
    package let byteRange: ByteRange?
    /// The keys it is encrypted with: those that apply at the tag.
    package let keys: [EncryptionKey]
}

/// A byte range of a resource.
package struct ByteRange: Sendable, Hashable, CustomStringConvertible {
    /// The number of bytes.
    package let length: Int64
    /// The first byte, counted from 0.
    package let offset: Int64

    /// The byte after the last.
    package var end: Int64 { offset + length }

    /// In the syntax of EXT-X-BYTERANGE, e.g. `2000@0`.
    package var description: String { "\(length)@\(offset)" }

    /// Makes a range; nil when it is negative or ends beyond 2^62.
    package init?(length: Int64, offset: Int64) {
        let limit = PlaylistBounds.largestInteger
        guard (0...limit).contains(offset), (0...limit - offset).contains(length) else { return nil }
        self.length = length
        self.offset = offset
    }

    /// Parses `length[@offset]`; the offset is nil when it is absent.
    static func read(_ text: Bytes) -> (length: Int64, offset: Int64?)? {
        guard let length = Numbers.integer(text), length.value >= 0 else { return nil }
        let rest = text.part(length.length, text.count).trimmed
        guard !rest.isEmpty else { return (length.value, nil) }
        guard rest[0] == UInt8(ascii: "@") else { return nil }
        guard rest.count > 1 else { return (length.value, nil) }
        guard let offset = Numbers.integer(rest.part(1, rest.count)), offset.value >= 0 else { return nil }
        return (length.value, offset.value)
    }
}
