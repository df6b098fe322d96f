import HLSPlaylist
import MediaTime

/// The variants between which playback may switch: of one codec family, within the limits of screen and decoders, ordered by bit
/// rate. Variants that differ only in their location are on one rung.
struct VariantLadder {
    /// Interchangeable variants.
    struct Rung: Hashable {
        /// Mean bits per second.
        var bitrate: Double
        /// Indices of the variants, in the order of the playlist.
        var variants: [Int]
    }
    /// From the lowest bit rate to the highest.
    private(set) var rungs: [Rung]

    /// The assumed ratio of mean to peak, when only the peak is stated.
    private static let meanOfPeak = 0.8

    init(_ variants: [Variant], selection: VariantSelection) {
        guard let best = selection.choose(from: variants) else {
            rungs = []
            return
        }
        let family = Family(variants[best])
        var groups: [Rung] = []
        for index in variants.indices
        where Family(variants[index]) == family && (index == best || selection.allows(variants[index], beside: variants[best])) {
            if let place = groups.firstIndex(where: { Self.areAlike(variants[$0.variants[0]], variants[index]) }) {
                groups[place].variants.append(index)
            } else {
                groups.append(Rung(bitrate: Self.bitrate(variants[index]), variants: [index]))
            }
        }
        rungs = Self.withoutWorse(groups.sorted { ($0.bitrate, $0.variants[0]) < ($1.bitrate, $1.variants[0]) }, variants)
    }

    /// The rung of a variant.
    func rung(of variant: Int) -> Int? { rungs.firstIndex { $0.variants.contains(variant) } }

    /// Adds another location of a variant to its rung; ignored when the variant has no rung.
    mutating func add(_ variant: Int, beside base: Int) {
        if let rung = rung(of: base) { rungs[rung].variants.append(variant) }
    }

    /// What must be equal for a seamless switch of picture and sound.
    private struct Family: Hashable {
        var video: String
        var audio: Set<String>
        var range: String

        init(_ variant: Variant) {
            video =
                variant.codecs.first(where: CodecKind.isVideo).map { Self.family($0) } ?? (variant.resolution == nil ? "" : "?")
            audio = Set(variant.codecs.filter(CodecKind.isAudio).map { Self.family($0) })
            range = variant.baseRange ?? "SDR"
            // A playlist that states no codecs at all is one family.
            if variant.codecs.isEmpty { video = "?" }
        }

        /// avc1 and avc3, hvc1 and hev1 are one codec each.
        private static func family(_ codec: String) -> String {
            switch codec.prefix(4) {
            case "avc1", "avc3": "avc"
            case "hvc1", "hev1": "hevc"
            default: String(codec.prefix(4))
            }
        }
    }

    private static func bitrate(_ variant: Variant) -> Double {
        if let average = variant.averageBandwidth, average > 0 { return Double(average) }
        return max(Double(variant.bandwidth ?? 1) * meanOfPeak, 1)
    }

    private static func areAlike(_ left: Variant, _ right: Variant) -> Bool {
        left.bandwidth == right.bandwidth && left.averageBandwidth == right.averageBandwidth
            && left.resolution == right.resolution
            && left.codecs == right.codecs && left.frameRate == right.frameRate
    }

    /// Drops rungs that cost more and, by SCORE, are not better.
    private static func withoutWorse(_ rungs: [Rung], _ variants: [Variant]) -> [Rung] {
        let scores = rungs.map { variants[$0.variants[0]].score }
        guard scores.allSatisfy({ $0 != nil }) else { return rungs }
        var kept: [Rung] = []
        var best: Ratio?
        for (rung, score) in zip(rungs, scores) {
            if let best, let score, !(best < score) { continue }
            best = score
            kept.append(rung)
        }
        return kept
    }
}
