import MediaTime
import Testing

@testable import Captions

/// Times at and beyond the bounds of docs/bounds.md.
@Suite("Captions: bounds")
struct BoundsTests {
    @Test(
        "times of WebVTT and SubRip end below a million hours",
        arguments: [("999999:59:59", true), ("1000000:00:00", false), ("999999999:00:00", false), ("9999999999:00:00", false)])
    func hours(time: String, isWithin: Bool) throws {
        let cues = try WebVTTParser.parse("WEBVTT\n\n00:00:01.000 --> \(time).000\nword\n\n00:00.000 --> 00:01.000\nlast").cues
        #expect(cues.map(\.plainText) == (isWithin ? ["last", "word"] : ["last"]))
        let titles = try SubRipParser.parse("1\n00:00:01,000 --> \(time),000\nword\n\n2\n00:00:00,000 --> 00:00:01,000\nlast\n")
            .cues
        #expect(titles.contains { $0.plainText == "word" } == isWithin && titles.contains { $0.plainText == "last" })
    }

    @Test(
        "times of SubStation Alpha end below 1000 hours, in whichever part they are",
        arguments: [
            ("999:59:59.99", true), ("0:00:3599999", true), ("1000:00:00", false), ("0:00:3600000", false),
            ("0:01:9000000000", false), ("0:00:9999999999.999999999", false),
            ("0:60:00", false),
        ])
    func scripts(time: String, isWithin: Bool) {
        let script =
            "[Script Info]\n[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,\(time),word\nDialogue: 0:00:01.00,0:00:02.00,last\n"
        #expect(AdvancedSubStation.parse(script).cues.map(\.plainText) == (isWithin ? ["word", "last"] : ["last"]))
    }

    @Test(
        "what has times of TTML that are no numbers, or too large, is not shown",
        arguments: [
            "nan", "inf", "nans", "infs", "1e400s", "1e308h", "-1s", "999999999999999999999h", "3600000000s", "1000000:00:00",
            "0:0:9999999999.999999999", "00:00:00:1e300", "00:00:00:nan", "1e308f", "1e308t",
        ])
    func ttml(time: String) throws {
        for attributes in ["", "frameRate='1e-308' tickRate='1e-308'", "frameRate='1e308' frameRateMultiplier='1e308 1e-308'"] {
            let text =
                "<tt \(attributes)><body><p begin='\(time)' dur='\(time)'>x</p><p begin='1s' end='\(time)'>y</p></body></tt>"
            for cue in try TTMLReader.parse(text).cues {
                #expect(cue.start >= .zero && cue.start < .captionLimit && cue.end > cue.start, "\(attributes)")
            }
        }
        #expect(try TTMLReader.parse("<tt><body><p end='\(time)'>x</p></body></tt>").cues.isEmpty)
    }

    @Test("times of TTML end below a million hours also where each nested element adds its own")
    func nested() throws {
        func cues(_ inner: String) throws -> [ClosedRange<MediaTime>] {
            let text = "<tt><body begin='900000h'><div begin='99999h'>\(inner)</div></body></tt>"
            return try TTMLReader.parse(text).cues.map { $0.start...$0.end }
        }
        let base = MediaTime.seconds(999_999 * 3600)
        #expect(try cues("<p begin='1s' end='999999h'>x</p>") == [base + .seconds(1)...(.captionLimit)])
        #expect(try cues("<p begin='1s'><span begin='2h'>x</span></p>").allSatisfy { $0.lowerBound == .captionLimit })
        #expect(try cues("<p begin='2h' end='3h'>x</p><p begin='2h' dur='999999h'>y</p>") == [])
        #expect(try cues("<p begin='2h'>x</p>").allSatisfy { $0.lowerBound == .captionLimit })
        let sequence = String(repeating: "<p dur='999999h'>x</p>", count: 10)
        #expect(try cues("<div timeContainer='seq'>\(sequence)</div>") == [base...(.captionLimit)])
    }

