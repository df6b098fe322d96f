import MediaModel

/// An ID3 tag of a transport stream, whole.
///
/// libavformat takes the first five bytes of a metadata packet for the header of an access unit cell (ISO/IEC 13818-1, 2.12.4) and removes them. An
/// ID3 tag has no such header ("Timed Metadata for HTTP Live Streaming", Apple), and loses its identifier and version by that.
final class TimedTag: SamplePayload {
    private let bytes: [UInt8]

    init(_ packet: UnsafeRawBufferPointer) { bytes = Self.whole(Array(packet)) }

    var byteCount: Int { bytes.count }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }

    /// The tag with the bytes that were removed; unchanged if none were, or if it is no tag.
    static func whole(_ packet: [UInt8]) -> [UInt8] {
        let identifier = Array("ID3".utf8)
        guard !packet.starts(with: identifier), packet.count >= 5, let size = number(packet[1..<5], bitsPerByte: 7),
            size <= packet.count - 5
        else { return packet }
        let frames = packet[5..<5 + size]
        // The versions differ in the sizes of frames: those of 2.4 have seven bits a byte.
        let isOlder = !hasFrames(frames, bitsPerByte: 7) && hasFrames(frames, bitsPerByte: 8)
        return identifier + [isOlder ? 3 : 4, 0] + packet
    }

    /// Whether the bytes are frames one after another, up to their end or to zeros.
    private static func hasFrames(_ bytes: ArraySlice<UInt8>, bitsPerByte: Int) -> Bool {
        var rest = bytes
        while let first = rest.first, first != 0 {
            let name = rest.prefix(4)
            guard rest.count >= 10, name.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }),
                let size = number(rest.dropFirst(4).prefix(4), bitsPerByte: bitsPerByte), size <= rest.count - 10
            else { return false }
            rest = rest.dropFirst(10 + size)
        }
        return rest.allSatisfy { $0 == 0 }
    }

    /// nil if a byte has more bits.
    private static func number(_ bytes: ArraySlice<UInt8>, bitsPerByte: Int) -> Int? {
        bytes.reduce(0 as Int?) { sum, byte in
            guard let sum, Int(byte) < 1 << bitsPerByte else { return nil }
            return sum << bitsPerByte | Int(byte)
        }
    }
}
