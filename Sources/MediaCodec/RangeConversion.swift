import CFFmpeg
import CZimg
import MediaModel

/// The conversion of one kind of picture to the dynamic range of a screen: 8-bit 4:2:0 for a standard one, ten bits in 4:2:0 for a high one. One graph where
/// no light has to be mapped; otherwise two, and between them a picture in red, green and blue of 16 bits, whose rows are mapped (`LightMapping`) while they
/// are in the cache. Used by one thread at a time.
final class RangeConversion {
    /// What the graphs are made for.
    struct Shape: Equatable {
        let width, height: Int
        let layout: PlanarLayout
        let chromaLocation: UInt32
        let colour: ColourDescription
        /// That of the screen; nil: standard.
        let range: HighDynamicRange?

        /// - Precondition: the format of the frame is planar.
        init(_ frame: AVFrame, _ colour: ColourDescription) {
            guard let layout = PlanarLayout(AVPixelFormat(frame.format)) else { preconditionFailure("a planar format") }
            (width, height) = (Int(frame.width), Int(frame.height))
            (self.layout, self.colour) = (layout, colour)
            chromaLocation = frame.chroma_location.rawValue
            range = nil
        }

        /// - Parameter layout: that of the picture when it is in three planes.
        init(_ frame: VideoFrame, _ layout: PlanarLayout, for range: HighDynamicRange?) {
            (width, height) = (frame.pixels.width, frame.pixels.height)
            (self.layout, colour, self.range) = (layout, frame.colour, range)
            chromaLocation = AVCHROMA_LOC_UNSPECIFIED.rawValue
        }

        /// zimg takes pictures with subsampled chroma only in even sizes.
        var evenWidth: Int { (width + 1) & ~1 }
        var evenHeight: Int { (height + 1) & ~1 }
    }

    let shape: Shape
    /// The colours of the result.
    let result: ColourDescription
    private let steps: Steps
    /// For pictures whose rows zimg cannot take as they are.
    private var aligned: PlanarCopy?

    private enum Steps {
        case one(ColourGraph)
        case throughLight(ColourGraph, LightStage, ColourGraph)
    }

    /// - Throws: why zimg cannot convert such pictures.
    init(_ shape: Shape, usesCurve: Bool) throws(ColourGraphError) {
        let colour = shape.colour
        let changesColours = colour.isHDR || colour.primaries.isWide
        result = shape.range?.colour ?? (changesColours ? .standardRange : colour)
        self.shape = shape
        let source = Self.source(shape)
        let target = Self.target(shape, result)
        // From one high range to another the light stays.
        let mapsLight = shape.range == nil ? changesColours : !colour.isHDR
        if mapsLight {
            // The curve is defined on code values of SMPTE ST 2084, in which hybrid log-gamma has a table, too.
            let transfer = colour.isHDR ? ZIMG_TRANSFER_ST2084 : ZIMG_TRANSFER_BT709
            let shown = shape.range == nil ? ZIMG_TRANSFER_BT709 : ZIMG_TRANSFER_ST2084
            let mapping = try LightMapping(
                colour, transfer: transfer, to: (shown, zimg_color_primaries_e(result.primaries)), usesCurve: usesCurve,
                width: shape.evenWidth)
            steps = .throughLight(
                try ColourGraph(
                    from: source, to: Self.rgb(shape, colour, transfer), white: ToneCurve.white, isDithered: false),
                LightStage(mapping, width: shape.evenWidth, height: shape.evenHeight),
                try ColourGraph(from: Self.rgb(shape, result, shown), to: target, white: ToneCurve.white, isDithered: true))
        } else {
            steps = .one(try ColourGraph(from: source, to: target, white: ToneCurve.white, isDithered: true))
        }
    }

    /// Converts one picture of the shape.
    ///
    /// - Parameter pixels: 8-bit 4:2:0, with room for the even size.
    func run(_ frame: UnsafePointer<AVFrame>, into pixels: PixelBuffer) throws(ColourGraphError) {
        pixels.storage.beginAccess()
        defer { pixels.storage.endAccess() }
        try run(PlanePointers(frame.pointee), into: PlanePointers(pixels))
    }

    /// Converts one picture of the shape.
    ///
    /// - Parameter target: with room for the even size.
    func run(_ picture: PlanePointers, into target: PlanePointers) throws(ColourGraphError) {
        var source = picture
        if !source.isAligned || shape.width != shape.evenWidth || shape.height != shape.evenHeight {
            let copy = aligned ?? PlanarCopy(shape.layout, width: shape.evenWidth, height: shape.evenHeight)
            aligned = copy
            copy.fill(source, width: shape.width, height: shape.height)
            source = copy.planes
        }
        switch steps {
        case .one(let graph): try graph.run(from: source, to: target)
        case .throughLight(let first, let stage, let second):
            try first.run(
                from: source, to: stage.planes,
                rowIsDone: { user, row, _, right in
                    guard let user else { return 1 }
                    return Unmanaged<LightStage>.fromOpaque(user).takeUnretainedValue().map(Int(row), until: Int(right)) ? 0 : 1
                }, user: Unmanaged.passUnretained(stage).toOpaque())
            try second.run(from: stage.planes, to: target)
        }
    }

