import CFFmpeg
import MediaModel

extension ColourDescription {
    /// What the picture states, where it does not its container; where neither does, what is usual for the size: BT.709 for high definition and BT.601
    /// below.
    ///
    /// - Parameter light: what the container states; the picture's own statement has precedence.
    init(_ frame: UnsafePointer<AVFrame>, _ parameters: UnsafePointer<AVCodecParameters>, light: LightMetadata?) {
        let (picture, container) = (frame.pointee, parameters.pointee)
        let space = picture.colorspace != AVCOL_SPC_UNSPECIFIED ? picture.colorspace : container.color_space
        let transfer = Transfer(picture.color_trc) ?? Transfer(container.color_trc) ?? .standard
        let primaries = Primaries(picture.color_primaries) ?? Primaries(container.color_primaries)
        let matrix: Matrix
        switch space {
        case AVCOL_SPC_BT709: matrix = .bt709
        case AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT470BG, AVCOL_SPC_FCC: matrix = .bt601
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: matrix = .bt2020
        default: matrix = transfer != .standard ? .bt2020 : picture.width > 1024 || picture.height >= 720 ? .bt709 : .bt601
        }
        let isFullFormat = [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P]
            .contains(AVPixelFormat(picture.format))
        let range = picture.color_range != AVCOL_RANGE_UNSPECIFIED ? picture.color_range : container.color_range
        self.init(
            matrix: matrix, isFullRange: range == AVCOL_RANGE_JPEG || isFullFormat, primaries: primaries, transfer: transfer,
            light: transfer == .standard ? nil : LightMetadata(frame) ?? light)
    }
}

extension ColourDescription.Transfer {
    /// - Returns: nil if it is not specified.
    fileprivate init?(_ transfer: AVColorTransferCharacteristic) {
        switch transfer {
        case AVCOL_TRC_UNSPECIFIED, AVCOL_TRC_RESERVED, AVCOL_TRC_RESERVED0: return nil
        case AVCOL_TRC_SMPTE2084: self = .pq
        case AVCOL_TRC_ARIB_STD_B67: self = .hlg
        default: self = .standard
        }
    }
}

extension HighDynamicRange {
    /// What a container states.
    ///
    /// - Returns: nil for a standard range, or if nothing is stated.
    init?(stated parameters: AVCodecParameters) {
        let isWide = parameters.color_primaries == AVCOL_PRI_BT2020 || parameters.color_primaries == AVCOL_PRI_UNSPECIFIED
        switch ColourDescription.Transfer(parameters.color_trc) {
        case .pq where isWide: self = .pq
        case .hlg where isWide: self = .hlg
        default: return nil
        }
    }
}

extension ColourDescription.Primaries {
    /// - Returns: nil if they are not specified, or none that a programme has.
    fileprivate init?(_ primaries: AVColorPrimaries) {
        switch primaries {
        case AVCOL_PRI_BT709: self = .bt709
        case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M: self = .bt601
        case AVCOL_PRI_BT470BG: self = .bt470bg
        case AVCOL_PRI_BT2020: self = .bt2020
        case AVCOL_PRI_SMPTE432: self = .displayP3
        default: return nil
        }
    }
}

extension LightMetadata {
    /// From the side data of a picture.
    fileprivate init?(_ frame: UnsafePointer<AVFrame>) {
        let display = av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)?.pointee
        let level = av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)?.pointee
        self.init(display: display?.data, display?.size ?? 0, level: level?.data, level?.size ?? 0)
    }

    /// From the side data of a stream.
    init?(_ stream: UnsafePointer<AVStream>) {
        var (displaySize, levelSize) = (0, 0)
        let display = marquee_stream_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &displaySize)
        let level = marquee_stream_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &levelSize)
        self.init(display: display, displaySize, level: level, levelSize)
    }

    private init?(display: UnsafePointer<UInt8>?, _ displaySize: Int, level: UnsafePointer<UInt8>?, _ levelSize: Int) {
        var gamut: Gamut?
        var (peak, black): (Int?, UInt16?)
        if let display, displaySize >= MemoryLayout<AVMasteringDisplayMetadata>.size {
            let stated = UnsafeRawPointer(display).loadUnaligned(as: AVMasteringDisplayMetadata.self)
            if stated.has_primaries != 0 { gamut = Gamut(stated) }
            if stated.has_luminance != 0 {
                peak = stated.max_luminance.units(1, most: 10_000)
                black = stated.min_luminance.units(10_000, most: Int64(UInt16.max)).map { UInt16($0) }
            }
        }
        var (pixel, average): (Int?, Int?)
        if let level, levelSize >= MemoryLayout<AVContentLightMetadata>.size {
            let stated = UnsafeRawPointer(level).loadUnaligned(as: AVContentLightMetadata.self)
            (pixel, average) = (Int(stated.MaxCLL), Int(stated.MaxFALL))
        }
        self.init(gamut: gamut, peak: peak, black: black, brightestPixel: pixel, brightestAverage: average)
    }
}

extension LightMetadata.Gamut {
    /// - Returns: nil if a coordinate is none.
    fileprivate init?(_ stated: AVMasteringDisplayMetadata) {
        let (red, green, blue) = stated.display_primaries
        guard let red = LightMetadata.Chromaticity(red), let green = LightMetadata.Chromaticity(green),
            let blue = LightMetadata.Chromaticity(blue), let white = LightMetadata.Chromaticity(stated.white_point)
        else { return nil }
        self.init(red: red, green: green, blue: blue, white: white)
    }
}

extension LightMetadata.Chromaticity {
    fileprivate init?(_ pair: (AVRational, AVRational)) {
        guard let x = pair.0.units(50_000, most: 50_000), let y = pair.1.units(50_000, most: 50_000) else { return nil }
        self.init(x: UInt16(x), y: UInt16(y))
    }
}

extension AVRational {
    /// The number as a count of 1/`unit`, rounded.
    ///
    /// - Returns: nil if it is negative, no number, or more than `most` units.
    fileprivate func units(_ unit: Int64, most: Int64) -> Int? {
        guard den > 0, num >= 0 else { return nil }
        let count = (Int64(num) * unit + Int64(den) / 2) / Int64(den)
        return count <= most ? Int(count) : nil
    }
}
