import MediaTime
import Testing

@testable import Captions

@Suite("Colours and style sheets")
struct CaptionStyleTests {
    @Test(
        "colours in every form of CSS and TTML",
        arguments: [
            ("#f80", CaptionColour(red: 255, green: 136, blue: 0)),
            ("#f804", CaptionColour(red: 255, green: 136, blue: 0, alpha: 68)),
            ("#FF8001", CaptionColour(red: 255, green: 128, blue: 1)),
            ("#ff800140", CaptionColour(red: 255, green: 128, blue: 1, alpha: 64)),
            ("rgb(1, 2, 3)", CaptionColour(red: 1, green: 2, blue: 3)),
            ("RGB(300, -5, 3.9)", CaptionColour(red: 255, green: 0, blue: 3)),
            ("rgb(100%, 0%, 49%)", CaptionColour(red: 255, green: 0, blue: 125)),
            ("rgb(200%, -1%, 20%)", CaptionColour(red: 255, green: 0, blue: 51)),
            ("rgba(1, 2, 3, 0.5)", CaptionColour(red: 1, green: 2, blue: 3, alpha: 128)),
            ("rgba(1,2,3,1)", CaptionColour(red: 1, green: 2, blue: 3)),
            ("rgba(1,2,3,128)", CaptionColour(red: 1, green: 2, blue: 3, alpha: 128)),
            ("rgba(1,2,3,999)", CaptionColour(red: 1, green: 2, blue: 3)),
            ("rgba(1,2,3,0)", CaptionColour(red: 1, green: 2, blue: 3, alpha: 0)),
            ("rgba(1,2,3,2)", CaptionColour(red: 1, green: 2, blue: 3, alpha: 2)),
            ("rgb(1 2 3 / 0.5)", CaptionColour(red: 1, green: 2, blue: 3, alpha: 128)),
            ("Orange", CaptionColour(red: 255, green: 165, blue: 0)), ("transparent", .transparent), ("black", .black),
            ("#12", nil), ("#12345", nil), ("#xyz", nil), ("#", nil), ("rgb(1,2)", nil), ("rgb(1,2,3,4,5)", nil),
            ("rgb(1,2,x)", nil),
            ("rgba(1,2,3,-1)", nil), ("rgba(1,2,3,x)", nil), ("rgb(1,2,3", nil), ("hsl(1,2,3)", nil), ("rgb(nan,2,3)", nil),
            ("rgb(nan%,2,3)", nil), ("rgb(inf,2,3)", nil), ("rgba(1,2,3,nan)", nil), ("nocolour", nil), ("", nil),
        ] as [(String, CaptionColour?)])
    func colours(_ text: String, _ colour: CaptionColour?) {
        #expect(CaptionColour(css: text) == colour)
    }

    @Test("eight classes have colours without a style sheet (WebVTT 5.1); other classes have none")
    func classes() {
        #expect(CaptionColour.webVTTClass("lime") == CaptionColour(red: 0, green: 255, blue: 0))
        #expect(CaptionColour.webVTTClass("yellow") == .yellow && CaptionColour.webVTTClass("blue") == .blue)
        #expect(CaptionColour.webVTTClass("orange") == nil && CaptionColour.webVTTClass("green") == nil)
    }

    @Test("unset values of a style come from the outer style; sizes multiply")
    func inside() {
        var outer = CaptionTextStyle {
            ($0.colour, $0.background, $0.scale, $0.family, $0.edge) = (.red, .blue, 2, .serif, .uniform)
        }
        (outer.isItalic, outer.isBold, outer.isUnderlined, outer.isStruckThrough) = (true, true, true, true)
        #expect(CaptionTextStyle().inside(outer) == outer && outer.inside(CaptionTextStyle()) == outer)
        var inner = CaptionTextStyle {
            ($0.colour, $0.background, $0.scale, $0.family, $0.edge) = (.blue, .red, 0.25, .sans, .raised)
        }
        (inner.isItalic, inner.isBold, inner.isUnderlined, inner.isStruckThrough) = (false, false, false, false)
        var expected = inner
        expected.scale = 0.5
        #expect(inner.inside(outer) == expected)
    }

    /// The styles that a sheet gives to the text of a cue, from the outside to the inside.
    private func styles(_ sheet: String, _ text: String, id: String = "") -> [CaptionTextStyle] {
        var found: [CaptionTextStyle] = []
        func walk(_ node: CaptionNode) {
            if let style = node.style { found.append(style) }
            node.children.forEach(walk)
        }
        let cue = CaptionCue(id: id, start: .zero, end: .seconds(1), nodes: WebVTTText.parse(text))
        var rules = CueStyleSheet([sheet])
        rules.apply(to: cue).forEach(walk)
        return found
    }

