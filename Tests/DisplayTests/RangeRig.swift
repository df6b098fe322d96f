import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import Synchronization

@testable import Display

/// A display on a card in memory with a television that shows high dynamic ranges, and a source whose video the test changes.
@MainActor
final class RangeRig {
    /// What the next scenes show.
    final class Shown: Sendable {
        struct State {
            var frame: VideoFrame?
            var layers: [InterfaceLayer] = []
            var background = OpaqueColour.black
            /// Whether each scene has a new picture.
            var copies = false
        }
        let state = Mutex(State())

        func scene(for opportunity: PresentationOpportunity) -> Scene {
            state.withLock { state in
                var scene = Scene(background: state.background, wantedTime: opportunity.targetTime)
                if let frame = state.frame {
                    scene.video = VideoLayer(
                        frame: frame, source: frame.pixels.bounds, destination: PixelRect(x: 0, y: 0, width: 320, height: 180))
                }
                scene.layers = state.layers
                return scene
            }
        }
    }

    let card: SoftwareCard
    let display: KMSDisplay
    let source: TestSource
    let shown = Shown()
    private let loop: MainLoop
    private var isOver = false
    /// Whether the card's blanks stop: no flip comes.
    var isStill = false

    static let modes = [CardRig.mode, SoftwareCard.mode(320, 180, 50)]

    init(
        edid: [UInt8] = TelevisionEDID().bytes, converter: (any RangeConverting)? = RangeConverter(),
        _ change: (inout SoftwareCard.Quirks) -> Void = { _ in }
    ) throws {
        var quirks = SoftwareCard.Quirks()
        quirks.signalsRange = true
        change(&quirks)
        card = try SoftwareCard(quirks, screens: [SoftwareCard.Screen(modes: Self.modes, edid: edid)])
        loop = try MainLoop(time: .real)
        display = try KMSDisplay(KMSDisplay.Options(path: card.path, converter: converter), clock: loop.clock)
        source = TestSource { [shown] _, opportunity in
            PresentationAnswer(scene: shown.scene(for: opportunity), wantsNext: true)
        }
        let layer = try TestPictures.rgb(.argb8888, width: 32, height: 18, from: display.interfaceAllocator) { x, y in
            // Premultiplied: red and green rise, the alpha falls.
            let alpha = 255 - y * 14
            return (x * 8 * alpha / 255, y * 14 * alpha / 255, 128 * alpha / 255, alpha)
        }
        shown.state.withLock {
            $0.layers = [
                InterfaceLayer(id: "layer", pixels: layer, destination: PixelRect(x: 8, y: 8, width: 32, height: 18), z: 1)
            ]
        }
        nextBlank(at: loop.clock.now)
    }

    private func nextBlank(at time: HostTime) {
        guard !isOver else { return }
        if !isStill { card.blank() }
        // On a grid, as a screen's.
        let next = max(time + .nanoseconds(16_666_667), loop.clock.now)
        loop.clock.schedule(at: next, rank: .timer) { [weak self] in self?.nextBlank(at: next) }
    }

    var clock: any HostClock { loop.clock }

    func stop() {
        isOver = true
        display.stop()
    }

    func wait(_ what: String, until isDone: @MainActor () -> Bool) throws { try loop.run(what, until: isDone) }

    func waitForPicture(_ formats: [String]) throws { try wait("\(formats)") { self.card.shownFormats() == formats } }

    func waitForFlips(_ count: Int = 5) throws {
        let before = source.seen.flips.count
        try wait("\(count) more flips") { self.source.seen.flips.count >= before + count }
    }

    func show(_ frame: VideoFrame?) { shown.state.withLock { $0.frame = frame } }

    nonisolated static let light = LightMetadata(gamut: nil, peak: 1000, black: 50, brightestPixel: 800, brightestAverage: 200)

    /// A picture as a decoder leaves it.
    func high(
        _ transfer: ColourDescription.Transfer = .pq, luma: Int = 120, light: LightMetadata? = RangeRig.light
    ) throws -> VideoFrame {
        let pixels = try TestPictures.yuv(.p010, width: 320, height: 180, from: display.videoAllocator) { component, _, _ in
            component == 0 ? luma : 128
        }
        return VideoFrame(
            pixels: pixels, time: .zero, duration: .zero,
            colour: ColourDescription(matrix: .bt2020, isFullRange: false, transfer: transfer, light: light))
    }

    func standard(luma: Int = 235) throws -> VideoFrame {
        TestPictures.frame(
            try TestPictures.yuv(.nv12, width: 320, height: 180, from: display.videoAllocator) { component, _, _ in
                component == 0 ? luma : 128
            })
    }

    /// Starts the display with a picture of a standard range, and then plays an item in a high one.
    func begin(_ frame: VideoFrame, refresh: Ratio? = nil) throws {
        show(try standard())
        try display.start(source)
        try waitForPicture(["NV12", "AR24"])
        display.setSignal(SignalRequest(refresh: refresh, range: frame.colour.highRange))
        show(frame)
    }
}
