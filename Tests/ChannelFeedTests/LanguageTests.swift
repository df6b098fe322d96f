import Testing

@testable import ChannelFeed

@Suite("Languages of a feed")
struct LanguageTests {
    private func best(_ available: [String], for preferred: [String]) -> String? {
        LocalizedText(entries: available.map { .init(language: $0, text: $0) }).best(for: preferred)
    }

    @Test("the best language is chosen, then und, then the first")
    func choice() {
        #expect(best(["fr", "en", "und"], for: ["en"]) == "en")
        #expect(best(["fr", "en-US", "en"], for: ["en-GB"]) == "en")
        #expect(best(["fr", "en-US", "en-GB"], for: ["en-gb"]) == "en-GB")
        #expect(best(["fr", "en-US"], for: ["en"]) == "en-US")
        #expect(best(["fr", "en"], for: ["de", "en"]) == "en")
        #expect(best(["fr", "und"], for: ["de"]) == "und")
        #expect(best(["fr", "en"], for: ["de"]) == "fr")
        #expect(best(["fr", "en"], for: []) == "fr")
        #expect(best([], for: ["en"]) == nil)
    }

    @Test("a reader never gets the other script of Chinese or Serbian while there is a neutral text")
    func scripts() {
        #expect(best(["zh-Hans", "zh-Hant"], for: ["zh-TW"]) == "zh-Hant")
        #expect(best(["zh-Hant", "zh-Hans"], for: ["zh-CN"]) == "zh-Hans")
        #expect(best(["zh-Hant", "zh-Hans"], for: ["zh"]) == "zh-Hans")
        #expect(best(["zh-Hans", "und"], for: ["zh-HK"]) == "und")
        #expect(best(["zh-Hans", "en"], for: ["zh-Hant", "en"]) == "en")
        #expect(best(["sr-Latn", "und"], for: ["sr"]) == "und")
    }

    @Test("an empty text hides the stream's own, a missing one does not")
    func empty() throws {
        let item = try #require(read(itemFeed(#""description": "", "artwork": "", "rating": """#)).feed?.item("m1"))
        #expect(item.description?.isEmpty == true && item.genre == nil)
        #expect(item.artwork?.preferred == "" && item.rating?.value == "")
    }

    @Test("texts are clipped to the limits of the screen")
    func clipped() throws {
        let long = String(repeating: "é", count: 700)
        let item = try #require(
            read(itemFeed("\"subtitle\": \"\(long)\", \"description\": {\"fr\": \"\(long)\"}")).feed?.item("m1"))
        #expect(item.subtitle?.best(for: [])?.count == 120 && item.subtitle?.best(for: [])?.hasSuffix("é…") == true)
        #expect(item.description?.best(for: [])?.count == 500)
    }
}
