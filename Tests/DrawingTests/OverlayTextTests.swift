import MediaModel
import Screens
import Testing

@testable import Drawing

@Suite("The operator's words over the video", .serialized)
@MainActor
struct OverlayTextTests {

    private func state(_ overlays: [ScreenOverlay]) throws -> PresentationState {
        var state = try #require(Samples.all.first { $0.name == "playing" }).state
        state.overlays = overlays
        return state
    }

    private func words(
        _ lines: [String], _ anchor: ScreenOverlay.Anchor = .topRight, _ box: PixelRect, source: OverlayWords.Source = .feed(""),
        isTicker: Bool = false
    ) -> ScreenOverlay {
        ScreenOverlay(.words(OverlayWords(source, isTicker: isTicker, lines: lines)), anchor: anchor, box: box)
    }

    /// Where a screen of 720 lines has a box.
    private func place(_ box: PixelRect) -> PixelRect {
        PixelRect(x: box.x * 2 / 3, y: box.y * 2 / 3, width: box.width * 2 / 3, height: box.height * 2 / 3)
    }

    @Test(
        "a clock has the largest type that has room in its box, at the side of its anchor",
        arguments: [
            (PixelRect(x: 1536, y: 54, width: 288, height: 162), ScreenOverlay.Anchor.topRight, 76.0 as Double?),
            (PixelRect(x: 96, y: 900, width: 288, height: 70), .bottomLeft, 38),
            (PixelRect(x: 816, y: 459, width: 180, height: 162), .centre, nil),
        ])
    func clock(box: PixelRect, anchor: ScreenOverlay.Anchor, size: Double?) throws {
        let easel = try Easel()
        defer { easel.stop() }
        let layers = easel.show(try state([words(["21:43"], anchor, box, source: .clock)]))
        let layer = try #require(layers.first { $0.id == "overlay.0" })
        let place = place(box), ground = layer.destination
        #expect(easel.renderer.drawnTexts["overlay.0"]?.map(\.text) == ["21:43"])
        let drawn = try #require(easel.renderer.drawnTexts["overlay.0"]?.first?.size)
        #expect(drawn == size ?? drawn && drawn >= 25)
        #expect(ground.x >= place.x - 1 && ground.x + ground.width <= place.x + place.width + 1)
        #expect(ground.y >= place.y - 1 && ground.y + ground.height <= place.y + place.height + 1)
        switch anchor {
        case .topRight: #expect(ground.y == place.y && abs(ground.x + ground.width - place.x - place.width) <= 1)
        case .bottomLeft: #expect(ground.x == place.x && abs(ground.y + ground.height - place.y - place.height) <= 1)
        default: #expect(abs(2 * ground.x + ground.width - 2 * place.x - place.width) <= 2)
        }
        #expect(layers.filter { $0.id != "overlay.0" }.allSatisfy { $0.z > layer.z })
    }

    @Test("on a portrait screen a box has its share of the whole screen, and a screen of 16:9 has it where the design has it")
    func portrait() throws {
        let easel = try Easel(width: 1080, height: 1920)
        defer { easel.stop() }
        // A tenth of the screen at each edge: 10 to 90 % across, 85 to 95 % down.
        let ticker = words(
            ["One", "Two"], .bottom, PixelRect(x: 192, y: 918, width: 1536, height: 108), isTicker: true)
        let clock = words(["21:43"], .topRight, PixelRect(x: 1536, y: 54, width: 288, height: 162), source: .clock)
        let layers = easel.show(try state([ticker, clock]))
        let low = try #require(layers.first { $0.id == "overlay.0" }).destination
        #expect(low.x == 108 && low.width == 864)
        #expect(low.y + low.height == 1824 && low.y >= 1632)
        let high = try #require(layers.first { $0.id == "overlay.1" }).destination
        #expect(high.x + high.width == 1026 && high.y == 96)
        for (width, height) in [(1280, 720), (3840, 2160), (640, 360)] {
            #expect(Scale(width: width, height: height).spread(Rect(ticker.box)) == Rect(ticker.box))
        }
        let wide = Scale(width: 2560, height: 1080)
        #expect(wide.pixels(wide.spread(Rect(Metrics.screen))) == PixelRect(x: 0, y: 0, width: 2560, height: 1080))
    }

