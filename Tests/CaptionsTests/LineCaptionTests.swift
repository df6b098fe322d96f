import MediaTime
import Testing

@testable import Captions

@Suite("CEA-608, code by code")
struct LineCaptionTests {
    typealias Pair = (UInt8, UInt8)

    private let paintOn: Pair = (0x14, 0x29)
    private let popOn: Pair = (0x14, 0x20)
    private let show: Pair = (0x14, 0x2F)
    private let backspace: Pair = (0x14, 0x21)
    private let carriageReturn: Pair = (0x14, 0x2D)

    private static func odd(_ byte: UInt8) -> UInt8 { byte.nonzeroBitCount % 2 == 1 ? byte : byte | 0x80 }

    private func text(_ words: String) -> [Pair] {
        var bytes = Array(words.utf8)
        if bytes.count % 2 == 1 { bytes.append(0) }
        return stride(from: 0, to: bytes.count, by: 2).map { (bytes[$0], bytes[$0 + 1]) }
    }

    /// Each row with text of the last reported screen: its number from 0, its first column, and its text.
    private func rows(_ pairs: [Pair]) -> [String] { last(pairs).map(Self.row) }

    private static func row(_ cue: CaptionCue) -> String {
        let box = cue.box!
        let row = Int(((box.y - 0.1) / 0.8 * 15).rounded()), column = Int(((box.x - 0.1) / 0.8 * 32).rounded())
        return "\(row),\(column): \(cue.plainText)"
    }

    private func last(_ pairs: [Pair]) -> [CaptionCue] {
        var decoder = LineCaptionDecoder(channel: 1)
        var screen: LineCaptionDecoder.Screen?
        for pair in pairs { screen = decoder.take(Self.odd(pair.0), Self.odd(pair.1), at: .zero) ?? screen }
        return screen?.rows ?? []
    }

    @Test("a control code received twice in a row is executed once, and a third one is a new code")
    func doubled() {
        let start: [Pair] = [paintOn] + text("ABC")
        #expect(rows(start + [backspace]) == ["14,0: AB"])
        #expect(rows(start + [backspace, backspace]) == ["14,0: AB"])
        #expect(rows(start + [backspace, backspace, backspace]) == ["14,0: A"])
        #expect(rows(start + [backspace, backspace, backspace, backspace]) == ["14,0: A"])
        #expect(rows(start + [backspace, (0, 0), backspace]) == ["14,0: AB"])
        #expect(rows(start + [backspace] + text("D") + [backspace]) == ["14,0: AB"])
    }

    @Test("a damaged pair between two equal codes makes the second a new code")
    func damaged() {
        var decoder = LineCaptionDecoder(channel: 1)
        func take(_ pair: Pair) -> LineCaptionDecoder.Screen? {
            decoder.take(Self.odd(pair.0), Self.odd(pair.1), at: .zero)
        }
        for pair in [paintOn] + text("ABC") + [backspace] { _ = take(pair) }
        // 0x41 alone has even parity.
        #expect(decoder.take(0x41, 0x41, at: .zero) == nil)
        #expect(take(backspace)?.rows.map(\.plainText) == ["A"])
    }

    @Test(
        "the row is selected by the code and its upper half",
        arguments: [
            (UInt8(0x11), 0, 1), (0x12, 2, 3), (0x15, 4, 5), (0x16, 6, 7), (0x17, 8, 9), (0x13, 11, 12), (0x14, 13, 14),
        ])
    func addresses(_ code: UInt8, _ first: Int, _ second: Int) {
        #expect(rows([paintOn, (code, 0x50)] + text("X")) == ["\(first),0: X"])
        #expect(rows([paintOn, (code, 0x70)] + text("X")) == ["\(second),0: X"])
    }

    @Test("row 11 has one address; the other code changes nothing")
    func eleventh() {
        #expect(rows([paintOn, (0x10, 0x50)] + text("X")) == ["10,0: X"])
        #expect(rows([paintOn, (0x10, 0x70)] + text("X")) == ["14,0: X"])
    }

