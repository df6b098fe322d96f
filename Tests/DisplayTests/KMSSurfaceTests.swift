import CDRM
import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import Display

extension LoopSuites {
    /// Pictures as hardware decoders leave them, in dma-heap memory of a real kernel, imported into its virtual card.
    @Suite(
        "Surfaces of hardware decoders on vkms", .serialized,
        .enabled(if: VirtualCard.isPresent, "there is no vkms card; run in the test machine"))
    @MainActor
    struct KMSSurfaceTests {
        /// 1,000 with `MARQUEE_LONG=1`; fewer otherwise, because the machine's processor is emulated.
        private static let pictures = getenv("MARQUEE_LONG") == nil ? 200 : 1000
        /// One in this many is read back by the writeback connector.
        private static let readEvery = 25

        private static func allocate(_ size: Int) throws -> FileDescriptor {
            let heap = try FileDescriptor(opening: "/dev/dma_heap/system", flags: O_RDWR)
            return FileDescriptor(
                adopting: try systemCall("DMA_HEAP_IOCTL_ALLOC", on: "the heap") {
                    marquee_dma_heap_allocate(heap.number, UInt64(size))
                })
        }

        /// A source of numbered pictures: the next one at each opportunity, until it is told to hold one for a while.
        private final class Pictures: Sendable {
            struct State {
                var number = 0
                var limit = 0
                var missing = 0
                var current: VideoFrame?
            }
            let state = Mutex(State())
            let pool = SurfacePool()
            let surfaces: TestSurfaces

            init(_ surfaces: TestSurfaces) { self.surfaces = surfaces }

            func answer(_ opportunity: PresentationOpportunity) -> PresentationAnswer {
                state.withLock { state in
                    if state.number < state.limit, let pixels = try? surfaces.picture(pool, number: state.number + 1) {
                        state.number += 1
                        state.current = TestPictures.frame(pixels, time: MediaTime(Int64(state.number), 25))
                    } else if state.number < state.limit {
                        state.missing += 1
                    } else if !opportunity.needsScene {
                        return PresentationAnswer(scene: nil, wantsNext: false)
                    }
                    guard let frame = state.current else { return PresentationAnswer(scene: nil, wantsNext: true) }
                    let scene = Scene(
                        video: VideoLayer(
                            frame: frame, source: frame.pixels.bounds,
                            destination: PixelRect(x: 160, y: 150, width: 320, height: 180)),
                        wantedTime: opportunity.targetTime)
                    return PresentationAnswer(scene: scene, wantsNext: state.number < state.limit)
                }
            }
        }

        /// The number in the video of a screen that was read.
        private func number(in screen: PixelBuffer) -> Int? {
            let plane = screen.planes[0]
            let area = PixelBuffer(
                format: .xrgb8888, width: 320, height: 180,
                planes: [.init(offset: plane.offset + 150 * plane.stride + 160 * 4, stride: plane.stride, rows: 180)],
                storage: screen.storage)
            return NumberGrid.number(in: area)
        }

        @Test(
            "many pictures are shown in order, each at a blank of its own, from memory that is imported once; nothing is left",
            arguments: [TestSurfaces.Shape.rows, .rowsInTwoBuffers])
        func order(_ shape: TestSurfaces.Shape) throws {
            let before = VirtualCard.framebuffers
            let buffers = TestSurfaces.openBuffers
            do {
                let rig = try DisplayRig(
                    KMSDisplay.Options(path: try #require(VirtualCard.path), mode: VirtualCard.mode, videoMemory: .dumb))
                let pictures = Pictures(try TestSurfaces(shape, width: 320, height: 180, count: 6, allocate: Self.allocate))
                let source = TestSource { _, opportunity in pictures.answer(opportunity) }
                try rig.display.start(source)
                var reads = 0
                while pictures.state.withLock({ $0.number }) < Self.pictures {
                    pictures.state.withLock { $0.limit = min($0.limit + Self.readEvery, Self.pictures) }
                    rig.display.wake()
                    let wanted = pictures.state.withLock { $0.limit }
                    try rig.run("picture \(wanted)") { source.seen.flips.last?.frameTime == MediaTime(Int64(wanted), 25) }
                    let picture = try rig.picture()
                    #expect(number(in: picture.pixels) == wanted)
                    reads += 1
                }
                let flips = source.seen.flips
                #expect(flips.map(\.frameTime) == (1...Self.pictures).map { MediaTime(Int64($0), 25) })
                for (flip, next) in zip(flips, flips.dropFirst()) {
                    #expect(next.sequence > flip.sequence && next.time > flip.time)
                }
                // None comes before the blank that it was made for.
                #expect(flips.allSatisfy { $0.time >= $0.wantedTime - .milliseconds(2) })
                #expect(pictures.pool.refusal == nil)
                #expect(try rig.kms.probe.rungs == [.planes])
                #expect(try rig.kms.readBackCount >= reads)
                #expect(rig.display.counters.timeouts == 0)
                #expect(pictures.state.withLock { $0.missing } == 0, "the display held more than two pictures")
                rig.display.stop()
                source.change { _, _ in PresentationAnswer(scene: nil, wantsNext: false) }
            }
            #expect(VirtualCard.framebuffers == before)
            #expect(TestSurfaces.openBuffers == buffers)
        }

        @Test("columns, which the virtual card does not show, come to the screen by the CPU, and the decoder is told to leave")
        func columns() throws {
            let rig = try DisplayRig(
                KMSDisplay.Options(path: try #require(VirtualCard.path), mode: VirtualCard.mode, videoMemory: .dumb))
            defer { rig.display.stop() }
            let pictures = Pictures(try TestSurfaces(.columns, width: 320, height: 180, count: 3, allocate: Self.allocate))
            let source = TestSource { _, opportunity in pictures.answer(opportunity) }
            pictures.state.withLock { $0.limit = 1 }
            try rig.display.start(source)
            try rig.run("the flip") { !source.seen.flips.isEmpty }
            #expect(number(in: try rig.picture().pixels) == 1)
            #expect(pictures.pool.refusal != nil)
        }
    }
}
