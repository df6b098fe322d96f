/// Text from outside in a form whose layout takes bounded work: HarfBuzz sorts the marks that belong to one character, in a time that grows with the square of their
/// number.
enum DrawableText {
    /// The marks that are drawn with one character (UAX #15, Stream-Safe Text Format); further ones are left out.
    static let mostMarks = 30
    /// The code points that are drawn of one text; a page of small print has fewer.
    static let mostScalars = 10_000

    /// - Parameter limit: the most code points.
    static func bounded(_ text: String, to limit: Int = mostScalars) -> String {
        // A mark has at least two bytes.
        if text.utf8.count <= min(limit, 2 * mostMarks) { return text }
        var kept = String.UnicodeScalarView()
        var (count, marks) = (0, 0)
        var isWhole = true
        for scalar in text.unicodeScalars {
            marks = isMark(scalar) ? marks + 1 : 0
            guard marks <= mostMarks else {
                isWhole = false
                continue
            }
            guard count < limit else { return String(kept) }
            kept.append(scalar)
            count += 1
        }
        return isWhole ? text : String(kept)
    }

    /// Whether it is sorted among its neighbours. Below U+0300 nothing is.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
    }
}
