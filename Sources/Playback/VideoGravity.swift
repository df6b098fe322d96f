import MediaModel
import MediaTime

/// How video fills its rectangle; AVFoundation's `AVLayerVideoGravity`.
package enum VideoGravity: String, Sendable, Hashable, CaseIterable {
    /// Complete and undistorted, with bars if the shapes differ.
    case resizeAspect
    /// Undistorted and without bars; excess parts are cropped.
    case resizeAspectFill
    /// Stretched to the rectangle.
    case resize

    /// The layer that shows a frame in a rectangle.
    package func place(_ frame: VideoFrame, in rect: PixelRect) -> VideoLayer {
        let whole = PixelRect(x: 0, y: 0, width: frame.pixels.width, height: frame.pixels.height)
        let isTurned = frame.quarterTurns % 2 == 1
        // The display aspect as exact integers: width times sample aspect over height.
        var wide = Int64(frame.pixels.width) * frame.sampleAspect.numerator
        var high = Int64(frame.pixels.height) * frame.sampleAspect.denominator
        if isTurned { swap(&wide, &high) }
        guard wide > 0, high > 0, !rect.isEmpty, self != .resize else {
            return VideoLayer(frame: frame, source: whole, destination: rect)
        }
        let isWider = wide * Int64(rect.height) > high * Int64(rect.width)
        switch self {
        case .resizeAspect, .resize:
            let width = isWider ? rect.width : Int((Int64(rect.height) * wide + high / 2) / high)
            let height = isWider ? Int((Int64(rect.width) * high + wide / 2) / wide) : rect.height
            return VideoLayer(
                frame: frame, source: whole,
                destination: PixelRect(
                    x: rect.x + (rect.width - width) / 2, y: rect.y + (rect.height - height) / 2, width: width, height: height))
        case .resizeAspectFill:
            let width = isWider ? Int(Int64(rect.height) * wide / high) : rect.width
            let height = isWider ? rect.height : Int(Int64(rect.width) * high / wide)
            // The picture is cropped, so that the layer stays inside its rectangle.
            var source = whole
            let shownWide = isTurned ? rect.height : rect.width
            let shownHigh = isTurned ? rect.width : rect.height
            let fullWide = isTurned ? height : width
            let fullHigh = isTurned ? width : height
            source.width = whole.width * shownWide / max(fullWide, 1)
            source.height = whole.height * shownHigh / max(fullHigh, 1)
            source.x = (whole.width - source.width) / 2 & ~1
            source.y = (whole.height - source.height) / 2 & ~1
            return VideoLayer(frame: frame, source: source, destination: rect)
        }
    }
}

extension PixelBuffer {
    /// FNV-1a over the visible samples of the first plane, which identifies pictures in dumps.
    func contentHash() -> UInt64 {
        withBytes { bytes in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            let plane = planes[0]
            let rowBytes = width * format.planeShapes[0].bytes
            for row in 0..<height {
                let start = plane.offset + row * plane.stride
                // Eight bytes at a time; a dump does not need a cryptographic hash.
                var offset = start
                while offset + 8 <= start + rowBytes {
                    hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x100_0000_01b3
                    offset += 8
                }
                while offset < start + rowBytes {
                    hash = (hash ^ UInt64(bytes[offset])) &* 0x100_0000_01b3
                    offset += 1
                }
            }
            return hash
        }
    }
}
