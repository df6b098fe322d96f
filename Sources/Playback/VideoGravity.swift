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
        guard let placement = frame.placement else {
            let fit = fit(
                width: frame.pixels.width, height: frame.pixels.height, aspect: frame.sampleAspect,
                isTurned: frame.quarterTurns % 2 == 1, in: rect)
            return VideoLayer(frame: frame, source: fit.source, destination: fit.destination)
        }
        return place(
            frame, placement, fit(width: placement.width, height: placement.height, aspect: .one, isTurned: false, in: rect))
    }

    /// The part of a picture that is seen, and where.
    private func fit(
        width: Int, height: Int, aspect: Ratio, isTurned: Bool, in rect: PixelRect
    ) -> (source: PixelRect, destination: PixelRect) {
        let whole = PixelRect(x: 0, y: 0, width: width, height: height)
        // The display aspect as exact integers: width times sample aspect over height.
        var wide = Int64(width) * aspect.numerator
        var high = Int64(height) * aspect.denominator
        if isTurned { swap(&wide, &high) }
        guard wide > 0, high > 0, !rect.isEmpty, self != .resize else { return (whole, rect) }
        let isWider = wide * Int64(rect.height) > high * Int64(rect.width)
        switch self {
        case .resizeAspect, .resize:
            let width = isWider ? rect.width : Int((Int64(rect.height) * wide + high / 2) / high)
            let height = isWider ? Int((Int64(rect.width) * high + wide / 2) / wide) : rect.height
            let (x, y) = (rect.x + (rect.width - width) / 2, rect.y + (rect.height - height) / 2)
            return (whole, PixelRect(x: x, y: y, width: width, height: height))
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
            return (source, rect)
        }
    }

    /// The layer of a picture with a place on a canvas.
    ///
    /// - Parameter canvas: the part of the canvas that is seen, and where.
    private func place(
        _ frame: VideoFrame, _ placement: PicturePlacement, _ canvas: (source: PixelRect, destination: PixelRect)
    ) -> VideoLayer {
        let seen = placement.destination.intersection(canvas.source)
        guard !seen.isEmpty else {
            return VideoLayer(
                frame: frame, source: placement.source, destination: canvas.destination, alpha: 0, ground: canvas.destination)
        }
        let destination = seen.moved(from: canvas.source, to: canvas.destination)
        var source = placement.source
        if seen != placement.destination {
            source = seen.moved(from: placement.destination, to: source)
            (source.x, source.y) = (source.x & ~1, source.y & ~1)
        }
        return VideoLayer(
            frame: frame, source: source, destination: destination, alpha: placement.alpha,
            ground: destination == canvas.destination && placement.alpha == 255 ? nil : canvas.destination)
    }
}

extension PixelRect {
    /// The same part of another rectangle, with its edges at the nearest pixels.
    fileprivate func moved(from old: PixelRect, to new: PixelRect) -> PixelRect {
        func edge(_ place: Int, _ from: Int, _ length: Int, _ to: Int, _ wanted: Int) -> Int {
            to + (2 * (place - from) * wanted + length) / (2 * max(length, 1))
        }
        let left = edge(x, old.x, old.width, new.x, new.width)
        let top = edge(y, old.y, old.height, new.y, new.height)
        let right = edge(x + width, old.x, old.width, new.x, new.width)
        let bottom = edge(y + height, old.y, old.height, new.y, new.height)
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }
}

extension VideoFrame {
    /// Identifies what is shown, in dumps.
    func contentHash() -> UInt64 {
        let hash = pixels.contentHash()
        guard let placement else { return hash }
        let (source, place) = (placement.source, placement.destination)
        let values = [
            placement.width, placement.height, source.x, source.y, source.width, source.height, place.x, place.y, place.width,
            place.height, Int(placement.alpha),
        ]
        return values.reduce(hash) { ($0 ^ UInt64(bitPattern: Int64($1))) &* 0x100_0000_01b3 }
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
