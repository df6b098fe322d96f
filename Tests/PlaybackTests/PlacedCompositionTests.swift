import Composition
import Display
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import Playback

private let films = [
    NumberedFilm("placed-one.mp4").with { $0.frames = 100 }, NumberedFilm("placed-two.mp4").with { $0.frames = 100 },
]

private func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }
private func range(_ first: Int, _ count: Int) -> TimeRange { TimeRange(start: frame(first), duration: frame(count)) }

/// Counts what it composes.
private final class CountingCompositor: VideoCompositing {
    private let inner = PictureCompositor()
    private let times = Mutex<[MediaTime]>([])
    let leavesSinglePictures: Bool

    init(leavesSinglePictures: Bool) { self.leavesSinglePictures = leavesSinglePictures }

    /// The times of the composed pictures.
    var composed: [MediaTime] { times.withLock { $0 } }

    func compose(_ request: VideoCompositionRequest, allocator: any FrameAllocator) throws(MediaError) -> VideoFrame {
        times.withLock { $0.append(request.time) }
        return try inner.compose(request, allocator: allocator)
    }
}

@Suite(
    "Compositions whose pictures the display places",
    .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct PlacedCompositionTests {
    private let paths: [String]
    private static let count = 100

    init() throws { paths = try films.map { try $0.path() } }

    /// A fade from black (0 ..< 20), the picture moving into a corner (20 ..< 40), alone there (40 ..< 50), with another film behind it (50 ..< 65), cropped
    /// (65 ..< 80), on grey (80 ..< 90), and whole (90 ..< 100).
    private var document: CompositionDocument {
        func media(_ path: String, _ first: Int, _ count: Int, at place: Int) -> CompositionTrackSegment {
            CompositionTrackSegment(.media(SourceReference(url: path), range(first, count)), target: range(place, count))
        }
        let corner = LayerTransform(x: 61, y: 31, scaleX: 0.5, scaleY: 0.45)
        let crop = LayerCrop(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        let front = LayerInstruction(
            track: TrackID(1), opacity: RampCurve(1.0, [Ramp(range(0, 20), from: 0, to: 1)]),
            transform: RampCurve(
                .identity,
                [
                    Ramp(range(20, 20), from: .identity, to: corner),
                    Ramp(TimeRange(start: frame(65), duration: .zero), from: .identity, to: .identity),
                ]), crop: RampCurve(.whole, [Ramp(range(65, 15), from: .whole, to: crop)]))
        let video = VideoComposition(
            renderSize: RenderSize(width: 128, height: 72), frameDuration: frame(1),
            instructions: [
                VideoCompositionInstruction(range(0, 50), layers: [front]),
                VideoCompositionInstruction(range(50, 15), layers: [front, LayerInstruction(track: TrackID(2))]),
                VideoCompositionInstruction(range(65, 15), layers: [front]),
                VideoCompositionInstruction(range(80, 10), background: 0x808080, layers: [front]),
                VideoCompositionInstruction(range(90, 10), layers: [LayerInstruction(track: TrackID(1))]),
            ])
        let one = CompositionTrack(id: TrackID(1), type: .video, segments: [media(paths[0], 0, Self.count, at: 0)])
        let two = CompositionTrack(
            id: TrackID(2), type: .video,
            segments: [CompositionTrackSegment(.empty, target: range(0, 50)), media(paths[1], 10, 15, at: 50)])
        return CompositionDocument(Composition(tracks: [one, two]), videoComposition: video)
    }

    private func play(_ compositor: CountingCompositor, _ body: (FilmBox) throws -> Void) throws {
        let box = try FilmBox(refresh: Ratio(50))
        defer { box.close() }
        box.keepsScreens = true
        let document = document
        box.player.replaceCurrentItem(
            with: PlayerItem(
                asset: Asset(
                    composition: document.composition, videoComposition: document.videoComposition, compositor: compositor,
                    name: "placed", services: box.player.services)))
        try body(box)
    }

    /// The screens of all pictures.
    private func screens(_ compositor: CountingCompositor) throws -> [PixelBuffer] {
        var result: [PixelBuffer] = []
        try play(compositor) { box in
            box.player.play()
            box.run(within: .seconds(100)) { box.endCount == 1 || !box.failures.isEmpty }
            #expect(box.failures.isEmpty, "\(box.failures)")
            #expect(box.pictures.map(\.record.time) == (0..<Self.count).map(frame))
            result = try box.screens.map { try #require($0) }
        }
        return result
    }

    @Test("only what is mixed, or lies on a colour, is composed, and every picture is within 2 of 255 of the composed one")
    func agree() throws {
        let (placing, composing) = (
            CountingCompositor(leavesSinglePictures: true), CountingCompositor(leavesSinglePictures: false)
        )
        let (placed, wanted) = (try screens(placing), try screens(composing))
        #expect(composing.composed == (0..<Self.count).map(frame))
        // The first one is invisible; it is black. The rest of 100 pictures is passed on.
        #expect(placing.composed == ([0] + Array(50..<65) + Array(80..<90)).map(frame))
        for (number, (one, other)) in zip(placed, wanted).enumerated() {
            let difference = one.greatestDifference(other)
            #expect(difference <= 2, "picture \(number) differs by \(difference)")
        }
        #expect(placed[30].greatestDifference(placed[31]) > 20, "the picture moves")
    }

    @Test("seeks, steps and backward playback show the pictures in their places")
    func around() throws {
        let wanted = try screens(CountingCompositor(leavesSinglePictures: false))
        try play(CountingCompositor(leavesSinglePictures: true)) { box in
            #expect(box.run { box.player.currentItem?.status == .readyToPlay })
            @MainActor func isRight(_ number: Int) -> Bool {
                box.run(within: .milliseconds(100)) { false }
                guard box.pictures.last?.record.time == frame(number), let screen = box.screens.last ?? nil else { return false }
                return screen.greatestDifference(wanted[number]) <= 2
            }
            for number in [30, 5, 75, 55, 49, 50, 99, 0, 44] {
                #expect(box.seek(to: frame(number) + .milliseconds(7)) == true)
                #expect(isRight(number), "seek to \(number)")
            }
            for number in 45..<53 {
                box.player.step(byCount: 1)
                #expect(isRight(number), "step to \(number)")
            }
            box.forget()
            #expect(box.player.setRate(Ratio(-1)))
            #expect(box.run { box.player.currentTime == .zero && box.pictures.last?.record.time == .zero })
            #expect(box.pictures.map(\.record.time) == (0..<52).reversed().map(frame))
            let worst = zip(box.screens, (0..<52).reversed()).map { $0?.greatestDifference(wanted[$1]) ?? 255 }.max()
            #expect(worst ?? 255 <= 2)
        }
    }

    @Test("exports get every picture on its canvas")
    func rendered() throws {
        let box = try FilmBox()
        defer { box.close() }
        let compositor = CountingCompositor(leavesSinglePictures: true)
        let services = box.player.services
        let renderer = CompositionRenderer(
            loader: services.loader, codecs: services.codecs, compositor: compositor, clock: services.clock)
        let pictures = try renderer.openPictures(of: document, in: range(10, 40), streams: OpenStreams())
        var frames: [VideoFrame] = []
        while let next = try pictures.next() { frames += next }
        #expect(frames.map(\.time) == (10..<50).map(frame))
        #expect(frames.allSatisfy { $0.placement == nil && $0.pixels.width == 128 && $0.pixels.height == 72 })
        #expect(compositor.composed.suffix(40) == ArraySlice((10..<50).map(frame)))
    }

    @Test("dumps tell pictures in other places apart")
    func identity() throws {
        let pixels = try MemoryAllocator().makeBuffer(format: .yuv420p, width: 64, height: 36)
        let colour = ColourDescription(matrix: .bt709, isFullRange: false)
        func hash(_ x: Double, _ opacity: Double) -> UInt64? {
            let picture = VideoFrame(pixels: pixels, time: .zero, duration: .seconds(1), colour: colour)
            let layer = VideoCompositionRequest.Layer(frame: picture, opacity: opacity, x: x)
            return VideoCompositionRequest(
                width: 128, height: 72, background: 0, layers: [layer], time: .zero, duration: .seconds(1)
            ).placed?.contentHash()
        }
        let hashes = [hash(0, 1), hash(2, 1), hash(0, 0.5), hash(0, 0.4)]
        #expect(hashes.allSatisfy { $0 != nil } && Set(hashes).count == 4 && hash(0, 1) == hashes[0])
    }
}

extension PixelBuffer {
    /// The greatest difference of any channel to another RGB picture of the same size.
    fileprivate func greatestDifference(_ other: PixelBuffer) -> Int {
        withBytes { mine in
            other.withBytes { theirs in
                var worst = 0
                for row in 0..<height {
                    let (here, there) = (
                        planes[0].offset + row * planes[0].stride, other.planes[0].offset + row * other.planes[0].stride
                    )
                    for byte in 0..<width * 4 where byte % 4 != 3 {
                        worst = max(worst, abs(Int(mine[here + byte]) - Int(theirs[there + byte])))
                    }
                }
                return worst
            }
        }
    }
}
