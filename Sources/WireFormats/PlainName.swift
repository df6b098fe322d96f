/// A name that becomes part of addresses, file names and signatures, such as the id of a channel, a group of boxes or a key:
/// 1 to 64 of A-Z a-z 0-9 . _ -
package enum PlainName {
    package static func isOne(_ text: String) -> Bool { (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(allows) }

    /// Whether such a name may have the byte.
    package static func allows(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}

extension UInt8 {
    package var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Whether it is a control character of ASCII and no white space (9 to 13).
    package var isASCIIControl: Bool { (self < 0x20 && self &- 9 > 4) || self == 0x7F }
}
