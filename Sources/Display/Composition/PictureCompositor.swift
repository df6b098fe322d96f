import CYUV
import MediaModel
import MediaTime

/// Composes pictures of films on the CPU with libyuv, in 8-bit 4:2:0 luma and chroma.
///
/// Pictures are placed at even pixels, because chroma has half the resolution, and colours are not converted: the result has the colour description of
/// the picture at the back. Any thread.
package final class PictureCompositor: VideoCompositing {
    private let scratch = MemoryAllocator()
    package let leavesSinglePictures = true

    package init() {}

    package func compose(
        _ request: VideoCompositionRequest, allocator: any FrameAllocator
    ) throws(MediaError) -> VideoFrame {
        let bounds = PixelRect(x: 0, y: 0, width: request.width, height: request.height)
        let colour =
            request.layers.last?.frame.colour
            ?? ColourDescription(matrix: request.height > 576 ? .bt709 : .bt601, isFullRange: false)
        func frame(_ pixels: PixelBuffer) -> VideoFrame {
            VideoFrame(pixels: pixels, time: request.time, duration: request.duration, colour: colour)
        }
        let placed = request.layers.compactMap { PlacedLayer($0, width: request.width, height: request.height) }
        if placed.count == 1, request.layers.count == 1, placed[0].isWhole { return frame(placed[0].pixels) }
        let isReadable = allocator.isCached
        let target = try (isReadable ? allocator : scratch).makeBuffer(
            format: .yuv420p, width: request.width, height: request.height)
        if placed.last.map({ $0.opacity < 1 || $0.destination != bounds }) ?? true {
            fill(target, request.background, colour)
        }
        for layer in placed.reversed() { try draw(layer, on: target) }
        guard !isReadable else { return frame(target) }
        let result = try allocator.makeBuffer(format: .yuv420p, width: request.width, height: request.height)
        result.withWritablePlanes { to in
            target.withReadablePlanes {
                ColourConversion.scale($0, area: bounds, to: to, width: request.width, height: request.height)
            }
        }
        return frame(result)
    }

    private func fill(_ target: PixelBuffer, _ rgb: UInt32, _ colour: ColourDescription) {
        let (y, u, v) = Self.code(rgb, colour)
        target.withWritablePlanes { planes in
            _ = I420Rect(
                planes.bytes(0), planes.stride(0), planes.bytes(1), planes.stride(1), planes.bytes(2), planes.stride(2), 0, 0,
                Int32(target.width), Int32(target.height), y, u, v)
        }
    }

    /// The code values of a colour (ITU-R BT.601, BT.709 and BT.2020, 8 bits).
    static func code(_ rgb: UInt32, _ colour: ColourDescription) -> (y: Int32, u: Int32, v: Int32) {
        let (red, green, blue) = (Double(rgb >> 16 & 255) / 255, Double(rgb >> 8 & 255) / 255, Double(rgb & 255) / 255)
        let (kr, kb) =
            switch colour.matrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        let luma = kr * red + (1 - kr - kb) * green + kb * blue
        let (lumaRange, lumaStart, chromaRange) = colour.isFullRange ? (255.0, 0.0, 255.0) : (219.0, 16.0, 224.0)
        func code(_ value: Double) -> Int32 { Int32(max(0, min(255, value.rounded()))) }
        return (
            code(lumaStart + lumaRange * luma), code(128 + chromaRange * (blue - luma) / (2 * (1 - kb))),
            code(128 + chromaRange * (red - luma) / (2 * (1 - kr)))
        )
    }

    private func draw(_ layer: PlacedLayer, on target: PixelBuffer) throws(MediaError) {
        let (source, place) = (layer.source, layer.destination)
        var picture = layer.pixels
        var area = source
        if picture.format != .yuv420p {
            picture = try eightBits(picture, area: source)
            area = picture.bounds
        }
        if area.width != place.width || area.height != place.height {
            let result = try scratch.makeBuffer(format: .yuv420p, width: place.width, height: place.height)
            result.withWritablePlanes { to in
                picture.withReadablePlanes {
                    ColourConversion.scale($0, area: area, to: to, width: place.width, height: place.height)
                }
            }
            picture = result
            area = result.bounds
        }
        // Of 256; libyuv takes up to 255.
        let weight = Int32((layer.opacity * 256).rounded())
        target.withWritablePlanes { to in
            picture.withReadablePlanes { from in
                for plane in 0..<3 {
                    let shift = plane == 0 ? 0 : 1
                    let (width, height) = (Int32((place.width + shift) >> shift), Int32((place.height + shift) >> shift))
                    let (new, old) = (from.bytes(plane, x: area.x, y: area.y), to.bytes(plane, x: place.x, y: place.y))
                    if weight >= 256 {
                        CopyPlane(new, from.stride(plane), old, to.stride(plane), width, height)
                    } else {
                        _ = InterpolatePlane(
                            old, to.stride(plane), new, from.stride(plane), old, to.stride(plane), width, height, weight)
                    }
                }
            }
        }
    }

    /// A part of a picture in `yuv420p`.
    private func eightBits(_ picture: PixelBuffer, area: PixelRect) throws(MediaError) -> PixelBuffer {
        let result = try scratch.makeBuffer(format: .yuv420p, width: area.width, height: area.height)
        let (x, y, width, height) = (area.x, area.y, Int32(area.width), Int32(area.height))
        let isKnown = result.withWritablePlanes { to in
            picture.withReadablePlanes { from in
                let (luma, u, v) = (to.bytes(0), to.bytes(1), to.bytes(2))
                switch picture.format {
                case .nv12:
                    NV12ToI420(
                        from.bytes(0, x: x, y: y), from.stride(0), from.bytes(1, x: x, y: y), from.stride(1), luma, to.stride(0),
                        u, to.stride(1), v, to.stride(2), width, height)
                case .yuv422p:
                    I422ToI420(
                        from.bytes(0, x: x, y: y), from.stride(0), from.bytes(1, x: x, y: y), from.stride(1),
                        from.bytes(2, x: x, y: y), from.stride(2), luma, to.stride(0), u, to.stride(1), v, to.stride(2), width,
                        height)
                case .yuv444p:
                    I444ToI420(
                        from.bytes(0, x: x, y: y), from.stride(0), from.bytes(1, x: x, y: y), from.stride(1),
                        from.bytes(2, x: x, y: y), from.stride(2), luma, to.stride(0), u, to.stride(1), v, to.stride(2), width,
                        height)
                case .yuv420p10:
                    I010ToI420(
                        from.words(0, x: x, y: y), from.wordStride(0), from.words(1, x: x, y: y), from.wordStride(1),
                        from.words(2, x: x, y: y), from.wordStride(2), luma, to.stride(0), u, to.stride(1), v, to.stride(2),
                        width, height)
                case .yuv420p, .p010, .xrgb8888, .argb8888: return false
                }
                return true
            }
        }
        guard isKnown else {
            throw MediaError(
                .decoderUnsupported,
                "Composing a picture failed: pictures in \(picture.format.rawValue) are not composed; use another source.")
        }
        return result
    }
}
