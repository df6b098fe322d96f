import ArgumentParser
import Display
import LinuxSupport
import MediaModel
import MediaTime

/// `MarqueeBench composing`: the CPU time of a picture of a composition that is composed, and of the same picture left to a plane of the display, as one
/// JSON object. What the display then does costs no CPU time; on a card without the properties it is what `kms` measures.
struct ComposingBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "composing",
        abstract: "Compose pictures of 1920x1080, and leave the same ones to a display; print what both cost as JSON.")

    @Option(help: "The pictures of each kind.")
    var pictures = 50

    func run() throws {
        guard pictures > 0 else { throw BenchFailure("--pictures is at least 1.", code: 2) }
        do throws(MediaError) {
            print(try figures().json)
        } catch {
            throw BenchFailure(error.sentence)
        }
    }

    private func figures() throws(MediaError) -> Figures {
        let pixels = try MemoryAllocator().makeBuffer(format: .yuv420p, width: 1920, height: 1080)
        pixels.withMutableBytes { bytes in for index in bytes.indices { bytes[index] = UInt8(16 + index % 200) } }
        let frame = VideoFrame(
            pixels: pixels, time: .zero, duration: .seconds(1), colour: ColourDescription(matrix: .bt709, isFullRange: false))
        var figures = Figures()
        for (name, layer) in [
            ("fade", VideoCompositionRequest.Layer(frame: frame, opacity: 0.4)),
            ("corner", VideoCompositionRequest.Layer(frame: frame, x: 1200, y: 600, scaleX: 0.3, scaleY: 0.3)),
            ("crop", VideoCompositionRequest.Layer(frame: frame, crop: (0.25, 0.25, 0.5, 0.5))),
        ] {
            let request = VideoCompositionRequest(
                width: 1920, height: 1080, background: 0, layers: [layer], time: .zero, duration: .seconds(1))
            guard request.placed != nil else { throw MediaError(.internal, "\(name): the picture was not placed; report this.") }
            let (compositor, allocator) = (PictureCompositor(), MemoryAllocator())
            figures.add(
                "\(name)_composed_ms",
                try measure { () throws(MediaError) in
                    _ = try compositor.compose(request, allocator: allocator)
                })
            figures.add("\(name)_placed_ms", try measure { () throws(MediaError) in _ = request.placed })
        }
        return figures
    }

    /// The CPU time of this thread for each call, in milliseconds.
    private func measure(_ body: () throws(MediaError) -> Void) throws(MediaError) -> [Double] {
        // The first one touches memory that the kernel has not mapped yet.
        try body()
        var times: [Double] = []
        for _ in 0..<pictures {
            let start = ThreadTime.milliseconds
            try body()
            times.append(ThreadTime.milliseconds - start)
        }
        return times
    }
}
