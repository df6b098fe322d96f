import CFFmpeg
import MediaModel
import Synchronization

/// Fits pictures and layers of the interface to the dynamic range of a screen, by zimg and with libplacebo's curve.
///
/// Layers have the transfer function of BT.1886 and the primaries of BT.709, in which they are drawn, and their white becomes 203 cd/m².
package final class RangeConverter: RangeConverting {
    /// One conversion of pictures with the planes that it needs.
    private final class PictureConversion {
        let conversion: RangeConversion
        /// Of pictures with interleaved chroma.
        let separated: PlanarCopy?
        /// Of pictures whose chroma is interleaved at the end.
        let planar: PlanarCopy?

        init(_ shape: RangeConversion.Shape, isInterleaved: Bool) throws(ColourGraphError) {
            conversion = try RangeConversion(shape, usesCurve: true)
            separated = isInterleaved ? PlanarCopy(shape.layout, width: shape.evenWidth, height: shape.evenHeight) : nil
            let tenBits = PlanarLayout(AV_PIX_FMT_YUV420P10LE)
            planar = shape.range == nil ? nil : tenBits.map { PlanarCopy($0, width: shape.evenWidth, height: shape.evenHeight) }
        }
    }
    private let pictures = Mutex<PictureConversion?>(nil)
    private let layers = Mutex<[HighDynamicRange: LayerConversion]>([:])
    private let colours = Mutex<[HighDynamicRange: LayerConversion]>([:])

    package init() {}

    package func picture(
        _ frame: VideoFrame, for range: HighDynamicRange?, from allocator: any FrameAllocator
    ) throws(MediaError) -> VideoFrame {
        let source = frame.pixels
        let isInterleaved = source.format == .nv12 || source.format == .p010
        let planar: PixelFormat = source.format == .nv12 ? .yuv420p : source.format == .p010 ? .yuv420p10 : source.format
        guard let layout = PlanarLayout(planar.ffmpegFormat), source.width > 0, source.height > 0 else {
            throw Self.failure(frame, "its pixels are \(source.format)")
        }
        let shape = RangeConversion.Shape(frame, layout, for: range)
        let target = try allocator.makeBuffer(
            format: range == nil ? .yuv420p : .p010, width: source.width, height: source.height, codedWidth: shape.evenWidth,
            codedHeight: shape.evenHeight)
        var result = frame
        result.pixels = target
        let reason: String? = pictures.withLock { known -> String? in
            do throws(ColourGraphError) {
                let made = known?.conversion.shape == shape && (known?.separated != nil) == isInterleaved ? known : nil
                let conversion: PictureConversion
                if let made { conversion = made } else { conversion = try PictureConversion(shape, isInterleaved: isInterleaved) }
                known = conversion
                try Self.run(conversion, from: source, into: target)
                return nil
            } catch {
                return error.reason
            }
        }
        if let reason { throw Self.failure(frame, reason) }
        let changesColours = frame.colour.isHDR || frame.colour.primaries.isWide
        result.colour = range?.colour ?? (changesColours ? .standardRange : frame.colour)
        return result
    }

    private static func run(
        _ picture: PictureConversion, from source: PixelBuffer, into target: PixelBuffer
    ) throws(ColourGraphError) {
        source.storage.beginAccess()
        target.storage.beginAccess()
        defer {
            target.storage.endAccess()
            source.storage.endAccess()
        }
        let planes: PlanePointers
        if let separated = picture.separated {
            separate(source, into: separated.planes)
            planes = separated.planes
        } else {
            planes = PlanePointers(source)
        }
        guard let planar = picture.planar else { return try picture.conversion.run(planes, into: PlanePointers(target)) }
        try picture.conversion.run(planes, into: planar.planes)
        interleave(planar.planes, into: target)
    }

    /// The planes of a picture with interleaved chroma.
    private static func separate(_ picture: PixelBuffer, into planes: PlanePointers) {
        let (columns, rows) = (halved(picture.width), halved(picture.height))
        let (luma, chroma) = (picture.storage.base + picture.planes[0].offset, picture.storage.base + picture.planes[1].offset)
        if picture.format == .nv12 {
            for row in 0..<picture.height {
                (planes.data.0 + row * planes.strides.0)
                    .copyMemory(from: luma + row * picture.planes[0].stride, byteCount: picture.width)
            }
            for row in 0..<rows {
                let pairs = (chroma + row * picture.planes[1].stride).assumingMemoryBound(to: UInt8.self)
                let first = (planes.data.1 + row * planes.strides.1).assumingMemoryBound(to: UInt8.self)
                let second = (planes.data.2 + row * planes.strides.2).assumingMemoryBound(to: UInt8.self)
                for column in 0..<columns { (first[column], second[column]) = (pairs[2 * column], pairs[2 * column + 1]) }
            }
        } else {
            // The value is in the high bits of each word.
            for row in 0..<picture.height {
                let words = (luma + row * picture.planes[0].stride).assumingMemoryBound(to: UInt16.self)
                let plane = (planes.data.0 + row * planes.strides.0).assumingMemoryBound(to: UInt16.self)
                for column in 0..<picture.width { plane[column] = words[column] >> 6 }
            }
            for row in 0..<rows {
                let pairs = (chroma + row * picture.planes[1].stride).assumingMemoryBound(to: UInt16.self)
                let first = (planes.data.1 + row * planes.strides.1).assumingMemoryBound(to: UInt16.self)
                let second = (planes.data.2 + row * planes.strides.2).assumingMemoryBound(to: UInt16.self)
                for column in 0..<columns {
                    (first[column], second[column]) = (pairs[2 * column] >> 6, pairs[2 * column + 1] >> 6)
                }
            }
        }
    }

    /// Three planes of ten bits as a picture in `p010`.
    private static func interleave(_ planes: PlanePointers, into picture: PixelBuffer) {
        let (luma, chroma) = (picture.storage.base + picture.planes[0].offset, picture.storage.base + picture.planes[1].offset)
        for row in 0..<picture.height {
            let plane = (planes.data.0 + row * planes.strides.0).assumingMemoryBound(to: UInt16.self)
            let words = (luma + row * picture.planes[0].stride).assumingMemoryBound(to: UInt16.self)
            for column in 0..<picture.width { words[column] = plane[column] << 6 }
        }
        for row in 0..<halved(picture.height) {
            let first = (planes.data.1 + row * planes.strides.1).assumingMemoryBound(to: UInt16.self)
            let second = (planes.data.2 + row * planes.strides.2).assumingMemoryBound(to: UInt16.self)
            let pairs = (chroma + row * picture.planes[1].stride).assumingMemoryBound(to: UInt16.self)
            for column in 0..<halved(picture.width) {
                (pairs[2 * column], pairs[2 * column + 1]) = (first[column] << 6, second[column] << 6)
            }
        }
    }

    /// The length of a row or column of subsampled chroma.
    private static func halved(_ length: Int) -> Int { (length + 1) >> 1 }

    package func convert(_ pixels: PixelBuffer, for range: HighDynamicRange, into target: PixelBuffer) throws(MediaError) {
        precondition(
            pixels.format == target.format && !pixels.format.isYUV && pixels.width == target.width
                && pixels.height == target.height,
            "layers are converted at their size")
        let reason = layers.withLock { Self.convert(pixels, for: range, into: target, by: &$0) }
        if let reason { throw MediaError(.internal, "Converting the interface for a high dynamic range failed: \(reason).") }
    }

    package func colour(_ colour: OpaqueColour, for range: HighDynamicRange) throws(MediaError) -> OpaqueColour {
        let pixel = try MemoryAllocator().makeBuffer(format: .xrgb8888, width: 1, height: 1)
        pixel.withMutableBytes { bytes in
            (bytes[0], bytes[1], bytes[2], bytes[3]) = (colour.blue, colour.green, colour.red, 255)
        }
        let shown = try MemoryAllocator().makeBuffer(format: .xrgb8888, width: 1, height: 1)
        // Pictures are converted behind another lock.
        let reason = colours.withLock { Self.convert(pixel, for: range, into: shown, by: &$0) }
        if let reason { throw MediaError(.internal, "Converting a colour for a high dynamic range failed: \(reason).") }
        return shown.withBytes { OpaqueColour(red: $0[2], green: $0[1], blue: $0[0]) }
    }

    /// - Returns: why it failed.
    private static func convert(
        _ pixels: PixelBuffer, for range: HighDynamicRange, into target: PixelBuffer,
        by known: inout [HighDynamicRange: LayerConversion]
    ) -> String? {
        do throws(ColourGraphError) {
            let conversion: LayerConversion
            if let made = known[range] { conversion = made } else { conversion = try LayerConversion(range) }
            known[range] = conversion
            try conversion.run(pixels, into: target)
            return nil
        } catch {
            return error.reason
        }
    }

    private static func failure(_ frame: VideoFrame, _ reason: String) -> MediaError {
        MediaError(
            .decoderUnsupported,
            "Converting a picture of \(frame.pixels.width)x\(frame.pixels.height) pixels for the screen failed: \(reason).")
    }
}
