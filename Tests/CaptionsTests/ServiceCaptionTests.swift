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

    // MARK: Windows (CEA-708 section 8.10.5)

    private func shown(_ blocks: [UInt8]...) throws -> CaptionCue {
        var decoder = ServiceCaptionDecoder()
        let screens = blocks.compactMap { decoder.take($0[...]) }
        return try #require(screens.last?.first)
    }

    @Test(
        "the anchor is one of nine points of the window, and lies on a grid or at a share of the picture",
        arguments: [
            (0, [0.5, 0.5], CaptionBox.Side.before), (1, [0.3, 0.5], .before), (2, [0.1, 0.5], .before),
            (3, [0.5, 0.4467], .middle), (4, [0.3, 0.4467], .middle),
            (5, [0.1, 0.4467], .middle), (6, [0.5, 0.3934], .after), (7, [0.3, 0.3934], .after), (8, [0.1, 0.3934], .after),
        ])
    func anchors(_ anchor: Int, _ origin: [Double], _ side: CaptionBox.Side) throws {
        // Two rows of 21 columns at the middle, once in percent and once on the grid of 75 by 210.
        for place in [[0x80 | 50, 50], [75 / 2 + 1, 105]] as [[UInt8]] {
            let box = try #require(try shown(block([0x98, 0x20] + place + [UInt8(anchor) << 4 | 1, 20, 0x09], text("x"))).box)
            #expect(abs(box.x - origin[0]) < 0.001 && abs(box.y - origin[1]) < 0.006 && box.displayAlignment == side)
            #expect(abs(box.width - 0.4) < 0.001 && abs(box.height - 0.1066) < 0.001)
        }
    }

    @Test("a window stays in the picture")
    func inside() throws {
        let right = try #require(try shown(block([0x98, 0x20, 0x80, 100, 0, 41, 0x09], text("x"))).box)
        #expect(abs(right.x - 0.2) < 0.001 && abs(right.width - 0.8) < 0.001 && abs(right.y - 0.1) < 0.001)
        let low = try #require(try shown(block([0x98, 0x20, 0x80 | 100, 0, 14, 20, 0x09], text("x"))).box)
        #expect(abs(low.y + low.height - 1) < 0.001 && abs(low.height - 15 * 0.0533) < 0.001)
        let high = try #require(try shown(block([0x98, 0x20, 0x80, 0, 8 << 4 | 14, 20, 0x09], text("x"))).box)
        #expect(high.x == 0 && high.y == 0)
    }

    @Test("a window has as many rows as it says, at most 15, and a row as many characters as 42")
    func sizes() throws {
        #expect(
            last(block(window(rows: 2), [0x92, 0, 0], text("A"), [0x92, 1, 0], text("B"), [0x92, 2, 0], text("C"))) == ["A\nB"])
        let long = String(repeating: "ab", count: 30)
        #expect(last(block(window(), text(long))) == [String(long.prefix(41)) + "b"])
        #expect(last(block(window(rows: 15), [0x92, 15, 0], text("x"))) == [String(repeating: "\n", count: 14) + "x"])
    }

    @Test(
        "a predefined style of a window says how it is filled and aligned",
        arguments: [
            (1, true, CaptionSettings.Alignment.left), (2, false, .left), (3, true, .left), (4, true, .center),
            (5, false, .center), (6, true, .center),
            (7, true, .left),
        ])
    func windowStyles(_ style: Int, _ isFilled: Bool, _ alignment: CaptionSettings.Alignment) throws {
        let cue = try shown(block([0x98, 0x20, 0, 0, 0, 31, UInt8(style) << 3 | 1], text("x")))
        #expect((cue.box?.window != nil) == isFilled && cue.settings.alignment == alignment)
    }

    @Test(
        "a predefined style of a pen says its font, and whether it has an edge instead of a background",
        arguments: [
            (1, nil, false), (2, .monospacedSerif, false), (3, .serif, false), (4, .monospaced, false), (5, .sans, false),
            (6, .monospaced, true), (7, .sans, true),
        ] as [(UInt8, CaptionTextStyle.Family?, Bool)])
    func penStyles(_ style: UInt8, _ family: CaptionTextStyle.Family?, _ hasEdge: Bool) throws {
        let own = try shown(block([0x98, 0x20, 0, 0, 0, 31, 1 << 3 | style], text("x"))).nodes[0].style
        #expect(
            own?.family == family && own?.edge == (hasEdge ? .uniform : nil) && own?.background == (hasEdge ? .transparent : nil))
    }

    @Test("style 0 keeps the look and the pen of an existing window, other styles reset them")
    func keptStyles() throws {
        let first = block([0x98, 0x20, 0, 0, 0, 31, 4 << 3 | 3], [0x90, 1, 0x80], text("x"))
        let kept = try shown(block(first, [0x98, 0x20, 0, 0, 0, 31, 0], text("y")))
        #expect(kept.settings.alignment == .center && kept.nodes.map { $0.style?.isItalic } == [true])
        let changed = try shown(block(first, [0x98, 0x20, 0, 0, 0, 31, 2 << 3 | 5], text("y")))
        #expect(
            changed.settings.alignment == .left && changed.box?.window == nil
                && changed.nodes.map { $0.style?.family } == [nil, .sans])
    }

    @Test(
        "attributes of a window set its fill and the alignment of its text",
        arguments: [
            (0, CaptionSettings.Alignment.left), (1, .right), (2, .center), (3, .left),
        ])
    func attributes(_ value: Int, _ alignment: CaptionSettings.Alignment) throws {
        let justify = UInt8(value)
        let cue = try shown(block(window(), text("x"), [0x97, 0b0011_0000, 0, 0xFC | justify, 0]))
        #expect(cue.settings.alignment == alignment && cue.box?.window == CaptionColour(red: 255, green: 0, blue: 0))
        #expect(try shown(block(window(), text("x"), [0x97, 0b1111_0000, 0, justify, 0])).box?.window == nil)
        var decoder = ServiceCaptionDecoder()
        _ = decoder.take(block(window(isVisible: false), text("x"))[...])
        #expect(decoder.take([0x97, 0, 0, justify, 0]) == nil)
    }

    @Test(
        "edges and fonts of a pen by their numbers (section 8.10.5.9)",
        arguments: [
            (0, nil, nil), (1, .raised, .monospacedSerif), (2, .depressed, .serif), (3, .uniform, .monospaced),
            (4, .dropShadow, .sans),
            (5, .dropShadow, .casual), (6, nil, .cursive), (7, nil, .smallCapitals),
        ] as [(UInt8, CaptionTextStyle.Edge?, CaptionTextStyle.Family?)])
    func penNumbers(_ number: UInt8, _ edge: CaptionTextStyle.Edge?, _ family: CaptionTextStyle.Family?) throws {
        let style = try shown(block(window(), [0x90, 1, number << 3 | number], text("x"))).nodes[0].style
        #expect(style?.edge == edge && style?.family == family)
    }

    @Test("codes without an effect are skipped by their length (section 7.1)")
    func lengths() throws {
        #expect(
            last(
                block(
                    window(), [0x00, 0x03, 0x11, 0x41], text("a"), [0x17, 0x41], text("b"), [0x19, 0x41, 0x41], text("c"),
                    [0x1F, 0x41, 0x41], text("d"))) == ["abcd"])
        // A delay, its end, and a reset.
        #expect(last(block(window(), [0x8D, 0x41], text("a"), [0x8E], text("b"))) == ["ab"])
        #expect(last(block(window(), [0x10, 0x00], text("a"), [0x10, 0x07], text("b"), [0x10, 0xA0, 0x10, 0xA1])) == ["ab㏄_"])
        #expect(last(block(window(), [0xE9, 0xA0, 0xFF])) == ["é\u{A0}ÿ"])
    }

    @Test(
        "a code that is cut off is not carried out",
        arguments: [
            [0x89], [0x90, 1], [0x91, 0, 0], [0x92, 1], [0x97, 0, 0, 0], [0x99, 0x20, 0, 0, 0, 31], [0x18, 0x26], [0x10],
        ] as [[UInt8]])
    func cutOff(_ code: [UInt8]) {
        #expect(last(block(window(), text("A"), code)) == ["A"])
        #expect(screens([block(window(), text("A")), code]) == [["A"]])
    }

    @Test("a window of spaces shows nothing")
    func spaces() {
        #expect(last(block(window(), text("   "))) == [])
    }

    @Test("text and codes for a window that does not exist change nothing")
    func noWindow() {
        #expect(
            screens([block(window(), text("A")), block([0x83], text("B"), [0x08, 0x0C, 0x0D, 0x0E]), [0x8A, 0x08]]) == [["A"]])
    }
}
