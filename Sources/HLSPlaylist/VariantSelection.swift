/// Selects the variant to play: the best that the screen can show and the box can decode. A pure function of its inputs.
package struct VariantSelection: Sendable {
    /// Size of the screen in pixels.
    package var width: Int
    package var height: Int
    /// The high dynamic ranges that the screen shows, by their names in VIDEO-RANGE.
    package var shownRanges: Set<String>
    /// Whether the lowest quality is chosen, because the network is metered.
    package var takesLowest = false
    /// Whether there is a decoder for a codec string; nil when the string is unknown.
    package var canDecode: @Sendable (String) -> Bool?

    package init(
        width: Int, height: Int, shownRanges: Set<String> = [], takesLowest: Bool = false,
        canDecode: @escaping @Sendable (String) -> Bool?
    ) {
        self.shownRanges = shownRanges
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
        /// It is for HDR screens (VIDEO-RANGE), and its pictures would have to be mapped to this one: those of PQ lose most…
        case perceptualQuantizer
        /// …those of HLG less.
        case hybridLogGamma
        /// Nothing speaks against it. A high range that the screen shows is among these.
        case full

        static func < (left: Suitability, right: Suitability) -> Bool { left.rawValue < right.rawValue }
    }

    /// The index of the variant to play; nil when the box can play none.
    ///
    /// Of the most suitable variants no larger than the screen the one with the highest bandwidth; if all are larger, the smallest. One in a high dynamic range
    /// that the screen shows is preferred, whatever its bandwidth, unless the best one in a standard range is larger.
    package func choose(from variants: [Variant]) -> Int? {
        guard let best = variants.map(suitability).max(), best > .none else { return nil }
        let suitable = variants.indices.filter { suitability(variants[$0]) == best }
        if takesLowest { return suitable.min { low(variants[$0]) < low(variants[$1]) } }
        let fitting = suitable.filter { fits(variants[$0]) }
        func highest(_ indices: [Int]) -> Int? { indices.max { order(variants[$0]) < order(variants[$1]) } }
        let standard = highest(fitting.filter { !isHigh(variants[$0]) })
        if let high = highest(fitting.filter { isHigh(variants[$0]) }) {
            guard let standard, pixels(variants[standard]) > pixels(variants[high]) else { return high }
        }
        if let standard { return standard }
        return suitable.min { pixels(variants[$0]) < pixels(variants[$1]) }
    }

    /// The index of the variant to store for playback without a network; nil when the box can play none.
    ///
    /// - Parameter bitRate: in bits per second. Of the variants with at least this BANDWIDTH that playback could use, the one with the lowest is stored;
    ///   if there is none, or without a bit rate, the one that `choose(from:)` returns.
    package func choose(from variants: [Variant], atLeast bitRate: Int64?) -> Int? {
        guard let best = choose(from: variants), let bitRate else { return choose(from: variants) }
        let enough = variants.indices.filter {
            allows(variants[$0], beside: variants[best]) && order(variants[$0]).0 == order(variants[best]).0
                && (variants[$0].bandwidth ?? 0) >= bitRate
        }
        return enough.min { (variants[$0].bandwidth ?? 0) < (variants[$1].bandwidth ?? 0) } ?? best
    }

    /// Larger key frames than this have no use while scanning, in lines.
    private static let scanningHeight = 540

    /// The index of the I-frame playlist for scanning: the one with the lowest bandwidth that is as large as the screen needs, otherwise the largest.
    /// Nil when the box can decode none.
    package func chooseIFrames(from variants: [Variant]) -> Int? {
        let decodable = variants.indices.filter { variants[$0].codecs.allSatisfy { canDecode($0) != false } }
        func size(_ index: Int) -> Int { variants[index].resolution?.height ?? 0 }
        let large = decodable.filter { size($0) >= min(height, Self.scanningHeight) }
        return large.min { (variants[$0].bandwidth ?? 0, $0) < (variants[$1].bandwidth ?? 0, $1) }
            ?? decodable.max { (size($0), $1) < (size($1), $0) }
    }

    /// Whether playback may switch to a variant: it is no larger than the screen, and as suitable as the chosen one.
    ///
    /// - Parameter best: the chosen variant; nil when nothing spoke against that.
    package func allows(_ variant: Variant, beside best: Variant? = nil) -> Bool {
        suitability(variant) >= best.map(suitability) ?? .full && fits(variant)
    }

    /// Whether a variant requires a protected connection to the screen. This box has none.
    package static func requiresHDCP(_ variant: Variant) -> Bool { variant.hdcpLevel.map { $0 != "NONE" } ?? false }

    private func suitability(_ variant: Variant) -> Suitability {
        let decoders = variant.codecs.map(canDecode)
        if Self.requiresHDCP(variant) || decoders.contains(false) { return .none }
        if variant.allowedCPC.map({ !$0.isEmpty }) ?? false { return .restricted }
        if zip(variant.codecs, decoders).contains(where: { $1 == nil && !CodecKind.isText($0) }) { return .unknown }
        switch variant.baseRange {
        case let range? where shownRanges.contains(range): return .full
        case "PQ": return .perceptualQuantizer
        case "HLG": return .hybridLogGamma
        default: return .full
        }
    }

    /// Whether the screen shows its high dynamic range.
    private func isHigh(_ variant: Variant) -> Bool { variant.baseRange.map(shownRanges.contains) ?? false }

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
package enum CodecKind {
    package static func isVideo(_ codec: String) -> Bool {
        ["avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "av01", "vp08", "vp09", "mp4v", "mp2v"].contains(String(codec.prefix(4)))
    }

    /// Captions need no decoder.
    package static func isText(_ codec: String) -> Bool {
        ["stpp", "wvtt", "tx3g", "c608", "c708"].contains { codec.hasPrefix($0) }
    }

    package static func isAudio(_ codec: String) -> Bool {
        ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "Opus", "fLaC", "flac", "alac", "mp3"].contains { codec.hasPrefix($0) }
    }

    /// Whether nothing is known about it: it may stand for pictures or for sound.
    package static func isUnknown(_ codec: String) -> Bool { !isVideo(codec) && !isAudio(codec) && !isText(codec) }
}
