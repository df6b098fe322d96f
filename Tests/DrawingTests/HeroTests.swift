import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Testing

@testable import Drawing

/// Artwork over the trailing part of Home and of pages.
@Suite("Large artwork", .serialized)
@MainActor
struct HeroTests {
    private func pass(_ length: Duration, on easel: Easel) {
        var isOver = false
        easel.loop.clock.schedule(after: length, rank: .display) { isOver = true }
        easel.loop.run(until: { isOver })
    }

    private func hero(_ easel: Easel) -> InterfaceLayer? { easel.renderer.layers.first { $0.id == "hero" } }

    private func isLarge(_ request: String) -> Bool { request.hasSuffix("@768x432") }

    @Test("focus that moves loads and draws none; once it has rested the artwork is loaded, drawn once, and fades in once")
    func rest() throws {
        let artist = Artist()
        let easel = try Easel(artist: artist)
        defer { easel.stop() }
        for column in [0, 1, 3, 4, 3] {
            easel.renderer.update(easel.dressed(Samples.home(column: column, corner: false))) { _ in }
            pass(.milliseconds(290), on: easel)
            #expect(!artist.requests.contains(where: isLarge) && hero(easel) == nil)
        }
        pass(.milliseconds(5), on: easel)
        #expect(!artist.requests.contains(where: isLarge))
        var alphas: [UInt8] = []
        easel.renderer.update(easel.dressed(Samples.home(column: 3, corner: false))) { layers in
            if let layer = layers.first(where: { $0.id == "hero" }) { alphas.append(layer.alpha) }
        }
        pass(.seconds(1), on: easel)
        #expect(artist.requests.filter(isLarge) == ["chapter3@768x432"])
        #expect(easel.renderer.redrawCounts["hero"] == 1)
        #expect(alphas.count > 5 && alphas == alphas.sorted() && alphas.last == 255)
    }

    @Test("once focus has rested, what is shown then is asked for: at the size of the screen that there is by then")
    func newest() throws {
        let artist = Artist()
        let easel = try Easel(artist: artist)
        defer { easel.stop() }
        easel.renderer.update(easel.dressed(Samples.home(column: 3, corner: false))) { _ in }
        pass(.milliseconds(100), on: easel)
        easel.renderer.configure(mode: DisplayMode(width: 1920, height: 1080, refresh: easel.mode.refresh))
        pass(.seconds(1), on: easel)
        #expect(artist.requests.contains("chapter3@1152x648") && !artist.requests.contains(where: isLarge))
    }

    @Test("after that nothing is handed over or drawn, and the next key costs it nothing")
    func quiet() throws {
        let easel = try Easel()
        defer { easel.stop() }
        easel.show(Samples.home(column: 0, corner: false))
        let counts = easel.renderer.redrawCounts
        var calls = 0
        easel.renderer.update(easel.dressed(Samples.home(column: 0, corner: false))) { _ in calls += 1 }
        pass(.milliseconds(1), on: easel)
        #expect(hero(easel)?.alpha == 255)
        calls = 0
        pass(.seconds(30), on: easel)
        #expect(calls == 0 && easel.renderer.redrawCounts == counts)
        // A key: the artwork goes without being drawn.
        easel.renderer.update(easel.dressed(Samples.home(column: 1, corner: false))) { _ in }
        pass(.milliseconds(290), on: easel)
        #expect(hero(easel) == nil && easel.renderer.redrawCounts["hero"] == 1)
        // Back before the next one was shown: what was drawn is used again.
        easel.show(Samples.home(column: 0, corner: false))
        #expect(hero(easel)?.alpha == 255 && easel.renderer.redrawCounts["hero"] == 1)
    }

    @Test("with reduced motion it is there at once, and gone at once")
    func reducedMotion() throws {
        let easel = try Easel(appearance: Appearance(reducesMotion: true))
        defer { easel.stop() }
        var alphas: Set<UInt8> = []
        func show(_ column: Int) {
            easel.renderer.update(easel.dressed(Samples.home(column: column, corner: false))) { layers in
                if let layer = layers.first(where: { $0.id == "hero" }) { alphas.insert(layer.alpha) }
            }
        }
        show(0)
        pass(.seconds(1), on: easel)
        show(1)
        pass(.milliseconds(200), on: easel)
        #expect(alphas == [255] && hero(easel) == nil)
    }

    @Test(
        "it takes the trailing 60 % of the upper part, also from right to left, and is clear where words are",
        arguments: [false, true])
    func place(isRightToLeft: Bool) throws {
        let easel = try Easel(width: 1920, height: 1080, appearance: Appearance(isRightToLeft: isRightToLeft))
        defer { easel.stop() }
        easel.show(Samples.home(column: 0, corner: false))
        let layer = try #require(hero(easel))
        let place = layer.destination
        #expect(place.x == (isRightToLeft ? 0 : 768) && place.width == 1152 && place.y == 0 && place.height > 500)
        #expect(layer.pixels.width == place.width && layer.pixels.height == place.height, "it is sharp")
        let rows = layer.pixels.rows()
        func alpha(_ x: Int, _ y: Int) -> UInt8 { rows[(y * place.width + (isRightToLeft ? place.width - 1 - x : x)) * 4 + 3] }
        #expect(alpha(0, 10) <= 1 && alpha(150, 10) < 32 && alpha(1100, 10) == 255 && alpha(1100, 200) == 255)
        #expect(alpha(1100, place.height - 1) <= 2)
    }