    @Test("lines are below each other in one type, as wide as the box at most, and a ticker's ground is as wide whatever it says")
    func lines() throws {
        let easel = try Easel()
        defer { easel.stop() }
        let box = PixelRect(x: 96, y: 600, width: 600, height: 200)
        let long = "A line that is far too long for its box, and is cut after a word that still has room in it"
        _ = easel.show(try state([words(["Breakfast", long, "Dinner"], .bottomLeft, box)]))
        let texts = try #require(easel.renderer.drawnTexts["overlay.0"])
        #expect(texts.map(\.isEllipsized) == [false, true, false] && Set(texts.map(\.size)) == [38])
        #expect(texts.allSatisfy { $0.x >= 96 && $0.x + $0.width <= 696 && $0.y >= 600 && $0.y + $0.height <= 800 })
        #expect(texts.map(\.y) == texts.map(\.y).sorted() && abs(texts[0].x - texts[2].x) < 8)
        let short = easel.show(try state([words(["Dinner"], .bottomLeft, box, isTicker: true)])).first { $0.id == "overlay.0" }
        let other = easel.show(try state([words([long], .bottomLeft, box, isTicker: true)])).first { $0.id == "overlay.0" }
        #expect(short?.destination == other?.destination && short?.destination.width == 400)
    }

    @Test("a ticker that has no room passes by, where things may move; one that has room stands, and is not drawn again")
    func ticker() throws {
        let box = PixelRect(x: 192, y: 900, width: 600, height: 80)
        let lines = ["Breakfast until 10", "The pool is open until 22", "Dinner from 18 o’clock"]
        func drawings(_ lines: [String], reducesMotion: Bool = false) throws -> (count: Int, places: [Double], texts: [String]) {
            let easel = try Easel(appearance: Appearance(reducesMotion: reducesMotion))
            defer { easel.stop() }
            let state = try state([words(lines, .bottom, box, isTicker: true)])
            var places: [Double] = [], texts: [String] = []
            for _ in 0..<3 {
                let layer = easel.show(state).first { $0.id == "overlay.0" }
                #expect(layer?.destination.width == 400 && layer?.destination.x == 128)
                places.append(easel.renderer.drawnTexts["overlay.0"]?.first?.x ?? 0)
                texts = easel.renderer.drawnTexts["overlay.0"]?.map(\.text) ?? []
            }
            return (easel.renderer.redrawCounts["overlay.0"] ?? 0, places, texts)
        }
        let moving = try drawings(lines)
        #expect(moving.texts == [lines.joined(separator: "   ·   ")] && moving.count > 60)
        #expect(zip(moving.places, moving.places.dropFirst()).allSatisfy { abs($0 - $1 - 120) < 12 }, "\(moving.places)")
        #expect(try drawings(["Dinner"]).count == 1)
        #expect(try drawings([lines[1]], reducesMotion: true).count == 1)
    }

    @Test("what says the same is not drawn again, and what says something else is drawn once")
    func redraws() throws {
        let easel = try Easel()
        defer { easel.stop() }
        let box = PixelRect(x: 1536, y: 54, width: 288, height: 162)
        _ = easel.show(try state([words(["21:43"], .topRight, box, source: .clock)]))
        let before = easel.renderer.redrawCounts
        _ = easel.show(try state([words(["21:43"], .topRight, box, source: .clock)]))
        #expect(easel.renderer.redrawCounts == before)
        _ = easel.show(try state([words(["21:44"], .topRight, box, source: .clock)]))
        #expect(easel.renderer.redrawCounts["overlay.0"] == (before["overlay.0"] ?? 0) + 1)
    }

    @Test("words that have no room at all stay on the screen")
    func tiny() throws {
        let easel = try Easel()
        defer { easel.stop() }
        for box in [PixelRect(x: 0, y: 0, width: 1, height: 1), PixelRect(x: 1900, y: 1060, width: 20, height: 20)] {
            for source in [OverlayWords.Source.clock, .feed("")] {
                let layers = easel.show(try state([words(["21:43"], .bottomRight, box, source: source)]))
                let place = try #require(layers.first { $0.id == "overlay.0" }).destination
                #expect(place.x >= 0 && place.y >= 0 && place.x + place.width <= 1280 && place.y + place.height <= 720)
            }
        }
    }
}
