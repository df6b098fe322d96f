import LinuxSupport
import MediaModel

/// The reference for everything drawn: filling one whole screen with one opaque colour, pixel by pixel in ARGB.
@MainActor
struct ScreenFill {
    private let pixels: PixelBuffer

    init(width: Int, height: Int) throws(MediaError) {
        pixels = try MemoryAllocator().makeBuffer(format: .argb8888, width: width, height: height)
    }

    /// The duration of one fill, several times.
    func run(_ count: Int, clock: any HostClock) -> [Double] {
        (0..<count).map { turn in
            let start = clock.now
            pixels.withMutableBytes { bytes in
                let words = bytes.bindMemory(to: UInt32.self)
                let colour = 0xFF00_0000 | UInt32(turn & 0xFF) << 8
                for index in words.indices { words[index] = colour }
            }
            return (clock.now - start).milliseconds
        }
    }
}
