import Glibc

/// What the first element of a drawing in SVG says.
enum SVGDrawing {
    /// Longer texts are refused: each element costs time.
    static let longest = 1 << 20

    /// Whether a text is SVG: its first element is.
    static func begins(_ file: [UInt8]) -> Bool { root(of: file) != nil }

    /// The width over the height, as SVG 2 has it (section 7.2): of the two where both are lengths, else of the `viewBox`. Drawings without either are twice
    /// as wide as high, as CSS says of pictures without a size (CSS 2.2, 10.3.2). FFmpeg 7.1 takes those without two lengths for squares.
    static func ratio(of file: [UInt8]) -> Double {
        let attributes = root(of: file).map { Self.attributes(of: $0) } ?? [:]
        let sides = ["width", "height"].compactMap { attributes[$0].flatMap { Self.length($0) } }
        if sides.count == 2 { return sides[0] / sides[1] }
        let box = attributes["viewBox"]?.split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) } ?? []
        guard box.count == 4, box[2] > 0, box[3] > 0, (box[2] / box[3]).isNormal else { return 2 }
        return box[2] / box[3]
    }

    /// The text from the tag of the first element on; nil: that is not `svg`.
    private static func root(of file: [UInt8]) -> Substring? {
        var text = String(decoding: file.prefix(16 << 10), as: UTF8.self)[...]
        if text.first == "\u{FEFF}" { text.removeFirst() }
        while true {
            text = text.drop(while: \.isWhitespace)
            if text.hasPrefix("<?") {
                text = text.drop { $0 != ">" }.dropFirst()
            } else if text.hasPrefix("<!--") {
                guard let end = text.firstRange(of: "-->") else { return nil }
                text = text[end.upperBound...]
            } else if text.hasPrefix("<!DOCTYPE") {
                // Entities of the document are between brackets.
                let head = text.prefix { $0 != "[" && $0 != ">" }
                text = text.dropFirst(head.count)
                if text.first == "[" { text = text.drop { $0 != "]" }.drop { $0 != ">" } }
                text = text.dropFirst()
            } else {
                let name = text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == ":" || $0 == "_" }
                return text.first == "<" && name.split(separator: ":").last == "svg" ? text.dropFirst(1 + name.count) : nil
            }
        }
    }

    /// The attributes of a tag, whose name comes before the text.
    private static func attributes(of tag: Substring) -> [Substring: Substring] {
        var attributes: [Substring: Substring] = [:]
        var rest = tag.drop(while: \.isWhitespace)
        while let first = rest.first, first != ">", first != "/" {
            let name = rest.prefix { $0 != "=" && !$0.isWhitespace && $0 != ">" }
            rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
            guard rest.first == "=" else { break }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            guard let quote = rest.first, quote == "\"" || quote == "'" else { break }
            let value = rest.dropFirst().prefix { $0 != quote }
            attributes[name] = value
            rest = rest.dropFirst(value.count + 2).drop(while: \.isWhitespace)
        }
        return attributes
    }

    /// A length in pixels; nil: it is none that is greater than zero, or a part of what is not known here.
    private static func length(_ text: Substring) -> Double? {
        let words = text.filter { !$0.isWhitespace }.lowercased()
        let unit = units.keys.first { words.hasSuffix($0) }
        let digits = words.dropLast(unit?.count ?? 0)
        guard let number = Double(digits), number > 0, number.isNormal else { return nil }
        return number * (unit.flatMap { units[$0] } ?? 1)
    }

    /// CSS Values 4, 5.1 and 6.2, but with 90 pixels in an inch and 12 in an em, as the library has it that draws.
    private static let units: [String: Double] = [
        "px": 1, "pt": 1.25, "pc": 15, "in": 90, "cm": 90 / 2.54, "mm": 90 / 25.4, "em": 12, "ex": 6,
    ]
}
