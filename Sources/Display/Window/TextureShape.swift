import MediaModel

/// The memory of a texture. Textures of one shape can be used for one another's content.
struct TextureShape: Hashable {
    enum Kind: Hashable {
        /// `yuv420p` and `nv12`, converted by the graphics processor.
        case threePlanes, twoPlanes
        /// `argb8888`.
        case colour
    }
    /// The conversions that the graphics processor has.
    enum Conversion: Hashable {
        case bt601, bt601Full, bt709
    }

    var kind: Kind
    var width: Int
    var height: Int
    /// Nil for `colour`.
    var conversion: Conversion?
}

extension TextureShape {
    /// The texture for a picture of a film. SDL converts the two matrices of standard definition and high definition; all others, and formats of more
    /// than eight bits or less subsampling, are converted here, by the code that the compositor uses.
    init(_ picture: PixelBuffer, _ colour: ColourDescription) {
        let conversion: Conversion? =
            switch (colour.matrix, colour.isFullRange) {
            case (.bt601, false): .bt601
            case (.bt601, true): .bt601Full
            case (.bt709, false): .bt709
            default: nil
            }
        let kind: Kind =
            switch picture.format {
            case .yuv420p where conversion != nil: .threePlanes
            case .nv12 where conversion != nil: .twoPlanes
            default: .colour
            }
        self.init(
            kind: kind, width: picture.width, height: picture.height, conversion: kind == .colour ? nil : conversion)
    }

    /// What is uploaded for a picture of a film: the picture itself, or a copy in the colours of a screen.
    ///
    /// - Returns: nil when memory is exhausted.
    func upload(of frame: VideoFrame, from scratch: MemoryAllocator) -> PixelBuffer? {
        let picture = frame.pixels
        guard kind == .colour, picture.format.isYUV else { return picture }
        guard let copy = try? scratch.makeBuffer(format: .xrgb8888, width: picture.width, height: picture.height) else {
            return nil
        }
        copy.withWritablePlanes { target in
            picture.withReadablePlanes { planes in
                ColourConversion.convert(
                    planes, area: picture.bounds, colour: frame.colour, to: target.bytes(0), stride: Int(target.stride(0)))
            }
        }
        return copy
    }
}