    @Test("an address indents by four columns, a tab by one to three")
    func columns() {
        #expect(rows([paintOn, (0x14, 0x72)] + text("X")) == ["14,4: X"])
        #expect(rows([paintOn, (0x14, 0x7E)] + text("X")) == ["14,28: X"])
        for offset in 1...3 {
            #expect(rows([paintOn, (0x14, 0x72), (0x17, 0x20 | UInt8(offset))] + text("X")) == ["14,\(4 + offset): X"])
        }
        #expect(rows([paintOn, (0x14, 0x7E), (0x17, 0x23), (0x17, 0x22)] + text("X")) == ["14,31: X"])
    }

    @Test("a row has 32 columns; further characters replace the last one")
    func fullRow() {
        let full = String(repeating: "ab", count: 16)
        #expect(rows([paintOn] + text(full)) == ["14,0: \(full)"])
        #expect(rows([paintOn] + text(full) + text("Z")) == ["14,0: \(full.dropLast())Z"])
    }

    @Test("delete to end of row starts at the cursor, and a backspace at the start of a row does nothing")
    func deletes() {
        #expect(rows([paintOn] + text("ABCDEF") + [(0x14, 0x72), (0x14, 0x24)]) == ["14,0: ABCD"])
        #expect(rows([paintOn] + text("AB") + [(0x14, 0x70), backspace]) == ["14,0: AB"])
    }

    @Test("italics and underlining last until a code ends them")
    func pens() {
        func styles(_ pairs: [Pair]) -> [String] {
            last(pairs).flatMap(\.nodes).map { node in
                guard case .span(let span) = node, case .style(let style) = span.kind else { return node.plainText }
                return node.plainText + (style.isItalic == true ? " italic" : "")
                    + (style.isUnderlined == true ? " underlined" : "")
            }
        }
        let start: [Pair] = [paintOn] + text("a")
        let italic: [Pair] = [(0x11, 0x2E)], underlined: [Pair] = [(0x11, 0x21)], white: [Pair] = [(0x11, 0x20)]
        let italicText: [Pair] = start + italic + text("b") + white + text("c")
        #expect(styles(italicText) == ["a ", "b  italic", "c"])
        let underlinedText: [Pair] = start + underlined + text("b") + white + text("c")
        #expect(styles(underlinedText) == ["a ", "b  underlined", "c"])
        // An address resets the pen.
        #expect(styles(start + [(0x11, 0x2F), (0x14, 0x72)] + text("b")) == ["a   b"])
        #expect(styles([paintOn, (0x14, 0x6F)] + text("b")) == ["b italic underlined"])
    }

    @Test("roll-up rows move with their base row, and rows above the screen are dropped")
    func movedBase() {
        let two: [Pair] = [(0x14, 0x25)] + text("AB") + [carriageReturn] + text("CD")
        #expect(rows(two) == ["13,0: AB", "14,0: CD"])
        #expect(rows(two + [(0x15, 0x50)]) == ["3,0: AB", "4,0: CD"])
        #expect(rows(two + [(0x15, 0x50)] + text("E")) == ["3,0: AB", "4,0: ED"])
        #expect(rows(two + [(0x15, 0x50), carriageReturn] + text("EF")) == ["3,0: CD", "4,0: EF"])
        let three: [Pair] = [(0x14, 0x26)] + text("AB") + [carriageReturn] + text("CD") + [carriageReturn] + text("EF")
        #expect(rows(three) == ["12,0: AB", "13,0: CD", "14,0: EF"])
        #expect(rows(three + [(0x11, 0x50)]) == ["0,0: EF"])
    }

    @Test("the requested number of rows rolls up", arguments: [2, 3, 4])
    func depth(_ count: Int) {
        let words = ["AA", "BB", "CC", "DD", "EE"]
        var pairs: [Pair] = [(0x14, UInt8(0x23 + count))]
        for word in words { pairs += [carriageReturn] + text(word) }
        #expect(last(pairs).map(\.plainText) == Array(words.suffix(count)))
    }

