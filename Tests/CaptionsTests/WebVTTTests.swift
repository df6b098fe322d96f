import MediaTime
import Testing

@testable import Captions

@Suite("WebVTT")
struct WebVTTTests {
    private func cues(_ text: String) throws -> [CaptionCue] { try WebVTTParser.parse(text).cues }

    private func nodes(_ text: String) -> [CaptionNode] { WebVTTText.parse(text) }

    // MARK: The file

    @Test("identifiers, comments, all line endings and cues without a separating empty line are parsed")
    func layout() throws {
        let document = try WebVTTParser.parse(
            "WEBVTT - title\r\rNOTE a\r\n--\r\n\r\none\r\n00:01.000 --> 00:02.500 align:end\r\nA\r\nB\n00:03.000 --> 01:00:00.000\nC\n\nNOTE 00:00 ->\n\n"
        )
        #expect(document.cues.map(\.id) == ["one", ""])
        #expect(document.cues.map(\.plainText) == ["A\nB", "C"])
        #expect(
            document.cues[0].start == .seconds(1) && document.cues[0].end == MediaTime(5, 2)
                && document.cues[0].settings.alignment == .end)
        #expect(document.cues[1].end == .seconds(3600))
    }

    @Test("text without the WebVTT signature is refused", arguments: ["", "WEBVTTx", "\nWEBVTT", " WEBVTT", "webvtt", "<html>"])
    func signature(_ text: String) {
        #expect(throws: CaptionError.self) { try WebVTTParser.parse(text) }
    }

    @Test("cues are sorted by start; cues with the same start keep the file's order")
    func order() throws {
        let read = try cues(
            "WEBVTT\n\na\n00:05.000 --> 00:06.000\nx\n\nb\n00:01.000 --> 00:09.000\nx\n\nc\n00:05.000 --> 00:05.500\nx\n")
        #expect(read.map(\.id) == ["b", "a", "c"])
        let document = CaptionDocument(cues: read)
        #expect(document.cues(at: .seconds(5)).map(\.id) == ["b", "a", "c"])
        #expect(document.cues(at: MediaTime(11, 2)).map(\.id) == ["b", "a"])
        #expect(document.cues(at: .seconds(9)).isEmpty && document.cues(at: .zero).isEmpty)
    }

    @Test("style sheets and regions are parsed before the first cue")
    func blocks() throws {
        let document = try WebVTTParser.parse(
            """
            WEBVTT

            STYLE
            ::cue { color: lime }

            REGION
            id:fred width:40%
            lines:2 regionanchor:0%,100% viewportanchor:10%,90% scroll:up

            00:01.000 --> 00:02.000 region:fred
            A

            00:02.000 --> 00:03.000 region:nobody
            B

            00:03.000 --> 00:04.000 region:fred line:3
            C

            STYLE
            too late
            """)
        #expect(document.styleSheets == ["::cue { color: lime }"])
        var fred = CaptionRegion(id: "fred")
        (fred.width, fred.lines, fred.viewportAnchor, fred.scrollsUp) = (40, 2, .init(x: 10, y: 90), true)
        #expect(document.regions == [fred])
        #expect(document.cues.map(\.settings.region) == ["fred", nil, nil])
    }

    @Test(
        "the time stamp map is parsed in either order; an incomplete one is ignored",
        arguments: [
            ("LOCAL:00:00:00.000,MPEGTS:900000", TimestampMap(mpegTS: 900_000, local: .zero)),
            ("MPEGTS:8589934591,LOCAL:00:10.500", TimestampMap(mpegTS: 8_589_934_591, local: MediaTime(21, 2))),
            ("MPEGTS:900000", nil), ("LOCAL:0,MPEGTS:1", nil), ("MPEGTS:-5,LOCAL:00:00.000", nil),
            ("MPEGTS:99999999999999999999,LOCAL:00:00.000", nil),
        ] as [(String, TimestampMap?)])
    func timestampMap(_ text: String, _ map: TimestampMap?) throws {
        let document = try WebVTTParser.parse("WEBVTT\nX-TIMESTAMP-MAP=\(text)\n\n00:00.000 --> 00:01.000\nA")
        #expect(document.timestampMap == map && document.cues.count == 1)
    }

    @Test("a map moves cues, and the times inside them, to exact stream time")
    func shifting() throws {
        let cue = try #require(try cues("WEBVTT\n\n00:10.000 --> 00:12.000\nA<00:11.000>B").first)
        let moved = cue.shifted(by: TimestampMap(mpegTS: 900_001, local: .seconds(10)).offset)
        #expect(moved.start == MediaTime(900_001, 90_000) && moved.end == MediaTime(1_080_001, 90_000))
        #expect(moved.nodes == [.text("A"), .timestamp(MediaTime(990_001, 90_000)), .text("B")])
    }

    @Test(
        "cues with invalid times are dropped",
        arguments: ["00:01.00", "1.000", "00:60.000", "0:1:00.000", "00:01,000", "-0:01.000", "", "00:01"])
    func badTimes(_ time: String) throws {
        #expect(try cues("WEBVTT\n\n\(time) --> 00:09.000\nA\n\n00:00.000 --> 00:01.000\nB").map(\.plainText) == ["B"])
    }

    @Test("settings")
    func settings() throws {
        let settings = WebVTTSettings.settings("vertical:rl line:-3,end position:12.5%,line-right size:33% align:left")
        #expect(settings.vertical == .growingLeft && settings.line == .number(-3) && settings.lineAlignment == .end)
        #expect(
            settings.position == 12.5 && settings.positionAlignment == .lineRight && settings.size == 33
                && settings.alignment == .left)
        #expect(WebVTTSettings.settings("line:x position:101% size:-1% align:up vertical:up line: :3 a:b") == CaptionSettings())
        #expect(
            WebVTTSettings.settings("align:right").effectivePosition == 100 && WebVTTSettings.settings("").effectivePosition == 50
        )
    }

    // MARK: The text

    @Test("tags become spans with classes and annotations")
    func tags() {
        #expect(
            nodes("a<b>b<i.x.y>c</i></b>d") == [
                .text("a"),
                .span(.init(.bold, children: [.text("b"), .span(.init(.italic, classes: ["x", "y"], children: [.text("c")]))])),
                .text("d"),
            ])
        #expect(
            nodes("<v.loud  Mary \t Ann>Hi</v>") == [.span(.init(.voice("Mary Ann"), classes: ["loud"], children: [.text("Hi")]))]
        )
        #expect(nodes("<lang en-GB>colour</lang>") == [.span(.init(.language("en-GB"), children: [.text("colour")]))])
        #expect(
            nodes("<c.yellow.bg_blue>x</c><u>y</u>") == [
                .span(.init(.classes, classes: ["yellow", "bg_blue"], children: [.text("x")])),
                .span(.init(.underline, children: [.text("y")])),
            ])
        #expect(nodes("a<00:01.500>b") == [.text("a"), .timestamp(MediaTime(3, 2)), .text("b")])
    }

    @Test("ruby holds annotations, which plain text omits")
    func ruby() throws {
        let tree = nodes("<ruby>漢<rt>かん</rt>字<rt>じ</ruby>!")
        #expect(
            tree == [
                .span(
                    .init(
                        .ruby,
                        children: [
                            .text("漢"), .span(.init(.rubyText, children: [.text("かん")])), .text("字"),
                            .span(.init(.rubyText, children: [.text("じ")])),
                        ])),
                .text("!"),
            ])
        #expect(tree.map(\.plainText).joined() == "漢字!")
        #expect(nodes("<rt>x</rt>") == [.text("x")])
    }

    @Test("mismatched tags are ignored, open ones end with the cue")
    func badTags() {
        #expect(nodes("<x>a</x></b><>b< c>d</") == [.text("a"), .text("b"), .text("d")])
        #expect(
            nodes("<b><i>a</b>b") == [.span(.init(.bold, children: [.span(.init(.italic, children: [.text("a"), .text("b")]))]))])
        #expect(nodes("<b") == [.span(.init(.bold))])
        #expect(nodes("<00:99.000>a<1>b") == [.text("a"), .text("b")])
    }

    @Test(
        "character references are resolved, unknown ones stay unchanged",
        arguments: [
            ("&amp;&lt;&gt;&nbsp;&lrm;&rlm;", "&<>\u{A0}\u{200E}\u{200F}"), ("&eacute;&yuml;&hellip;", "éÿ…"),
            ("&#233;&#x1F600;", "é😀"), ("&am&amp; &l&lt;", "&am& &l<"),
            ("AT&T &; &nothing; &", "AT&T &; &nothing; &"), ("&#xD800;&#0;", "\u{FFFD}\u{FFFD}"),
            ("&#99999999999;", "&#99999999999;"),
        ])
    func references(_ source: String, _ text: String) {
        #expect(nodes(source).map(\.plainText).joined() == text)
    }

    @Test("random texts of significant characters never crash the parser, and their words survive")
    func fuzz() {
        var state: UInt64 = 5
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let pieces = [
            "<", ">", "/", ".", "&", ";", "b", "ruby", "rt", "v x", "00:01.000", "-->", "\n", " ", "\n\n", "lt", "#", "word",
            "REGION\n", "id:", "99999999999999999999", "%", "{", "}",
        ]
        for _ in 0..<3000 {
            let body = (0..<random(30)).map { _ in pieces[random(pieces.count)] }.joined()
            let text = "WEBVTT\n\n\(body)\n\n00:00.000 --> 00:01.000\nlast"
            #expect((try? WebVTTParser.parse(text))?.cues.contains { $0.plainText == "last" } == true)
            _ = try? SubRipParser.parse("1\n00:00:00,000 --> 00:00:01,000\n\(body)")
        }
    }
}
