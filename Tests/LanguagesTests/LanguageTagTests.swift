import Languages
import Testing

@Suite("Language tags")
struct LanguageTagTests {
    @Test(
        "BCP 47 tags are accepted",
        arguments: [
            "en", "EN-gb", "zh-Hant", "zh-Hant-TW", "de-CH-1996", "sl-rozaj-biske", "es-419", "und", "x-house", "en-x-house",
            "de-a-value-b-other",
            "zh-yue-HK", "i-klingon", "en-GB-oed", "sr-Latn-RS", "en-u-ca-gregory",
        ])
    func wellFormed(_ tag: String) {
        #expect(LanguageTag.isWellFormed(tag))
    }

    @Test(
        "other words are refused",
        arguments: [
            "", "e", "english", "engl", "en_GB", "en-", "-en", "en--GB", "x", "en-x", "en-a", "en-a-aa-a-bb", "de-1996-1996",
            "123", "en GB", "é",
            "en-GB-GB", "en-toolongsubtag", "a-b",
        ])
    func malformed(_ tag: String) {
        #expect(!LanguageTag.isWellFormed(tag))
    }

    @Test(
        "of several tags the best match for the first language that has one is selected",
        arguments: [
            (["fr", "en-US", "en"], ["en-GB"], 2), (["fr", nil], ["de"], 1), (["fr", "und"], [], 1), (["fr", "en"], ["de"], 0),
            (["zh-Hans", "zh-Hant"], ["zh-TW"], 1), (["fr", "en"], ["de", "en"], 1),
        ] as [([String?], [String], Int)])
    func best(_ tags: [String?], _ preferred: [String], _ expected: Int) {
        #expect(LanguageTag.best(of: tags, for: preferred) == expected)
    }

    @Test("an empty list has no best value")
    func nothing() { #expect(LanguageTag.best(of: [], for: ["en"]) == nil) }

    @Test(
        "the three letters of ISO 639-2 become tags",
        arguments: [
            ("ger", "de"), ("deu", "de"), ("eng", "en"), ("und", nil), ("zxx", nil), ("gsw", "gsw"), ("pt-BR", "pt-br"),
            ("", nil),
        ])
    func codes(_ code: String, _ tag: String?) {
        #expect(LanguageCode.tag(code) == tag)
    }
}
