import ChannelFeed
import Languages
import MediaTime
import WireFormats

/// One conversion: the feed that is being made, the ids given so far, and what was lost.
struct Conversion {
    var document = FeedDocument()
    private(set) var findings: [ConversionFinding] = []
    private var ids = StableIDs()

    // MARK: Findings

    mutating func warn(_ place: SourcePlace, _ message: String, _ remedy: String) {
        findings.append(ConversionFinding(severity: .warning, place: place, message: message, remedy: remedy))
    }

    mutating func fail(_ place: SourcePlace, _ message: String, _ remedy: String) {
        findings.append(ConversionFinding(severity: .error, place: place, message: message, remedy: remedy))
    }

    /// Something for which a channel feed has no place.
    mutating func lose(_ what: String, at place: SourcePlace) {
        warn(place, "a channel feed has no place for \(what)", "It is left out.")
    }

    // MARK: Values

    /// The id for a text of the source; a warning says when it is another.
    mutating func id(for text: String, at place: SourcePlace) -> JSONText {
        let (id, isRepeated) = ids.id(for: text)
        if isRepeated {
            warn(place, "the id \(Self.quoted(text)) is not unique", "It becomes an id with a number.")
        } else if id != text {
            warn(place, "\(Self.quoted(text)) is not an id of a channel feed", "It becomes one with a hash, the same each time.")
        }
        return .string(id)
    }

    /// The id for something that has none in the source, made from a text that identifies it.
    mutating func madeID(from text: String) -> JSONText { .string(ids.id(for: text).id) }

    /// A text for viewers on one line, at most `limit` characters; nil when it is empty.
    mutating func text(_ text: String, limit: Int, at place: SourcePlace) -> JSONText? {
        let words = Self.oneLine(text)
        guard !words.isEmpty else { return nil }
        guard words.count > limit else { return .string(words) }
        warn(place, "a text has more than \(limit) characters", "It is clipped.")
        return .string(words.prefix(limit - 1) + "…")
    }

    /// A title.
    mutating func title(_ text: String, at place: SourcePlace) -> JSONText? { self.text(text, limit: FeedLimit.title, at: place) }