    private static func format(_ shape: Shape) -> zimg_image_format {
        var format = zimg_image_format()
        zimg_image_format_default(&format, marquee_zimg_version)
        format.width = UInt32(shape.evenWidth)
        format.height = UInt32(shape.evenHeight)
        return format
    }

    private static func source(_ shape: Shape) -> zimg_image_format {
        let layout = shape.layout
        var format = format(shape)
        format.pixel_type = layout.depth > 8 ? ZIMG_PIXEL_WORD : ZIMG_PIXEL_BYTE
        format.depth = UInt32(layout.depth)
        format.subsample_w = UInt32(layout.horizontalShift)
        format.subsample_h = UInt32(layout.verticalShift)
        format.color_family = ZIMG_COLOR_YUV
        format.describe(shape.colour)
        format.chroma_location =
            switch AVChromaLocation(shape.chromaLocation) {
            case AVCHROMA_LOC_CENTER: ZIMG_CHROMA_CENTER
            case AVCHROMA_LOC_TOPLEFT: ZIMG_CHROMA_TOP_LEFT
            case AVCHROMA_LOC_TOP: ZIMG_CHROMA_TOP
            case AVCHROMA_LOC_BOTTOMLEFT: ZIMG_CHROMA_BOTTOM_LEFT
            case AVCHROMA_LOC_BOTTOM: ZIMG_CHROMA_BOTTOM
            default: ZIMG_CHROMA_LEFT
            }
        return format
    }

    private static func rgb(
        _ shape: Shape, _ colour: ColourDescription, _ transfer: zimg_transfer_characteristics_e
    ) -> zimg_image_format {
        var format = format(shape)
        format.pixel_type = ZIMG_PIXEL_WORD
        format.depth = 16
        format.color_family = ZIMG_COLOR_RGB
        format.describe(colour)
        format.matrix_coefficients = ZIMG_MATRIX_RGB
        format.transfer_characteristics = transfer
        format.pixel_range = ZIMG_RANGE_FULL
        return format
    }

    private static func target(_ shape: Shape, _ colour: ColourDescription) -> zimg_image_format {
        var format = format(shape)
        format.pixel_type = shape.range == nil ? ZIMG_PIXEL_BYTE : ZIMG_PIXEL_WORD
        format.depth = shape.range == nil ? 8 : 10
        format.subsample_w = 1
        format.subsample_h = 1
        format.color_family = ZIMG_COLOR_YUV
        format.describe(colour)
        return format
    }
}

/// The picture between the two graphs, and the mapping of its rows.
private final class LightStage {
    let planes: PlanePointers
    private let memory: AlignedMemory
    private let mapping: LightMapping
    private let width: Int

    init(_ mapping: LightMapping, width: Int, height: Int) {
        self.mapping = mapping
        self.width = width
        let stride = AlignedMemory.rounded(width * 2)
        memory = AlignedMemory(byteCount: 3 * stride * height)
        let base = memory.base
        planes = PlanePointers(
            data: (base, base + stride * height, base + 2 * stride * height), strides: (stride, stride, stride))
    }

    /// Maps a row when it is complete. zimg writes wide pictures in strips from the left to the right.
    ///
    /// - Parameter end: the end of the part that was written.
    /// - Returns: false if it could not.
    func map(_ row: Int, until end: Int) -> Bool {
        guard end >= width else { return true }
        let offset = row * planes.strides.0
        return mapping.map(
            (planes.data.0 + offset).assumingMemoryBound(to: UInt16.self),
            (planes.data.1 + offset).assumingMemoryBound(to: UInt16.self),
            (planes.data.2 + offset).assumingMemoryBound(to: UInt16.self))
    }
}

extension zimg_image_format {
    /// Sets matrix, primaries, transfer function and range.
    mutating func describe(_ colour: ColourDescription) {
        matrix_coefficients =
            switch colour.matrix {
            case .bt601: ZIMG_MATRIX_ST170_M
            case .bt709: ZIMG_MATRIX_BT709
            case .bt2020: ZIMG_MATRIX_BT2020_NCL
            }
        color_primaries = zimg_color_primaries_e(colour.primaries)
        transfer_characteristics =
            switch colour.transfer {
            case .standard: ZIMG_TRANSFER_BT709
            case .pq: ZIMG_TRANSFER_ST2084
            case .hlg: ZIMG_TRANSFER_ARIB_B67
            }
        pixel_range = colour.isFullRange ? ZIMG_RANGE_FULL : ZIMG_RANGE_LIMITED
    }
}

extension zimg_color_primaries_e {
    init(_ primaries: ColourDescription.Primaries) {
        self =
            switch primaries {
            case .bt601: ZIMG_PRIMARIES_ST170_M
            case .bt470bg: ZIMG_PRIMARIES_BT470_BG
            case .bt709: ZIMG_PRIMARIES_BT709
            case .bt2020: ZIMG_PRIMARIES_BT2020
            case .displayP3: ZIMG_PRIMARIES_ST432_1
            }
    }
}
