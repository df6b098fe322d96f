/// Where texts and servers declare an encoding.
package enum DeclaredEncoding {
    /// Whether text in an encoding of this name can be decoded.
    package static func isKnown(_ name: String) -> Bool { EncodingLabels.known(name) != nil }

    /// The encoding in the XML declaration at the beginning of a text whose first characters are ASCII; nil without one.
    package static func ofXML(_ bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(1024).map { $0 < 0x80 ? $0 : UInt8(ascii: " ") }, as: UTF8.self)
        guard let start = range(of: "<?xml", in: head), let end = range(of: "?>", in: head[start.upperBound...]),
            head[..<start.lowerBound].allSatisfy(\.isWhitespace),
            let name = range(of: "encoding", in: head[start.upperBound..<end.lowerBound])
        else { return nil }
        let value = head[name.upperBound..<end.lowerBound].drop {
            $0 == " " || $0 == "=" || $0 == "\t" || $0 == "\n" || $0 == "\r"
        }
        guard let mark = value.first, mark == "\"" || mark == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != mark })
    }

    /// The `charset` of a media type such as `text/plain; charset=windows-1251`. Nil also for ISO-8859-1 and ASCII: they are what servers add to
    /// every file.
    package static func ofMediaType(_ type: String?) -> String? {
        guard let type = type?.lowercased(), let start = range(of: "charset=", in: type) else { return nil }
        let name = type[start.upperBound...].prefix { $0 != ";" && $0 != " " }.filter { $0 != "\"" && $0 != "'" }
        return ["iso-8859-1", "us-ascii", "latin1", ""].contains(name) ? nil : name
    }

    private static func range(of word: String, in text: some StringProtocol) -> Range<String.Index>? {
        var start = text.startIndex
        while start < text.endIndex {
            if text[start...].hasPrefix(word) { return start..<text.index(start, offsetBy: word.count) }
            start = text.index(after: start)
        }
        return nil
    }
}
