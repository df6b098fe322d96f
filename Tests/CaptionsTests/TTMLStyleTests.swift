import FoundationEssentials
import MediaTime
import Testing

@testable import Captions

/// Section numbers are those of TTML2.
@Suite("TTML: styles, regions and images")
struct TTMLStyleTests {
    private func cues(_ body: String, head: String = "", attributes: String = "") throws -> [CaptionCue] {
        try TTMLReader.parse("<tt \(attributes)><head>\(head)</head><body>\(body)</body></tt>").cues
    }

    /// The only cue of a paragraph of one second.
    private func paragraph(
        _ text: String, _ own: String = "", head: String = "", attributes: String = ""
    ) throws -> CaptionCue {
        let cues = try cues("<div><p begin='0s' end='1s' \(own)>\(text)</p></div>", head: head, attributes: attributes)
        return try #require(cues.count == 1 ? cues[0] : nil)
    }

    // MARK: Text

    @Test(
        "a style attribute changes one property (10.2)",
        arguments: [
            ("color='red'", CaptionTextStyle { $0.colour = .red }), ("color='wrong'", CaptionTextStyle { _ in }),
            ("backgroundColor='blue'", CaptionTextStyle { $0.background = .blue }),
            ("backgroundColor='transparent'", CaptionTextStyle { _ in }),
            ("opacity='0.5'", CaptionTextStyle { $0.colour = CaptionColour(red: 255, green: 255, blue: 255, alpha: 127) }),
            (
                "opacity='0.5' color='#ff000080'",
                CaptionTextStyle { $0.colour = CaptionColour(red: 255, green: 0, blue: 0, alpha: 64) }
            ),
            ("opacity='0'", CaptionTextStyle { $0.colour = CaptionColour(red: 255, green: 255, blue: 255, alpha: 0) }),
            ("opacity='1'", CaptionTextStyle { _ in }), ("opacity='-1'", CaptionTextStyle { _ in }),
            ("fontStyle='italic'", CaptionTextStyle { $0.isItalic = true }),
            ("fontStyle='oblique'", CaptionTextStyle { $0.isItalic = true }),
            ("fontStyle='normal'", CaptionTextStyle { $0.isItalic = false }),
            ("fontWeight='bold'", CaptionTextStyle { $0.isBold = true }),
            ("fontWeight='normal'", CaptionTextStyle { $0.isBold = false }),
            ("textDecoration='underline'", CaptionTextStyle { $0.isUnderlined = true }),
            ("textDecoration='noUnderline'", CaptionTextStyle { $0.isUnderlined = false }),
            ("textDecoration='lineThrough'", CaptionTextStyle { $0.isStruckThrough = true }),
            ("textDecoration='noLineThrough'", CaptionTextStyle { $0.isStruckThrough = false }),
            ("textDecoration='underline lineThrough'", CaptionTextStyle { ($0.isUnderlined, $0.isStruckThrough) = (true, true) }),
            ("textDecoration='none'", CaptionTextStyle { ($0.isUnderlined, $0.isStruckThrough) = (false, false) }),
            ("fontFamily='Arial, sansSerif'", CaptionTextStyle { $0.family = .sans }),
            ("fontFamily='proportionalSerif'", CaptionTextStyle { $0.family = .serif }),
            ("fontFamily='monospaceSansSerif'", CaptionTextStyle { $0.family = .monospaced }),
            ("fontFamily='monospaceSerif'", CaptionTextStyle { $0.family = .monospacedSerif }),
            ("fontFamily='Arial'", CaptionTextStyle { _ in }),
            ("textOutline='black 2px'", CaptionTextStyle { $0.edge = .uniform }),
            ("textOutline='none'", CaptionTextStyle { _ in }),
            ("textShadow='1px 1px'", CaptionTextStyle { $0.edge = .dropShadow }),
            ("textShadow='none'", CaptionTextStyle { _ in }),
        ])
    func styles(_ attribute: String, _ expected: CaptionTextStyle) throws {
        let nodes = try paragraph("a<span \(attribute)>b</span>").nodes
        if expected.isEmpty {
            #expect(nodes == [.text("a"), .text("b")])
        } else {
            #expect(nodes == [.text("a"), .span(.init(.style(expected), children: [.text("b")]))])
        }
    }

    @Test(
        "a size is relative to a cell, which is a fifteenth of the height without a resolution (10.2.13)",
        arguments: [
            ("50%", 0.5), ("2em", 2), ("1c", 1), ("2c", 2), ("48px", 1.25), ("8rh", 1.5), ("100% 50%", 0.5), ("50% 1c", 1),
            ("1000%", 4), ("1%", 0.25), ("0%", nil), ("-50%", nil), ("large", nil), ("inf%", nil), ("nanem", nil),
        ] as [(String, Double?)])
    func sizes(_ size: String, _ scale: Double?) throws {
        #expect(try paragraph("<span fontSize='\(size)'>b</span>").nodes[0].style?.scale == scale)
    }