    /// A URL with what may not be in one percent-encoded; nil when it is empty.
    func url(_ text: String) -> JSONText? {
        var encoded = ""
        for byte in Self.trimmed(text).utf8 {
            switch byte {
            case 0...0x20, 0x7F..., UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
                UInt8(ascii: "^"),
                UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
                encoded += "%" + byte.hexadecimal(uppercase: true)
            default: encoded.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return encoded.isEmpty ? nil : .string(encoded)
    }

    /// Seconds, as a decimal number, with colons, or as an ISO 8601 period (`PT1H2M3.5S`). Nil, with a warning, when it is none; nil
    /// without one for zero, which formats use for "unknown".
    mutating func duration(_ text: String, at place: SourcePlace) -> JSONText? {
        let text = Self.trimmed(text)
        if text.isEmpty { return nil }
        if let time = FeedTime.parse(text) ?? Self.period(text) ?? Self.inexact(text) {
            return time == .zero ? nil : .number(FeedTime.plain(time))
        }
        warn(place, "\(Self.quoted(text)) is not a duration", "It is left out.")
        return nil
    }

    /// `PT1H2M3.5S`, in hours, minutes and seconds.
    private static func period(_ text: String) -> MediaTime? {
        guard text.hasPrefix("PT") else { return nil }
        var total = MediaTime.zero
        var number = ""
        var isUsed = false
        for character in text.dropFirst(2) {
            let scale: Int64
            switch character {
            case "0"..."9", ".":
                number.append(character)
                continue
            case "H": scale = 3600
            case "M": scale = 60
            case "S": scale = 1
            default: return nil
            }
            guard let value = FeedTime.parse(number), value < .seconds(1_000_000) else { return nil }
            total += MediaTime(value.value * scale, value.timescale)
            number = ""
            isUsed = true
        }
        return isUsed && number.isEmpty && total < .seconds(100_000_000) ? total : nil
    }

    /// A number with an exponent or more decimals than a feed may have, to the millisecond.
    private static func inexact(_ text: String) -> MediaTime? {
        guard let value = Double(text), value.isFinite, value >= 0, value < 99_999_999 else { return nil }
        return .milliseconds(Int64((value * 1000).rounded()))
    }

    /// A date with its time and offset; a date alone is its first moment, and one without an offset is in UTC.
    mutating func date(_ text: String, at place: SourcePlace) -> JSONText? {
        let text = Self.trimmed(text)
        if text.isEmpty { return nil }
        guard let read = ISO8601(text) else {
            warn(place, "\(Self.quoted(text)) is not a date", "It is left out.")
            return nil
        }
        if read.offset == nil {
            warn(place, "a date has no offset from UTC", "UTC is assumed.")
        }
        let nanoseconds = read.nanoseconds ?? 0
        let milliseconds = (read.date.daysSince1970 * 86_400 - (read.offset ?? 0)) * 1000 + nanoseconds / 1_000_000
        return .string(FeedDate(milliseconds: milliseconds).description)
    }

    /// A BCP 47 tag from a tag, possibly with an underscore, or a code of ISO 639-2. Nil, with a warning, when it is none.
    mutating func language(_ text: String, at place: SourcePlace) -> String? {
        let tag = String(Self.trimmed(text).map { $0 == "_" ? "-" : $0 })
        if tag.isEmpty { return nil }
        if let short = LanguageCode.tag(tag), LanguageTag.isWellFormed(short) { return tag.utf8.count == 3 ? short : tag }
        warn(place, "\(Self.quoted(text)) is not a language tag", "It is left out.")
        return nil
    }

    /// Words for rows and search, each once.
    func tags(_ texts: [String]) -> JSONText? {
        var seen: Set<String> = []
        let words = texts.map(Self.oneLine).filter { !$0.isEmpty && seen.insert($0).inserted }
        return words.isEmpty ? nil : .array(words.prefix(100).map { .string($0) })
    }

    // MARK: Text

    /// A text of the source for a message: on one line, at most 60 characters.
    static func quoted(_ text: String) -> String {
        "\"" + (text.count > 60 ? oneLine(text).prefix(59) + "…" : oneLine(text)) + "\""
    }

    /// A text without control characters, its white space collapsed.
    static func oneLine(_ text: String) -> String {
        text.split { $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.value < 0x20 || $0.value == 0x7F } }
            .joined(separator: " ")
    }

    static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The text of HTML: without tags, with the character references that occur in descriptions.
    static func withoutMarkup(_ html: String) -> String {
        guard html.utf8.contains(UInt8(ascii: "<")) || html.utf8.contains(UInt8(ascii: "&")) else { return html }
        var text = ""
        var rest = Substring(html)
        while let mark = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
            text += rest[..<mark]
            rest = rest[mark...]
            let after = rest.index(after: mark)
            let next = after < rest.endIndex ? rest[after] : " "
            if rest.first == "<", next.isLetter || next == "/" || next == "!", let end = rest.firstIndex(of: ">") {
                text += " "
                rest = rest[rest.index(after: end)...]
            } else if rest.first == "&", let end = rest.prefix(12).firstIndex(of: ";"),
                let character = character(rest[after..<end])
            {
                text.append(character)
                rest = rest[rest.index(after: end)...]
            } else {
                text.append(rest.removeFirst())
            }
        }
        return text + rest
    }

    private static func character(_ reference: Substring) -> Character? {
        if reference.first == "#" {
            let digits = reference.dropFirst()
            let isHexadecimal = digits.first == "x" || digits.first == "X"
            let code = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap(Unicode.Scalar.init).map(Character.init)
        }
        let names: [Substring: Character] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "hellip": "…", "ndash": "–", "mdash": "—",
            "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
        ]
        return names[reference]
    }

    /// Reports every key of an object for which the feed has no place.
    mutating func loseKeys(of node: SourceNode, except known: Set<String>) {
        for key in node.keys(except: known) {
            lose("\"\(Self.oneLine(key))\"", at: SourceNode(json: node.json, pointer: node.pointer.appending(key)).place)
        }
    }
}
