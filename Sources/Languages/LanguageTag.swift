/// Language tags (BCP 47: RFC 5646 for their form, RFC 4647 for choosing among them).
package enum LanguageTag {
    /// The tag of a text without a known language, which suits everyone.
    package static let undetermined = "und"

    /// Whether a text has the form of a language tag in use today, e.g. `en`, `zh-Hant-TW`, `de-CH-1996`, `x-house`.
    ///
    /// Names of languages such as `english` are refused although the grammar allows languages of five to eight letters: none is
    /// registered.
    package static func isWellFormed(_ tag: String) -> Bool {
        let lower = tag.lowercased()
        if grandfathered.contains(lower) { return true }
        let parts = lower.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map {
            Subtag(bytes: Array($0))
        }
        guard parts.allSatisfy({ (1...8).contains($0.bytes.count) && $0.isAlphanumeric }) else { return false }
        if parts[0].bytes == [UInt8(ascii: "x")] { return parts.count > 1 }
        guard (2...3).contains(parts[0].bytes.count), parts[0].isAlphabetic else { return false }
        var rest = parts.dropFirst()
        for _ in 0..<3 where rest.first?.isExtendedLanguage == true { rest = rest.dropFirst() }
        if rest.first?.isScript == true { rest = rest.dropFirst() }
        if rest.first?.isRegion == true { rest = rest.dropFirst() }
        var variants: Set<[UInt8]> = []
        while let variant = rest.first, variant.isVariant {
            guard variants.insert(variant.bytes).inserted else { return false }
            rest = rest.dropFirst()
        }
        return extensionsAreWellFormed(rest)
    }

    private static func extensionsAreWellFormed(_ parts: ArraySlice<Subtag>) -> Bool {
        var rest = parts
        var singletons: Set<UInt8> = []
        while let singleton = rest.first {
            guard singleton.bytes.count == 1 else { return false }
            rest = rest.dropFirst()
            if singleton.bytes[0] == UInt8(ascii: "x") { return !rest.isEmpty }
            guard singletons.insert(singleton.bytes[0]).inserted, let next = rest.first, next.bytes.count > 1 else {
                return false
            }
            rest = rest.drop { $0.bytes.count > 1 }
        }
        return true
    }

    /// How well a text in `available` suits a reader of `preferred`: nil for not at all; larger is better.
    ///
    /// The language must be the same, and explicit or implied scripts must not differ (`zh-TW` is served by `zh-Hant`, never by
    /// `zh-Hans`).
    package static func match(_ available: String, for preferred: String) -> Int? {
        let (one, other) = (Parts(available), Parts(preferred))
        guard one.language == other.language else { return nil }
        if let script = one.impliedScript, let wanted = other.impliedScript, script != wanted { return nil }
        if one.whole == other.whole { return 100 }
        var score = 10
        if one.region == other.region { score += 20 } else if one.region == nil { score += 10 }
        if one.script == other.script { score += 5 } else if one.impliedScript == other.impliedScript { score += 4 }
        if one.rest == other.rest { score += 2 } else if one.rest.isEmpty { score += 1 }
        return score
    }

    /// The script of a tag in lower case, explicit or implied by language and region; nil for languages that have only one.
    package static func script(of tag: String) -> String? { Parts(tag).impliedScript }

    /// The best of several tagged values for a list of languages: the best match of the first language that has one, otherwise
    /// the first undetermined or untagged one, otherwise the first of all. Nil when there is none.
    ///
    /// - Parameters:
    ///   - tags: each value's tag; nil is equal to `und`.
    ///   - preferred: tags, best first.
    /// - Returns: an index into `tags`.
    package static func best(of tags: [String?], for preferred: [String]) -> Int? {
        for wanted in preferred {
            var found: (index: Int, score: Int)?
            for (index, tag) in tags.enumerated() {
                guard let tag, let score = match(tag, for: wanted), score > found?.score ?? 0 else { continue }
                found = (index, score)
            }
            if let found { return found.index }
        }
        return tags.firstIndex { ($0 ?? undetermined).lowercased() == undetermined } ?? tags.indices.first
    }

    /// The tags of RFC 5646 section 2.2.8 that do not follow its grammar.
    private static let grandfathered: Set<String> = [
        "en-gb-oed", "i-ami", "i-bnn", "i-default", "i-enochian", "i-hak", "i-klingon", "i-lux", "i-mingo", "i-navajo", "i-pwn",
        "i-tao",
        "i-tay", "i-tsu", "sgn-be-fr", "sgn-be-nl", "sgn-ch-de",
    ]

    private struct Subtag {
        let bytes: [UInt8]

        var isAlphabetic: Bool { bytes.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } }
        var isNumeric: Bool { bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
        var isAlphanumeric: Bool {
            bytes.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
        }
        var isExtendedLanguage: Bool { bytes.count == 3 && isAlphabetic }
        var isScript: Bool { bytes.count == 4 && isAlphabetic }
        var isRegion: Bool { bytes.count == 2 && isAlphabetic || bytes.count == 3 && isNumeric }
        var isVariant: Bool {
            bytes.count >= 5 || bytes.count == 4 && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[0])
        }
    }

    /// A parsed tag, in lower case.
    private struct Parts {
        var whole: String
        var language: String
        var script: String?
        var region: String?
        var rest: [Substring] = []

        init(_ tag: String) {
            whole = tag.lowercased()
            var parts = whole.split(separator: "-")[...]
            language = parts.popFirst().map(String.init) ?? ""
            if let first = parts.first, first.count == 4, first.allSatisfy(\.isLetter) {
                script = parts.popFirst().map(String.init)
            }
            if let first = parts.first, first.count == 2 || first.count == 3 && first.allSatisfy(\.isNumber) {
                region = parts.popFirst().map(String.init)
            }
            rest = Array(parts)
        }

        /// The script, explicit or implied by language and region, for languages with several scripts.
        var impliedScript: String? {
            if let script { return script }
            switch (language, region) {
            case ("zh", "tw"), ("zh", "hk"), ("zh", "mo"), ("yue", _): return "hant"
            case ("zh", _): return "hans"
            case ("sr", _): return "cyrl"
            case ("az", _), ("uz", _): return "latn"
            case ("pa", "pk"): return "arab"
            case ("pa", _): return "guru"
            default: return nil
            }
        }
    }
}
