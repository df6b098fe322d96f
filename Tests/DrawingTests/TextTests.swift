import Screens
import Testing

@testable import Drawing

@Suite("Text", .serialized)
struct TextTests {
    private let fonts: FontSet

    init() throws { fonts = try FontSet() }

    @Test(
        "every language of the image has glyphs, and they are Noto's",
        arguments: [
            ("en", "The Lighthouse Keeper’s Daughter"), ("el", "Η κόρη του φαροφύλακα"), ("ru", "Дочь смотрителя маяка"),
            ("ar", "ابنة حارس المنارة"), ("he", "בתו של שומר המגדלור"), ("ja", "灯台守の娘"), ("ko", "등대지기의 딸"), ("zh-Hans", "守塔人的女儿"),
            ("zh-Hant", "守塔人的女兒"), ("th", "ลูกสาวคนเฝ้าประภาคาร"), ("hi", "प्रकाशस्तंभ रक्षक की बेटी"),
        ])
    func glyphs(language: String, words: String) {
        for weight in [TextStyle.Weight.medium, .bold] {
            let layout = fonts.layout(words, TextStyle(29, weight, language: language))
            #expect(layout.missingGlyphs == 0)
            #expect(layout.families.allSatisfy { $0.hasPrefix("Noto") }, "\(layout.families)")
            #expect(layout.inkBounds.width > 100)
        }
    }

    @Test("the monospaced family is one that comes with the fonts of the image, and its letters are equally wide")
    func monospaced() {
        func layout(_ words: String) -> TextLayout {
            var style = TextStyle(29)
            style.family = .monospaced
            return fonts.layout(words, style)
        }
        #expect(layout("url").families.allSatisfy { $0.hasPrefix("Noto Sans Mono") }, "\(layout("url").families)")
        #expect(abs(layout("iiiiii").bounds.width - layout("wwwwww").bounds.width) < 0.1)
    }

    @Test("a character that no font has is counted")
    func missing() {
        #expect(fonts.layout("a\u{10FFFD}b", TextStyle(29)).missingGlyphs == 1)
    }

    @Test(
        "Han characters take the shapes of their language",
        arguments: [
            ("ja", "Noto Sans CJK JP"), ("zh-Hans", "Noto Sans CJK SC"), ("zh", "Noto Sans CJK SC"),
            ("zh-Hant-TW", "Noto Sans CJK TC"),
            ("zh-HK", "Noto Sans CJK HK"), ("ko", "Noto Sans CJK KR"),
        ])
    func hanVariants(language: String, family: String) {
        #expect(fonts.layout("直骨角", TextStyle(29, language: language)).families == [family])
    }

    @Test("a character is drawn with at most 30 marks, a text with at most 10,000 code points, and others are drawn as they are")
    func bounded() {
        let acute = "\u{301}"
        let layout = fonts.layout("x" + String(repeating: acute, count: 20_000) + "y", TextStyle(29))
        #expect(layout.text.unicodeScalars.count == 32 && layout.text.hasSuffix("y"))
        let alternating = String(repeating: "e" + acute, count: 2_000)
        #expect(DrawableText.bounded(alternating) == alternating)
        #expect(DrawableText.bounded(alternating, to: 7).unicodeScalars.count == 7)
        #expect(DrawableText.bounded(String(repeating: "灯", count: 20_000)).count == 10_000)
        for words in [Samples.summary, "", "بِسْمِ ٱللَّهِ ٱلرَّحْمَٰنِ", String(repeating: "प्रकाशस्तंभ रक्षक की बेटी ", count: 50)] {
            #expect(DrawableText.bounded(words) == words)
        }
    }

    @Test("tabular digits are equally wide")
    func tabularDigits() {
        let style = TextStyle(29, .bold, tabularDigits: true)
        let widths = (0...9).map { fonts.layout(String(repeating: "\($0)", count: 6), style).bounds.width }
        #expect(Set(widths.map { ($0 * 100).rounded() }).count == 1)
    }

    @Test("text that does not fit ends in an ellipsis within its line limit")
    func ellipsis() {
        let words = Samples.summary
        let layout = fonts.layout(words, TextStyle(29, width: 900, lines: 4))
        #expect(layout.lineCount == 4)
        #expect(layout.isEllipsized)
        #expect(layout.bounds.width <= 900)
        let short = fonts.layout("Short", TextStyle(29, width: 900, lines: 4))
        #expect(short.lineCount == 1 && !short.isEllipsized)
    }

    @Test(
        "a text that is cut ends after a word, without a space or a comma before the ellipsis",
        arguments: ["The Old, Old Man and the Sea", "لا شيء يبقى على حاله أبدا"])
    func cutBetweenWords(_ title: String) {
        let words = title.split(separator: " ").map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
        let titles = title.split(separator: " ")
        let widths = titles.indices.dropLast().map { index in
            let beginning = (titles[..<index] + [words[index]]).joined(separator: " ")
            return fonts.layout(beginning + "…", TextStyle(29)).bounds.width
        }
        let whole = fonts.layout(title, TextStyle(29)).bounds.width
        for width in stride(from: widths[0] + 1, to: whole - 1, by: 7) {
            let layout = fonts.layout(title, TextStyle(29, width: width))
            #expect(layout.isEllipsized && layout.bounds.width <= width + 0.5)
            #expect(widths.contains { abs($0 - layout.bounds.width) < 0.5 }, "\(width): \(layout.bounds.width)")
        }
    }

