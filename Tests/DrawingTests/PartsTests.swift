import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Testing

@testable import Drawing

@Suite("Scale")
struct ScaleTests {
    @Test("two thirds at 1280x720, twice at 3840x2160, otherwise the same", arguments: [(1280, 720), (1920, 1080), (3840, 2160)])
    func factors(width: Int, height: Int) {
        let scale = Scale(width: width, height: height)
        #expect(scale.factor == Double(height) / 1080)
        #expect(scale.pixels(Rect(Metrics.Panel.frame)) == Metrics.Scale(height: height).rectangle(Metrics.Panel.frame))
        #expect(scale.screen == Rect(x: 0, y: 0, width: 1920, height: 1080))
    }

    @Test("a rectangle of the design is covered by the fewest whole pixels")
    func covering() {
        let scale = Scale(width: 1280, height: 720)
        #expect(scale.pixels(Rect(x: 1, y: 1, width: 3, height: 3)) == PixelRect(x: 0, y: 0, width: 3, height: 3))
        #expect(scale.pixels(Rect(x: 3, y: 3, width: 3, height: 3)) == PixelRect(x: 2, y: 2, width: 2, height: 2))
    }
}

@Suite("ImageShelf")
struct ImageShelfTests {
    private func picture() throws -> PixelBuffer { try MemoryAllocator().makeBuffer(format: .argb8888, width: 100, height: 100) }
    private func request(_ name: String) -> ImageRequest { ImageRequest(reference: name, width: 100, height: 100) }

    @Test("it stays within its limit; the least recently used goes first, pictures in use stay")
    func bounded() throws {
        var shelf = ImageShelf(byteLimit: 4 * 45_000)
        for name in ["a", "b", "c", "d"] {
            shelf.touch([request("a"), request(name)])
            shelf.insert(request(name), try picture(), at: .zero)
        }
        shelf.touch([request("a"), request("e")])
        shelf.insert(request("e"), try picture(), at: .zero)
        #expect(shelf.byteCount <= 4 * 45_000)
        #expect(
            shelf.isKnown(request("a"), at: .zero) && shelf.isKnown(request("e"), at: .zero)
                && shelf.isKnown(request("d"), at: .zero))
        #expect(!shelf.isKnown(request("b"), at: .zero))
    }

    @Test("a missing picture is nil, and is requested again after a minute")
    func missing() {
        var shelf = ImageShelf(byteLimit: 1000)
        shelf.insert(request("x"), nil, at: .zero)
        #expect(shelf.isKnown(request("x"), at: .zero + .seconds(59)))
        #expect(!shelf.isKnown(request("x"), at: .zero + .seconds(60)))
        #expect(shelf.artwork(request("x")).pixels == nil)
        #expect(!shelf.isKnown(request("y"), at: .zero))
    }

    @Test("only visible pictures are requested: on Home the posters on the screen and those cut by its edges")
    func requests() {
        let scale = Scale(width: 1920, height: 1080)
        let all = Samples.home(column: 2, firstColumn: 1).imageRequests(scale).map(\.reference)
        #expect(all == ["chapter0", "chapter1", "chapter3", "chapter4", "chapter5", "chapter6"])
        #expect(Samples.playing.imageRequests(scale).isEmpty)
        #expect(Samples.loading.imageRequests(scale) == [ImageRequest(reference: "preview", width: 1920, height: 1080)])
    }
}

@Suite("LayerAnimator")
struct LayerAnimatorTests {
    private let pixels: PixelBuffer

    init() throws { pixels = try MemoryAllocator().makeBuffer(format: .argb8888, width: 8, height: 8) }

    private func time(_ milliseconds: Int64) -> HostTime { HostTime.zero + .milliseconds(milliseconds) }

    private func layer(_ id: String = "a", y: Int = 100, motion: LayerMotion = LayerMotion()) -> AnimatedLayer {
        AnimatedLayer(
            layer: InterfaceLayer(id: id, pixels: pixels, destination: PixelRect(x: 0, y: y, width: 40, height: 40), z: 1),
            motion: motion)
    }

    @Test("a layer fades in over 150 ms and out over 250 ms, then disappears")
    func fades() {
        var animator = LayerAnimator()
        animator.show([layer()], at: time(0), reducesMotion: false)
        #expect(animator.layers(at: time(0)).first.map { $0.alpha > 0 && $0.alpha < 64 } == true)
        #expect(animator.isMoving(at: time(149)) && !animator.isMoving(at: time(150)))
        #expect(animator.layers(at: time(150)).first?.alpha == 255)
        animator.show([], at: time(1000), reducesMotion: false)
        #expect(animator.layers(at: time(1000)).first?.alpha == 255)
        #expect(animator.layers(at: time(1125)).first.map { $0.alpha > 20 && $0.alpha < 200 } == true)
        #expect(animator.layers(at: time(1250)).isEmpty)
        #expect(!animator.isMoving(at: time(1250)))
    }

