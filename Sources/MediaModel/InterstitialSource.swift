import MediaTime

/// One asset of an interstitial beside the stream.
package struct InterstitialAsset: Sendable, Hashable {
    package var url: String
    /// Its duration, if the list states it.
    package var duration: MediaTime?

    package init(url: String, duration: MediaTime?) {
        self.url = url
        self.duration = duration
    }
}

/// A source with interstitials beside the stream.
@MainActor
package protocol InterstitialSource: MediaSource {
    /// The known interstitials, ordered by time.
    var interstitials: [Interstitial] { get }
    /// Resolves the assets of an event; the completion may be called synchronously. A list may be empty; nil means that it could
    /// not be loaded. A skip control of the list replaces that of the interstitial.
    func resolveAssets(
        of event: Interstitial.Event,
        _ completion: @escaping @MainActor (_ assets: [InterstitialAsset]?, _ skip: Interstitial.SkipControl?) -> Void
    )
    /// The segment boundary nearest to an asset time.
    func segmentBoundary(nearest time: MediaTime) -> MediaTime
}

extension InterstitialSource {
    package var interstitialSource: (any InterstitialSource)? { self }
}
