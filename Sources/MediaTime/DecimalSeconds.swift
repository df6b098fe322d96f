extension MediaTime {
    /// Parses decimal seconds such as `12`, `2.5` or `0.033366667` exactly: at most nine decimals, no sign, no exponent.
    package init?(decimalSeconds text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Self.number(parts[0], digits: 1...10) else { return nil }
        guard parts.count == 2 else {
            self.init(whole, 1)
            return
        }
        guard let fraction = Self.number(parts[1], digits: 1...9) else { return nil }
        let scale = (0..<parts[1].utf8.count).reduce(Int32(1)) { scale, _ in scale * 10 }
        self.init(whole * Int64(scale) + fraction, scale)
    }

    private static func number(_ text: some StringProtocol, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }
}
