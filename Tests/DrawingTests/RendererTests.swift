import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Testing

@testable import Drawing

@Suite("InterfaceRenderer draws only what has changed", .serialized)
@MainActor
struct RendererTests {
    /// The layers drawn between two readings of the counts.
    private func difference(_ before: [String: Int], _ after: [String: Int]) -> [String: Int] {
        after.reduce(into: [:]) { result, entry in
            let more = entry.value - (before[entry.key] ?? 0)
            if more != 0 { result[entry.key] = more }
        }
    }

    private func identities(_ layers: [InterfaceLayer]) -> [String: ObjectIdentifier] {
        layers.reduce(into: [:]) { $0[$1.id] = ObjectIdentifier($1.pixels) }
    }

    /// Shows one state after another and returns the redraws for the second.
    private func redraws(from first: PresentationState, to second: PresentationState) throws -> [String: Int] {
        let easel = try Easel()
        defer { easel.stop() }
        easel.show(first)
        let before = easel.renderer.redrawCounts
        easel.show(second)
        return difference(before, easel.renderer.redrawCounts)
    }

    @Test(
        "the same state again draws nothing and returns the same buffers",
        arguments: ["playing", "info", "home", "proposal", "error"])
    func unchanged(name: String) throws {
        let state = try #require(Samples.all.first { $0.name == name }).state
        let easel = try Easel()
        defer { easel.stop() }
        let first = easel.show(state)
        let counts = easel.renderer.redrawCounts
        let second = easel.show(state)
        #expect(!first.isEmpty)
        #expect(easel.renderer.redrawCounts == counts)
        #expect(identities(first) == identities(second))
    }

    @Test("pictures of the programme: drawn once, at their places, below the interface; gone at once; none that is missing")
    func overlays() throws {
        let state = try #require(Samples.all.first { $0.name == "overlays" }).state
        let easel = try Easel()
        defer { easel.stop() }
        let layers = easel.show(state)
        let logo = try #require(layers.first { $0.id == "overlay.0" }), name = try #require(layers.first { $0.id == "overlay.1" })
        // A square in its box at the upper right; the lower half of a wide picture at the lower left.
        #expect(logo.destination == PixelRect(x: 1108, y: 36, width: 108, height: 108) && logo.alpha == 153)
        #expect(name.destination.x == 64 && name.destination.y + name.destination.height == 600 && name.alpha == 255)
        #expect(logo.presence == LayerPresence() && name.presence == state.overlays[1].presence)
        #expect(layers.filter { !$0.id.hasPrefix("overlay") }.allSatisfy { $0.z > name.z && $0.presence == nil })
        var fainter = state
        fainter.overlays[0].opacityPercent = 30
        fainter.overlays[1].presence.end = .seconds(950)
        let counts = easel.renderer.redrawCounts
        #expect(easel.show(fainter).first { $0.id == "overlay.0" }?.alpha == 77)
        #expect(difference(counts, easel.renderer.redrawCounts) == [:])
        var advertisement = state
        advertisement.overlays = []
        var first: [InterfaceLayer]?
        easel.renderer.update(easel.dressed(advertisement)) { if first == nil { first = $0 } }
        easel.loop.run(until: { first != nil })
        #expect(first?.contains { $0.id.hasPrefix("overlay") } == false)
        var missing = state
        missing.overlays[0].content = .picture("missing")
        #expect(easel.show(missing).map(\.id).filter { $0.hasPrefix("overlay") } == ["overlay.1"])
    }

    @Test("a tick of a second draws only the strip with the bar and the times")
    func tick() throws {
        var next = Samples.playing
        next.bar?.elapsed = "14:27"
        next.bar?.trailing = "\u{2212}28:03"
        #expect(try redraws(from: Samples.playing, to: next) == ["bar": 1])
    }