    private static let red = CaptionTextStyle { $0.colour = .red }

    @Test(
        "a selector matches the cues and spans of section 8.2 of WebVTT, and nothing else",
        arguments: [
            ("::cue", "a", true), ("::cue(b)", "<b>a</b>", true), ("::cue(B)", "<b>a</b>", true), ("::cue(b)", "<i>a</i>", false),
            ("::cue(i), ::cue(b)", "<b>a</b>", true), ("::cue(.x)", "<c.x>a</c>", true), ("::cue(.x)", "<b.y.x>a</b>", true),
            ("::cue(.x.y)", "<c.y.x>a</c>", true), ("::cue(.x.y)", "<c.x>a</c>", false), ("::cue(#one)", "a", true),
            ("::cue(#two)", "a", false),
            ("::cue(#o\\ne)", "a", true), ("::cue( b )", "<b>a</b>", true),
            ("::cue(v[voice=\"Mary\"])", "<v Mary>a</v>", true), ("::cue(v[voice='Mary'])", "<v Mary>a</v>", true),
            ("::cue(v[voice=Mary])", "<v Mary>a</v>", true), ("::cue(v[voice=\"Ann\"])", "<v Mary>a</v>", false),
            ("::cue(v[voice=\"Mary\"])", "<b>a</b>", false),
            ("::cue([lang=\"en\"])", "<lang en>a</lang>", true), ("::cue([lang=\"en\"])", "<lang en-GB>a</lang>", true),
            ("::cue([lang=\"en\"])", "<lang eng>a</lang>", false), ("::cue([lang=\"en-GB\"])", "<lang en>a</lang>", false),
            ("::cue([lang=\"en\"])", "<v en>a</v>", false),
            ("b", "<b>a</b>", false), ("::cue(bx", "<b>a</b>", false), ("::cue-region", "a", false), ("::cue()", "a", false),
            ("::cue(b>i)", "<b>a</b>", false),
        ])
    func selectors(_ selector: String, _ text: String, _ matches: Bool) {
        #expect(styles("\(selector) { color: red }", text, id: "one") == (matches ? [Self.red] : []))
    }

    @Test(
        "a declaration changes one property",
        arguments: [
            ("color: red", CaptionTextStyle { $0.colour = .red }), ("COLOR:RED", CaptionTextStyle { $0.colour = .red }),
            ("background-color: blue", CaptionTextStyle { $0.background = .blue }),
            ("background: blue", CaptionTextStyle { $0.background = .blue }),
            ("color: red; color: wrong", CaptionTextStyle { $0.colour = .red }),
            ("color: red; color: blue", CaptionTextStyle { $0.colour = .blue }),
            ("font-style: italic", CaptionTextStyle { $0.isItalic = true }),
            ("font-style: oblique", CaptionTextStyle { $0.isItalic = true }),
            ("font-style: normal", CaptionTextStyle { $0.isItalic = false }),
            ("font-weight: bold", CaptionTextStyle { $0.isBold = true }),
            ("font-weight: bolder", CaptionTextStyle { $0.isBold = true }),
            ("font-weight: 600", CaptionTextStyle { $0.isBold = true }),
            ("font-weight: 599", CaptionTextStyle { $0.isBold = false }),
            ("font-weight: normal", CaptionTextStyle { $0.isBold = false }),
            ("text-decoration: underline", CaptionTextStyle { ($0.isUnderlined, $0.isStruckThrough) = (true, false) }),
            ("text-decoration-line: line-through", CaptionTextStyle { ($0.isUnderlined, $0.isStruckThrough) = (false, true) }),
            ("font-size: 50%", CaptionTextStyle { $0.scale = 0.5 }), ("font-size: 1.5em", CaptionTextStyle { $0.scale = 1.5 }),
            ("font-size: 2rem", CaptionTextStyle { $0.scale = 2 }),
            ("font-family: monospace", CaptionTextStyle { $0.family = .monospaced }),
            ("font-family: Arial, 'sans-serif'", CaptionTextStyle { $0.family = .sans }),
            ("font-family: cursive", CaptionTextStyle { $0.family = .cursive }),
            ("font-family: fantasy, serif", CaptionTextStyle { $0.family = .casual }),
            ("color: red; nothing; font-style: italic", CaptionTextStyle { ($0.colour, $0.isItalic) = (.red, true) }),
        ])
    func declarations(_ declaration: String, _ style: CaptionTextStyle) {
        #expect(styles("::cue { \(declaration) }", "a") == [style])
    }

