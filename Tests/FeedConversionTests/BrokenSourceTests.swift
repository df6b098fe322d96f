import ChannelFeed
import Testing
import WireFormats

@testable import FeedConversion

@Suite("Conversion of broken sources")
struct BrokenSourceTests {
    private static let whole: [(SourceKind, String)] = [
        (
            .roku,
            #"{"movies": [{"id": "a", "title": "A", "content": {"duration": 60, "videos": [{"url": "https://h.example/a.m3u8"}]}}]}"#
        ),
        (
            .mrss,
            "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel><item><guid>a</guid><title>A</title><media:content url='https://h.example/a.mp4'/></item></channel></rss>"
        ),
        (.m3u, "#EXTM3U\n#EXTINF:-1 tvg-id=\"a\",A\nhttps://h.example/a.m3u8\n"),
        (
            .jsonfeed,
            #"{"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [{"id": "a", "attachments": [{"url": "https://h.example/a.mp4", "mime_type": "video/mp4"}]}]}"#
        ),
    ]

    private func convert(_ bytes: [UInt8], _ kind: SourceKind? = nil) -> ConversionResult {
        var options = ConversionOptions()
        options.kind = kind
        return FeedConverter.convert(bytes, options: options)
    }

    @Test("XML is read whatever encoding it declares", arguments: ["gb2312", "klingon-1"])
    func encoding(name: String) {
        let item = #"<item><title>T</title><guid>a</guid><enclosure url="https://h.example/a.mp4" type="video/mp4"/></item>"#
        let text = #"<?xml version="1.0" encoding="\#(name)"?><rss><channel><title>T</title>\#(item)</channel></rss>"#
        let result = convert(Array(text.utf8), .mrss)
        #expect(result.feed != nil && !result.text().contains("encoding"), "\(result.text())")
    }

    @Test("each kind is detected, with a byte order mark, CRLF and space before it")
    func detection() throws {
        for (kind, text) in Self.whole {
            for bytes in [
                Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), Array("\r\n  ".utf8) + Array(text.utf8),
                Array(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n").utf8),
            ] {
                let result = convert(bytes)
                #expect(result.kind == kind)
                let count = try #require(result.feed == nil ? nil : result.items + result.channels, "\(kind) \(result.text())")
                #expect(count == 1)
            }
        }
    }

    @Test("line breaks before an XML declaration are accepted, and counted")
    func spaceBeforeXML() throws {
        let text = "\n\n<?xml version='1.0'?>" + Self.whole[1].1
        #expect(try feed(convert(Array(text.utf8))).items.count == 1)
        #expect(convert(Array(text.dropLast(3).utf8)).places == ["refusal line 3"])
    }