    @Test("countdowns draw only what counts down")
    func countdowns() throws {
        var ad = Samples.ad
        ad.interstitialLabel = "Ad 1 of 2 · 0:11"
        #expect(try redraws(from: Samples.ad, to: ad) == ["label": 1])
        ad.skipCountdown = "Skip in 4"
        #expect(try redraws(from: Samples.ad, to: ad) == ["label": 1, "skip": 1])
        var error = Samples.errorCard
        #expect(error.card?.artwork != nil && error.card?.countdown != nil)
        error.card?.countdown = "Next programme in 3 s"
        #expect(try redraws(from: Samples.errorCard, to: error) == ["card.buttons": 1])
        var retry = Samples.error(isInQueue: false)
        let before = retry
        retry.card?.buttons[0].title = "Try Again (8)"
        #expect(try redraws(from: before, to: retry) == ["card.buttons": 1])
        #expect(
            try redraws(from: Samples.proposal(seconds: 12), to: Samples.proposal(seconds: 11))
                == ["proposal.buttons": 1])
    }

    @Test("hiding and showing the bar fades, moves and draws nothing")
    func fading() throws {
        var hidden = Samples.playing
        hidden.bar = nil
        hidden.title = nil
        let easel = try Easel()
        defer { easel.stop() }
        let shown = identities(easel.show(Samples.playing))
        let counts = easel.renderer.redrawCounts
        #expect(easel.show(hidden).isEmpty)
        var alphas: [UInt8] = []
        var isSettled = false
        easel.renderer.update(Samples.playing) { layers in
            if let bar = layers.first(where: { $0.id == "bar" }) { alphas.append(bar.alpha) }
        }
        easel.loop.clock.schedule(after: .seconds(1), rank: .display) { isSettled = true }
        easel.loop.run(until: { isSettled })
        #expect(alphas.count > 5)
        #expect(alphas == alphas.sorted())
        #expect(alphas.last == 255)
        #expect(identities(easel.renderer.layers) == shown)
        #expect(easel.renderer.redrawCounts == counts)
    }

    @Test("the panel slides from the top edge to its position in 300 ms")
    func sliding() throws {
        let easel = try Easel(width: 1920, height: 1080)
        defer { easel.stop() }
        var places: [(milliseconds: Int, y: Int)] = []
        let start = easel.loop.clock.now
        easel.renderer.update(Samples.infoPanel) { layers in
            guard let panel = layers.first(where: { $0.id == "panel" }) else { return }
            places.append((Int((easel.loop.clock.now - start) / .milliseconds(1)), panel.destination.y))
        }
        var isSettled = false
        easel.loop.clock.schedule(after: .seconds(1), rank: .display) { isSettled = true }
        easel.loop.run(until: { isSettled })
        let first = try #require(places.first), last = try #require(places.last)
        #expect(first.y + Int(Metrics.Panel.frame.height) <= 0)
        #expect(last.y == Metrics.Panel.frame.y)
        #expect(places.map(\.y) == places.map(\.y).sorted())
        #expect(places.filter { $0.y == last.y }.map(\.milliseconds).min().map { $0 >= 280 && $0 <= 320 } == true)
    }

    @Test("of the states that arrive during a drawing only the newest is drawn")
    func coalescing() throws {
        let easel = try Easel()
        defer { easel.stop() }
        for second in 0..<50 {
            var state = Samples.playing
            state.bar?.elapsed = "0:\(10 + second)"
            easel.renderer.update(state) { _ in }
        }
        var isSettled = false
        easel.loop.clock.schedule(after: .seconds(1), rank: .display) { isSettled = true }
        easel.loop.run(until: { isSettled })
        #expect(easel.renderer.redrawCounts["bar"] == 2)
        #expect(easel.renderer.drawnTexts["bar"]?.contains { $0.text == "0:59" } == true)
    }

    @Test("the spinner rotates for minutes with twelve small pictures")
    func spinner() throws {
        let easel = try Easel()
        defer { easel.stop() }
        var pictures: Set<ObjectIdentifier> = []
        var isSettled = false
        easel.renderer.update(Samples.buffering) { layers in
            for layer in layers where layer.id == "spinner" { pictures.insert(ObjectIdentifier(layer.pixels)) }
        }
        easel.loop.clock.schedule(after: .seconds(120), rank: .display) { isSettled = true }
        easel.loop.run(until: { isSettled })
        #expect(pictures.count == 12)
        #expect(easel.renderer.redrawCounts == ["spinner": 12, "spinner.words": 1])
        let layer = try #require(easel.renderer.layers.first { $0.id == "spinner" })
        #expect(layer.destination.width <= 80 && layer.destination.height <= 80)
    }

    /// The panel of an item with this artwork.
    private static func infoPanel(artwork: String) -> PresentationState {
        var box = Samples.watching { $0.artwork = artwork }
        box.press(.down)
        return box.state
    }

    @Test("artwork that arrives redraws only where it is shown; a missing picture is requested once")
    func artwork() throws {
        let artist = Artist()
        let easel = try Easel(artist: artist)
        defer { easel.stop() }
        easel.show(Samples.infoPanel)
        #expect(easel.renderer.redrawCounts == ["panel": 1, "panel.content": 2])
        #expect(artist.requests == ["cover@200x200"])
        let missing = Self.infoPanel(artwork: "missing")
        for _ in 0..<3 { easel.show(missing) }
        #expect(artist.requests == ["cover@200x200", "missing@200x200"])
        #expect(easel.renderer.redrawCounts == ["panel": 1, "panel.content": 3])
    }

    @Test("artwork whose content changed is reloaded")
    func reloading() throws {
        let artist = Artist()
        let easel = try Easel(artist: artist)
        defer { easel.stop() }
        let info = Self.infoPanel(artwork: "embedded")
        artist.isMissing = true
        easel.show(info)
        #expect(easel.renderer.redrawCounts["panel.content"] == 1)
        artist.isMissing = false
        easel.renderer.reloadImage("embedded")
        easel.show(info)
        #expect(artist.requests == ["embedded@200x200", "embedded@200x200"])
        #expect(easel.renderer.redrawCounts["panel.content"] == 2)
    }

    @Test("a newer picture takes the place of one that stays until then; one that is gone leaves its placeholder")
    func replacing() throws {
        let artist = Artist()
        let easel = try Easel(artist: artist)
        defer { easel.stop() }
        let info = Self.infoPanel(artwork: "poster")
        let before = try #require(easel.show(info).first { $0.id == "panel.content" })
        #expect(easel.renderer.redrawCounts["panel.content"] == 2)
        easel.renderer.replaceImage("poster")
        #expect(easel.renderer.layers.first { $0.id == "panel.content" }?.pixels === before.pixels)
        easel.show(info)
        #expect(artist.requests.count == 2 && easel.renderer.redrawCounts["panel.content"] == 3)
        artist.isMissing = true
        easel.renderer.replaceImage("poster")
        easel.show(info)
        #expect(artist.requests.count == 3 && easel.renderer.redrawCounts["panel.content"] == 4)
    }

    @Test("another mode draws everything at its size", arguments: [(1280, 720), (1920, 1080), (3840, 2160), (2560, 1440)])
    func modes(width: Int, height: Int) throws {
        let easel = try Easel(width: 1920, height: 1080)
        defer { easel.stop() }
        easel.show(Samples.infoPanel)
        easel.renderer.configure(mode: DisplayMode(width: width, height: height, refresh: Ratio(60, 1)))
        let panel = try #require(easel.show(Samples.infoPanel).first { $0.id == "panel" })
        let scale = Metrics.Scale(height: height)
        #expect(panel.destination == scale.rectangle(Metrics.Panel.frame))
        #expect(panel.pixels.width == panel.destination.width && panel.pixels.height == panel.destination.height)
    }

    @Test("memory that is slow to read gets the same pixels")
    func uncached() throws {
        let plain = try Easel()
        defer { plain.stop() }
        let slow = try Easel()
        defer { slow.stop() }
        slow.renderer.configure(allocator: UncachedAllocator())
        let expected = plain.show(Samples.paused), found = slow.show(Samples.paused)
        #expect(expected.map(\.id) == found.map(\.id))
        for (one, other) in zip(expected, found) { #expect(one.pixels.rows() == other.pixels.rows(), "\(one.id)") }
    }

    @Test("a layer without memory is skipped and reported; the others are shown")
    func failure() throws {
        let easel = try Easel()
        defer { easel.stop() }
        var failures: [DrawingError] = []
        easel.renderer.onFailure = { failures.append($0) }
        easel.renderer.configure(allocator: ScarceAllocator(mostPixels: 400_000))
        let layers = easel.show(Samples.infoPanel)
        #expect(layers.map(\.id) == ["panel.content"] || layers.isEmpty == false)
        easel.renderer.configure(allocator: ScarceAllocator(mostPixels: 200_000))
        #expect(easel.show(Samples.playing).map(\.id).sorted() == ["bar", "bar.keys", "title"])
        let last = try #require(failures.last)
        #expect(last.subject == "scrim")
        #expect(last.description.contains("scrim") && last.description.contains("no memory left"))
    }

    @Test("after stop no layers are delivered")
    func stopping() throws {
        let easel = try Easel()
        var calls = 0
        easel.renderer.update(Samples.playing) { _ in calls += 1 }
        easel.stop()
        easel.renderer.update(Samples.paused) { _ in calls += 1 }
        var isSettled = false
        easel.loop.clock.schedule(after: .seconds(1), rank: .display) { isSettled = true }
        easel.loop.run(until: { isSettled })
        #expect(calls == 0)
    }

    @Test("two simulated runs deliver the same layers at the same instants")
    func repeatable() throws {
        func run() throws -> [String] {
            let easel = try Easel()
            defer { easel.stop() }
            var lines: [String] = []
            let states = [
                Samples.loading, Samples.playing, Samples.scrubbing, Samples.infoPanel, Samples.adWithBar, Samples.home(),
            ]
            for (index, state) in states.enumerated() {
                easel.loop.clock.schedule(after: .milliseconds(130 * Int64(index) + 1), rank: .input) {
                    easel.renderer.update(state) { layers in
                        let words = layers.map { "\($0.id) \($0.alpha) \($0.destination.x),\($0.destination.y)" }
                        lines.append("\(easel.loop.clock.now) \(words.joined(separator: "; "))")
                    }
                }
            }
            var isSettled = false
            easel.loop.clock.schedule(after: .seconds(3), rank: .display) { isSettled = true }
            easel.loop.run(until: { isSettled })
            return lines
        }
        let first = try run()
        #expect(first.count > 30)
        #expect(try run() == first)
    }
}

