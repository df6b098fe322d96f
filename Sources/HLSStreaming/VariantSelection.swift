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

    /// The index of the variant to play; nil when the box can decode none.
    ///
    /// Of the variants no larger than the screen the one with the highest bandwidth; if all are larger, the smallest.
    func choose(from variants: [Variant]) -> Int? {
        let decodable = variants.indices.filter { isDecodable(variants[$0]) }
        if takesLowest { return decodable.min { low(variants[$0]) < low(variants[$1]) } }
        let fitting = decodable.filter { fits(variants[$0]) }
        if let best = fitting.max(by: { order(variants[$0]) < order(variants[$1]) }) { return best }
        return decodable.min { pixels(variants[$0]) < pixels(variants[$1]) }
    }

    /// Whether a variant may be played at all: the box can decode it, and it is no larger than the screen.
    func allows(_ variant: Variant) -> Bool { !takesLowest && isDecodable(variant) && fits(variant) }

    private func isDecodable(_ variant: Variant) -> Bool { variant.codecs.allSatisfy { canDecode($0) != false } }

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

    static func isAudio(_ codec: String) -> Bool {
        ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "Opus", "fLaC", "flac", "alac", "mp3"].contains { codec.hasPrefix($0) }
    }
}
