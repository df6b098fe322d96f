extension MediaTime {
    /// Parses decimal seconds such as `12`, `2.5` or `0.033366667` exactly: at most nine decimals, no sign, no exponent. Nil for more seconds
    /// than 64 bits hold at these decimals, which is more than nine thousand million.
    package init?(decimalSeconds text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Self.number(parts[0], digits: 1...10) else { return nil }
        guard parts.count == 2 else {
            self.init(whole, 1)
            return
        }
        guard let fraction = Self.number(parts[1], digits: 1...9) else { return nil }
        let scale = (0..<parts[1].utf8.count).reduce(Int32(1)) { scale, _ in scale * 10 }
        let (scaled, isTooLarge) = whole.multipliedReportingOverflow(by: Int64(scale))
        let (value, isTooLargeAfterAll) = scaled.addingReportingOverflow(fraction)
        guard !isTooLarge, !isTooLargeAfterAll else { return nil }
        self.init(value, scale)
    }

    private static func number(_ text: some StringProtocol, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }
}
