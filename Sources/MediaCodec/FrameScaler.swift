import CFFmpeg
import MediaModel

/// Makes thumbnails for the interface from frames. Stateless; any thread except the main loop's.
package enum FrameScaler {
    /// A frame as an upright picture in `argb8888` that fits the given size, in plain memory.
    ///
    /// - Throws: `MediaError` when its format cannot be converted.
    package static func picture(_ frame: VideoFrame, fittingWidth: Int, height fittingHeight: Int) throws(MediaError)
        -> PixelBuffer
    {
        let turn = PictureTurn(quarterTurns: frame.quarterTurns)
        let (fittingWidth, fittingHeight) = turn.isTransposed ? (fittingHeight, fittingWidth) : (fittingWidth, fittingHeight)
        let pixels = frame.pixels
        let aspect = frame.sampleAspect
        let shownWidth = max(pixels.width * Int(aspect.numerator) / max(Int(aspect.denominator), 1), 1)
        // The smaller of the two factors, as fractions so that rounding happens only at the end.
        let isWide = shownWidth * fittingHeight > pixels.height * fittingWidth
        let width = max(isWide ? fittingWidth : shownWidth * fittingHeight / pixels.height, 1)
        let height = max(isWide ? pixels.height * fittingWidth / shownWidth : fittingHeight, 1)
        let target = try MemoryAllocator().makeBuffer(format: .argb8888, width: width, height: height)
        let context = sws_getContext(
            Int32(pixels.width), Int32(pixels.height), pixels.format.ffmpegFormat, Int32(width), Int32(height),
            target.format.ffmpegFormat, SWS_AREA, nil, nil, nil)
        guard let context else {
            throw MediaError(
                .decoderUnsupported,
                "Making a small picture of \(pixels.width)x\(pixels.height) pixels failed: \(pixels.format.rawValue) cannot be converted; "
                    + "it is left out.")
        }
        defer { sws_freeContext(context) }
        let matrix =
            switch frame.colour.matrix {
            case .bt601: SWS_CS_ITU601
            case .bt709: SWS_CS_ITU709
            case .bt2020: SWS_CS_BT2020
            }
        sws_setColorspaceDetails(
            context, sws_getCoefficients(matrix), frame.colour.isFullRange ? 1 : 0, sws_getCoefficients(SWS_CS_ITU709), 1, 0,
            1 << 16,
            1 << 16)
        pixels.withBytes { from in
            target.withMutableBytes { to in
                let sources = pointers(pixels, UnsafeMutableRawPointer(mutating: from.baseAddress!))
                let targets = pointers(target, to.baseAddress!)
                let inputs = sources.data.map { $0.map { UnsafePointer($0) } }
                _ = sws_scale(context, inputs, sources.strides, 0, Int32(pixels.height), targets.data, targets.strides)
            }
        }
        return try turn.apply(to: target)
    }

    private static func pointers(
        _ pixels: PixelBuffer, _ base: UnsafeMutableRawPointer
    ) -> (data: [UnsafeMutablePointer<UInt8>?], strides: [Int32]) {
        var data = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: 4)
        var strides = [Int32](repeating: 0, count: 4)
        for (index, plane) in pixels.planes.prefix(4).enumerated() {
            data[index] = (base + plane.offset).assumingMemoryBound(to: UInt8.self)
            strides[index] = Int32(plane.stride)
        }
        return (data, strides)
    }
}
