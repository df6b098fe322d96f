/// Media sequence numbers and discontinuity sequence numbers: decimal-integers from 0 to 2^64-1 (RFC 8216, 4.2), of which nanoseconds since 1970 are in use.
///
/// They are kept as the 64 bits of an `Int64`, and counted with wrapping arithmetic: the numbers of one playlist and of its reloads are near each other.
package enum SequenceNumber {
    /// The number in decimal, without a sign.
    package static func text(_ number: Int64) -> String { String(UInt64(bitPattern: number)) }

    /// Parses digits; ignores what follows. Nil when there is no digit or the number needs more than 64 bits.
    static func read(_ text: Bytes) -> (value: Int64, length: Int)? {
        var length = 0
        var value: UInt64 = 0
        while length < text.count, let digit = text[length].digit {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            guard !overflow, !carry else { return nil }
            value = sum
            length += 1
        }
        return length > 0 ? (Int64(bitPattern: value), length) : nil
    }
}
