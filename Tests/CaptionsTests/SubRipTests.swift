import MediaTime
import Testing

@testable import Captions

@Suite("SubRip")
struct SubRipTests {
    @Test("cues are parsed with their numbers, times and lines")
    func file() throws {
        let document = try CaptionDocument.read(
            Array(
                "1\r\n00:00:01,500 --> 00:00:02,000\r\nOne\r\nTwo\r\n\r\n2\r\n01:00:00.5 --> 01:00:01,25 X1:0 X2:9\r\nThree\r\n"
                    .utf8))
        #expect(document.cues.map(\.id) == ["1", "2"] && document.cues.map(\.plainText) == ["One\nTwo", "Three"])
        #expect(
            document.cues.map(\.start) == [MediaTime(3, 2), MediaTime(7201, 2)] && document.cues[1].end == MediaTime(14_405, 4))
    }

    @Test("numbers and empty lines may be missing, text may be a number, and may contain an empty line")
    func loose() throws {
        let document = try CaptionDocument.read(
            Array("\n00:00:01,000 --> 00:00:02,000\nA\n\nB\n2\n00:00:03,000 --> 00:00:04,000\n42\n".utf8))
        #expect(document.cues.map(\.plainText) == ["A\n\nB", "42"] && document.cues.map(\.id) == ["", "2"])
    }

    @Test("styles in any case, overlapping, and in braces")
    func styles() throws {
        func nodes(_ text: String) throws -> [CaptionNode] {
            try #require(try SubRipParser.parse("00:00:00,000 --> 00:00:01,000\n\(text)").cues.first).nodes
        }
        #expect(
            try nodes("<I>a</i>{b}c{/b}") == [
                .span(.init(.italic, children: [.text("a")])), .span(.init(.bold, children: [.text("c")])),
            ])
        #expect(
            try nodes("<i><u>a</i>b") == [
                .span(.init(.italic, children: [.span(.init(.underline, children: [.text("a")]))])), .text("b"),
            ])
        #expect(
            try nodes("<font size=\"2\" color=\"#FFFF00\">a</font>") == [.span(.init(.color("#ffff00"), children: [.text("a")]))])
        #expect(try nodes("<font color=red>a") == [.span(.init(.color("red"), children: [.text("a")]))])
        #expect(try nodes("1 < 2 & <3 {what} <x>") == [.text("1 < 2 & <3 {what} <x>")])
    }

    @Test("struck text, tags of other formats, hard spaces and line breaks")
    func otherTags() throws {
        func cue(_ text: String) throws -> CaptionCue {
            try #require(SubRipParser.cue(text: text, start: .zero, end: .seconds(1)))
        }
        let struck = try cue("<s>a</s><STRIKE>b</strike>c").nodes
        #expect(struck.map { $0.style?.isStruckThrough } == [true, true, nil] && struck.map(\.plainText) == ["a", "b", "c"])
        for (text, wanted) in [
            ("<span class='x'>a</span> b", "a b"), ("<c.yellow>a</c>", "a"), ("<v Bob>a", "a"), ("</div>a", "a"),
            ("<ruby>a<rt>b</rt></ruby>", "ab"),
            ("a\\hb\\Nc<br>d<br/>e", "a\u{A0}b\nc\nd\ne"), ("<John> said <3 < 4 > 2", "<John> said <3 < 4 > 2"),
            ("C:\\names", "C:\\names"),
        ] { #expect(try cue(text).plainText == wanted, "\(text)") }
    }

    @Test("an empty line may follow the number; a text that is a number stays")
    func emptyLineAfterNumber() throws {
        func time(_ second: Int) -> String { "00:00:0\(second),000 --> 00:00:0\(second),900" }
        let cues = try SubRipParser.parse(
            "1\n\n\(time(1))\nOne\n\n2\n\n\(time(2))\n42\n\n3\n\n\(time(3))\n\n4\n\n\(time(4))\nFour"
        ).cues
        #expect(cues.map(\.plainText) == ["One", "42", "", "Four"] && cues.map(\.id) == ["1", "2", "3", "4"])
        let bare = try SubRipParser.parse("\(time(1))\n42\n\n\(time(2))\n43").cues
        #expect(bare.map(\.plainText) == ["42", "43"])
    }

    @Test("times before the film are its beginning, and a cue that is over before it is not shown")
    func negativeTimes() throws {
        let cues = try SubRipParser.parse(
            "1\n-00:00:02,500 --> -00:00:01,000\nGone\n\n2\n-00:00:00,500 --> 00:00:01,000\nHalf\n\n3\n00:00:-1,000 --> 00:00:02,000\nThree"
        ).cues
        #expect(cues.map(line) == ["0-0 Gone", "0-1000 Half", "0-2000 Three"])
        let store = CueStore()
        store.insert(cues)
        #expect(store.all.map(\.plainText) == ["Half", "Three"])
    }

    @Test(
        "places",
        arguments: [
            (1, CaptionSettings.Alignment.left, CaptionSettings.Line.auto), (5, .center, .percentage(50)),
            (9, .right, .number(0)),
        ])
    func places(_ key: Int, _ alignment: CaptionSettings.Alignment, _ line: CaptionSettings.Line) throws {
        let cue = try #require(try SubRipParser.parse("00:00:00,000 --> 00:00:01,000\n{\\an\(key)}Up").cues.first)
        #expect(cue.settings.alignment == alignment && cue.settings.line == line && cue.plainText == "Up")
    }

    @Test("old files in Windows-1252 and files in UTF-16 are decoded")
    func encodings() throws {
        let head = Array("1\n00:00:00,000 --> 00:00:01,000\n".utf8)
        #expect(try CaptionDocument.read(head + [0x93, 0xE9, 0x94, 0x80]).cues.first?.plainText == "“é”€")
        let text = "1\n00:00:00,000 --> 00:00:01,000\né漢"
        for isLittle in [true, false] {
            let bytes = ("\u{FEFF}" + text).utf16.flatMap {
                isLittle ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 255)]
            }
            #expect(try CaptionDocument.read(bytes).cues.first?.plainText == "é漢")
        }
        #expect(try CaptionDocument.read([0xEF, 0xBB, 0xBF] + Array(text.utf8)).cues.map(\.id) == ["1"])
    }

    @Test("a web page is refused, an empty file has no cues")
    func refused() throws {
        #expect(throws: CaptionError.unknownFormat(beginning: "<!DOCTYPE html>")) {
            try CaptionDocument.read(Array("<!DOCTYPE html>\n<p>-->".utf8))
        }
        #expect(try CaptionDocument.read([]).cues.isEmpty)
    }

    @Test(
        "fractions of a second may have any number of digits; a point is accepted as a comma",
        arguments: [
            ("00:00:01,5", 1500), ("00:00:01.25", 1250), ("00:00:01,1239", 1123), ("00:00:01", 1000), ("1:2:3,4", 3_723_400),
            ("00:00:99,000", 99_000), (" 00:00:01,000", 1000), ("00:01,000", nil), ("00:00:01,", nil), ("00:00:,5", nil),
            ("0000000000:00:01", nil),
        ] as [(String, Int64?)])
    func times(_ time: String, _ milliseconds: Int64?) {
        let cues = (try? SubRipParser.parse("1\n\(time) --> 99:00:00,000\nx"))?.cues
        #expect(cues?.first?.start.milliseconds == milliseconds)
    }

    @Test(
        "words before the first cue, marks without a width, short arrows and colons before the milliseconds cost no cue",
        arguments: [
            "Captions by the club\nwww.example\n\n1\n00:00:01,000 --> 00:00:02,000\none\n",
            "\u{FEFF}\u{200B}1\n00:00:01,000 --> 00:00:02,000\none\n", "\u{200E}00:00:01,000 --> 00:00:02,000\none\n",
            "1\n00:00:01,000 -> 00:00:02,000\none\n", "1\n00:00:01:000 --> 00:00:02:000\none\n",
        ])
    func ofTheWorld(text: String) throws {
        let cues = try CaptionDocument.read(Array(text.utf8)).cues
        #expect(cues.map(line) == ["1000-2000 one"])
    }

    @Test("the sample of a container is a text without times; nothing to read is no cue")
    func samples() {
        func cue(_ text: String) -> CaptionCue? { SubRipParser.cue(text: text, start: .seconds(1), end: .seconds(2)) }
        #expect(cue("") == nil && cue(" \n ") == nil)
        #expect(cue(" <i>a</i>\r\nb\n").map(line) == "1000-2000 a/b" && cue("{\\an8}a")?.settings.line == .number(0))
    }

    @Test("a key in the middle row centres the lines vertically; an invalid key changes nothing")
    func middle() throws {
        let middle = SubRipParser.cue(text: "{\\an4}a", start: .zero, end: .seconds(1))?.settings
        #expect(middle?.alignment == .left && middle?.line == .percentage(50) && middle?.lineAlignment == .center)
        #expect(
            SubRipParser.cue(text: "{\\an0}{\\pos(1,2)}{\\an}a", start: .zero, end: .seconds(1))?.settings == CaptionSettings())
    }

    @Test("the number of the next cue is not text, other numbers are; a colour may be in quotation marks or without")
    func numbers() throws {
        let time = "00:00:01,000 --> 00:00:02,000"
        let cues = try SubRipParser.parse("7\n\(time)\n42\n\n8\n\(time)\n43\n44").cues
        #expect(cues.map(\.plainText) == ["42", "43\n44"] && cues.map(\.id) == ["7", "8"])
        func colour(_ tag: String) throws -> CaptionNode? { try SubRipParser.parse("\(time)\n<\(tag)>a").cues.first?.nodes.first }
        for tag in ["font color='red'", "FONT COLOR=\"RED\"", "font color=red face=x"] {
            #expect(try colour(tag) == .span(.init(.color("red"), children: [.text("a")])))
        }
        #expect(
            try colour("font face=x") == .span(.init(.color(""), children: [.text("a")]))
                && colour("fontcolor=red") == .text("<fontcolor=red>a"))
        #expect(throws: CaptionError.unknownFormat(beginning: "1")) { try SubRipParser.parse("1\nno times\n") }
    }

    @Test("SubViewer, and what YouTube exports, have the same cues with other lines of times")
    func subViewer() throws {
        let tube = "0:00:01.000,0:00:03.500\nHello\nthere\n\n0:00:04.000,0:00:05.000\n>> One, two\n"
        #expect(try SubRipParser.parse(tube).cues.map(line) == ["1000-3500 Hello/there", "4000-5000 >> One, two"])
        let viewer =
            "[INFORMATION]\n[TITLE]x\n[DELAY]0\n[END INFORMATION]\n[SUBTITLE]\n00:00:01.50,00:00:03.00\nHello[br]there\n\n"
        #expect(try CaptionDocument.read(Array(viewer.utf8)).cues.map(line) == ["1500-3000 Hello/there"])
        // A text of numbers is none.
        let text = "1\n00:00:01,000 --> 00:00:02,000\n12:30:10.5,12:31:00\n"
        #expect(try SubRipParser.parse(text).cues.map(line) == ["1000-2000 12:30:10.5,12:31:00"])
    }
}
