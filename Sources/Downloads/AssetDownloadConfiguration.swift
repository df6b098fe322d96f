import HLSPlaylist

/// What is stored of an asset (AVAssetDownloadConfiguration).
package struct AssetDownloadConfiguration: Sendable {
    /// In bits per second: of the variants with at least this BANDWIDTH the lowest is stored; nil stores the best.
    package var minimumBitRate: Int64?
    /// Which variants the screen can show and the box can decode.
    package var variants: VariantSelection
    /// The languages of sound and captions, best first. Options in these languages are stored after the default selection.
    package var languages: [String]
    package var limits: DownloadLimits
    /// The hosts that a presentation from https may name over plain http (`[feed] allow_http`).
    package var plainHTTPHosts: Set<String>

    package init(
        variants: VariantSelection, languages: [String] = [], minimumBitRate: Int64? = nil, limits: DownloadLimits = .standard,
        plainHTTPHosts: Set<String> = []
    ) {
        self.plainHTTPHosts = plainHTTPHosts
        self.variants = variants
        self.languages = languages
        self.minimumBitRate = minimumBitRate
        self.limits = limits
    }
}

/// The bounds of one download. An asset beyond them is refused.
package struct DownloadLimits: Sendable, Hashable {
    /// The most resources of one asset.
    package var resources: Int
    /// The most bytes of one asset.
    package var bytes: Int64

    /// A film of eight hours in segments of one second with ten renditions has 288,000 resources; 128 GiB are a film of eight hours at 38 Mbit/s.
    package static let standard = DownloadLimits(resources: 300_000, bytes: 128 << 30)
}