    @Test(
        "a long word, and a script without spaces, are cut where the room ends",
        arguments: ["A Donaudampfschifffahrtsgesellschaft", "灯台守の娘と海の歌と長い夜の物語"])
    func cutInWords(_ title: String) {
        let layout = fonts.layout(title, TextStyle(29, width: 220))
        #expect(layout.isEllipsized && layout.bounds.width > 180 && layout.bounds.width <= 220)
    }

    @Test(
        "each line of a text that is cut is as high as the others, the last one with the ellipsis too",
        arguments: ["灯台守の娘と海の歌と長い夜の物語", "Donaudampfschifffahrtsgesellschaft", "The Old Man and the Sea, "])
    func heights(_ title: String) {
        let style = TextStyle(29, width: 400, lines: 3, leading: 1.2)
        let layout = fonts.layout(String(repeating: title, count: 9), style)
        #expect(layout.isEllipsized && layout.lineCount == 3)
        // Where two fonts share a line, their baselines are not at the same height of it.
        #expect(abs(layout.bounds.height - 3 * 29 * 1.2) < 2, "\(layout.bounds.height)")
    }

    @Test(
        "a cut leaves no line of several empty: where the next word is too long for that, it is cut",
        arguments: [
            "第1話 灯台守の娘と海の歌と長い夜の物語と冬の嵐と帰らない船", "NHK 灯台守の娘と海の歌と長い夜の物語 灯台守の娘と海の歌と長い夜の物語",
            "A Donaudampfschifffahrtsgesellschaftskapitän",
        ])
    func cutInLines(_ title: String) {
        let layout = fonts.layout(title, TextStyle(29, width: 260, lines: 2))
        #expect(layout.isEllipsized && layout.lineCount == 2 && layout.lastLineWidth > 180)
    }

    @Test("words end before the signs and spaces behind them, however many there are")
    func manySigns() {
        let layout = fonts.layout("The Sea" + String(repeating: " . -", count: 20_000), TextStyle(29, width: 220))
        let words = fonts.layout("The Sea…", TextStyle(29))
        #expect(layout.isEllipsized && abs(layout.bounds.width - words.bounds.width) < 0.5)
    }

    @Test("sentences do not end with a line of one word or character, have no more lines by that, and start where others start")
    func shortEnd() {
        let words = "This programme isn’t available right now."
        for alignment in [TextStyle.Alignment.left, .centre, .right] {
            var style = TextStyle(29, width: 560, lines: 4, alignment: alignment)
            let plain = fonts.layout(words, style)
            style.avoidsShortEnd = true
            let tidy = fonts.layout(words, style)
            #expect(plain.lineCount == 2 && plain.lastLineWidth < 112)
            #expect(tidy.lineCount == 2 && tidy.lastLineWidth >= 112)
            switch alignment {
            case .left: #expect(tidy.inkBounds.x < 10)
            case .centre: #expect(abs(tidy.inkBounds.midX - 280) < 5)
            case .right: #expect(tidy.inkBounds.maxX > 550 && tidy.inkBounds.maxX <= 561)
            }
        }
    }

    @Test("line spacing is 1.2 of the size in every script")
    func leading() {
        for words in ["One\u{2028}Two\u{2028}Three", "灯台\u{2028}灯台\u{2028}灯台", "ابنة\u{2028}ابنة\u{2028}ابنة"] {
            let layout = fonts.layout(words, TextStyle(50, width: 900, lines: 4))
            #expect(layout.lineCount == 3)
            #expect(abs(layout.bounds.height - 3 * 60) < 1.5, "\(words): \(layout.bounds.height)")
        }
    }

    @Test("lines start on the interface's leading side whatever the direction of the text")
    func alignment() {
        for words in ["Harbour", "ابنة حارس"] {
            let left = fonts.layout(words, TextStyle(29, width: 600, alignment: .left)).inkBounds
            let right = fonts.layout(words, TextStyle(29, width: 600, alignment: .right)).inkBounds
            let centre = fonts.layout(words, TextStyle(29, width: 600, alignment: .centre)).inkBounds
            #expect(left.x < 10)
            #expect(right.maxX > 590)
            #expect(abs(centre.midX - 300) < 5)
        }
    }

    @Test("isolated parts keep the order of the facts line")
    func isolation() throws {
        // Without isolation the number and the second Arabic word would swap places.
        let facts = ["دراما", "42", "حركة"]
        let isolated = fonts.layout(String.facts(facts, isRightToLeft: false), TextStyle(29))
        let bare = fonts.layout(facts.joined(separator: "  ·  "), TextStyle(29))
        let mirrored = fonts.layout(String.facts(["Drama", "42", "PG"], isRightToLeft: true), TextStyle(29))
        #expect(isolated.missingGlyphs == 0)
        #expect(abs(isolated.bounds.width - bare.bounds.width) < 20)
        let places = try facts.map { try #require(isolated.x(of: $0)) }
        #expect(places == places.sorted())
        let mixed = try facts.map { try #require(bare.x(of: $0)) }
        #expect(mixed != mixed.sorted())
        let backwards = try ["Drama", "42", "PG"].map { try #require(mirrored.x(of: $0)) }
        #expect(backwards == backwards.sorted().reversed())
    }

    @Test("type scales in proportion: twice the size is twice the width")
    func proportion() {
        let one = fonts.layout("The Lighthouse", TextStyle(24)).bounds.width
        let two = fonts.layout("The Lighthouse", TextStyle(48)).bounds.width
        #expect(abs(two - 2 * one) < 0.5)
    }
}