    @Test("a source that ends anywhere is refused with a place, or what it has passes the check")
    func truncated() throws {
        for (kind, text) in Self.whole {
            let bytes = Array(text.utf8)
            for length in 0..<bytes.count {
                let result = convert(Array(bytes.prefix(length)), kind)
                if result.feed == nil {
                    #expect(result.findings.contains { $0.severity == .refusal }, "\(kind) \(length)")
                } else {
                    _ = try feed(result)
                }
                if kind != .m3u { #expect(result.feed == nil, "half a catalogue looks like a whole one: \(kind) \(length)") }
            }
        }
    }

    @Test("NUL and other control characters are in no feed")
    func control() throws {
        for (kind, text) in Self.whole where kind == .m3u {
            let bytes = Array(text.utf8)
            for place in bytes.indices {
                let result = convert(Array(bytes[..<place]) + [0] + Array(bytes[place...]), kind)
                if result.feed != nil { _ = try feed(result) }
            }
        }
        let roku = Self.whole[0].1.split(separator: "\"A\"").joined(separator: "\"A\\u0000\\u0007B\"")
        #expect(try feed(convert(Array(roku.utf8))).items.first?.title?.best(for: []) == "A B")
    }

    @Test("sources in an older encoding are read, with a word where they declare none")
    func encodings() throws {
        let list = convert(Array("#EXTM3U\n#EXTINF:-1,Caf".utf8) + [0xE9] + Array("\nhttps://h.example/a\n".utf8))
        #expect(try feed(list).channels.first?.title.best(for: []) == "Café")
        #expect(list.places == ["warning line 2"])
        let json = Self.whole[0].1.split(separator: "\"A\"").joined(separator: "\"La leçon préférée des élèves\"")
        let roku = convert(json.unicodeScalars.map { UInt8($0.value) })
        #expect(try feed(roku).items.first?.title?.best(for: []) == "La leçon préférée des élèves")
        #expect(roku.places.contains { $0.hasPrefix("warning line ") })
        let latin = "<?xml version='1.0' encoding='ISO-8859-1'?><rss><channel><item><title>Caf"
        let xml = convert(
            Array(latin.utf8) + [0xE9] + Array("</title><enclosure url='https://h.example/a.mp4'/></item></channel></rss>".utf8))
        #expect(try feed(xml).items.first?.title?.best(for: []) == "Café")
    }

    @Test("a list in UTF-16 is a list, with and without its mark", arguments: [[0xFF, 0xFE], []] as [[UInt8]])
    func wide(_ mark: [UInt8]) throws {
        let text = "#EXTM3U\n#EXTINF:-1 group-title=\"Новости\",Первый канал\nhttps://h.example/a.m3u8\n"
        let list = convert(mark + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        #expect(try feed(list).channels.first?.title.best(for: []) == "Первый канал")
        #expect(list.kind == .m3u)
    }

    /// One channel after the other, as a list of a provider has them.
    private static func list(_ titles: [String]) -> String {
        "#EXTM3U\n" + titles.enumerated().map { "#EXTINF:-1,\($1)\nhttps://h.example/\($0).m3u8\n" }.joined()
    }

    @Test("a list in KOI8-R is recognised by its words")
    func cyrillic() throws {
        let titles = [
            "Вечерние новости начинаются в семь часов", "Говорите, пожалуйста, немного громче",
            "Завтра утром поезд отправляется на север",
        ]
        // The letters from а to я in KOI8-R, and А to Я.
        let small = "юабцдефгхийклмнопярстужвьызшэщчъ".unicodeScalars.map(\.value)
        let bytes = Self.list(titles).unicodeScalars.map { scalar -> UInt8 in
            if let place = small.firstIndex(of: scalar.value) { return UInt8(0xC0 + place) }
            if let place = small.firstIndex(of: scalar.value + 0x20), scalar.value >= 0x410 { return UInt8(0xE0 + place) }
            return UInt8(truncatingIfNeeded: scalar.value)
        }
        #expect(try feed(convert(bytes)).channels.map { $0.title.best(for: []) } == titles)
    }

    @Test("entities that expand beyond all bounds, external ones and deep nesting end the reading, not the process")
    func bombs() {
        var bomb = "<!DOCTYPE rss [<!ENTITY a0 \"\(String(repeating: "x", count: 1000))\">"
        for level in 1...20 { bomb += "<!ENTITY a\(level) \"\(String(repeating: "&a\(level - 1);", count: 10))\">" }
        bomb += "]><rss><channel><item><title>&a20;</title></item></channel></rss>"
        #expect(convert(Array(bomb.utf8)).exitCode == 1)
        let external =
            "<!DOCTYPE rss [<!ENTITY f SYSTEM \"file:///etc/hostname\">]><rss><channel><item><guid>a</guid><title>A&f;B</title>"
            + "<enclosure url='https://h.example/a.mp4'/></item></channel></rss>"
        #expect(convert(Array(external.utf8)).feed?.contains("\"AB\"") == true)
        let depth = 100_000
        let nested =
            "<rss><channel>" + String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
            + "</channel></rss>"
        #expect(convert(Array(nested.utf8)).exitCode == 1)
        #expect(convert(Array((String(repeating: "[", count: depth)).utf8), .roku).exitCode == 1)
    }

    @Test(
        "huge and odd numbers cost at most their field",
        arguments: ["1e400", "-1", "1e-7", "99999999999999999999", "NaN", "0x10", "1.0000000001"])
    func numbers(_ number: String) throws {
        let roku = Self.whole[0].1.split(separator: "60").joined(separator: "\"\(number)\"")
        #expect(try feed(convert(Array(roku.utf8))).items.count == 1)
        let list = "#EXTM3U\n#EXTINF:\(number) tvg-chno=\"\(number)\",A\nhttps://h.example/a.m3u8\n"
        let made = try feed(convert(Array(list.utf8)))
        #expect(made.channels.count + made.items.count == 1)
    }

    @Test("a source over the limit is refused before it is read")
    func size() {
        let result = convert([UInt8](repeating: 0x20, count: FeedConverter.mostBytes + 1))
        #expect(result.places == ["refusal "])
    }

    @Test("a feed that would be larger than a box reads is refused")
    func largeFeed() {
        var options = ConversionOptions()
        options.maximumFeedBytes = 1000
        let list = "#EXTM3U\n" + (0..<20).map { "#EXTINF:-1,Channel \($0)\nhttps://h.example/\($0)\n" }.joined()
        let result = FeedConverter.convert(Array(list.utf8), options: options)
        #expect(result.feed == nil)
        #expect(result.findings.last?.message.contains("bytes") == true)
        let half = list.split(separator: "https").enumerated().map { $0 > 2 ? "http" + $1 : $0 > 0 ? "https" + $1 : $1 }.joined()
        let rest = FeedConverter.convert(Array(half.utf8), options: options)
        #expect(rest.channels == 2, "what is left out does not count: \(rest.text())")
    }

    @Test("many removals from one list take one pass, and leave the others")
    func removals() {
        let list = JSONText.array((0..<2000).map { .string("\($0)") })
        let rest = list.removing((0..<2000).filter { $0 % 3 != 0 }.map { [String($0)][...] })
        #expect(rest.elements.compactMap(\.string) == stride(from: 0, to: 2000, by: 3).map(String.init))
        let nested = JSONText.object([("a", .array([.object([("b", list), ("c", .null)])]))])
        #expect(nested.removing([["a", "0", "b"], ["a", "7"], ["x"]]).text == "{\"a\":[{\"c\":null}]}")
    }
}
