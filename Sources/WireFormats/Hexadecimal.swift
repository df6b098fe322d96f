extension UInt8 {
    /// Two hexadecimal digits, lowercase by default.
    package func hexadecimal(uppercase: Bool = false) -> String {
        (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: uppercase)
    }

    /// The value of a hexadecimal digit; nil for any other byte.
    package var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Sequence<UInt8> {
    /// Two lowercase hexadecimal digits per byte.
    package var hexadecimal: String { map { $0.hexadecimal() }.joined() }
}

extension Array<UInt8> {
    /// Parses pairs of hexadecimal digits; nil for any other text.
    package init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.compactMap(\.hexadecimalValue)
        guard digits.count % 2 == 0, digits.count == text.utf8.count else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
