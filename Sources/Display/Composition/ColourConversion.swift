import CYUV
import MediaModel

/// Converts luma and chroma to RGB, and scales, on the CPU; used by `Compositor` and the lower rungs of the KMS ladder.
enum ColourConversion {
    /// Converts a part of a YUV picture to 32-bit B, G, R, 255 at its own size. Chroma is repeated, as display hardware does.
    ///
    /// - Parameters:
    ///   - area: the part, inside the picture. An odd edge in a subsampled format lies in the middle of a chroma sample; the
    ///     start of that sample is used.
    ///   - destination: the first pixel to write.
    static func convert(
        _ picture: LentPlanes, area: PixelRect, colour: ColourDescription, to destination: UnsafeMutablePointer<UInt8>,
        stride: Int
    ) {
        let constants = marquee_yuv_constants(colour.matrix.number, colour.isFullRange ? 1 : 0)
        let (x, y, width, height, stride) = (area.x, area.y, Int32(area.width), Int32(area.height), Int32(stride))
        switch picture.buffer.format {
        case .yuv420p:
            I420ToARGBMatrix(
                picture.bytes(0, x: x, y: y), picture.stride(0), picture.bytes(1, x: x, y: y), picture.stride(1),
                picture.bytes(2, x: x, y: y), picture.stride(2), destination, stride, constants, width, height)
        case .nv12:
            NV12ToARGBMatrix(
                picture.bytes(0, x: x, y: y), picture.stride(0), picture.bytes(1, x: x, y: y), picture.stride(1),
                destination, stride, constants, width, height)
        case .yuv422p:
            I422ToARGBMatrix(
                picture.bytes(0, x: x, y: y), picture.stride(0), picture.bytes(1, x: x, y: y), picture.stride(1),
                picture.bytes(2, x: x, y: y), picture.stride(2), destination, stride, constants, width, height)
        case .yuv444p:
            I444ToARGBMatrix(
                picture.bytes(0, x: x, y: y), picture.stride(0), picture.bytes(1, x: x, y: y), picture.stride(1),
                picture.bytes(2, x: x, y: y), picture.stride(2), destination, stride, constants, width, height)
        case .yuv420p10:
            I010ToARGBMatrix(
                picture.words(0, x: x, y: y), picture.wordStride(0), picture.words(1, x: x, y: y), picture.wordStride(1),
                picture.words(2, x: x, y: y), picture.wordStride(2), destination, stride, constants, width, height)
        case .p010:
            P010ToARGBMatrix(
                picture.words(0, x: x, y: y), picture.wordStride(0), picture.words(1, x: x, y: y), picture.wordStride(1),
                destination, stride, constants, width, height)
        case .xrgb8888, .argb8888:
            ARGBCopy(picture.bytes(0, x: x, y: y), picture.stride(0), destination, stride, width, height)
            if picture.buffer.format == .xrgb8888 {
                makeOpaque(destination, stride: Int(stride), width: area.width, height: area.height)
            }
        }
    }

    /// Whether `scale` supports the format.
    static func canScale(_ format: PixelFormat) -> Bool {
        switch format {
        case .yuv420p, .nv12, .yuv422p, .yuv444p, .yuv420p10: true
        case .p010, .xrgb8888, .argb8888: false
        }
    }

    /// Whether `fade` supports the format.
    static func canFade(_ format: PixelFormat) -> Bool {
        switch format {
        case .yuv420p, .nv12, .yuv422p, .yuv444p, .yuv420p10: true
        case .p010, .xrgb8888, .argb8888: false
        }
    }

