import Metadata
import Testing

@Suite("Choosing metadata")
struct SelectionTests {
    private let embedded = [
        MetadataItem(MetadataIdentifier(.iTunes, "\u{A9}nam"), .text("Embedded"), extendedLanguageTag: "en"),
        MetadataItem(MetadataIdentifier(.iTunes, "desc"), .text("Embedded words"), extendedLanguageTag: "en"),
    ]

    private func external(_ identifier: MetadataIdentifier, _ value: MetadataValue, _ tag: String?) -> MetadataItem {
        MetadataItem(identifier, value, extendedLanguageTag: tag)
    }

    @Test("external metadata replaces embedded metadata identifier by identifier")
    func overriding() {
        let items = embedded.overridden(by: [external(.commonTitle, .text("Outside"), "und")])
        #expect(items.best(.commonTitle, for: ["en"])?.stringValue == "Outside")
        #expect(items.best(.commonDescription, for: ["en"])?.stringValue == "Embedded words")
    }

    @Test("an empty value hides the embedded one; a value without a language or of the wrong type does not")
    func hiding() {
        #expect(embedded.overridden(by: [external(.commonTitle, .text(""), "und")]).best(.commonTitle, for: ["en"]) == nil)
        for wrong in [
            external(.commonTitle, .text("x"), nil), external(.commonTitle, .text("x"), "english"),
            external(.commonTitle, .data([1]), "und"),
        ] {
            #expect(embedded.overridden(by: [wrong]).best(.commonTitle, for: ["en"])?.stringValue == "Embedded")
        }
    }

    @Test(
        "the best language is found, then und, then the first; never nothing if there is a value",
        arguments: [
            (["en", "de"], ["de"], "de"), (["en-US", "en-GB"], ["en-GB"], "en-GB"), (["fr", "und"], ["de"], "und"),
            (["fr", "it"], ["de"], "fr"),
            (["zh-Hans", "zh-Hant"], ["zh-TW"], "zh-Hant"), (["fr", "de", "en"], ["es", "en", "de"], "en"),
        ] as [([String], [String], String)])
    func languages(_ tags: [String], _ wanted: [String], _ expected: String) {
        let items = tags.map { external(.commonTitle, .text($0), $0) }
        #expect(items.best(.commonTitle, for: wanted)?.stringValue == expected)
        #expect(items.sorted(byPreferredLanguages: wanted).count == items.count)
    }

    @Test(
        "metadata about places and people is not published",
        arguments: [
            MetadataIdentifier(.quickTimeUserData, "\u{A9}xyz"), MetadataIdentifier(.iTunes, "apID"),
            MetadataIdentifier(.iTunes, "ownr"),
            MetadataIdentifier(.id3, "PRIV"), MetadataIdentifier(.isoUserData, "loci"),
            MetadataIdentifier(.vorbisComment, "LOCATION"),
            MetadataIdentifier(.quickTimeMetadata, "com.apple.quicktime.make"), MetadataIdentifier(.matroska, "GPS_POSITION"),
        ])
    func sharing(_ identifier: MetadataIdentifier) {
        let items = embedded + [MetadataItem(identifier, .text("here"))]
        #expect(items.filteredForSharing() == embedded)
    }
}
