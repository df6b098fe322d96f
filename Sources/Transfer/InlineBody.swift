import FoundationEssentials
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
        var digits = text.filter { $0 > 0x20 && $0 != UInt8(ascii: "=") }.map { digit in
            switch digit {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: digit
            }
        }
        digits += repeatElement(UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits)).map { Array($0) }
    }
}
