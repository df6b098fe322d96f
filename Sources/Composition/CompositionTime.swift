import MediaTime

/// The times of a document: decimal seconds or a fraction of seconds, never binary floating point.
enum CompositionTime {
    /// The time in a text such as `600`, `600.5` or `1001/30000`, also with a minus; nil for anything else, and for more than
    /// `CompositionLimits.time` on either side.
    static func parse(_ text: String) -> MediaTime? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard digits.utf8.count <= 40, let time = unsigned(digits), time <= CompositionLimits.time else { return nil }
        return isNegative ? -time : time
    }

    private static func unsigned(_ text: Substring) -> MediaTime? {
        guard let slash = text.firstIndex(of: "/") else { return MediaTime(decimalSeconds: text) }
        let (top, bottom) = (text[..<slash], text[text.index(after: slash)...])
        guard isNumber(top), isNumber(bottom), let value = Int64(top), let timescale = Int32(bottom), timescale > 0 else {
            return nil
        }
        return MediaTime(value, timescale)
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
