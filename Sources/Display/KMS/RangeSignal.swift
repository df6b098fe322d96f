import CDRM
import MediaModel

/// The signal of a high dynamic range to a screen: its transfer function, and the light for which the programme was made. A value.
struct RangeSignal: Sendable, Hashable {
    var range: HighDynamicRange
    /// Nil: the programme does not state it.
    var light: LightMetadata?

    /// The static metadata of type 1 (CTA-861-G, 6.9) in the kernel's form. What is not stated is 0, which means unknown.
    var metadata: hdr_output_metadata {
        var frame = hdr_metadata_infoframe()
        frame.eotf = range == .pq ? 2 : 3
        if let gamut = light?.gamut {
            marquee_set_primaries(
                &frame, [gamut.red.x, gamut.red.y, gamut.green.x, gamut.green.y, gamut.blue.x, gamut.blue.y])
            frame.white_point = .init(x: gamut.white.x, y: gamut.white.y)
        }
        frame.max_display_mastering_luminance = light?.peak ?? 0
        frame.min_display_mastering_luminance = light?.black ?? 0
        frame.max_cll = light?.brightestPixel ?? 0
        // The average of a picture is not brighter than its brightest pixel.
        let average = light?.brightestAverage ?? 0
        frame.max_fall = frame.max_cll > 0 ? min(average, frame.max_cll) : average
        var metadata = hdr_output_metadata()
        metadata.hdmi_metadata_type1 = frame
        return metadata
    }
}

/// What a connector can signal. Made of its properties and its screen's EDID.
struct RangeAbility: Sendable, Hashable {
    /// What can be signalled; empty if the connector has no properties for it, or its screen shows a standard range only.
    let ranges: Set<HighDynamicRange>
    /// The value of `Colorspace` for the primaries of BT.2020.
    private let wideSpace: UInt64
    /// The value of `max bpc` for a high range; nil when the driver chooses.
    private let bits: UInt64?

    /// Nothing but a standard range.
    static let none = RangeAbility(ranges: [], wideSpace: 0, bits: nil)

    private init(ranges: Set<HighDynamicRange>, wideSpace: UInt64, bits: UInt64?) {
        (self.ranges, self.wideSpace, self.bits) = (ranges, wideSpace, bits)
    }

    /// - Parameter planes: of the CRTC, from the lowest.
    init(_ connector: DRMProperties, _ sink: SinkAbility, planes: [KMSPlane]) {
        // The driver chooses between RGB and luma and chroma itself; to most the two values mean the same.
        let space =
            (sink.acceptsBT2020RGB ? connector.value(of: "BT2020_RGB", in: "Colorspace") : nil)
            ?? (sink.acceptsBT2020YCC ? connector.value(of: "BT2020_YCC", in: "Colorspace") : nil)
        let most = connector["max bpc"].map { $0.range.last ?? 0 }
        guard connector["HDR_OUTPUT_METADATA"] != nil, let space, most ?? 10 >= 10, Self.showsTenBits(planes) else {
            self = .none
            return
        }
        self.init(ranges: sink.ranges, wideSpace: space, bits: most.map { min($0, UInt64(sink.bits)) })
    }

    /// Whether a plane shows pictures of ten bits with the matrix of BT.2020, and one above it layers.
    private static func showsTenBits(_ planes: [KMSPlane]) -> Bool {
        let video = planes.firstIndex { plane in
            !plane.profile.isCursor && plane.profile.formats.contains(.p010)
                && plane.properties.value(of: ColourDescription.Matrix.bt2020.propertyName, in: "COLOR_ENCODING") != nil
        }
        guard let video else { return false }
        return planes[(video + 1)...].contains { !$0.profile.isCursor && $0.profile.formats.contains(.argb8888) }
    }

    /// Adds a signal to a request that sets the mode.
    ///
    /// - Parameters:
    ///   - metadata: the number of the blob with the metadata; nil: a standard range, for which `max bpc` is as it was found.
    ///   - found: the value of `max bpc` before this process changed it.
    func add(_ metadata: UInt32?, foundBits found: UInt64?, _ connector: DRMProperties, to request: inout AtomicRequest) {
        request.set(connector, "HDR_OUTPUT_METADATA", UInt64(metadata ?? 0))
        if let space = metadata == nil ? connector.value(of: "Default", in: "Colorspace") : wideSpace {
            request.set(connector, "Colorspace", space)
        }
        if let value = metadata == nil ? found : bits { request.set(connector, "max bpc", value) }
    }
}