    @Test("a layer that returns while it fades out continues from its current opacity")
    func turnsRound() throws {
        var animator = LayerAnimator()
        animator.show([layer()], at: time(0), reducesMotion: false)
        animator.show([], at: time(1000), reducesMotion: false)
        let half = try #require(animator.layers(at: time(1100)).first?.alpha)
        animator.show([layer()], at: time(1100), reducesMotion: false)
        #expect(animator.layers(at: time(1100)).first?.alpha == half)
        #expect(animator.layers(at: time(1250)).first?.alpha == 255)
    }

    @Test("a poster appears at once")
    func poster() {
        var animator = LayerAnimator()
        animator.show([layer(motion: LayerMotion(fadesIn: false))], at: time(0), reducesMotion: false)
        #expect(animator.layers(at: time(0)).first?.alpha == 255)
        #expect(!animator.isMoving(at: time(0)))
    }

    @Test("a row scrolls smoothly to its new position, a label jumps to it")
    func glides() throws {
        var animator = LayerAnimator()
        let gliding = LayerMotion(glides: true)
        animator.show([layer("row", motion: gliding), layer("label")], at: time(0), reducesMotion: false)
        animator.show([layer("row", y: 400, motion: gliding), layer("label", y: 400)], at: time(1000), reducesMotion: false)
        let halfway = animator.layers(at: time(1100)).reduce(into: [:]) { $0[$1.id] = $1.destination.y }
        #expect(try #require(halfway["row"]) > 100 && halfway["row"]! < 400)
        #expect(halfway["label"] == 400)
        #expect(animator.layers(at: time(1300)).allSatisfy { $0.destination.y == 400 })
    }

    @Test("a row and its focus move away from the end together and back, at each press; others and reduced motion do not")
    func bumps() {
        func row(_ edge: RowEdge?) -> [AnimatedLayer] {
            [
                layer("row", motion: LayerMotion(edge: edge, bump: 16)),
                layer("focus", motion: LayerMotion(edge: edge, bump: 16)),
                layer("other", motion: LayerMotion(bump: 16)),
            ]
        }
        var animator = LayerAnimator()
        func places(from start: Int64) -> [String: [Int]] {
            stride(from: start, through: start + 240, by: 4).reduce(into: [:]) { places, instant in
                for layer in animator.layers(at: time(instant)) { places[layer.id, default: []].append(layer.destination.x) }
            }
        }
        animator.show(row(nil), at: time(0), reducesMotion: false)
        animator.show(row(RowEdge(isRight: true, count: 1)), at: time(1000), reducesMotion: false)
        #expect(animator.isMoving(at: time(1239)) && !animator.isMoving(at: time(1240)))
        let right = places(from: 1000)
        #expect(right["row"] == right["focus"] && right["row"]?.min() == -16 && right["row"]?.max() == 0)
        #expect(right["row"]?.first == 0 && right["row"]?.last == 0 && right["other"]?.allSatisfy { $0 == 0 } == true)
        // A state that only says the same again does not bump, the next press does, to the other side.
        animator.show(row(RowEdge(isRight: true, count: 1)), at: time(2000), reducesMotion: false)
        #expect(!animator.isMoving(at: time(2000)))
        animator.show(row(RowEdge(isRight: false, count: 2)), at: time(3000), reducesMotion: false)
        #expect(places(from: 3000)["row"]?.max() == 16)
        animator.show(row(RowEdge(isRight: false, count: 3)), at: time(4000), reducesMotion: true)
        #expect(!animator.isMoving(at: time(4000)) && places(from: 4000)["row"]?.allSatisfy { $0 == 0 } == true)
    }

    @Test("a layer shakes at each refusal, and stops within 400 ms")
    func shakes() {
        var animator = LayerAnimator()
        animator.show([layer(motion: LayerMotion(shakes: 1))], at: time(0), reducesMotion: false)
        let places = stride(from: Int64(0), to: 400, by: 16).compactMap { animator.layers(at: time($0)).first?.destination.x }
        #expect(places.contains { $0 > 2 } && places.contains { $0 < -2 })
        #expect(animator.layers(at: time(400)).first?.destination.x == 0)
        #expect(!animator.isMoving(at: time(400)))
        animator.show([layer(motion: LayerMotion(shakes: 2))], at: time(900), reducesMotion: false)
        #expect(animator.isMoving(at: time(910)))
    }

    @Test("with reduced motion nothing moves, and changes fade in 100 ms")
    func reducedMotion() {
        var animator = LayerAnimator()
        animator.show([layer(motion: LayerMotion(slide: 300, shakes: 3))], at: time(0), reducesMotion: true)
        #expect(animator.layers(at: time(50)).first?.destination == PixelRect(x: 0, y: 100, width: 40, height: 40))
        #expect(animator.isMoving(at: time(99)) && !animator.isMoving(at: time(100)))
    }
}