    @Test("it does not cover the video in the corner")
    func corner() throws {
        let easel = try Easel(width: 1920, height: 1080)
        defer { easel.stop() }
        let state = Samples.home(column: 1)
        easel.show(state)
        let layer = try #require(hero(easel)), frame = state.video.frame
        #expect(!frame.isEmpty)
        let rows = layer.pixels.rows()
        for y in frame.y..<frame.y + frame.height {
            for x in frame.x..<frame.x + frame.width {
                let alpha = rows[((y - layer.destination.y) * layer.pixels.width + x - layer.destination.x) * 4 + 3]
                guard alpha != 0 else { continue }
                Issue.record("\(alpha) at \(x), \(y)")
                return
            }
        }
    }

    @Test("the page that opens from Home has the same artwork, which is neither loaded nor faded again", arguments: [0, 4])
    func page(column: Int) throws {
        let artist = Artist()
        let easel = try Easel(artist: artist)
        defer { easel.stop() }
        var box = Samples.homeBox(column: column, corner: false)
        #expect(easel.show(box.state).contains { $0.id == "hero" })
        box.press(.ok)
        var alphas: Set<UInt8?> = []
        easel.renderer.update(easel.dressed(box.state)) { layers in alphas.insert(layers.first { $0.id == "hero" }?.alpha) }
        pass(.seconds(1), on: easel)
        #expect(alphas == [255] && artist.requests.count(where: isLarge) == 1)
        #expect(easel.renderer.drawnTexts["page.words"]?.isEmpty == false)
    }

    @Test("without artwork, with one that is missing, upright or too small, and in high contrast there is none")
    func missing() throws {
        func shown(_ artwork: String?, _ appearance: Appearance = Appearance()) throws -> [String] {
            let easel = try Easel(appearance: appearance)
            defer { easel.stop() }
            let box = Samples.homeBox(column: 0, corner: false) { $0.rows[0].entries[0].backdrop = artwork }
            easel.show(box.state)
            return easel.renderer.layers.map(\.id).filter { $0 == "hero" || $0 == "home.backdrop" }
        }
        #expect(try shown("chapter1") == ["home.backdrop", "hero"])
        // The colours are those of the poster, which is there.
        for artwork in [nil, "missing", "cover"] { #expect(try shown(artwork) == ["home.backdrop"], "\(artwork ?? "none")") }
        #expect(try shown("chapter1", Appearance(hasHighContrast: true)) == [])
        let kit = Kit(fonts: try FontSet(), theme: InterfaceTheme(Appearance()), scale: Scale(width: 1920, height: 1080))
        func art(_ width: Int, _ height: Int) -> HeroArt? {
            HeroArt(LayerPicture(reference: "", pixels: Artist.paint("chapter0", width: width, height: height)), floor: nil, kit)
        }
        #expect(art(768, 432) != nil && art(760, 428) == nil && art(800, 1200) == nil && art(1152, 1152) == nil)
        let small = Kit(fonts: kit.fonts, theme: kit.theme, scale: Scale(width: 1280, height: 720))
        let request = ImagePlace.hero.request("", small.scale)
        let pixels = Artist.paint("chapter0", width: request.width, height: request.height)
        #expect(HeroArt(LayerPicture(reference: "", pixels: pixels), floor: nil, small) != nil)
    }

    @Test("what needs the PIN has none, nor what lies over Home")
    func hidden() throws {
        let locked = Samples.home(column: 2, corner: false)
        #expect(locked.home?.content.rows[0].entries[2].isLocked == true && locked.heroArtwork == nil)
        var box = Samples.homeBox(column: 0, corner: false)
        #expect(box.state.heroArtwork == "chapter0")
        box.press(.menu)
        #expect(box.state.page != nil && box.state.heroArtwork == nil)
    }

    @Test(
        "words over it have a contrast of 4.5:1, or 3:1 from 48 px on, also from right to left and in larger type",
        arguments: [Appearance(isRightToLeft: true), Appearance(hasLargerText: true)], Mixer.Ground.allCases)
    func contrast(appearance: Appearance, ground: Mixer.Ground) throws {
        let scale = Scale(width: 1280, height: 720)
        let kit = Kit(fonts: try FontSet(), theme: InterfaceTheme(appearance), scale: scale)
        let painter = LayerPainter(fonts: kit.fonts)
        painter.drawsText = false
        for (name, state) in Samples.screens(appearance) where state.heroArtwork != nil {
            var shelf = ImageShelf(byteLimit: 64 << 20)
            for request in state.imageRequests(scale) {
                shelf.insert(request, ground.picture(request.width, request.height), at: .zero)
            }
            let plans = InterfacePlan(state: state, kit: kit, shelf: shelf, spinnerPhase: 0).layers()
            #expect(plans.contains { $0.id == "hero" }, "\(name)")
            let result = painter.paint(plans, scale: scale, theme: kit.theme, allocator: MemoryAllocator())
            let seen = Mixer(
                layers: result.layers.map(\.layer), width: 1280, height: 720,
                background: InterfaceRenderer.background(for: state), ground: ground,
                picture: state.video.frame.isEmpty ? nil : scale.pixels(Rect(state.video.frame)))
            for plan in plans {
                for text in result.texts[plan.id] ?? [] {
                    let place = scale.pixels(Rect(x: text.x, y: text.y + plan.offsetY, width: text.width, height: text.height))
                    let least = seen.leastContrast(of: text.colour, in: place)
                    #expect(least >= (text.size >= 48 ? 3.0 : 4.5), "\(name), \(plan.id): “\(text.text)” has \(least):1")
                }
            }
        }
    }
}
