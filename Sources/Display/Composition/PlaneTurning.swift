import CYUV
import MediaModel

/// Turns pictures on the CPU in their own format, which for video are fewer bytes than RGB.
enum PlaneTurning {
    /// Whether a part of a picture can be turned: of subsampled formats one that begins and ends between two samples of chroma, and of 4:2:2 only upside down.
    static func canTurn(_ format: PixelFormat, area: PixelRect, by rotation: DisplayRotation) -> Bool {
        guard rotation != .none else { return true }
        return format.planeShapes.allSatisfy { shape in
            let isWhole =
                (area.x | area.width) & ((1 << shape.horizontalShift) - 1) == 0
                && (area.y | area.height) & ((1 << shape.verticalShift) - 1) == 0
            return isWhole && (!rotation.isSideways || shape.horizontalShift == shape.verticalShift)
        }
    }

    /// Turns a part of a picture into the top left of another picture of the same format.
    ///
    /// - Precondition: `canTurn` is true.
    static func turn(_ picture: LentPlanes, area: PixelRect, by rotation: DisplayRotation, to target: LentPlanes) {
        let format = picture.buffer.format
        precondition(canTurn(format, area: area, by: rotation) && target.buffer.format == format, "\(format) is not turned so")
        let (x, y, mode) = (area.x, area.y, mode(rotation))
        for (index, shape) in format.planeShapes.enumerated() {
            let (width, height) = (Int32(area.width >> shape.horizontalShift), Int32(area.height >> shape.verticalShift))
            switch shape.bytes {
            case 1:
                RotatePlane(
                    picture.bytes(index, x: x, y: y), picture.stride(index), target.bytes(index), target.stride(index), width,
                    height, mode)
            case 2:
                RotatePlane_16(
                    picture.words(index, x: x, y: y), picture.wordStride(index), target.words(index), target.wordStride(index),
                    width, height, mode)
            default:
                ARGBRotate(
                    picture.bytes(index, x: x, y: y), picture.stride(index), target.bytes(index), target.stride(index), width,
                    height, mode)
            }
        }
    }

    /// A part of a picture turned, in new memory.
    static func turned(
        _ picture: PixelBuffer, area: PixelRect, by rotation: DisplayRotation, from allocator: any FrameAllocator
    ) throws(MediaError) -> PixelBuffer {
        let size = rotation.size(width: area.width, height: area.height)
        let result = try allocator.makeBuffer(format: picture.format, width: size.width, height: size.height)
        result.withWritablePlanes { target in
            picture.withReadablePlanes { turn($0, area: area, by: rotation, to: target) }
        }
        return result
    }

    /// libyuv turns clockwise too.
    private static func mode(_ rotation: DisplayRotation) -> RotationMode {
        switch rotation {
        case .none: kRotate0
        case .quarter: kRotate90
        case .half: kRotate180
        case .threeQuarters: kRotate270
        }
    }
}