    @Test("boxes of any size stay within ten screens")
    func boxSizes() throws {
        let text = """
            <tt tts:extent='5e-324px 5e-324px'><head><layout><region xml:id='a' tts:origin='1px -1px' tts:extent='1e308% 0%'/></layout></head>\
            <body><p region='a' begin='0s' end='1s'>x</p></body></tt>
            """
        let box = try #require(try TTMLReader.parse(text).cues.first?.box)
        #expect([box.x, box.y, box.width, box.height] == [10, -10, 10, 0])
        #expect(CaptionBox(x: .nan, y: -.infinity, width: 0, height: 0).y == -10)
    }

    @Test("zero frames at a rate of infinity are no time")
    func noNumber() throws {
        let text =
            "<tt frameRate='1e308' frameRateMultiplier='1e308 1e-308'><body><p begin='00:00:01:0' end='1e308f'>x</p></body></tt>"
        #expect(try TTMLReader.parse(text).cues.allSatisfy { $0.end > $0.start })
    }

    @Test("a script whose format of events is empty keeps the usual one")
    func emptyFormat() throws {
        let text = "[Script Info]\n[Events]\nFormat:\nFormat: ,\nDialogue: 0,0:00:01.00,0:00:02.00,a,,0,0,0,,word\n"
        #expect(try CaptionDocument.read(Array(text.utf8)).cues.map(\.plainText) == ["word"])
    }

    @Test("deep nesting, many regions, rules and cuts are bounded in work")
    func work() throws {
        let deep = String(repeating: "<b>", count: 50_000) + "word"
        #expect(try WebVTTParser.parse("WEBVTT\n\n00:00.000 --> 00:01.000\n\(deep)").cues.map(\.plainText) == ["word"])
        let regions = (0..<2000).map { "REGION\nid:r\($0)\n\n" }.joined()
        #expect(try WebVTTParser.parse("WEBVTT\n\n\(regions)").regions.count == 256)
        let spans = (0..<3000).map { "<span begin='\($0)ms' dur='5ms'>x</span>" }.joined()
        let cues = try TTMLReader.parse("<tt><body><p begin='0s' end='10s'>\(spans)</p></body></tt>").cues
        #expect(cues.count > 10 && cues.count <= 100_000 / 3000 + 1)
    }

    private func count(_ nodes: [CaptionNode]) -> Int {
        nodes.reduce(0) { sum, node in if case .span(let span) = node { sum + 1 + count(span.children) } else { sum + 1 } }
    }

    @Test("the spans of all paragraphs together are bounded, however many overlap in each")
    func overlappingSpans() throws {
        let spans = (0..<223).map { "<span begin='\($0)ms' end='9s' style='a'>x</span>" }.joined()
        let paragraphs = (0..<100).map { "<p begin='\($0 * 10)s' end='\($0 * 10 + 10)s'>\(spans)</p>" }.joined()
        let text = "<tt><head><styling><style id='a' color='red'/></styling></head><body>\(paragraphs)</body></tt>"
        let cues = try TTMLReader.parse(text).cues
        #expect(cues.reduce(0) { $0 + count($1.nodes) } < 400_000, "100 paragraphs of 223 × 223 spans are 5 million")
        #expect(cues.contains { $0.start == .seconds(990) }, "every paragraph is there")
    }

    @Test("nested sequences and long lists of styles are refused when they take too much work")
    func intricate() throws {
        // A hundredth of the work that is allowed, so that the test is short.
        func parse(_ text: String) throws -> CaptionDocument {
            try TTMLReader.parse(text, pictures: [], evaluations: TTMLBody.mostEvaluations / 100)
        }
        func nested(_ depth: Int) -> String {
            let open = String(repeating: "<div timeContainer='seq'>", count: depth),
                close = String(repeating: "</div>", count: depth)
            return "<tt><body>\(open)\(String(repeating: "<p dur='1s'>x</p>", count: 500))\(close)</body></tt>"
        }
        #expect(throws: CaptionError.tooIntricate) { try parse(nested(50)) }
        #expect(try parse(nested(1)).cues.count == 500)
        let styles = String(repeating: "a ", count: 10_000)
        let text = "<tt><body>\(String(repeating: "<p style='\(styles)'>x</p>", count: 3))</body></tt>"
        #expect(throws: CaptionError.tooIntricate) { try parse(text) }
    }