    @Test(
        "an invalid declaration changes nothing",
        arguments: [
            "font-size: 12px", "font-size: nan%", "font-size: infem", "color: wrong", "font-family: Arial", "margin: 1px",
            "color", "",
        ])
    func unknown(_ declaration: String) {
        #expect(styles("::cue { \(declaration) }", "a").isEmpty)
    }

    @Test("comments are no style; later rules win; a rule that is not closed ends the sheet")
    func sheets() {
        #expect(styles("/* ::cue { color: blue } */ ::cue { /* background: blue; */ color: red }", "a") == [Self.red])
        #expect(styles("::cue { color: red } /* ::cue { color: blue }", "a") == [Self.red])
        #expect(
            styles("::cue { color: blue; font-style: italic } ::cue { color: red }", "a") == [
                CaptionTextStyle { ($0.colour, $0.isItalic) = (.red, true) }
            ])
        #expect(styles("::cue(b) { color: blue } ::cue(.x) { color: red }", "<b.x>a</b>") == [Self.red])
        #expect(styles("::cue { color: red } ::cue { color: blue", "a") == [Self.red])
        #expect(
            styles("::cue { color: red } ::cue(b) { color: blue }", "a<b>c</b>") == [
                Self.red, CaptionTextStyle { $0.colour = .blue },
            ])
        #expect(styles("::cue(u) { color: red }", "<b><u>a</u></b>") == [Self.red])
    }

    @Test("quotation marks are removed as a pair")
    func quotes() {
        #expect("\"a\"".trimmingQuotes == "a" && "'a'".trimmingQuotes == "a" && "''".trimmingQuotes == "")
        #expect(
            "\"a'".trimmingQuotes == "\"a'" && "a".trimmingQuotes == "a" && "\"".trimmingQuotes == "\""
                && "aba".trimmingQuotes == "aba" && "".trimmingQuotes == "")
    }

    @Test(
        "the first known generic name is the font",
        arguments: [
            ("serif", CaptionTextStyle.Family.serif), ("'Courier', MonospaceSerif", .monospacedSerif), ("default", nil),
            ("", nil),
        ] as [(String, CaptionTextStyle.Family?)])
    func families(_ list: String, _ family: CaptionTextStyle.Family?) {
        #expect(CaptionTextStyle.Family(genericName: list) == family)
    }
}

@Suite("WebVTT: settings, times and regions")
struct WebVTTSettingsTests {
    private func settings(_ text: String) -> CaptionSettings { WebVTTSettings.settings(text) }

    @Test(
        "a percentage has digits, perhaps a point and more digits, and is at most 100 (WebVTT 4.4)",
        arguments: [
            ("0%", 0), ("100%", 100), ("12.5%", 12.5), ("007%", 7), ("100.0%", 100),
            ("100.1%", nil), ("101%", nil), (".5%", nil), ("5.%", nil), ("1.2.3%", nil), ("-1%", nil), ("+5%", nil), ("%", nil),
            ("5", nil), ("1e1%", nil),
        ] as [(String, Double?)])
    func percentages(_ text: String, _ value: Double?) {
        #expect(settings("size:\(text)").size == value ?? 100)
        #expect(settings("position:\(text)").position == value)
    }

    @Test(
        "a line is a number or a percentage, with an alignment (WebVTT 6.3)",
        arguments: [
            ("0", CaptionSettings.Line.number(0), CaptionSettings.LineAlignment.start), ("-1", .number(-1), .start),
            ("12,center", .number(12), .center),
            ("5%,end", .percentage(5), .end), ("5%,middle", .percentage(5), .center), ("3,start", .number(3), .start),
            ("3,up", .number(3), .start),
            ("3,", .number(3), .start), ("-", .auto, .start), ("--1", .auto, .start), ("1.5", .auto, .start),
            ("x,end", .auto, .start), ("+1", .auto, .start),
        ])
    func lines(_ text: String, _ line: CaptionSettings.Line, _ alignment: CaptionSettings.LineAlignment) {
        #expect(settings("line:\(text)").line == line && settings("line:\(text)").lineAlignment == alignment)
    }

