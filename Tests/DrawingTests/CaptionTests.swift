import Captions
import LinuxSupport
import MediaModel
import MediaTime
import Screens
import TestSupport
import Testing

@testable import Drawing

@Suite("Captions on the screen")
@MainActor
struct CaptionTests {
    private let screen = Metrics.screen

    private func cue(_ text: String, _ configure: (inout CaptionCue) -> Void = { _ in }) -> CaptionCue {
        var cue = CaptionCue(start: .zero, end: .seconds(1), nodes: [.text(text)])
        configure(&cue)
        return cue
    }

    private func frames(_ cues: [CaptionCue], area: PixelRect = Metrics.safeArea, style: CaptionStyle = CaptionStyle()) throws
        -> [Rect]
    {
        let picture = CaptionPicture(cues: cues, placement: CaptionPlacement(area: area, style: style), video: screen)
        let kit = Kit(fonts: try FontSet(), theme: InterfaceTheme(), scale: Scale(width: 1280, height: 720))
        return CaptionPlan(picture: picture, kit: kit).frames()
    }

    private let sentences = [
        "Short.",
        "A sentence that is so long that it cannot stand in one line of a television, however wide the television may be, and goes on.",
        "مرحبا بالعالم، هذا نص طويل بعض الشيء", "字幕は日本語でも正しく表示されなければならない", "שלום עולם",
    ]

    @Test("captions stay inside the area whatever they request, at every size, with and without the bar")
    func inside() throws {
        let lower = PixelRect(x: 96, y: 60, width: 1728, height: 700)
        for percent in [50, 100, 200] {
            for area in [Metrics.safeArea, lower] {
                for (index, sentence) in sentences.enumerated() {
                    let cues = [
                        cue(sentence), cue(sentence) { $0.settings.line = .percentage(100) },
                        cue(sentence) { $0.settings.line = .number(0) },
                        cue(sentence) {
                            $0.settings.position = 0
                            $0.settings.alignment = .end
                            $0.settings.size = 30
                        }, cue(sentence) { $0.box = CaptionBox(x: 0.7, y: 0.9, width: 0.3, height: 0.1) },
                    ]
                    for cue in cues {
                        for frame in try frames([cue], area: area, style: CaptionStyle { $0.sizePercent = percent })
                        where frame.height <= Double(area.height) {
                            #expect(Rect(area).inset(-1).contains(frame), "sentence \(index) at \(percent) %: \(frame)")
                        }
                    }
                }
            }
        }
    }