    @Test("selectors count as rules, and rules times spans are bounded")
    func selectors() throws {
        let many = (0..<1000).map { "::cue(.c\($0))" }.joined(separator: ",")
        func document(_ sheet: String, _ text: String, cues: Int = 1) throws -> CaptionDocument {
            let cue = "00:00.000 --> 00:01.000\n\(text)\n\n"
            return try WebVTTParser.parse("WEBVTT\n\nSTYLE\n\(sheet)\n\n" + String(repeating: cue, count: cues))
        }
        func isStyled(_ cue: CaptionCue) -> Bool { "\(cue.nodes)".contains("isBold: Optional(true)") }
        for (name, isWithin) in [("c0", true), ("c255", true), ("c256", false), ("c999", false)] {
            let cues = try document("\(many) { font-weight: bold }", "<c.\(name)>x</c>").resolved()
            #expect(cues.map(isStyled) == [isWithin], "\(name)")
        }
        let rules = (0..<256).map { "::cue(.c\($0)) { font-weight: bold }" }.joined()
        let spans = String(repeating: "<c.c255>x</c>", count: 1000)
        let cues = try document(rules, spans, cues: 100).resolved()
        let styled = cues.prefix { isStyled($0) }.count
        #expect(styled > 20 && styled < 40, "8 million comparisons are 31 cues of 1000 spans and 256 rules")
        #expect(!cues.dropFirst(styled + 1).contains(where: isStyled) && cues.count == 100)
    }

    @Test("cues, their spans and their texts are bounded in number and length")
    func manyCues() throws {
        let cues = String(repeating: "00:00.000 --> 00:01.000\n<b>x</b><i>y</i>\n\n", count: 70_000)
        let document = try WebVTTParser.parse("WEBVTT\n\n" + cues)
        #expect(document.cues.count == CaptionBounds.cues)
        #expect(document.cues.reduce(0) { $0 + count($1.nodes) - $1.nodes.count } <= CaptionBounds.spans)
        #expect(document.cues.last?.plainText == "xy", "the text of the last is there without its styles")
        let titles = cues.replacing("00:0", with: "00:00:0").replacing(".", with: ",")
        #expect(try SubRipParser.parse(titles).cues.count == CaptionBounds.cues)
        let long = String(repeating: "word ", count: 100_000)
        #expect(try WebVTTParser.parse("WEBVTT\n\n00:00.000 --> 00:01.000\n\(long)").cues.first?.plainText.count == 200_000)
    }

    @Test("a store that gets many times its limit keeps the cues that end last")
    func store() {
        let store = CueStore(countLimit: 100)
        store.insert(
            (0..<20_000).map { CaptionCue(start: .seconds(Int64($0)), end: .seconds(Int64($0) + 1), nodes: [.text("\($0)")]) })
        #expect(store.all.map(\.plainText) == (19_900..<20_000).map(String.init))
    }

    @Test("nested boxes of a damaged init segment are not followed to their depth")
    func boxes() {
        var bytes: [UInt8] = []
        for _ in 0..<3000 {
            let size = bytes.count + 8
            bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array("minf".utf8) + bytes
        }
        for type in ["trak", "moov"] {
            let size = bytes.count + 8
            bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(type.utf8) + bytes
        }
        #expect(throws: CaptionError.self) { try FragmentedText.cues(of: bytes, initialization: [], offset: .zero) }
    }
}
