import MediaSources

/// A body that its address contains (RFC 2397): `data:text/plain;base64,AAEC`. Some packagers write keys and initialization sections into their playlists.
struct InlineBody {
    let bytes: [UInt8]
    /// Empty where it is not stated.
    let contentType: String

    /// Nil for another address, and for one whose body cannot be decoded.
    init?(_ url: String) {
        guard let comma = url.firstIndex(of: ","), Self.isInline(url) else { return nil }
        var type = url[..<comma].dropFirst(Self.scheme.count)
        let isPacked = type.lowercased().hasSuffix(Self.packing)
        if isPacked { type = type.dropLast(Self.packing.count) }
        contentType = String(type)
        let written = Self.unescaped(url[url.index(after: comma)...].utf8)
        guard let bytes = isPacked ? Self.unpacked(written) : written else { return nil }
        self.bytes = bytes
    }

    func response(to request: ByteRequest) -> ByteResponse {
        let part = request.range.map { $0.clamped(to: 0..<Int64(bytes.count)) }.map { Int($0.lowerBound)..<Int($0.upperBound) }
        var response = ByteResponse(
            bytes: part.map { Array(bytes[$0]) } ?? bytes, url: request.url, status: 200, contentType: contentType,
            timeToFirstByte: .zero, transferDuration: .zero)
        response.isStored = true
        return response
    }

    static func isInline(_ url: String) -> Bool { url.prefix(scheme.count).lowercased() == scheme }

    private static let scheme = "data:"
    private static let packing = ";base64"

    private static func unescaped(_ text: Substring.UTF8View) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Base64 (RFC 4648, 4 and 5), with or without its padding.
    private static func unpacked(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count) = (UInt32(0), 0)
        for byte in text where byte > 0x20 && byte != UInt8(ascii: "=") {
            guard let value = value(of: byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