    @Test("cells and pixels are those of the document (6.2.1, 6.2.2)")
    func cells() throws {
        #expect(try paragraph("<span fontSize='1c'>b</span>", attributes: "cellResolution='40 30'").nodes[0].style?.scale == 0.5)
        #expect(try paragraph("<span fontSize='1c'>b</span>", attributes: "cellResolution='40 0'").nodes[0].style?.scale == 1)
        let scale = try paragraph("<span fontSize='72px'>b</span>", attributes: "extent='1920px 1080px'").nodes[0].style?.scale
        #expect(scale == 1.25)
    }

    @Test("color is inherited, a background is not; the nearest element wins (10.4)")
    func inheritance() throws {
        let head = "<styling><style id='s' color='lime' backgroundColor='blue'/></styling>"
        func style(_ body: String) throws -> CaptionTextStyle? { try cues(body, head: head).first?.nodes.first?.style }
        let lime = CaptionTextStyle { $0.colour = CaptionColour(red: 0, green: 255, blue: 0) }
        #expect(try style("<div style='s'><p end='1s'>x</p></div>") == lime)
        #expect(try style("<div style='s'><p end='1s' color='red'>x</p></div>") == CaptionTextStyle { $0.colour = .red })
        #expect(
            try style("<p end='1s' style='s' color='red'>x</p>")
                == CaptionTextStyle { ($0.colour, $0.background) = (.red, .blue) })
        let outer = try TTMLReader.parse(
            "<tt color='red' backgroundColor='blue'><body fontStyle='italic'><p end='1s'>x</p></body></tt>")
        #expect(outer.cues.first?.nodes.first?.style == CaptionTextStyle { ($0.colour, $0.isItalic) = (.red, true) })
    }

    @Test("several styles apply in order, and a style may refer to a later one (10.4.1)")
    func references() throws {
        let head = """
            <styling><style id='a' style='c' fontStyle='italic'/><style id='b' color='red'/><style id='c' color='blue'/></styling>
            """
        func style(_ names: String) throws -> CaptionTextStyle? {
            try paragraph("x", "style='\(names)'", head: head).nodes[0].style
        }
        #expect(try style("a") == CaptionTextStyle { ($0.colour, $0.isItalic) = (.blue, true) })
        #expect(try style("a b") == CaptionTextStyle { ($0.colour, $0.isItalic) = (.red, true) })
        #expect(try style("b a none") == CaptionTextStyle { ($0.colour, $0.isItalic) = (.blue, true) })
    }

    @Test("sizes in percent multiply, others replace")
    func multiplied() throws {
        func scale(_ outer: String, _ inner: String) throws -> Double? {
            try cues("<div fontSize='\(outer)'><p end='1s' fontSize='\(inner)'>x</p></div>").first?.nodes.first?.style?.scale
        }
        #expect(
            try scale("200%", "50%") == 1 && scale("50%", "0.5em") == 0.25 && scale("50%", "2c") == 2 && scale("2c", "50%") == 0.5
        )
    }

    @Test("hidden spans are left out (10.2.12, 10.2.49)")
    func hidden() throws {
        #expect(
            try paragraph("a<span visibility='hidden'>b</span><span display='none'>c</span><span display='auto'>d</span>")
                .plainText == "ad")
    }

    @Test(
        "text is aligned as it says, otherwise as its region says (10.2.35)",
        arguments: [
            ("left", CaptionSettings.Alignment.left), ("center", .center), ("right", .right), ("start", .start), ("end", .end),
        ])
    func alignments(_ name: String, _ alignment: CaptionSettings.Alignment) throws {
        #expect(try paragraph("x", "textAlign='\(name)'").settings.alignment == alignment)
        let region = "<layout><region id='r' textAlign='\(name)'/></layout>"
        #expect(try paragraph("x", "region='r'", head: region).settings.alignment == alignment)
        #expect(try paragraph("x", "region='r' textAlign='center'", head: region).settings.alignment == .center)
    }

    @Test("the default alignment is start in a region, and centre without one")
    func noAlignment() throws {
        #expect(try paragraph("x").settings.alignment == .center)
        #expect(try paragraph("x", "region='r'", head: "<layout><region id='r'/></layout>").settings.alignment == .start)
    }

    @Test(
        "vertical text grows to the side that its mode names (10.2.50)",
        arguments: [
            ("tbrl", CaptionSettings.Vertical.growingLeft), ("tb", .growingLeft), ("tblr", .growingRight), ("lrtb", .horizontal),
        ])
    func vertical(_ mode: String, _ vertical: CaptionSettings.Vertical) throws {
        let region = "<layout><region id='r' writingMode='\(mode)'/></layout>"
        #expect(try paragraph("x", "region='r'", head: region).settings.vertical == vertical)
        #expect(try paragraph("x", "writingMode='\(mode)'").settings.vertical == vertical)
    }

    // MARK: White space and ruby

    @Test("xml:space preserves white space in an element and its children (7.2.3)")
    func preserved() throws {
        func text(_ body: String, _ attributes: String = "") throws -> [String] {
            try cues(body, attributes: attributes).map(\.plainText)
        }
        #expect(try text("<div><p end='1s'> a  b </p></div>") == ["a b"])
        #expect(try text("<div><p end='1s'> a  b </p></div>", "space='preserve'") == [" a  b "])
        #expect(try text("<div space='preserve'><p end='1s'> a  b </p></div><div><p end='1s'> c </p></div>") == [" a  b ", "c"])
        #expect(try text("<div space='preserve'><p end='1s' space='default'> a  b </p></div>") == ["a b"])
    }

    @Test("no line begins or ends with a space, wherever the spans are")
    func edges() throws {
        #expect(try paragraph(" <span>a </span> <br/> <span> b</span><span> </span>").plainText == "a\nb")
        #expect(try paragraph("<span>a</span> <span>b</span>").plainText == "a b")
        #expect(try paragraph("<span>a </span><span> b</span>").plainText == "a b")
    }

    @Test("a container of ruby becomes bases with their reading (10.2.31)")
    func ruby() throws {
        func text(_ kind: String, _ text: String) -> String { "<span ruby='\(kind)'>\(text)</span>" }
        let whole = text("container", text("base", "B") + text("delimiter", "(") + text("text", "R") + text("delimiter", ")"))
        let expected = CaptionNode.span(.init(.ruby, children: [.text("B"), .span(.init(.rubyText, children: [.text("R")]))]))
        #expect(try paragraph("a" + whole + "c").nodes == [.text("a"), expected, .text("c")])
        #expect(try paragraph(text("container", text("base", "B") + text("textContainer", "R"))).nodes == [expected])
        #expect(try paragraph(text("container", text("base", "B") + " x ")).plainText == "B x")
        // A reading without a base, and outside a container, is nothing.
        #expect(try paragraph("a" + text("container", text("text", "R"))).nodes == [.text("a")])
        #expect(try paragraph("a" + text("text", "R")).nodes == [.text("a")])
        #expect(try paragraph("a" + text("base", "B")).nodes == [.text("a"), .text("B")])
        #expect(try paragraph("<span color='red'>a" + text("text", "R") + "</span>").plainText == "a")
    }

    // MARK: Regions

    @Test(
        "lengths of a region in every unit (8.3.9)",
        arguments: [
            ("origin='10% 20%' extent='50% 25%'", "", [0.1, 0.2, 0.5, 0.25]),
            ("origin='64px 72px' extent='320px 180px'", "extent='640px 720px'", [0.1, 0.1, 0.5, 0.25]),
            ("origin='8c 3c' extent='16c 3c'", "", [0.25, 0.2, 0.5, 0.2]),
            ("origin='8c 4c' extent='20c 5c'", "cellResolution='40 20'", [0.2, 0.2, 0.5, 0.25]),
            ("origin='10rw 20rh' extent='50rw 25rh'", "", [0.1, 0.2, 0.5, 0.25]),
            ("position='10% 20%' extent='50% 25%'", "", [0.1, 0.2, 0.5, 0.25]),
            // Unreadable lengths give the whole video.
            ("", "", [0, 0, 1, 1]), ("origin='auto' extent='auto'", "", [0, 0, 1, 1]),
            ("origin='64px 72px' extent='320px 180px'", "", [0, 0, 1, 1]), ("origin='10%' extent='1em 1em'", "", [0, 0, 1, 1]),
            ("origin='64px 72px'", "extent='0px 720px'", [0, 0, 1, 1]),
            ("origin='64px 72px'", "extent='640px 0px'", [0, 0, 1, 1]),
            ("origin='64px 72px'", "extent='640 720'", [0, 0, 1, 1]),
            ("origin='nan% 0%' extent='inf% 10%'", "", [0, 0, 1, 1]),
            ("origin='8c 3c'", "cellResolution='inf 15'", [0.25, 0.2, 1, 1]),
        ])
    func lengths(_ region: String, _ attributes: String, _ expected: [Double]) throws {
        let cue = try paragraph("x", "region='r'", head: "<layout><region id='r' \(region)/></layout>", attributes: attributes)
        let box = try #require(cue.box)
        #expect([box.x, box.y, box.width, box.height] == expected)
    }

    @Test(
        "lines are at the side of the region that it names (10.2.10)",
        arguments: [("before", CaptionBox.Side.before), ("center", .middle), ("after", .after), ("", .before)])
    func sides(_ name: String, _ side: CaptionBox.Side) throws {
        let cue = try paragraph("x", "region='r'", head: "<layout><region id='r' displayAlign='\(name)'/></layout>")
        #expect(cue.box?.displayAlignment == side)
    }

    @Test("a region's styles may be given by reference, inside it and by itself, in this order of strength")
    func nestedStyles() throws {
        let head = """
            <styling><style id='s' origin='10% 10%' color='red'/></styling>
            <layout><region id='r' style='s' extent='50% 50%'><style extent='20% 20%' displayAlign='after' fontStyle='italic'/></region></layout>
            """
        let cue = try paragraph("x", "region='r'", head: head)
        #expect(cue.box == CaptionBox(x: 0.1, y: 0.1, width: 0.5, height: 0.5, displayAlignment: .after))
        // Its text is in the region's style.
        #expect(cue.nodes[0].style == CaptionTextStyle { ($0.colour, $0.isItalic) = (.red, true) })
        #expect(try paragraph("x", "region='r' color='blue'", head: head).nodes[0].style?.colour == .blue)
    }

    @Test("a region is inherited; a transparent one has no window, and an unknown one is ignored")
    func inherited() throws {
        let head = "<layout><region id='r' backgroundColor='transparent' extent='50% 50%'/><region id='q'/></layout>"
        #expect(
            try cues("<div region='r'><p end='1s'>x</p></div>", head: head)[0].box
                == CaptionBox(x: 0, y: 0, width: 0.5, height: 0.5, displayAlignment: .before))
        #expect(try cues("<div region='r'><p region='q' end='1s'>x</p></div>", head: head)[0].box?.width == 1)
        #expect(try paragraph("x", "region='none'", head: head).box == nil)
    }

    // MARK: Images

    fileprivate static func png(_ width: UInt8, _ height: UInt8) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, width, 0, 0, 0, height]
    }

    private func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    @Test("an image is given in the head, as data, or as an element, and is placed in its region")
    func images() throws {
        let data = base64(Self.png(40, 30))
        let head = """
            <metadata><image id='i'>\n\(data.prefix(10))\n\(data.dropFirst(10))</image></metadata>
            <layout><region id='r' origin='10% 20%' extent='30% 40%'/><region id='empty' extent='0% 10%'/><region id='flat' extent='10% 0%'/></layout>
            """
        func shown(_ body: String) throws -> [String] {
            try cues(body, head: head).map { "\(line($0)) \($0.box!.x) \($0.box!.y) \($0.box!.width) \($0.box!.height)" }
        }
        let placed = ["1000-2000 [40x30] 0.1 0.2 0.3 0.4"], unplaced = ["1000-2000 [40x30] 0.1 0.8 0.8 0.15"]
        #expect(try shown("<div region='r' begin='1s' end='2s' backgroundImage='#i'/>") == placed)
        #expect(try shown("<div region='r' begin='1s' end='2s' backgroundImage='data:image/png;base64,\(data)'/>") == placed)
        #expect(try shown("<div region='r' begin='1s' end='2s'><image src='#i'/></div>") == placed)
        #expect(try shown("<div begin='1s' end='2s' backgroundImage='#i'/>") == unplaced)
        #expect(try shown("<div region='empty' begin='1s' end='2s' backgroundImage='#i'/>") == unplaced)
        #expect(try shown("<div region='flat' begin='1s' end='2s' backgroundImage='#i'/>") == unplaced)
        #expect(try shown("<div begin='2s' end='2s' backgroundImage='#i'/>") == [])
    }

    @Test("an image must be a PNG with a width and a height from 1 to 8192")
    func noImages() throws {
        func count(_ reference: String) throws -> Int { try cues("<div end='1s' backgroundImage='\(reference)'/>").count }
        func data(_ bytes: [UInt8]) -> String { "data:image/png;base64," + base64(bytes) }
        #expect(try count(data(Self.png(1, 1))) == 1)
        #expect(try count(data(Self.png(0, 1))) == 0 && count(data(Self.png(1, 0))) == 0)
        #expect(try count(data(Self.png(1, 1).dropLast())) == 0 && count(data([0] + Self.png(1, 1).dropFirst())) == 0)
        var wide = Self.png(1, 1)
        wide[18] = 0x20
        wide[19] = 0
        #expect(try count(data(wide)) == 1)
        wide[19] = 1
        #expect(try count(data(wide)) == 0)
        #expect(try count("#other") == 0 && count("data:image/png;base64") == 0 && count("data:image/jpeg,AAAA") == 0)
    }
}
