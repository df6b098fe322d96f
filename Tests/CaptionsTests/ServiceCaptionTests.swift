import Testing

@testable import Captions

@Suite("CEA-708, code by code")
struct ServiceCaptionTests {
    /// Defines a window at the top left whose style does not change the text.
    private func window(_ index: UInt8 = 0, isVisible: Bool = true, priority: UInt8 = 0, rows: UInt8 = 3) -> [UInt8] {
        [0x98 | index, (isVisible ? 0x20 : 0) | priority, 0, 0, rows - 1, 31, 0x09]
    }

    /// The screen after each block that changed it; windows are lists of lines.
    private func screens(_ blocks: [[UInt8]]) -> [[String]] {
        var decoder = ServiceCaptionDecoder()
        return blocks.compactMap { decoder.take($0[...])?.map(\.plainText) }
    }

    private func last(_ blocks: [UInt8]...) -> [String] { screens(blocks).last ?? [] }

    private func text(_ words: String) -> [UInt8] { Array(words.utf8) }

    private func block(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

    @Test("a carriage return starts the next row, and in the last row all rows move up")
    func carriageReturn() {
        #expect(last(block(window(rows: 2), text("A"), [0x0D], text("B"))) == ["A\nB"])
        #expect(last(block(window(rows: 2), text("A"), [0x0D], text("B"), [0x0D], text("C"))) == ["B\nC"])
        #expect(last(block(window(rows: 1), text("A"), [0x0D], text("B"))) == ["B"])
    }

    @Test("backspace, form feed and horizontal return erase a character, the window and the row")
    func erases() {
        #expect(last(block(window(), text("AB"), [0x08])) == ["A"])
        #expect(last(block(window(), text("AB"), [0x08, 0x08, 0x08], text("C"))) == ["C"])
        #expect(last(block(window(), text("A"), [0x0D], text("BC"), [0x0C], text("D"))) == ["D"])
        #expect(last(block(window(), text("A"), [0x0D], text("BC"), [0x0E], text("D"))) == ["A\nD"])
    }

    @Test("a cleared window is written from its first position and keeps its place")
    func cleared() {
        #expect(last(block(window(), text("AB"), [0x0D], text("CD"), [0x88, 0x01], text("E"))) == ["E"])
    }

    @Test("windows are shown, hidden, toggled and deleted by their bits")
    func visibility() {
        let hidden = block(window(isVisible: false), text("A"))
        #expect(last(hidden) == [])
        #expect(last(hidden, [0x89, 0x01]) == ["A"])
        #expect(last(hidden, [0x89, 0x02]) == [])
        #expect(last(hidden, [0x8B, 0x01]) == ["A"])
        let shown = block(window(), text("A"))
        #expect(screens([shown, [0x8A, 0x01]]) == [["A"], []])
        #expect(screens([shown, [0x8B, 0x01], [0x8B, 0x01]]) == [["A"], [], ["A"]])
        #expect(screens([shown, [0x8C, 0x01], [0x89, 0x01]]) == [["A"], []])
        #expect(screens([shown, [0x8F], [0x8F]]) == [["A"], []])
    }

    @Test("text goes into the current window; windows are ordered by priority number, the higher one first")
    func twoWindows() {
        let both = block(window(0, priority: 1), text("A"), window(1, priority: 2), text("B"))
        #expect(last(both) == ["B", "A"])
        #expect(last(block(both, [0x80], text("C"))) == ["B", "AC"])
        #expect(last(block(both, [0x81], text("C"))) == ["BC", "A"])
        #expect(last(both, [0x8C, 0x02]) == ["A"])
    }

    @Test("text in a hidden window is not a change")
    func hiddenText() {
        #expect(screens([window(isVisible: false), text("A")]) == [[]])
        #expect(screens([text("A")]).isEmpty)
    }

    @Test("the pen is set to a row and a column")
    func location() {
        #expect(last(block(window(), [0x92, 1, 2], text("X"))) == ["\n  X"])
        #expect(last(block(window(), text("ABC"), [0x92, 0, 1], text("X"))) == ["AXC"])
    }

    @Test("pens are italic, underlined, small or large according to their attributes")
    func pens() throws {
        func style(_ one: UInt8, _ two: UInt8) -> CaptionTextStyle? {
            var decoder = ServiceCaptionDecoder()
            let cue = decoder.take((block(window(), [0x90, one, two], text("X")))[...])?.first
            guard case .span(let span) = cue?.nodes.first, case .style(let style) = span.kind else { return nil }
            return style
        }
        #expect(style(1, 0) == nil)
        #expect(style(1, 0x80)?.isItalic == true && style(1, 0x80)?.isUnderlined == nil)
        #expect(style(1, 0x40)?.isUnderlined == true && style(1, 0x40)?.isItalic == nil)
        #expect(style(0, 0)?.scale == 0.8 && style(2, 0)?.scale == 1.25)
        #expect(style(1, 3 << 3)?.edge == .uniform && style(1, 1 << 3)?.edge == .raised && style(1, 2 << 3)?.edge == .depressed)
        #expect(style(1, 4)?.family == .sans)
    }

    @Test("a pen whose italics are switched off writes upright")
    func penEnds() {
        var decoder = ServiceCaptionDecoder()
        let cue = decoder.take(
            (block(window(), [0x90, 1, 0x80], text("a"), [0x90, 1, 0x40], text("b"), [0x90, 1, 0], text("c")))[...])?.first
        let styles = cue?.nodes.map { node -> String in
            guard case .span(let span) = node, case .style(let style) = span.kind else { return "plain" }
            return (style.isItalic == true ? "italic" : "") + (style.isUnderlined == true ? "underlined" : "")
        }
        #expect(styles == ["italic", "underlined", "plain"])
    }

    @Test("colours have two bits each for red, green, blue and opacity")
    func colours() throws {
        var decoder = ServiceCaptionDecoder()
        let cue = decoder.take((block(window(), [0x91, 0b0011_1001, 0b1000_0111, 0], text("X")))[...])?.first
        guard case .span(let span) = cue?.nodes.first, case .style(let style) = span.kind else {
            Issue.record("no style")
            return
        }
        #expect(style.colour == CaptionColour(red: 255, green: 170, blue: 85))
        #expect(style.background == CaptionColour(red: 0, green: 85, blue: 255, alpha: 128))
    }

    @Test("a redefined window keeps its text, and style 0 keeps its style")
    func definedAgain() {
        #expect(last(block(window(), text("A")), window(isVisible: false)) == [])
        #expect(screens([block(window(), text("A")), window(isVisible: false), window()]) == [["A"], [], ["A"]])
    }

    @Test("characters of sixteen bits and of the second table are one character each; a truncated code ends the block")
    func characters() {
        #expect(last(block(window(), [0x18, 0x26, 0x6A], text("x"))) == ["♪x"])
        #expect(last(block(window(), [0x10, 0x25, 0x10, 0x39, 0x7F])) == ["…™♪"])
        // Commands after EXT1 are skipped by their length.
        #expect(last(block(window(), [0x10, 0x80, 1, 2, 3, 4], text("a"), [0x10, 0x88, 1, 2, 3, 4, 5], text("b"))) == ["ab"])
        #expect(
            last(block(window(), [0x10, 0x08, 1], text("a"), [0x10, 0x10, 1, 2], text("b"), [0x10, 0x18, 1, 2, 3], text("c")))
                == ["abc"])
        #expect(last(block(window(), text("a"), [0x91, 0x3F, 0x3F])) == ["a"])
    }
}