    @Test("roll-up captions start with an empty screen, and continue when the mode is selected again")
    func rollUpAgain() {
        #expect(rows([paintOn] + text("AB") + [(0x14, 0x25)] + text("CD")) == ["14,0: CD"])
        let again: [Pair] = [(0x14, 0x25)] + text("AB") + [carriageReturn, (0x14, 0x25)] + text("CD")
        #expect(rows(again) == ["13,0: AB", "14,0: CD"])
    }

    @Test("the displayed and the hidden screen are swapped, and each is erased by its own code")
    func twoScreens() {
        let shown: [Pair] = [popOn] + text("A") + [show]
        #expect(rows(shown) == ["14,0: A"])
        let both: [Pair] = shown + [popOn, (0x14, 0x70)] + text("B")
        #expect(rows(both) == ["14,0: A"])
        #expect(rows(both + [show]) == ["14,0: B"])
        #expect(rows(both + [show, popOn, show]) == ["14,0: A"])
        #expect(rows(both + [(0x14, 0x2E), show]).isEmpty)
        #expect(rows(both + [(0x14, 0x2C), show]) == ["14,0: B"])
    }

    @Test("erasing an empty screen is not a change")
    func emptyErase() {
        var decoder = LineCaptionDecoder(channel: 1)
        #expect(decoder.take(Self.odd(0x14), Self.odd(0x2C), at: .zero) == nil)
        for pair in [paintOn] + text("A") { _ = decoder.take(Self.odd(pair.0), Self.odd(pair.1), at: .zero) }
        #expect(decoder.take(Self.odd(0x14), Self.odd(0x2C), at: .zero)?.rows == [])
    }

    @Test("data after an extended-data or text-service code are not captions until a caption code arrives")
    func others() {
        let start: [Pair] = [paintOn] + text("AB")
        #expect(rows(start + [(0x01, 0x03)] + text("CD")) == ["14,0: AB"])
        #expect(rows(start + [(0x01, 0x03)] + text("CD") + [paintOn] + text("EF")) == ["14,0: ABEF"])
        #expect(rows(start + [(0x14, 0x2A)] + text("CD")) == ["14,0: AB"])
    }

    // MARK: Tables (47 CFR 15.119)