    @Test(
        "a position has an alignment by three names, and older ones",
        arguments: [
            ("line-left", CaptionSettings.PositionAlignment.lineLeft), ("start", .lineLeft), ("center", .center),
            ("middle", .center),
            ("line-right", .lineRight), ("end", .lineRight), ("up", nil), ("", nil),
        ] as [(String, CaptionSettings.PositionAlignment?)])
    func positions(_ text: String, _ alignment: CaptionSettings.PositionAlignment?) {
        #expect(
            settings("position:10%,\(text)").position == 10 && settings("position:10%,\(text)").positionAlignment == alignment)
        #expect(settings("position:x,\(text)").positionAlignment == nil)
    }

    @Test(
        "without a position the text's alignment says where the box is (WebVTT 3.3.1)",
        arguments: [
            ("start", 0, CaptionSettings.PositionAlignment.lineLeft), ("left", 0, .lineLeft), ("center", 50, .center),
            ("middle", 50, .center),
            ("end", 100, .lineRight), ("right", 100, .lineRight),
        ])
    func effective(_ align: String, _ position: Double, _ alignment: CaptionSettings.PositionAlignment) {
        #expect(
            settings("align:\(align)").effectivePosition == position
                && settings("align:\(align)").effectivePositionAlignment == alignment)
        #expect(settings("align:\(align) position:20%,center").effectivePosition == 20)
        #expect(settings("align:\(align) position:20%,center").effectivePositionAlignment == .center)
    }

    @Test("a cue with its own line or size, or with vertical text, belongs to no region (WebVTT 6.3)")
    func regionless() {
        #expect(settings("region:r").region == "r" && settings("region:r position:10% align:left").region == "r")
        for own in ["line:1", "size:50%", "vertical:rl", "vertical:lr"] { #expect(settings("region:r \(own)").region == nil) }
        #expect(settings("region:r line:auto size:100% vertical:up").region == "r")
        #expect(settings("vertical:lr").vertical == .growingRight && settings("vertical:rl vertical:up").vertical == .growingLeft)
    }

    @Test("a word without a name or a value is no setting")
    func words() {
        #expect(settings(":50% size: size :") == CaptionSettings())
        #expect(settings(" \t size:50%\t\t align:left ").size == 50)
    }

    @Test(
        "times have minutes and seconds of two digits and a fraction of three (WebVTT 6.3); a first number over 59 is hours",
        arguments: [
            ("00:01.000", 1000), ("59:59.999", 3_599_999), ("60:30.000", 217_800_000), ("1:00:01.000", 3_601_000),
            ("100:00:00.000", 360_000_000),
            ("00:00:59.999", 59_999), ("0:01.000", 1000), ("01:00:60.000", nil), ("01:60:00.000", nil), ("00:60.000", nil),
            ("1:2:03.000", nil),
            ("1:02:3.000", nil), ("00:1.000", nil), ("00:01.0000", nil), ("00:01.00", nil), ("00:01.000x", nil),
            ("00:01.000 ", nil), ("1234567890:00.000", nil),
        ] as [(String, Int64?)])
    func times(_ text: String, _ milliseconds: Int64?) {
        #expect(WebVTTSettings.time(text)?.milliseconds == milliseconds)
    }

    @Test("the times of a cue may touch their arrow")
    func timing() {
        #expect(
            WebVTTSettings.cue(timing: "  00:01.000-->00:02.000align:end").map { [$0.start, $0.end] } == [
                .seconds(1), .seconds(2),
            ])
        #expect(
            WebVTTSettings.cue(timing: "00:01.000 -> 00:02.000") == nil && WebVTTSettings.cue(timing: "00:01.000 --> x") == nil)
    }

    @Test("a region has its stated values and the standard's defaults (WebVTT 3.4)")
    func regions() {
        func region(_ text: String) -> CaptionRegion? {
            WebVTTSettings.region(text.split(separator: "\n").map(String.init), separator: ":")
        }
        let plain = region("id:a")
        #expect(
            plain?.width == 100 && plain?.lines == 3 && plain?.regionAnchor == .init(x: 0, y: 100)
                && plain?.viewportAnchor == .init(x: 0, y: 100))
        #expect(plain?.scrollsUp == false && region("width:40%") == nil)
        let full = region("id:a width:40%\nlines:5 regionanchor:10%,20%\nviewportanchor:30%,40% scroll:up")
        #expect(
            full?.width == 40 && full?.lines == 5 && full?.regionAnchor == .init(x: 10, y: 20)
                && full?.viewportAnchor == .init(x: 30, y: 40))
        #expect(full?.scrollsUp == true)
        #expect(
            region("id:a scroll:down")?.scrollsUp == false
                && region("id:a lines:2x width:x regionanchor:1%,2%,3% viewportanchor:1%,,2%") == plain)
        // 40 % wide, five lines of 5.33 % high, its tenth and fifth at 30 % and 40 %.
        #expect(full?.box == CaptionBox(x: 0.3 - 0.1 * 0.4, y: 0.4 - 0.2 * (5 * 0.0533), width: 0.4, height: 5 * 0.0533))
    }

    @Test("a region is known by its last description, and a header may describe it the old way")
    func repeated() throws {
        let document = try WebVTTParser.parse(
            "WEBVTT\nRegion: id=old width=30%\n\nREGION\nid:a width:10%\n\nREGION \t\nid:a width:20%\n\nREGIONS\nid:b\n\n00:00.000 --> 00:01.000 region:old\nx"
        )
        #expect(document.regions.map { "\($0.id) \($0.width)" } == ["old 30.0", "a 20.0"])
        #expect(document.cues.map(\.settings.region) == ["old"] && document.resolved().first?.box?.width == 0.3)
    }

    @Test("a document without regions and style sheets is unchanged by resolving")
    func resolved() throws {
        let plain = try WebVTTParser.parse("WEBVTT\n\n00:00.000 --> 00:01.000\n<b>x</b>")
        #expect(plain.resolved() == plain.cues)
        let sheet = try WebVTTParser.parse("WEBVTT\n\nSTYLE\n::cue { color: red }\n\n00:00.000 --> 00:01.000\nx")
        #expect(sheet.resolved().first?.nodes.first?.style?.colour == .red && sheet.resolved().first?.box == nil)
    }

    @Test("an unknown line of the header is skipped")
    func header() throws {
        let document = try WebVTTParser.parse(
            "WEBVTT\nKind: captions\nX-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:90000\nLanguage: en\n\n00:00.000 --> 00:01.000\na")
        #expect(document.timestampMap == TimestampMap(mpegTS: 90_000, local: .zero) && document.cues.count == 1)
    }

    @Test("the format is detected from the beginning: WebVTT, TTML, a script, otherwise SubRip")
    func kinds() throws {
        func read(_ text: String) throws -> [String] { try CaptionDocument.read(Array(text.utf8)).cues.map(line) }
        #expect(try read("\u{FEFF}\n <tt><body><p end='1s'>a</p></body></tt>") == ["0-1000 a"])
        #expect(try read("1\n00:00:00,000 --> 00:00:01,000\n<tt>a</tt>") == ["0-1000 a"])
        #expect(try read("[Script Info]\n[Events]\nDialogue: 0,0:00:00.00,0:00:01.00,S,,0,0,0,,a") == ["0-1000 a"])
        #expect(throws: CaptionError.unknownFormat(beginning: String(repeating: "x", count: 40))) {
            try read(String(repeating: "x", count: 99))
        }
        let long = "<html>" + String(repeating: "x", count: 99)
        #expect(throws: CaptionError.unknownFormat(beginning: String(long.prefix(40)))) { try TTMLReader.parse(long) }
        #expect(throws: CaptionError.unknownFormat(beginning: String(("x" + long).prefix(40)))) {
            try WebVTTParser.parse("x" + long)
        }
    }

    @Test("cues may follow the signature at once, and a cue's own lines may look like a block")
    func layout() throws {
        #expect(try WebVTTParser.parse("WEBVTT\n00:00.000 --> 00:01.000\na").cues.map(\.plainText) == ["a"])
        #expect(
            try WebVTTParser.parse("\u{FEFF}WEBVTT\ttitle\n\n00:00.000 --> 00:01.000\nSTYLE\nREGION").cues.map(\.plainText) == [
                "STYLE\nREGION"
            ])
        #expect(
            try WebVTTParser.parse("WEBVTT\n\nid\nnot the id\n00:00.000 --> 00:01.000\na").cues.map { [$0.id, $0.source] } == [
                ["", "a"]
            ])
        #expect(
            try WebVTTParser.parse("WEBVTT\n\nid\n00:00.000 --> 00:01.000\na\nb").cues.map { [$0.id, $0.source] } == [
                ["id", "a\nb"]
            ])
        #expect(try WebVTTParser.parse("WEBVTT\n\nx --> y\n00:00.000 --> 00:01.000\na").cues.map(\.source) == ["a"])
    }

    @Test("text in a NUL byte's place is the replacement character, and every end of a line counts once")
    func lines() {
        #expect(CaptionText.lines(of: "a\u{0}b\r\nc\rd\n\ne") == ["a\u{FFFD}b", "c", "d", "", "e"])
        #expect(CaptionText.lines(of: "a\r\n\nb") == ["a", "", "b"])
        #expect(CaptionText.lines(of: "a\r\r\nb") == ["a", "", "b"] && CaptionText.lines(of: "") == [""])
        #expect(
            CaptionText.decode([0xFF, 0xFE, 0x41]) == "\u{FFFD}"
                && CaptionText.decode(Array("WEBVTT ".utf8) + [0xE9]) == "WEBVTT \u{FFFD}")
    }
}
