import MediaTime
import Testing

@testable import Captions

/// A cue in one line, for comparing whole lists.
func line(_ cue: CaptionCue) -> String {
    let text =
        cue.image.map { "[\($0.width)x\($0.height)]" }
        ?? cue.plainText.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "/")
    return "\(cue.start.milliseconds)-\(cue.end.milliseconds) \(text)"
}

@Suite("TTML")
struct TTMLTests {
    private func cues(_ body: String, head: String = "", attributes: String = "") throws -> [CaptionCue] {
        try TTMLReader.parse(
            """
            <?xml version="1.0"?><!-- a comment --><tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling"
            xmlns:ttp="http://www.w3.org/ns/ttml#parameter" \(attributes)><head>\(head)</head><body><div>\(body)</div></body></tt>
            """
        ).cues
    }

    @Test(
        "times are read in every form",
        arguments: [
            ("00:00:01.500", "2s", 1500, 2000), ("1.5s", "2000ms", 1500, 2000), ("0.5m", "0.01h", 30_000, 36_000),
            ("00:00:01:15", "60f", 1600, 2400),
            ("100t", "250t", 1000, 2500),
        ])
    func times(_ begin: String, _ end: String, _ start: Int64, _ stop: Int64) throws {
        let cue = try #require(
            try cues("<p begin=\"\(begin)\" end=\"\(end)\">x</p>", attributes: "ttp:frameRate=\"25\" ttp:tickRate=\"100\"").first)
        #expect((cue.start.milliseconds, cue.end.milliseconds) == (start, stop))
    }

    @Test("nested times are relative to and clipped by their parent; sequences follow one another")
    func nesting() throws {
        let found = try cues(
            """
            <div begin="10s" end="20s"><p begin="1s" end="5s">a</p><p begin="8s" end="30s">b</p><p dur="2s">c</p></div>
            <div begin="100s" timeContainer="seq"><p dur="2s">d</p><p dur="3s">e</p></div>
            <p begin="200s" end="204s">f<span begin="1s" end="3s">g</span></p>
            """
        ).map(line)
        #expect(
            found == [
                "10000-12000 c", "11000-15000 a", "18000-20000 b", "100000-102000 d", "102000-105000 e", "200000-201000 f",
                "201000-203000 fg",
                "203000-204000 f",
            ])
    }

    @Test("white space collapses, explicit line breaks stay, references are resolved")
    func text() throws {
        let found = try cues(
            "<p begin='0s' end='1s'>\n  one   <span>two</span>\n <br/>  three &amp; &#x266A; </p><p begin='1s' end='2s' xml:space='preserve'> a  b </p>"
        ).map(line)
        #expect(found == ["0-1000 one two/three & ♪", "1000-2000  a  b "])
    }

    @Test("styles chain, spans override paragraphs, sizes multiply")
    func styles() throws {
        let head = """
            <styling><style xml:id="a" tts:color="yellow" tts:fontSize="50%"/><style xml:id="b" style="a" tts:fontStyle="italic"/></styling>
            """
        let cue = try #require(
            try cues(
                "<p style='b' tts:fontSize='200%' begin='0s' end='1s'>x<span tts:color='#ff000080' tts:fontWeight='bold'>y</span></p>",
                head: head
            )
            .first)
        guard case .span(let outer) = cue.nodes[0], case .style(let style) = outer.kind,
            case .span(let inner) = outer.children[1],
            case .style(let own) = inner.kind
        else {
            Issue.record("no styles in \(cue.nodes)")
            return
        }
        #expect(style.colour == CaptionColour(red: 255, green: 255, blue: 0) && style.isItalic == true && style.scale == 2)
        #expect(own.colour == CaptionColour(red: 255, green: 0, blue: 0, alpha: 128) && own.isBold == true)
    }

    @Test("regions become boxes with an alignment")
    func regions() throws {
        let head = """
            <layout><region xml:id="r" tts:origin="10% 20%" tts:extent="80% 30%" tts:displayAlign="after" tts:backgroundColor="blue"/></layout>
            """
        let cue = try #require(try cues("<p region='r' begin='0s' end='1s'>x</p>", head: head).first)
        #expect(
            cue.box
                == CaptionBox(
                    x: 0.1, y: 0.2, width: 0.8, height: 0.3, displayAlignment: .after,
                    window: CaptionColour(red: 0, green: 0, blue: 255)))
    }

    @Test("any damage gives fewer cues or an error, never a crash")
    func damage() {
        let whole = Array(
            "<tt><head><styling><style id='s' tts:color='red'/></styling></head><body><div begin='1s'><p dur='2s' style='s'>a<br/>&amp;b</p></div></body></tt>"
                .utf8)
        var number: UInt64 = 3
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0..<3 {
                number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let place = Int(number >> 33) % bytes.count
                bytes[place] = UInt8(truncatingIfNeeded: number >> 20)
                if number >> 50 & 7 == 0 { bytes.removeSubrange(place...) }
                if bytes.isEmpty { break }
            }
            if let document = try? TTMLReader.parse(bytes) { #expect(document.cues.allSatisfy { $0.end > $0.start }) }
        }
    }

    private static let corpus = Corpus.folder.map { $0 + "/../ttml" }

    @Test(
        "every TTML file of other projects gives its cues",
        .enabled(if: corpus != nil, "the folder shared/corpus is not beside the package"),
        arguments: Corpus.files("../ttml").filter { $0.hasSuffix(".xml") })
    func corpusFiles(_ path: String) throws {
        let bytes = try #require(Corpus.bytes(path))
        let cues = try CaptionDocument.read(bytes).resolved()
        // Comments contain paragraphs too.
        let text = String(decoding: bytes, as: UTF8.self).components(separatedBy: "<!--")
            .map { String($0.components(separatedBy: "-->").last ?? "") }.joined()
        let paragraphs = text.components(separatedBy: "<p ").count - 1 + (text.components(separatedBy: "<p>").count - 1)
        let pictures = text.components(separatedBy: "backgroundImage=").count - 1
        #expect(!cues.isEmpty)
        #expect(cues.count >= pictures)
        if pictures == 0 { #expect(cues.count >= paragraphs - 1 && cues.count <= paragraphs + 4, "\(cues.map(line))") }
        #expect(cues.allSatisfy { $0.end > $0.start })
    }

    @Test(
        "golden lists of files of other projects",
        .enabled(if: corpus != nil, "the folder shared/corpus is not beside the package"))
    func golden() throws {
        func list(_ name: String) throws -> [String] {
            try CaptionDocument.read(try #require(Corpus.bytes("../ttml/androidx-media/\(name).xml"))).resolved().map(line)
        }
        #expect(
            try list("inherit_begin_from_div") == [
                "69583-71125 Lara.", "72000-74500 Stil.", "122000-125000 offset", "180000-184000 dur", "242000-245000 nested",
                "300000-302000 bare",
            ])
        #expect(
            try list("overlapping_times") == [
                "10000-25000 cue 1", "15000-20000 cue 2: nested inside cue 1", "16000-28000 cue 3: overlaps with cue 2",
            ])
        #expect(try list("frame_rate") == ["1000-1010 text 1", "1001000-2002000 text 2"])
        #expect(
            try list("bitmap_percentage_region").map { $0.split(separator: " ")[0] } == ["200-3000", "3200-6937", "7200-3543000"])
        #expect(
            try list("rubies").map { $0.split(separator: " ", maxSplits: 1)[1] } == [
                "Cue with annotated text.", "Cue with annotated text.", "Cue with annotated text.", "Cue with annotated text.",
                "Cue with text.",
                "Cue with annotated text.", "Cue with annotated text.", "Cue with annotated text.",
            ])
    }

    @Test(
        "TTML in fragments of MP4 is placed by its own times",
        .enabled(if: corpus != nil, "the folder shared/corpus is not beside the package"))
    func fragments() throws {
        let bytes = try #require(Corpus.bytes("../streams/androidx-media/ttml-in-mp4/sample.text.mp4"))
        let cues = try FragmentedText.cues(of: bytes, initialization: [], offset: .seconds(10))
        #expect(
            cues.map(line) == [
                "10020-10500 First Subtitle after 20ms of silence", "10250-10400 Second Subtitle overlaps with first",
                "10700-10950 Last subtitle/And More",
            ])
    }
}

extension StringProtocol where SubSequence == Substring {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