    @Test("lines of scripts whose fonts ask for twice the type size are about as high as Latin ones, and contain all signs")
    func lineHeights() throws {
        let fonts = try FontSet()
        func text(_ words: String) -> CaptionText {
            CaptionText(
                [.text(words)], look: CaptionLook(style: CaptionStyle(), videoHeight: 1080, language: nil), width: 1500,
                alignment: .center, isWrapped: true, fonts: fonts)
        }
        let latin = text("Nothing\nis there").lines[0].height
        for words in ["ما رآه توبياس\nليلة الغرق", "שלום\nעולם", "灯台守の娘\n嵐が来る"] {
            for line in text(words).lines { #expect(line.height <= latin * 1.12, "\(words): \(line.height), Latin \(latin)") }
        }
        // Signs above and below the letters need more.
        let signed = text("بِسْمِ ٱللَّهِ ٱلرَّحْمَٰنِ\nإِنَّآ أُنزِلَ")
        #expect(signed.inkBounds.y >= signed.bounds.y - 0.5 && signed.inkBounds.maxY <= signed.bounds.maxY + 0.5)
        #expect(signed.lines[0].maxY <= signed.lines[1].y + 0.5)
    }

    @Test("a caption with thousands of marks on each character, in several styles, is laid out with 30 of them")
    func marks() throws {
        let fonts = try FontSet()
        func height(_ marks: Int) -> Double {
            let word = "a" + String(repeating: "\u{316}", count: marks)
            return CaptionText(
                [.text(word), .span(CaptionSpan(.bold, children: [.text(word)])), .text("end")],
                look: CaptionLook(style: CaptionStyle(), videoHeight: 1080, language: nil), width: 1500, alignment: .center,
                isWrapped: true, fonts: fonts
            ).inkBounds.height
        }
        #expect(height(20_000) == height(30) && height(30) > height(1))
    }

    @Test("simultaneous captions do not overlap; the first is lowest; those of one box are its paragraphs")
    func apart() throws {
        let found = try frames([cue("one"), cue("two"), cue("three") { $0.settings.line = .number(-1) }])
        for left in found.indices {
            for right in found.indices where right > left { #expect(!found[left].intersects(found[right])) }
        }
        #expect(found[0].y > found[1].y)
        let box = CaptionBox(x: 0.1, y: 0.1, width: 0.8, height: 0.2, displayAlignment: .before)
        #expect(try frames([cue("a") { $0.box = box }, cue("b") { $0.box = box }]).count == 1)
    }

    @Test(
        "positions in lines are multiples of the height that lines of their script have: neighbours touch, and nothing overlaps")
    func linePositions() throws {
        for words in ["The lamp burns", "ما رآه توبياس", "שלום", "灯台守の娘", "สวัสดี"] {
            let numbers = [0, 1, 2, -3, -2, -1]
            let found = try frames(numbers.map { number in cue(words) { $0.settings.line = .number(number) } })
            let height = try #require(found.first?.height)
            #expect(abs(found[0].y - Double(Metrics.safeArea.y)) < 0.5, "\(words)")
            #expect(abs(found[5].maxY - Rect.safeArea.maxY) < 0.5, "\(words)")
            for (one, next) in [(0, 1), (1, 2), (3, 4), (4, 5)] {
                #expect(abs(found[next].y - found[one].y - height) < 0.5, "\(words): \(found[one]) and \(found[next])")
            }
        }
    }

    @Test("start follows the reading direction; left and right do not")
    func sides() throws {
        func middle(_ text: String, _ alignment: CaptionSettings.Alignment) throws -> Double {
            try #require(try frames([cue(text) { $0.settings.alignment = alignment }]).first).midX
        }
        let leading = try [middle("Hello", .start), middle("שלום", .end), middle("שלום", .left)]
        let trailing = try [middle("Hello", .end), middle("שלום", .start), middle("Hello", .right)]
        #expect(leading.allSatisfy { $0 < 500 })
        #expect(trailing.allSatisfy { $0 > 1400 })
        let centre = try middle("Hello", .center)
        #expect(abs(centre - 960) < 2)
    }

    @Test("the viewer's style wins; requested colours are readable over a white picture")
    func look() {
        let viewer = CaptionLook(
            style: CaptionStyle {
                ($0.colour, $0.sizePercent) = (.yellow, 150)
                ($0.background, $0.backgroundOpacityPercent) = (.blue, 50)
            },
            videoHeight: 1080, language: nil)
        var own = CaptionTextStyle()
        own.colour = CaptionColour(red: 255, green: 0, blue: 0)
        own.background = .white
        #expect(viewer.foreground(own.colour, over: viewer.background(own)) == Tint(1, 1, 0))
        #expect(viewer.background(own) == Tint(0, 0, 1, 0.5))
        #expect(viewer.size == 75)
        let plain = CaptionLook(style: CaptionStyle(), videoHeight: 1080, language: nil)
        for red in [UInt8(0), 128, 255] {
            for green in [UInt8(0), 128, 255] {
                for blue in [UInt8(0), 128, 255] {
                    for background in [nil, CaptionColour.black, .white, CaptionColour(red: 0, green: 0, blue: 255, alpha: 128)] {
                        var style = CaptionTextStyle()
                        style.background = background
                        let ground = plain.background(style)
                        let colour = plain.foreground(CaptionColour(red: red, green: green, blue: blue), over: ground)
                        let contrast = colour.contrast(with: (ground ?? .white(1)).over(.white(1)))
                        #expect(
                            contrast >= 4.5 || ground == nil,
                            "\(red) \(green) \(blue) over \(String(describing: background)): \(contrast)")
                    }
                }
            }
        }
        #expect(
            plain.foreground(nil, over: plain.background(CaptionTextStyle())).contrast(with: Tint(0, 0, 0, 0.75).over(.white(1)))
                >= 4.5)
    }

    @Test("a caption is drawn once: moving it draws nothing, an equal one does nothing, every character has a glyph")
    func renderer() throws {
        let loop = try MainLoop(time: .simulated)
        let renderer = CaptionRenderer(
            clock: loop.clock, mode: DisplayMode(width: 1280, height: 720, refresh: Ratio(60)), allocator: MemoryAllocator())
        defer { renderer.stop() }
        var handed: [[InterfaceLayer]] = []
        renderer.onLayers = { handed.append($0) }
        func run() { loop.run(within: .milliseconds(100), until: { false }) }
        var picture = CaptionPicture(
            cues: sentences.map { cue($0) }, placement: CaptionPlacement(area: Metrics.safeArea), video: screen, language: "ja")
        renderer.show(picture)
        run()
        #expect(handed.count == 1 && handed[0].count == sentences.count)
        #expect(renderer.drawnTexts.values.flatMap { $0 }.allSatisfy { $0.missingGlyphs == 0 })
        let drawn = renderer.redrawCounts
        renderer.show(picture)
        run()
        #expect(handed.count == 1)
        picture.placement.area.height -= 200
        renderer.show(picture)
        run()
        #expect(renderer.redrawCounts == drawn, "lifting draws nothing")
        #expect(handed.count == 2)
        let moved = zip(handed[0], handed[1]).map { $0.destination.y - $1.destination.y }
        #expect(moved.first.map { $0 > 100 } == true)
        picture.cues = []
        renderer.show(picture)
        #expect(handed.last?.isEmpty == true, "captions disappear at once")
    }
}
