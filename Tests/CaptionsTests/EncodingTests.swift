import Testing

@testable import Captions

@Suite("Encodings of caption files")
struct EncodingTests {
    /// "Привет, мир" in Windows-1251.
    private static let greeting: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x2C, 0x20, 0xEC, 0xE8, 0xF0]
    private static let times = Array("1\n00:00:01,000 --> 00:00:02,000\n".utf8)

    private func texts(_ bytes: [UInt8], charset: String? = nil, language: String? = nil) throws -> [String] {
        try CaptionDocument.read(bytes, charset: charset, language: language).cues.map(\.plainText)
    }

    @Test("the stated language and the stated charset decide") func stated() throws {
        #expect(try texts(Self.times + Self.greeting, language: "ru") == ["Привет, мир"])
        #expect(try texts(Self.times + Self.greeting, charset: "windows-1251", language: "de") == ["Привет, мир"])
        // One word of Czech is Windows-1250 or Windows-1252 to a detector.
        let word: [UInt8] = [0x8E, 0x69, 0x9E, 0x6B, 0x61]
        #expect(try texts(Self.times + word, language: "cs") == ["Žižka"])
    }

    @Test("without both, the encoding is found out") func detected() throws {
        #expect(try texts(Self.times + Self.greeting) == ["Привет, мир"])
    }

    @Test("TTML declares its encoding itself") func declared() throws {
        let head = Array("<?xml version='1.0' encoding='windows-1251'?><tt><body><p begin='1s' end='2s'>".utf8)
        #expect(try texts(head + [0xCC, 0xE8, 0xF0] + Array("</p></body></tt>".utf8)) == ["Мир"])
    }

    @Test("UTF-16 without a mark is found out for every format") func unmarked() throws {
        for text in ["1\n00:00:01,000 --> 00:00:02,000\nGrüße\n", "WEBVTT\n\n00:01.000 --> 00:02.000\nGrüße\n"] {
            #expect(try texts(text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }) == ["Grüße"])
        }
    }

    @Test("WebVTT is UTF-8 by its standard; a stated charset is believed where the text is not") func webVTT() throws {
        let head = Array("WEBVTT\n\n00:01.000 --> 00:02.000\n".utf8)
        #expect(try texts(head + Array("Grüße".utf8), charset: "windows-1251") == ["Grüße"])
        #expect(try texts(head + Self.greeting, charset: "windows-1251") == ["Привет, мир"])
        #expect(try texts(head + Self.greeting, language: "ru") == ["Привет, мир"])
    }

    @Test("the samples of a track in a container are decoded like files", arguments: ["subrip", "ass", "mov_text", "webvtt"])
    func samples(codec: String) throws {
        func text(_ bytes: [UInt8], language: String?) throws -> String? {
            var reader = try #require(TextSampleReader(codec: codec, privateData: [], language: language))
            let head: [UInt8] =
                codec == "ass" ? Array("0,0,Default,,0,0,0,,".utf8) : codec == "mov_text" ? [0, UInt8(bytes.count)] : []
            return reader.cues(head + bytes, start: .zero, duration: .seconds(1), beside: ("", "")).first?.plainText
        }
        #expect(try text(Self.greeting, language: "ru") == "Привет, мир")
        #expect(try text(Self.greeting, language: nil) == "Привет, мир")
        // "Préféré" in ISO 8859-1, "Žižka" in Windows-1250.
        #expect(try text([0x50, 0x72, 0xE9, 0x66, 0xE9, 0x72, 0xE9], language: nil) == "Préféré")
        #expect(try text([0x8E, 0x69, 0x9E, 0x6B, 0x61], language: "cs") == "Žižka")
        #expect(try text(Array("Größe".utf8), language: "ru") == "Größe")
    }
}
