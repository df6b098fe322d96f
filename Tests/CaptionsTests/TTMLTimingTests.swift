import MediaTime
import Testing

@testable import Captions

/// Section numbers are those of TTML2.
@Suite("TTML: times and parameters")
struct TTMLTimingTests {
    private func lines(_ body: String, _ attributes: String = "") throws -> [String] {
        try TTMLReader.parse("<tt \(attributes)><body>\(body)</body></tt>").cues.map(line)
    }

    private func start(_ time: String, _ attributes: String = "") throws -> Int64? {
        try TTMLReader.parse("<tt \(attributes)><body><p begin='\(time)'>x</p></body></tt>").cues.first?.start.milliseconds
    }

    @Test("the earlier of end and duration counts (12.1)")
    func ends() throws {
        #expect(try lines("<p begin='1s' end='3s' dur='5s'>x</p>") == ["1000-3000 x"])
        #expect(try lines("<p begin='1s' end='9s' dur='2s'>x</p>") == ["1000-3000 x"])
        #expect(try lines("<p begin='1s' dur='2s'>x</p>") == ["1000-3000 x"])
    }

    @Test("a paragraph that does not end after its start is never shown, one without an end stays")
    func empty() throws {
        #expect(try lines("<p begin='3s' end='3s'>x</p><p begin='3s' end='2s'>x</p><p dur='0s'>x</p>") == [])
        #expect(try lines("<p begin='3s'>x</p>") == ["3000-360003000 x"])
        // Live streams count from 1970.
        #expect(try lines("<p begin='1780000000s'>x</p>") == ["1780000000000-1780360000000 x"])
        #expect(try lines("<div begin='5s' end='6s'><p begin='1s'>x</p><p begin='0.5s'>y</p></div>") == ["5500-6000 y"])
    }

    @Test("elements of a sequence begin when the previous one has ended (12.1.2)")
    func sequences() throws {
        let paragraphs = "<p begin='1s' dur='2s'>a</p><p begin='1s' dur='1s'>b</p>"
        #expect(try lines("<div timeContainer='seq'>\(paragraphs)</div>") == ["1000-3000 a", "4000-5000 b"])
        #expect(try lines("<div timeContainer='par'>\(paragraphs)</div>") == ["1000-3000 a", "1000-2000 b"])
        let spans = "<span dur='1s'>a</span><span dur='2s'>b</span>"
        #expect(try lines("<p begin='10s' timeContainer='seq'>\(spans)</p>") == ["10000-11000 a", "11000-13000 b"])
        #expect(try lines("<p begin='10s'>\(spans)</p>") == ["10000-11000 ab", "11000-12000 b"])
    }