/// As `MemoryAllocator`, but says that it is slow to read.
final class UncachedAllocator: FrameAllocator {
    private let memory = MemoryAllocator()
    var name: String { "uncached" }
    var isCached: Bool { false }

    func makeBuffer(
        format: PixelFormat, width: Int, height: Int, codedWidth: Int, codedHeight: Int
    ) throws(MediaError) -> PixelBuffer {
        try memory.makeBuffer(format: format, width: width, height: height, codedWidth: codedWidth + 16, codedHeight: codedHeight)
    }
}

/// Refuses pictures of more than this many pixels.
final class ScarceAllocator: FrameAllocator {
    private let memory = MemoryAllocator()
    private let mostPixels: Int
    var name: String { "scarce" }
    var isCached: Bool { true }

    init(mostPixels: Int) { self.mostPixels = mostPixels }

    func makeBuffer(
        format: PixelFormat, width: Int, height: Int, codedWidth: Int, codedHeight: Int
    ) throws(MediaError) -> PixelBuffer {
        guard width * height <= mostPixels else { throw MediaError(.internal, "There is no memory left.") }
        return try memory.makeBuffer(
            format: format, width: width, height: height, codedWidth: codedWidth, codedHeight: codedHeight)
    }
}

extension PixelBuffer {
    /// The visible pixels, row after row.
    func rows() -> [UInt8] {
        withBytes { bytes in
            var rows: [UInt8] = []
            rows.reserveCapacity(width * height * 4)
            for row in 0..<height {
                let start = planes[0].offset + row * planes[0].stride
                rows.append(contentsOf: bytes[start..<start + width * 4])
            }
            return rows
        }
    }
}
