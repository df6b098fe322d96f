import LinuxSupport
import MediaModel
import MediaTime

@testable import Display

/// Pictures for tests, and a simple way to read results.
enum TestPictures {
    static let memory = MemoryAllocator()

    /// A picture whose samples come from a function of plane, column and row, in 0…1 of the format's code range.
    static func yuv(
        _ format: PixelFormat, width: Int, height: Int, from allocator: any FrameAllocator = memory,
        _ sample: (_ component: Int, _ x: Int, _ y: Int) -> Int
    ) throws -> PixelBuffer {
        let picture = try allocator.makeBuffer(format: format, width: width, height: height)
        picture.withMutableBytes { bytes in
            for (index, shape) in format.planeShapes.enumerated() {
                let components = shape.bytes / format.sampleBytes
                let columns = (width + (1 << shape.horizontalShift) - 1) >> shape.horizontalShift
                let rows = (height + (1 << shape.verticalShift) - 1) >> shape.verticalShift
                for y in 0..<rows {
                    for x in 0..<columns {
                        for part in 0..<components {
                            let value = sample(index + part, x << shape.horizontalShift, y << shape.verticalShift)
                            let offset = picture.planes[index].offset + y * picture.planes[index].stride + x * shape.bytes
                            switch format {
                            case .yuv420p10: bytes.storeBytes(of: UInt16(value << 2), toByteOffset: offset, as: UInt16.self)
                            case .p010: bytes.storeBytes(of: UInt16(value << 8), toByteOffset: offset + part * 2, as: UInt16.self)
                            default: bytes[offset + part] = UInt8(value)
                            }
                        }
                    }
                }
            }
        }
        return picture
    }

    /// Gradients in all three components, inside the limited range.
    static func slopes(_ format: PixelFormat, width: Int, height: Int, from allocator: any FrameAllocator = memory) throws
        -> PixelBuffer
    {
        try yuv(format, width: width, height: height, from: allocator) { component, x, y in
            switch component {
            case 0: 16 + (x * 140 / width + y * 79 / height)
            case 1: 70 + x * 110 / width
            default: 80 + y * 100 / height
            }
        }
    }

    static func rgb(
        _ format: PixelFormat, width: Int, height: Int, from allocator: any FrameAllocator = memory,
        _ pixel: (_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int, alpha: Int)
    ) throws -> PixelBuffer {
        let picture = try allocator.makeBuffer(format: format, width: width, height: height)
        picture.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let value = pixel(x, y)
                    let offset = picture.planes[0].offset + y * picture.planes[0].stride + x * 4
                    bytes[offset] = UInt8(value.blue)
                    bytes[offset + 1] = UInt8(value.green)
                    bytes[offset + 2] = UInt8(value.red)
                    bytes[offset + 3] = UInt8(value.alpha)
                }
            }
        }
        return picture
    }

    static func frame(
        _ pixels: PixelBuffer, time: MediaTime = MediaTime(0, 1), matrix: ColourDescription.Matrix = .bt709,
        isFullRange: Bool = false, quarterTurns: Int = 0
    ) -> VideoFrame {
        VideoFrame(
            pixels: pixels, time: time, duration: MediaTime(1, 25),
            colour: ColourDescription(matrix: matrix, isFullRange: isFullRange), quarterTurns: quarterTurns)
    }
}

extension PixelFormat {
    var sampleBytes: Int { self == .yuv420p10 || self == .p010 ? 2 : 1 }
}

struct RGB: Equatable, CustomStringConvertible {
    var red, green, blue: Int
    var description: String { "(\(red) \(green) \(blue))" }
    func distance(_ other: RGB) -> Int { max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue)) }
}

extension PixelBuffer {
    func pixel(_ x: Int, _ y: Int) -> RGB {
        withBytes { bytes in
            let offset = planes[0].offset + y * planes[0].stride + x * 4
            return RGB(red: Int(bytes[offset + 2]), green: Int(bytes[offset + 1]), blue: Int(bytes[offset]))
        }
    }

    /// The greatest difference of any channel to another RGB picture of the same size. It checks every fifth row: enough to find
    /// a shift or a wrong colour, and fast even on an emulated machine.
    func worstDifference(_ other: PixelBuffer) -> Int {
        guard other.width == width, other.height == height else { return .max }
        return withBytes { mine in
            other.withBytes { theirs in
                var worst: UInt32 = 0
                for y in stride(from: 0, to: height, by: 5) {
                    let (here, there) = (
                        planes[0].offset + y * planes[0].stride, other.planes[0].offset + y * other.planes[0].stride
                    )
                    for x in 0..<width {
                        let left = mine.loadUnaligned(fromByteOffset: here + 4 * x, as: UInt32.self) & 0xFF_FFFF
                        let right = theirs.loadUnaligned(fromByteOffset: there + 4 * x, as: UInt32.self) & 0xFF_FFFF
                        guard left != right else { continue }
                        for shift: UInt32 in [0, 8, 16] {
                            let (one, two) = (left >> shift & 255, right >> shift & 255)
                            worst = max(worst, one > two ? one - two : two - one)
                        }
                    }
                }
                return Int(worst)
            }
        }
    }

    /// All pixels of an RGB picture, row by row.
    var pixelRows: [[RGB]] { (0..<height).map { y in (0..<width).map { x in pixel(x, y) } } }

    /// One component of a YUV picture in 8-bit code values (with fraction for 10 bits), chroma repeated.
    func component(_ component: Int, _ x: Int, _ y: Int) -> Double {
        withBytes { bytes in
            let isInterleaved = (format == .nv12 || format == .p010) && component > 0
            let plane = isInterleaved ? 1 : component
            let shape = format.planeShapes[plane]
            var offset =
                planes[plane].offset + (y >> shape.verticalShift) * planes[plane].stride + (x >> shape.horizontalShift)
                * shape.bytes
            if isInterleaved { offset += (component - 1) * format.sampleBytes }
            switch format {
            case .yuv420p10: return Double(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) / 4
            case .p010: return Double(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) / 256
            default: return Double(bytes[offset])
            }
        }
    }

    /// The colour at a position of a YUV picture, by the recommendations' formulas in floating point.
    func plainRGB(_ x: Int, _ y: Int, _ colour: ColourDescription) -> RGB {
        let (kr, kb): (Double, Double)
        switch colour.matrix {
        case .bt601: (kr, kb) = (0.299, 0.114)
        case .bt709: (kr, kb) = (0.2126, 0.0722)
        case .bt2020: (kr, kb) = (0.2627, 0.0593)
        }
        let luma = colour.isFullRange ? component(0, x, y) / 255 : (component(0, x, y) - 16) / 219
        let span = colour.isFullRange ? 255.0 : 224.0
        let cb = (component(1, x, y) - 128) / span
        let cr = (component(2, x, y) - 128) / span
        let red = luma + 2 * (1 - kr) * cr
        let blue = luma + 2 * (1 - kb) * cb
        let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
        func code(_ value: Double) -> Int { Int((min(max(value, 0), 1) * 255).rounded()) }
        return RGB(red: code(red), green: code(green), blue: code(blue))
    }
}
