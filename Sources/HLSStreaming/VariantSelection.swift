import HLSPlaylist

/// Selects the variant to play: the best that the screen can show and the box can decode. A pure function of its inputs.
struct VariantSelection {
    /// Size of the screen in pixels.
    var width: Int
    var height: Int
    /// Whether only the lowest quality is used, because the network is metered.
    var takesLowest = false
    /// Whether there is a decoder for a codec string; nil when the string is unknown.
    var canDecode: (String) -> Bool?

    init(width: Int, height: Int, takesLowest: Bool = false, canDecode: @escaping (String) -> Bool?) {
        self.width = width
        self.height = height
        self.takesLowest = takesLowest
        self.canDecode = canDecode
    }

    /// How well the box can present a variant.
    private enum Suitability: Int, Comparable {
        /// It needs a decoder or an output protection (HDCP) that the box does not have.
        case none
        /// It is for devices with certain content protection (ALLOWED-CPC).
        case restricted
        /// A codec is unknown.
        case unknown
        /// Its brightness is that of an HDR screen (VIDEO-RANGE): on this screen the pictures are too dark…
        case perceptualQuantizer
        /// …or less so.
        case hybridLogGamma
        /// Nothing speaks against it.
        case full

        static func < (left: Suitability, right: Suitability) -> Bool { left.rawValue < right.rawValue }
    }

    /// The index of the variant to play; nil when the box can play none.
    ///
    /// Of the most suitable variants no larger than the screen the one with the highest bandwidth; if all are larger, the smallest.
    func choose(from variants: [Variant]) -> Int? {
        guard let best = variants.map(suitability).max(), best > .none else { return nil }
        let suitable = variants.indices.filter { suitability(variants[$0]) == best }
        if takesLowest { return suitable.min { low(variants[$0]) < low(variants[$1]) } }
        let fitting = suitable.filter { fits(variants[$0]) }
        if let best = fitting.max(by: { order(variants[$0]) < order(variants[$1]) }) { return best }
        return suitable.min { pixels(variants[$0]) < pixels(variants[$1]) }
    }

    /// Whether playback may switch to a variant: it is no larger than the screen, and as suitable as the chosen one.
    ///
    /// - Parameter best: the chosen variant; nil when nothing spoke against that.
    func allows(_ variant: Variant, beside best: Variant? = nil) -> Bool {
        !takesLowest && suitability(variant) >= best.map(suitability) ?? .full && fits(variant)
    }

    /// Whether a variant requires a protected connection to the screen. This box has none.
    static func requiresHDCP(_ variant: Variant) -> Bool { variant.hdcpLevel.map { $0 != "NONE" } ?? false }

    private func suitability(_ variant: Variant) -> Suitability {
        let decoders = variant.codecs.map(canDecode)
        if Self.requiresHDCP(variant) || decoders.contains(false) { return .none }
        if variant.allowedCPC.map({ !$0.isEmpty }) ?? false { return .restricted }
        if zip(variant.codecs, decoders).contains(where: { $1 == nil && !CodecKind.isText($0) }) { return .unknown }
        switch variant.videoRange {
        case "PQ": return .perceptualQuantizer
        case "HLG": return .hybridLogGamma
        default: return .full
        }
    }

    private func fits(_ variant: Variant) -> Bool {
        guard let size = variant.resolution else { return true }
        return size.width <= width && size.height <= height
    }

    /// Variants with pictures first; one without them is a fallback for very slow networks.
    private func order(_ variant: Variant) -> (Int, Int64) {
        (
            variant.resolution == nil && variant.codecs.contains(where: isVideo) == false && !variant.codecs.isEmpty ? 0 : 1,
            variant.bandwidth ?? 0
        )
    }

    /// Variants with pictures first, then the lowest bandwidth.
    private func low(_ variant: Variant) -> (Int, Int64) { (1 - order(variant).0, order(variant).1) }

    private func pixels(_ variant: Variant) -> Int { (variant.resolution?.width ?? 0) * (variant.resolution?.height ?? 0) }

    private func isVideo(_ codec: String) -> Bool { CodecKind.isVideo(codec) }
}

/// The kind of media of an RFC 6381 codec string.
enum CodecKind {
    static func isVideo(_ codec: String) -> Bool {
        ["avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "av01", "vp08", "vp09", "mp4v", "mp2v"].contains(String(codec.prefix(4)))
    }

    /// Captions need no decoder.
    static func isText(_ codec: String) -> Bool { ["stpp", "wvtt", "tx3g", "c608", "c708"].contains { codec.hasPrefix($0) } }

    static func isAudio(_ codec: String) -> Bool {
        ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "Opus", "fLaC", "flac", "alac", "mp3"].contains { codec.hasPrefix($0) }
    }
}
