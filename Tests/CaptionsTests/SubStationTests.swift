import MediaTime
import Testing

@testable import Captions

/// The format has no standard; the names of fields and overrides are those of the ASS specification (v4.00+ script format).
@Suite("ASS and SSA, field by field")
struct SubStationTests {
    private static let format =
        "Name, Fontname, Fontsize, PrimaryColour, OutlineColour, Bold, Italic, Underline, StrikeOut, BorderStyle, Outline, "
        + "Shadow, Alignment, MarginL, MarginR, MarginV"
    private static let plain = "S,Arial,50,&H00FFFFFF,&H00000000,0,0,0,0,1,0,0,2,0,0,0"

    /// The cues of events in a script of 1000 by 500 pixels with one style, `S`.
    private func cues(_ events: [String], style: String = plain, section: String = "[V4+ Styles]") -> [CaptionCue] {
        AdvancedSubStation.parse(
            """
            [Script Info]
            PlayResX: 1000
            PlayResY: 500
            \(section)
            Format: \(Self.format)
            Style: \(style)
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            \(events.joined(separator: "\n"))
            """
        ).cues
    }

    /// The cue of one event with a text.
    private func cue(
        _ text: String, margins: String = "0,0,0", style: String = plain, section: String = "[V4+ Styles]"
    ) throws -> CaptionCue {
        try #require(
            cues(["Dialogue: 0,0:00:01.00,0:00:02.00,S,,\(margins),,\(text)"], style: style, section: section).first)
    }

    /// A style in which some fields differ from the plain one.
    private func style(_ values: [String: String]) -> String {
        let names = Self.format.split(separator: ",").map(\.trimmed), own = Self.plain.split(separator: ",").map(String.init)
        return zip(names, own).map { values[$0] ?? $1 }.joined(separator: ",")
    }

    // MARK: Styles

    @Test("a style's flags and colour are those of its text", arguments: ["Bold", "Italic", "Underline", "StrikeOut"])
    func flags(_ name: String) throws {
        let on = try #require(try cue("x", style: style([name: "-1"])).nodes[0].style)
        #expect(
            [on.isBold, on.isItalic, on.isUnderlined, on.isStruckThrough]
                == ["Bold", "Italic", "Underline", "StrikeOut"].map { $0 == name })
    }

    @Test(
        "colours are blue, green, red from the left, with the transparency in front; old scripts write one number",
        arguments: [
            ("&H80FF8040", CaptionColour(red: 0x40, green: 0x80, blue: 0xFF, alpha: 127)),
            ("&H0000FF", .red), ("&HFF0000&", .blue), ("255", .red),
            ("-2147483640", CaptionColour(red: 8, green: 0, blue: 0, alpha: 127)),
            ("&HFF000000", .transparent), ("&Hred", nil), ("", nil),
        ] as [(String, CaptionColour?)])
    func colours(_ text: String, _ colour: CaptionColour?) throws {
        #expect(SubStationHeader.colour(text) == colour)
        #expect(try cue("x", style: style(["PrimaryColour": text])).nodes[0].style?.colour == colour)
    }

    @Test(
        "an outline makes an edge all around, only a shadow a drop shadow, neither none",
        arguments: [
            ("2", "0", CaptionTextStyle.Edge.uniform), ("2", "3", .uniform), ("0", "3", .dropShadow),
            ("0", "0", CaptionTextStyle.Edge.none),
        ])
    func edges(_ outline: String, _ shadow: String, _ edge: CaptionTextStyle.Edge) throws {
        let own = try #require(try cue("x", style: style(["Outline": outline, "Shadow": shadow])).nodes[0].style)
        #expect(own.edge == edge && own.background == nil)
    }

    @Test("border style 3 is an opaque box in the outline's colour instead of an edge")
    func opaqueBox() throws {
        let box = style(["BorderStyle": "3", "Outline": "2", "OutlineColour": "&H00FF0000"])
        let own = try #require(try cue("x", style: box).nodes[0].style)
        #expect(own.background == .blue && own.edge == nil)
        #expect(try cue("x", style: style(["BorderStyle": "3", "OutlineColour": "?"])).nodes[0].style?.background == .black)
    }

    @Test("an event takes the style of its name, with or without an asterisk, and otherwise Default")
    func names() {
        let header = SubStationHeader(
            """
            [V4+ Styles]
            Format: Name, Fontname, PrimaryColour
            Style: Default,Arial,&H0000FF
            Style: *Blue,Arial,&HFF0000
            """)
        func colour(_ style: String) -> CaptionColour? {
            header.cue(
                style: style, marginLeft: "", marginRight: "", marginVertical: "", text: "x", start: .zero, end: .seconds(1))?
                .nodes[0].style?.colour
        }
        #expect(colour("Blue") == .blue && colour("*Blue") == .blue)
        #expect(colour("Default") == .red && colour("*Default") == .red && colour("Other") == .red)
    }

    @Test("styles without a line of formats have the fields of the specification, in its order")
    func defaultFormat() {
        let header = SubStationHeader(
            "Style: Default,Arial,40,&H0000FF,&H00FF00,&HFF0000,&H000000,-1,0,-1,0,100,100,0,0,1,2,0,8,96,48,72,1")
        let cue = header.cue(
            style: "Default", marginLeft: "", marginRight: "", marginVertical: "", text: "{\\fs20}x", start: .zero,
            end: .seconds(1))
        let style = cue?.nodes[0].style
        #expect(style?.colour == .red && style?.isBold == true && style?.isItalic == false && style?.isUnderlined == true)
        #expect(style?.edge == .uniform && style?.scale == 0.5)
        // 384 by 288 without a size of its own.
        #expect(cue?.box == CaptionBox(x: 0.25, y: 0.25, width: 0.625, height: 0.5, displayAlignment: .before))
    }

    @Test("a size of zero is no size")
    func noSize() {
        let header = SubStationHeader("PlayResX: 0\nPlayResY: -5\nPlayResX: many\nPlayResY: inf\nPlayResX: nan")
        #expect(header.width == 384 && header.height == 288)
        #expect(SubStationHeader("playresx: 640\nPlayResY: 480").width == 640)
    }

    // MARK: Placement

    @Test(
        "an alignment is a key of the numeric keypad",
        arguments: [
            (1, CaptionBox.Side.after, CaptionSettings.Alignment.left), (3, .after, .right), (4, .middle, .left),
            (5, .middle, .center), (6, .middle, .right), (7, .before, .left), (8, .before, .center), (9, .before, .right),
        ])
    func alignments(_ key: Int, _ side: CaptionBox.Side, _ alignment: CaptionSettings.Alignment) throws {
        for cue in [try cue("x", style: style(["Alignment": "\(key)"])), try cue("{\\an\(key)}x")] {
            #expect(cue.box?.displayAlignment == side && cue.settings.alignment == alignment)
        }
    }

    @Test("the bottom centre is where captions are without a box")
    func ordinary() throws {
        let own = try cue("x")
        #expect(own.box == nil && own.settings.alignment == .center)
        #expect(try cue("{\\an2\\pos(250,100)}x").box != nil)
    }

    @Test(
        "SSA counts alignments from the bottom, plus four at the top, plus eight in the middle",
        arguments: [
            (1, CaptionBox.Side.after, CaptionSettings.Alignment.left), (3, .after, .right), (5, .before, .left),
            (6, .before, .center), (7, .before, .right), (9, .middle, .left), (10, .middle, .center), (11, .middle, .right),
        ])
    func oldAlignments(_ number: Int, _ side: CaptionBox.Side, _ alignment: CaptionSettings.Alignment) throws {
        for cue in [
            try cue("x", style: style(["Alignment": "\(number)"]), section: "[V4 Styles]"), try cue("{\\a\(number)}x"),
        ] {
            #expect(cue.box?.displayAlignment == side && cue.settings.alignment == alignment)
        }
    }

    @Test("an event's margins replace its style's, unless they are zero")
    func margins() throws {
        let own = style(["Alignment": "8", "MarginL": "100", "MarginR": "200", "MarginV": "50"])
        func box(_ margins: String) throws -> [Double] {
            let box = try #require(try cue("x", margins: margins, style: own).box)
            return [box.x, box.width, box.y, box.height].map { ($0 * 1000).rounded() / 1000 }
        }
        #expect(try box("0,0,0") == [0.1, 0.7, 0.1, 0.8])
        #expect(try box("300,0,0") == [0.3, 0.5, 0.1, 0.8])
        #expect(try box("0,400,0") == [0.1, 0.5, 0.1, 0.8])
        #expect(try box(" 0 , 0 , 100 ") == [0.1, 0.7, 0.2, 0.6])
        #expect(try box("inf,nan,-5") == [0.1, 0.7, 0.1, 0.8])
        // A box never becomes narrower than a twentieth.
        #expect(try box("600,600,400") == [0.6, 0.05, 0.8, 0.05])
    }

    @Test(
        "a position is the point of the box that the alignment names",
        arguments: [
            (1, [0.25, 0, 0.75, 0.2]), (2, [0, 0, 0.5, 0.2]), (3, [0, 0, 0.25, 0.2]),
            (4, [0.25, 0, 0.75, 0.4]), (5, [0, 0, 0.5, 0.4]), (6, [0, 0, 0.25, 0.4]),
            (7, [0.25, 0.2, 0.75, 0.8]), (8, [0, 0.2, 0.5, 0.8]), (9, [0, 0.2, 0.25, 0.8]),
        ])
    func positions(_ key: Int, _ expected: [Double]) throws {
        let box = try #require(try cue("{\\an\(key)\\pos(250, 100)}x").box)
        #expect([box.x, box.y, box.width, box.height] == expected)
        #expect(box.displayAlignment == [.after, .middle, .before][(key - 1) / 3])
    }

    @Test("a position in the right half or the lower half is centred between it and the nearer edge")
    func farPositions() throws {
        let box = try #require(try cue("{\\an5\\pos(750,400)}x").box)
        #expect([box.x, box.y, box.width, box.height].map { ($0 * 1000).rounded() / 1000 } == [0.5, 0.6, 0.5, 0.4])
    }

    @Test("a position outside the script's size is moved to its edge")
    func outside() throws {
        let right = try #require(try cue("{\\an7\\pos(2000,-100)}x").box)
        #expect([right.x, right.y, right.width, right.height] == [1, 0, 0, 1])
        let low = try #require(try cue("{\\an1\\pos(-1,9000)}x").box)
        #expect([low.x, low.y, low.width, low.height] == [0, 0, 1, 1])
    }

    @Test("the first position and the first alignment of an event count, a movement from where it begins")
    func first() throws {
        func origin(_ text: String) throws -> [Double]? { try cue(text).box.map { [$0.x, $0.y] } }
        #expect(try origin("{\\an7\\pos(250,100)\\pos(500,400)}x") == [0.25, 0.2])
        #expect(try origin("{\\an7\\pos(250,100)\\move(500,400,0,0)}x") == [0.25, 0.2])
        #expect(try origin("{\\an7\\move(250,100,900,400)}x") == [0.25, 0.2])
        #expect(try origin("{\\an7\\move(250,100,900,400)\\pos(500,400)}x") == [0.25, 0.2])
        #expect(try origin("{\\pos(250)\\pos(a,b)\\pos(nan,inf)}x") == nil)
        #expect(try cue("{\\an7\\an9}x").settings.alignment == .left)
        #expect(try cue("{\\a5\\an9}x").settings.alignment == .left)
        #expect(try cue("{\\an0\\an10}x").box == nil)
    }

    // MARK: Overrides

    /// The plain style's look, with a change.
    private static func changed(_ change: (inout CaptionTextStyle) -> Void) -> CaptionTextStyle {
        var style = CaptionTextStyle { ($0.colour, $0.edge) = (.white, CaptionTextStyle.Edge.none) }
        (style.isBold, style.isItalic, style.isUnderlined, style.isStruckThrough) = (false, false, false, false)
        change(&style)
        return style
    }

    @Test(
        "an override changes one property of the text after it",
        arguments: [
            ("c&H0000FF&", changed { $0.colour = .red }), ("1c&HFF0000&", changed { $0.colour = .blue }),
            ("alpha&H80&", changed { $0.colour?.alpha = 127 }), ("1a&HFF&", changed { $0.colour?.alpha = 0 }),
            ("alpha&H80&\\c&H0000FF&", changed { $0.colour = CaptionColour(red: 255, green: 0, blue: 0, alpha: 127) }),
            ("c&H0000FF&\\c", changed { _ in }), ("c&H0000FF&\\r", changed { _ in }),
            ("c&H0000FF&\\cwrong", changed { $0.colour = .red }),
            ("fs25", changed { $0.scale = 0.5 }), ("fs0", changed { _ in }), ("fsinf", changed { _ in }),
            ("fscx200", changed { _ in }),
            ("b1", changed { $0.isBold = true }), ("b700", changed { $0.isBold = true }),
            ("b1\\b0", changed { $0.isBold = false }), ("b1\\b", changed { _ in }),
            ("i1", changed { $0.isItalic = true }), ("i1\\i", changed { _ in }), ("u1", changed { $0.isUnderlined = true }),
            ("u1\\u", changed { _ in }),
            ("s1", changed { $0.isStruckThrough = true }), ("s1\\s", changed { _ in }),
            ("i1\\b1", changed { ($0.isItalic, $0.isBold) = (true, true) }),
            // Others that begin with the same letters.
            ("bord3", changed { _ in }), ("be1", changed { _ in }), ("blur2", changed { _ in }), ("shad1", changed { _ in }),
            ("iclip(0,0,1,1)", changed { _ in }),
            ("clip(0,0,1,1)", changed { _ in }), ("pbo4", changed { _ in }), ("i1\\rnd4", changed { $0.isItalic = true }),
        ])
    func overrides(_ tag: String, _ expected: CaptionTextStyle) throws {
        let nodes = try cue("a{\\\(tag)}b").nodes
        #expect(nodes[0].style == Self.changed { _ in })
        #expect(nodes.map(\.plainText) == ["a", "b"] && nodes[1].style == expected)
    }

    @Test("a flag without a number is the style's own")
    func ownFlags() throws {
        let own = style(["Bold": "-1", "Italic": "-1", "Underline": "-1", "StrikeOut": "-1"])
        let nodes = try cue("{\\b0\\i0\\u0\\s0}a{\\b\\i\\u\\s}b", style: own).nodes
        func flags(_ node: CaptionNode) -> [Bool?] {
            [node.style?.isBold, node.style?.isItalic, node.style?.isUnderlined, node.style?.isStruckThrough]
        }
        #expect(flags(nodes[0]) == [false, false, false, false] && flags(nodes[1]) == [true, true, true, true])
    }

    @Test("breaks and hard spaces are characters; a brace that is not closed hides the rest")
    func words() throws {
        #expect(try cue("a\\Nb\\nc\\hd").plainText == "a\nb\nc\u{A0}d")
        #expect(try cue("a{\\i1").plainText == "a")
        #expect(try cue("a{note}b{\\i1}").plainText == "ab")
        #expect(try cue("a\\xb").plainText == "a\\xb")
    }

    @Test("a drawing is not text; the text after it is shown")
    func drawings() throws {
        #expect(try cue("a{\\p1}m 0 0 l 1 1{\\p0}b").plainText == "ab")
        #expect(cues(["Dialogue: 0,0:00:01.00,0:00:02.00,S,,0,0,0,,{\\p2}m 0 0"]).isEmpty)
        #expect(cues(["Dialogue: 0,0:00:01.00,0:00:02.00,S,,0,0,0,, \\N "]).isEmpty)
    }

    // MARK: Events

    @Test(
        "times have hours, minutes and seconds; an event that does not end after its start is ignored",
        arguments: [
            ("1:02:03.45", "1:02:03.95", "3723450-3723950 x"), ("0:00:00.00", "0:59:59.99", "0-3599990 x"),
            ("999:00:00.00", "999:00:01.00", "3596400000-3596401000 x"),
            ("0:00:02.00", "0:00:02.00", nil), ("0:00:02.00", "0:00:01.00", nil), ("0:60:00.00", "2:00:00.00", nil),
            ("1000:00:00.00", "1001:00:00.00", nil), ("-1:00:00.00", "0:00:01.00", nil), ("0:-1:00.00", "0:00:01.00", nil),
            ("0:00:-1.00", "0:00:01.00", nil), ("00:01.00", "0:00:02.00", nil), ("0:0:0:1", "0:00:02.00", nil),
        ] as [(String, String, String?)])
    func times(_ start: String, _ end: String, _ expected: String?) {
        #expect(cues(["Dialogue: 0, \(start) ,\(end),S,,0,0,0,,x"]).map(line) == [expected].compactMap { $0 })
    }

    @Test("only dialogue of the section of events is shown, in its own order of fields")
    func sections() throws {
        let document = AdvancedSubStation.parse(
            """
            [V4+ Styles]
            Dialogue: 0,0:00:01.00,0:00:02.00,S,,0,0,0,,not here
            [Events]
            Format: Start, End, Effect, Text
            Comment: 0:00:01.00,0:00:02.00,,not this
            dialogue: 0:00:03.00,0:00:04.00,Banner;1,One, two
            Dialogue: 0:00:05.00,0:00:06.00,too few
            Dialogue: 0:00:07.00,0:00:08.00,,Three
            [Fonts]
            Dialogue: 0:00:09.00,0:00:10.00,,nor here
            """)
        #expect(document.cues.map(line) == ["3000-4000 One, two", "7000-8000 Three"])
        #expect(document.cues.map { $0.event?.fields } == ["0,0,,,,,,Banner;1,One, two", "1,0,,,,,,,Three"])
        #expect(
            document.cues[0].event?.head
                == "[V4+ Styles]\nDialogue: 0,0:00:01.00,0:00:02.00,S,,0,0,0,,not here\n[Fonts]\nDialogue: 0:00:09.00,0:00:10.00,,nor here"
        )
    }

    @Test("a sample of Matroska has nine fields; the last one may contain commas")
    func sample() throws {
        let header = SubStationHeader(
            "PlayResX: 1000\nPlayResY: 500\nFormat: Name, Fontname, Alignment, MarginL, MarginR, MarginV\nStyle: Top,Arial,8,10,10,10"
        )
        let fields = "7,0,Top,,100,200,50,,Hi, {\\i1}there"
        let cue = try #require(AdvancedSubStation.cue(sample: fields, header: header, start: .seconds(1), end: .seconds(2)))
        #expect(line(cue) == "1000-2000 Hi, there" && cue.event == SubStationEvent(head: header.text, fields: fields))
        let box = try #require(cue.box)
        #expect([box.x, box.y, box.width].map { ($0 * 1000).rounded() / 1000 } == [0.1, 0.1, 0.7])
        #expect(AdvancedSubStation.cue(sample: "7,0,Top,,0,0,0,Hi", header: header, start: .zero, end: .seconds(1)) == nil)
        #expect(AdvancedSubStation.cue(sample: "7,0,Top,,0,0,0,,", header: header, start: .zero, end: .seconds(1)) == nil)
    }

    @Test("any of the three sections says that a text is a script", arguments: ["[Script Info]", "[V4+ Styles]", "[v4 styles]"])
    func recognised(_ section: String) throws {
        #expect(AdvancedSubStation.isScript("; a comment\n\(section)\n"))
        #expect(!AdvancedSubStation.isScript("1\n00:00:01,000 --> 00:00:02,000\n[Events]\n"))
    }
}