    @Test("a paragraph is cut wherever a span inside it begins or ends, at any depth")
    func spans() throws {
        #expect(
            try lines("<p begin='10s' end='20s'>a<span>b<span begin='2s' dur='3s'>c</span></span></p>") == [
                "10000-12000 ab", "12000-15000 abc", "15000-20000 ab",
            ])
        #expect(try lines("<p begin='10s' end='20s'><span begin='2s' end='30s'>a</span></p>") == ["12000-20000 a"])
        #expect(try lines("<p begin='10s' end='20s'><span end='4s'>a</span></p>") == ["10000-14000 a"])
    }

    @Test(
        "frames, subframes and ticks follow the parameters (6.2)",
        arguments: [
            ("00:00:01:15", "", 1500), ("60f", "", 2000), ("2t", "", 2000),
            ("00:00:01:05", "frameRate='25'", 1200), ("50f", "frameRate='25'", 2000),
            ("30f", "frameRate='30' frameRateMultiplier='1000 1001'", 1001), ("30f", "frameRateMultiplier='1000:1001'", 1001),
            ("30f", "frameRateMultiplier='1000 0'", 1000), ("0f", "frameRateMultiplier='0 1000'", 0),
            ("30f", "frameRateMultiplier='nan 1'", 1000),
            ("30f", "frameRate='inf'", 1000), ("1t", "tickRate='inf'", 1000), ("00:00:01:15.nan", "", 1500),
            ("30f", "frameRateMultiplier='1000'", 1000), ("30f", "frameRate='0'", 1000),
            ("00:00:01:10.1", "frameRate='25' subFrameRate='2'", 1420),
            ("00:00:01:10.1", "frameRate='25' subFrameRate='0'", 1440),
            ("00:00:00:00", "", 0),
            // Without a tick rate there is a tick for each frame, or for each subframe.
            ("50t", "frameRate='25'", 2000), ("100t", "frameRate='25' subFrameRate='2'", 2000),
            ("30t", "frameRate='30' frameRateMultiplier='1000 1001'", 1000), ("2000t", "tickRate='1000'", 2000),
            ("2t", "tickRate='0'", 2000), ("20t", "tickRate='10' frameRate='25'", 2000),
        ])
    func rates(_ time: String, _ attributes: String, _ milliseconds: Int64) throws {
        #expect(try start(time, attributes) == milliseconds)
    }

    @Test(
        "every form of a time (12.3.1)",
        arguments: [
            ("01:02:03.5", 3_723_500), ("00:59:00", 3_540_000), ("1h", 3_600_000), ("1.5m", 90_000), ("1.5s", 1500),
            ("1500ms", 1500),
            (" 2s ", 2000),
            // Against the standard, and in use.
            ("19.764", 19_764), ("1:00.998", 60_998), ("00:01", 1000), ("1", 1000), ("00:00:01,500", 1500), ("1,5s", 1500),
            ("61:01.5", 3_661_500),
        ])
    func forms(_ time: String, _ milliseconds: Int64) throws {
        #expect(try start(time) == milliseconds)
    }

    @Test(
        "what has a time that cannot be read is not shown: nobody knows when",
        arguments: [
            "00:60:00", "-1:00:00", "00:-1:00", "00:00:-1", "-1s", "1x", "s", "00:00:01:-1", "00:00:01:x", "1:60", "1:-1", "-1",
            "x:10",
            "1000000:00:00",
            "infs", "nans", "00:00::01", ":00:00:01", "00:00:01:inf", "00:00:01:nan",
        ])
    func noTimes(_ time: String) throws {
        #expect(try lines("<p begin='\(time)'>x</p><p begin='1s' end='\(time)'>y</p><p dur='\(time)'>z</p>") == [])
        #expect(
            try lines("<div begin='\(time)'><p end='1s'>x</p></div><p begin='1s' end='2s'>a<span begin='\(time)'>b</span></p>")
                == ["1000-2000 a"])
    }

    @Test("a time that is not given, or indefinite, is none")
    func absent() throws {
        #expect(try start("") == 0)
        #expect(try lines("<p begin='1s' end='indefinite' dur='2s'>x</p>") == ["1000-3000 x"])
    }

    @Test("in a sequence a container without an end of its own ends with its content (12.2.4)")
    func sequencesOfContainers() throws {
        func body(_ inside: String) throws -> [String] {
            try TTMLReader.parse("<tt><body timeContainer='seq'>\(inside)</body></tt>").cues.map(line)
        }
        let two = "<p begin='1s' end='2s'>a</p><p begin='1s' end='4s'>b</p>"
        #expect(try body("<div>\(two)</div><div>\(two)</div>") == ["1000-2000 a", "1000-4000 b", "5000-6000 a", "5000-8000 b"])
        #expect(
            try body("<div timeContainer='seq'>\(two)</div><div><p dur='1s'>c</p></div>") == [
                "1000-2000 a", "3000-6000 b", "6000-7000 c",
            ])
        // Spans that end one after the other end their paragraph; text without an end never does, and nothing follows it.
        #expect(try body("<div><p><span end='1s'>a</span></p></div><div><p dur='1s'>b</p></div>") == ["0-1000 a", "1000-2000 b"])
        #expect(try body("<div><p>a</p></div><div><p dur='1s'>b</p></div>") == ["0-360000000 a"])
        #expect(
            try body("<div dur='2s'><p>a</p></div><div/><div begin='1s' dur='1s'><p>b</p></div>") == ["0-2000 a", "3000-4000 b"])
        #expect(
            try lines("<p begin='1s' timeContainer='seq'>text<span dur='1s'>a</span><span>b</span><span dur='1s'>c</span></p>")
                == [
                    "1000-2000 a", "2000-360001000 b",
                ])
    }

    @Test("a region shows its content from its begin to its end, and not at all when it is not displayed")
    func regions() throws {
        func shown(_ region: String, _ style: String = "") throws -> [String] {
            let head =
                "<head><styling><style xml:id='s' \(style)/></styling><layout><region xml:id='r' style='s' \(region)/></layout></head>"
            return try TTMLReader.parse("<tt>\(head)<body><div><p region='r' begin='1s' end='9s'>x</p></div></body></tt>").cues
                .map(line)
        }
        #expect(try shown("") == ["1000-9000 x"])
        #expect(try shown("begin='2s' end='5s'") == ["2000-5000 x"] && shown("begin='3s'") == ["3000-9000 x"])
        #expect(try shown("begin='9s'") == [] && shown("dur='1s'") == [] && shown("begin='?'") == [])
        #expect(
            try shown("tts:display='none'") == [] && shown("", "tts:display='none'") == []
                && shown("tts:visibility='hidden'") == [])
    }

    @Test("what is not displayed is not shown, at every level; what is hidden takes its place without a text")
    func display() throws {
        #expect(try lines("<p end='1s' tts:display='none'>x</p><p begin='1s' end='2s'>y</p>") == ["1000-2000 y"])
        #expect(try lines("<div tts:display='none'><p end='1s'>x</p></div>") == [])
        #expect(try lines("<p end='1s'>a<span tts:display='none'>b<span tts:display='auto'>c</span></span></p>") == ["0-1000 a"])
        #expect(
            try lines("<div tts:visibility='hidden'><p end='1s'>x<span tts:visibility='visible'>y</span></p></div>") == [
                "0-1000 y"
            ])
        #expect(try TTMLReader.parse("<tt><body tts:display='none'><div><p>x</p></div></body></tt>").cues.isEmpty)
    }

    @Test("elements and attributes of foreign namespaces are no content, whatever their names")
    func namespaces() throws {
        func lines(_ body: String) throws -> [String] {
            let root =
                "xmlns='http://www.w3.org/ns/ttml' xmlns:tts='http://www.w3.org/ns/ttml#styling' xmlns:f='http://example.com/f'"
            return try TTMLReader.parse("<tt \(root)><body><div>\(body)</div></body></tt>").cues.map(line)
        }
        #expect(try lines("<f:p end='1s'>x</f:p><p end='1s'>a<f:span>b</f:span><f:x>c<p>d</p></f:x>e</p>") == ["0-1000 ae"])
        #expect(
            try lines("<p xmlns='http://example.com/f' end='1s'>x</p><p f:begin='5s' end='1s' f:display='none'>a</p>") == [
                "0-1000 a"
            ])
        #expect(try lines("<f:div><p end='1s'>x</p></f:div><metadata><p end='1s'>y</p></metadata>") == [])
        let prefixed =
            "<t:tt xmlns:t='http://www.w3.org/ns/ttml'><t:body><t:div><t:p end='1s'>a</t:p><p xmlns='x' end='1s'>b</p></t:div></t:body></t:tt>"
        #expect(try TTMLReader.parse(prefixed).cues.map(line) == ["0-1000 a"])
    }

    @Test("a sample's document is cut to the sample, after the offset was added")
    func samples() {
        func lines(_ text: String, offset: MediaTime = .zero) -> [String] {
            TTMLReader.cues(ofSample: Array(text.utf8), start: .seconds(10), end: .seconds(20), offset: offset).map(line)
        }
        let text =
            "<tt><body><p begin='5s' end='12s'>a</p><p begin='12s' end='13s'>b</p><p begin='15s'>c</p><p begin='20s' end='21s'>d</p></body></tt>"
        #expect(lines(text) == ["10000-12000 a", "12000-13000 b", "15000-20000 c"])
        #expect(lines(text, offset: .seconds(4)) == ["10000-16000 a", "16000-17000 b", "19000-20000 c"])
        #expect(lines("<html/>") == [] && lines("") == [])
    }

    @Test("only a root element tt is TTML")
    func root() throws {
        #expect(throws: CaptionError.unknownFormat(beginning: "<html><p>x</p></html>")) {
            try TTMLReader.parse("<html><p>x</p></html>")
        }
        #expect(try TTMLReader.parse("<tt/>").cues.isEmpty)
        #expect(TTMLReader.isTTML("<?xml?><tt xmlns='x'>") && TTMLReader.isTTML("<?xml?><ttml:tt xmlns:ttml='x'>"))
        #expect(!TTMLReader.isTTML("<html>"))
    }
}