    @Test(
        "a code in a row, or an address, sets one of seven colours or italics",
        arguments: [
            (0, CaptionColour.white), (1, CaptionColour(red: 0, green: 255, blue: 0)), (2, .blue),
            (3, CaptionColour(red: 0, green: 255, blue: 255)),
            (4, .red), (5, .yellow), (6, CaptionColour(red: 255, green: 0, blue: 255)),
        ])
    func colours(_ number: Int, _ colour: CaptionColour) {
        let index = UInt8(number)
        let expected = colour == .white ? nil : colour
        #expect(last([paintOn, (0x14, 0x60 | index << 1)] + text("x"))[0].nodes.map { $0.style?.colour } == [expected])
        let coloured = last([paintOn, (0x11, 0x2E)] + text("a") + [(0x11, 0x20 | index << 1)] + text("x"))[0].nodes
        #expect(
            coloured.last?.style?.colour == expected && coloured.last?.style?.isItalic == nil && coloured.last?.plainText == "x")
    }

    @Test("italics keep the colour of the row")
    func italicColour() {
        let nodes = last([paintOn, (0x14, 0x68)] + text("a") + [(0x11, 0x2E)] + text("b"))[0].nodes
        #expect(nodes.last?.style == CaptionTextStyle { ($0.colour, $0.isItalic) = (.red, true) })
    }

    @Test("the ten characters that are not ASCII, and the special and extended sets from first to last")
    func characters() {
        #expect(rows([paintOn, (0x2A, 0x5C), (0x5E, 0x5F), (0x60, 0x7B), (0x7C, 0x7D), (0x7E, 0x7F)]) == ["14,0: áéíóúç÷Ññ█"])
        #expect(rows([paintOn, (0x11, 0x30), (0x11, 0x37), (0x11, 0x3F)]) == ["14,0: ®♪û"])
        #expect(rows([paintOn] + text("A") + [(0x12, 0x20)] + text("O") + [(0x12, 0x3F)]) == ["14,0: Á»"])
        #expect(rows([paintOn] + text("A") + [(0x13, 0x20)] + text("+") + [(0x13, 0x3F)]) == ["14,0: Ã┘"])
        // The other channel's codes have bit 3 set.
        #expect(rows([paintOn] + text("A") + [(0x19, 0x30)]) == ["14,0: A"])
        #expect(rows([paintOn, (0x12, 0x20)]) == ["14,0: Á"])
    }

    @Test("a row is a box on the grid in the middle four fifths of the picture, from its first character on")
    func boxes() throws {
        let box = try #require(last([paintOn, (0x11, 0x72)] + text("X"))[0].box)
        #expect(box.isGrid && box.displayAlignment == .before && abs(box.x - 0.2) < 1e-9 && abs(box.x + box.width - 0.9) < 1e-9)
        #expect(abs(box.y - (0.1 + 0.8 / 15)) < 1e-9 && abs(box.height - 0.8 / 15) < 1e-9)
        #expect(last([paintOn] + text("  a  b  ")).map(\.plainText) == ["a  b"] && last([paintOn] + text("  ")).isEmpty)
    }

    @Test("blank cells between two words of a row are spaces in the previous style")
    func gaps() {
        let nodes = last([paintOn] + text("ab") + [(0x14, 0x72)] + text("cd"))[0].nodes
        #expect(nodes == [.text("ab  cd")])
    }

    @Test("a second byte with wrong parity loses the pair, a null byte may have either")
    func parity() {
        func take(_ pairs: [Pair]) -> [String] {
            var decoder = LineCaptionDecoder(channel: 1)
            var screen: LineCaptionDecoder.Screen?
            for pair in [(Self.odd(0x14), Self.odd(0x29))] + pairs {
                screen = decoder.take(pair.0, pair.1, at: .seconds(3)) ?? screen
            }
            #expect(screen == nil || screen?.time == .seconds(3))
            return screen?.rows.map(\.plainText) ?? []
        }
        #expect(take([(Self.odd(0x41), 0x43)]) == ["AC"] && take([(Self.odd(0x41), 0x42)]) == [])
        #expect(
            take([(Self.odd(0x41), 0x41)]) == [] && take([(Self.odd(0x41), 0x00)]) == ["A"]
                && take([(Self.odd(0x41), 0x80)]) == ["A"])
        #expect(take([(0x80, 0x80), (0x80, 0x00)]) == [])
    }

    @Test("codes for the other channel, and characters without a mode, do not change the screen")
    func otherChannel() {
        let start: [Pair] = [paintOn] + text("AB")
        #expect(rows(start + [(0x1C, 0x2C)]) == ["14,0: AB"])
        #expect(rows(start + [(0x1C, 0x29)] + text("CD")) == ["14,0: AB"])
        #expect(rows(text("AB")).isEmpty && rows([(0x14, 0x70)] + text("AB")).isEmpty)
        #expect(rows(start + [carriageReturn] + text("CD")) == ["14,0: ABCD"])
        // The text service has a cursor of its own.
        let service: [Pair] = [(0x14, 0x2B)] + text("CD") + [(0x11, 0x50), (0x17, 0x22), backspace]
        #expect(rows(start + service + [paintOn] + text("EF")) == ["14,0: ABEF"])
    }

    @Test("after a jump nothing is shown and no mode is set")
    func reset() {
        var decoder = LineCaptionDecoder(channel: 2)
        func take(_ pairs: [Pair]) -> [String]? {
            var screen: LineCaptionDecoder.Screen?
            for pair in pairs { screen = decoder.take(Self.odd(pair.0), Self.odd(pair.1), at: .zero) ?? screen }
            return screen?.rows.map(\.plainText)
        }
        #expect(take([(0x1C, 0x29)] + text("AB")) == ["AB"])
        decoder.reset()
        #expect(take(text("CD")) == nil)
        #expect(take([(0x1C, 0x29)] + text("EF")) == ["EF"])
    }
}
