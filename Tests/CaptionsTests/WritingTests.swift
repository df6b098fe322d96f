import MediaTime
import Testing

@testable import Captions

@Suite("Captions that are written")
struct WritingTests {
    private func cue(_ start: Int64, _ end: Int64, _ nodes: [CaptionNode]) -> CaptionCue {
        CaptionCue(start: .milliseconds(start), end: .milliseconds(end), nodes: nodes)
    }

    @Test("a written WebVTT file is read as the same texts at the same times")
    func webVTT() throws {
        let cues = [
            cue(0, 1500, [.text("a < b & c > d"), .span(CaptionSpan(.bold, children: [.text("bold")]))]),
            cue(3_600_001, 36_000_000, [.text("-->\r\nnext\n\n \nlast")]), cue(10, 10, [.text("never")]),
            cue(10, 20, [.text(" \n")]),
        ]
        let text = WebVTTWriter.segment(cues, offset: MediaTime(7201, 90_000))
        let document = try WebVTTParser.parse(text)
        #expect(document.timestampMap == TimestampMap(mpegTS: 7201, local: .zero))
        #expect(document.cues.map(\.plainText) == ["a < b & c > dbold", "-->\nnext\nlast"])
        #expect(document.cues.map(\.start) == [.zero, .milliseconds(3_600_001)])
        #expect(document.cues.map(\.end) == [.milliseconds(1500), .seconds(36_000)])
        #expect(text.contains("<b>bold</b>"))
    }

    @Test("timed text is read as the same texts and styles; its lengths have 16 bits")
    func timedText() throws {
        let italic = CaptionSpan(.italic, children: [.text("b"), .span(CaptionSpan(.bold, children: [.text("ü")]))])
        let cues = [cue(0, 10, [.text("a"), .span(italic)]), cue(0, 10, [.text("second")])]
        let read = try #require(TimedTextSample.cue(TimedTextSample.bytes(cues), start: .zero, end: .seconds(1)))
        #expect(read.plainText == "abü\nsecond")
        var faces: [String] = []
        for case .span(let span) in read.nodes {
            guard case .style(let style) = span.kind else { continue }
            faces.append(
                "\(span.children.map(\.plainText).joined()) \(style.isItalic == true ? "i" : "")\(style.isBold == true ? "b" : "")"
            )
        }
        #expect(faces == ["b i", "ü ib"])
        #expect(TimedTextSample.bytes([]) == [0, 0])
        let long = TimedTextSample.bytes([cue(0, 1, [.text(String(repeating: "€", count: 30_000))])])
        #expect(long.count == 2 + 65_535 && long[0] == 0xFF && long[1] == 0xFF)
    }
}
