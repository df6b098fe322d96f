import CPangoCairo
import LinuxSupport
import MediaModel
import Screens
import Testing

@testable import Drawing

/// Motion on the screen: pictures at five instants side by side, and that nothing is drawn meanwhile.
@Suite("Motion", .serialized)
@MainActor
struct MotionTests {
    /// A change of the screen, and the milliseconds after which it is pictured.
    private struct Film {
        var name: String
        var from, to: PresentationState
        var instants: [Int]
        /// Whether a layer's place or the video's changes, and not only what is visible.
        var moves = true
    }

    private static func films() -> [Film] {
        var before = Samples.proposal()
        before.proposal = nil
        before.video = .full
        var home = Samples.homeBox()
        let resting = home.state
        home.press(home.forward)
        var bare = Samples.zapped
        bare.channelBanner = nil
        var untouched = Samples.thumbnail
        untouched.bar?.scrub = nil
        return [
            Film(name: "proposal", from: before, to: Samples.proposal(), instants: [0, 100, 200, 300, 400]),
            Film(name: "focus", from: resting, to: home.state, instants: [0, 40, 80, 120, 160]),
            Film(name: "panel", from: Samples.playing, to: Samples.infoPanel, instants: [0, 80, 150, 220, 300]),
            Film(name: "banner", from: bare, to: Samples.zapped, instants: [0, 40, 80, 120, 160], moves: false),
            Film(name: "thumbnail", from: untouched, to: Samples.thumbnail, instants: [0, 40, 80, 120, 160], moves: false),
        ]
    }

    /// Shows a state and runs until its first layers are there.
    private func begin(_ state: PresentationState, on easel: Easel) {
        var hasLayers = false
        easel.renderer.update(easel.dressed(state)) { _ in hasLayers = true }
        easel.loop.run(until: { hasLayers })
    }

    private func wait(_ length: Duration, on easel: Easel) {
        guard length > .zero else { return }
        var isOver = false
        easel.loop.clock.schedule(after: length, rank: .display) { isOver = true }
        easel.loop.run(until: { isOver })
    }

    @Test("pictures of five instants, between which nothing is drawn")
    func films() throws {
        for film in Self.films() {
            let easel = try Easel(artist: Artist(isPlain: true), fontFolder: Golden.fonts)
            defer { easel.stop() }
            // Its artwork is there, so that nothing but motion changes.
            easel.show(film.to)
            easel.show(film.from)
            begin(film.to, on: easel)
            let counts = easel.renderer.redrawCounts
            let strip = try MemoryAllocator().makeBuffer(format: .argb8888, width: 320 * film.instants.count, height: 180)
            let surface = try Surface(strip)
            var last = 0
            var places: Set<[Int]> = []
            for (index, instant) in film.instants.enumerated() {
                wait(.milliseconds(instant - last), on: easel)
                last = instant
                let video = easel.renderer.videoFrame
                places.insert(
                    (easel.renderer.layers.map(\.destination) + (video.map { [$0] } ?? [])).flatMap { [$0.y, $0.width] })
                let picture = try easel.picture(
                    of: easel.renderer.layers, over: Golden.ground(film.to), video: video ?? film.to.video.frame
                ).scaled(width: 320, height: 180)
                let source = try #require(SourceSurface(picture))
                cairo_set_source_surface(surface.context, source.surface, Double(320 * index), 0)
                cairo_paint(surface.context)
            }
            try Golden.compare(strip, with: "motion/\(film.name)")
            #expect(places.count >= (film.moves ? 4 : 1), "\(film.name)")
            wait(.seconds(1), on: easel)
            #expect(easel.renderer.redrawCounts == counts, "\(film.name)")
            #expect(easel.renderer.videoFrame == film.to.video.frame, "\(film.name)")
        }
    }

    @Test("with reduced motion nothing changes its place, and all is there after 100 ms")
    func reduced() throws {
        for film in Self.films() {
            let easel = try Easel(appearance: Appearance(reducesMotion: true), artist: Artist(isPlain: true))
            defer { easel.stop() }
            let final = easel.show(film.to)
            easel.show(film.from)
            begin(film.to, on: easel)
            #expect(easel.renderer.videoFrame == film.to.video.frame, "\(film.name)")
            for layer in easel.renderer.layers {
                guard let same = final.first(where: { $0.id == layer.id }) else { continue }
                #expect(layer.destination == same.destination, "\(film.name): \(layer.id)")
            }
            wait(.milliseconds(110), on: easel)
            #expect(easel.renderer.layers.map(\.id) == final.map(\.id), "\(film.name)")
            #expect(easel.renderer.layers.map(\.alpha) == final.map(\.alpha), "\(film.name)")
        }
    }

    @Test(
        "the video shrinks for a proposal in 400 ms, and turns round when the proposal goes meanwhile; to and from Home it jumps")
    func video() throws {
        let easel = try Easel()
        defer { easel.stop() }
        var before = Samples.proposal()
        before.proposal = nil
        before.video = .full
        easel.show(before)
        #expect(easel.renderer.videoFrame == Metrics.screen)
        begin(Samples.proposal(), on: easel)
        wait(.milliseconds(200), on: easel)
        let half = try #require(easel.renderer.videoFrame)
        #expect(half.width < 1920 && half.width > 960 && half.y == 0)
        begin(before, on: easel)
        let turned = try #require(easel.renderer.videoFrame)
        #expect(abs(turned.width - half.width) < 80, "it goes on from where it is")
        wait(.milliseconds(420), on: easel)
        #expect(easel.renderer.videoFrame == Metrics.screen)
        begin(Samples.home(), on: easel)
        #expect(easel.renderer.videoFrame == Samples.home().video.frame)
        begin(before, on: easel)
        #expect(easel.renderer.videoFrame == Metrics.screen)
    }
}
