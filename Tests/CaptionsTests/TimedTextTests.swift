import MediaTime
import TextDecoding
import Testing

@testable import Captions

extension TimedTextSample {
    /// The cue of a lone sample.
    static func cue(_ bytes: [UInt8], start: MediaTime, end: MediaTime) -> CaptionCue? {
        var pieces = TextPieces()
        return cue(bytes, start: start, end: end, &pieces)
    }
}

/// Layouts are those of 3GPP TS 26.245, section 5.17.
@Suite("Timed text of 3GPP")
struct TimedTextTests {
    private func cue(_ text: [UInt8], length: Int? = nil, _ styles: [[UInt8]] = []) -> CaptionCue? {
        let body: [UInt8] = [0, UInt8(styles.count)] + Array(styles.joined())
        let head: [UInt8] = [0, 0, 0, UInt8(body.count + 8)] + Array("styl".utf8)
        let sample: [UInt8] = [0, UInt8(length ?? text.count)] + text + (styles.isEmpty ? [] : head + body)
        return TimedTextSample.cue(sample, start: .seconds(1), end: .seconds(2))
    }

    private func style(_ range: Range<Int>, flags: UInt8 = 0, colour: [UInt8] = [255, 255, 255, 255]) -> [UInt8] {
        [0, UInt8(range.lowerBound), 0, UInt8(range.upperBound), 0, 1, flags, 18] + colour
    }

    /// The text of each node with the flags of its style.
    private func words(_ cue: CaptionCue?) -> [String]? {
        cue?.nodes.map { node in
            let style = node.style
            let flags = [(style?.isBold, "b"), (style?.isItalic, "i"), (style?.isUnderlined, "u")].compactMap {
                $0.0 == true ? $0.1 : nil
            }
            return node.plainText + (flags.isEmpty ? "" : ":" + flags.joined())
        }
    }

    @Test("flags are bold, italic and underlined")
    func flags() {
        for (flags, letters) in [(1, "b"), (2, "i"), (4, "u"), (7, "biu")] as [(UInt8, String)] {
            #expect(words(cue(Array("abc".utf8), [style(1..<2, flags: flags)])) == ["a", "b:\(letters)", "c"])
        }
        #expect(words(cue(Array("abc".utf8), [style(0..<3, flags: 8)])) == ["abc"])
    }

    @Test("several ranges follow one another; one that begins inside another is left out, and so is an empty one")
    func ranges() {
        let text = Array("abcdef".utf8)
        #expect(
            words(cue(text, [style(0..<2, flags: 1), style(2..<3, flags: 2), style(4..<6, flags: 4)])) == [
                "ab:b", "c:i", "d", "ef:u",
            ])
        #expect(words(cue(text, [style(1..<4, flags: 1), style(3..<5, flags: 2)])) == ["a", "bcd:b", "ef"])
        #expect(words(cue(text, [style(2..<2, flags: 1), style(6..<9, flags: 1), style(4..<9, flags: 2)])) == ["abcd", "ef:i"])
        #expect(words(cue(text, [[0, 4, 0, 2, 0, 1, 1, 18, 255, 255, 255, 255]])) == ["abcdef"])
    }

    @Test("a colour other than white is one, unless it cannot be seen")
    func colours() {
        func colour(_ bytes: [UInt8]) -> CaptionColour? {
            cue(Array("a".utf8), [style(0..<1, colour: bytes)])?.nodes[0].style?.colour
        }
        #expect(colour([1, 2, 3, 4]) == CaptionColour(red: 1, green: 2, blue: 3, alpha: 4))
        #expect(colour([255, 255, 255, 255]) == nil && colour([1, 2, 3, 0]) == nil)
    }

    @Test("the text is as long as it says; carriage returns break lines; nothing to see is no cue")
    func text() {
        #expect(words(cue(Array("abc".utf8), length: 2)) == ["ab"])
        #expect(words(cue(Array("abc".utf8), length: 9)) == ["abc"])
        #expect(words(cue(Array("a\rb".utf8))) == ["a\nb"])
        #expect(
            cue(Array(" \n".utf8)) == nil && cue([], length: 0) == nil
                && TimedTextSample.cue([0], start: .zero, end: .seconds(1)) == nil)
        let whole = cue(Array("a".utf8))
        #expect(whole.map(line) == "1000-2000 a" && whole?.settings.alignment == .center && whole?.source == "a")
        for short in [[], [0]] as [[UInt8]] {
            let table: [UInt8] = [0, 0, 0, UInt8(8 + short.count)] + Array("styl".utf8) + short
            #expect(words(TimedTextSample.cue([0, 1, 0x61] + table, start: .zero, end: .seconds(1))) == ["a"])
        }
        // A table that is cut off gives the styles before.
        let cut = [0, 0, 0, 22] + Array("styl".utf8) + [0, 2] + style(0..<1, flags: 1)
        #expect(words(TimedTextSample.cue([0, 2] + Array("ab".utf8) + cut, start: .zero, end: .seconds(1))) == ["a:b", "b"])
    }
}