    /// Mixes a part of a picture with black into the top left of another picture of the same format.
    ///
    /// - Precondition: `canFade` is true for the format.
    static func fade(_ picture: LentPlanes, area: PixelRect, colour: ColourDescription, to target: LentPlanes, alpha: UInt8) {
        let format = picture.buffer.format
        precondition(canFade(format) && target.buffer.format == format, "\(format) is not faded plane by plane")
        // Of 256, as libyuv counts.
        let black = Int32(256 - (Int(alpha) * 256 + 127) / 255)
        for (index, shape) in format.planeShapes.enumerated() {
            let columns = (area.width + (1 << shape.horizontalShift) - 1) >> shape.horizontalShift
            let rows = (area.height + (1 << shape.verticalShift) - 1) >> shape.verticalShift
            let code = index > 0 ? 128 : colour.isFullRange ? 0 : 16
            // With a stride of 0 the black row is that of all rows.
            if format == .yuv420p10 {
                let row = [UInt16](repeating: UInt16(code << 2), count: columns)
                _ = row.withUnsafeBufferPointer { row in
                    InterpolatePlane_16(
                        picture.words(index, x: area.x, y: area.y), picture.wordStride(index), row.baseAddress, 0,
                        target.words(index), target.wordStride(index), Int32(columns), Int32(rows), black)
                }
            } else {
                let row = [UInt8](repeating: UInt8(code), count: columns * shape.bytes)
                _ = row.withUnsafeBufferPointer { row in
                    InterpolatePlane(
                        picture.bytes(index, x: area.x, y: area.y), picture.stride(index), row.baseAddress, 0,
                        target.bytes(index), target.stride(index), Int32(columns * shape.bytes), Int32(rows), black)
                }
            }
        }
    }

    /// Scales a part of a picture to fill the top left `width` x `height` pixels of another picture of the same format, plane by
    /// plane.
    ///
    /// - Precondition: `canScale` is true for the format, or the size does not change.
    static func scale(_ picture: LentPlanes, area: PixelRect, to target: LentPlanes, width: Int, height: Int) {
        let format = picture.buffer.format
        if area.width == width, area.height == height { return copy(picture, area: area, to: target) }
        precondition(canScale(format) && target.buffer.format == format, "\(format) is not scaled plane by plane")
        let filter = self.filter(from: area, width: width, height: height)
        for (index, shape) in format.planeShapes.enumerated() {
            func columns(_ value: Int) -> Int32 { Int32((value + (1 << shape.horizontalShift) - 1) >> shape.horizontalShift) }
            func rows(_ value: Int) -> Int32 { Int32((value + (1 << shape.verticalShift) - 1) >> shape.verticalShift) }
            let (x, y) = (area.x, area.y)
            let (fromWidth, fromHeight) = (columns(area.width), rows(area.height))
            let (toWidth, toHeight) = (columns(width), rows(height))
            if format == .yuv420p10 {
                ScalePlane_16(
                    picture.words(index, x: x, y: y), picture.wordStride(index), fromWidth, fromHeight,
                    target.words(index), target.wordStride(index), toWidth, toHeight, filter)
            } else if shape.bytes == 2 {
                UVScale(
                    picture.bytes(index, x: x, y: y), picture.stride(index), fromWidth, fromHeight,
                    target.bytes(index), target.stride(index), toWidth, toHeight, filter)
            } else {
                ScalePlane(
                    picture.bytes(index, x: x, y: y), picture.stride(index), fromWidth, fromHeight,
                    target.bytes(index), target.stride(index), toWidth, toHeight, filter)
            }
        }
    }

    private static func copy(_ picture: LentPlanes, area: PixelRect, to target: LentPlanes) {
        for (index, shape) in picture.buffer.format.planeShapes.enumerated() {
            let columns = (area.width + (1 << shape.horizontalShift) - 1) >> shape.horizontalShift
            let rows = (area.height + (1 << shape.verticalShift) - 1) >> shape.verticalShift
            CopyPlane(
                picture.bytes(index, x: area.x, y: area.y), picture.stride(index), target.bytes(index), target.stride(index),
                Int32(columns * shape.bytes), Int32(rows))
        }
    }

    /// The filter for a change of size: box average when it shrinks, bilinear when it grows.
    static func filter(from area: PixelRect, width: Int, height: Int) -> FilterMode {
        if area.width == width, area.height == height { return kFilterNone }
        return area.width > width || area.height > height ? kFilterBox : kFilterBilinear
    }

    /// Sets the fourth byte of each pixel, which is not defined in `xrgb8888`, to 255.
    static func makeOpaque(_ pixels: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int) {
        for row in 0..<height {
            var alpha = pixels + row * stride + 3
            for _ in 0..<width {
                alpha.pointee = 255
                alpha += 4
            }
        }
    }
}

extension ColourDescription.Matrix {
    /// The number in the recommendation's name.
    var number: Int32 {
        switch self {
        case .bt601: 601
        case .bt709: 709
        case .bt2020: 2020
        }
    }
}
