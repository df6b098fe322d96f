import MediaModel
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

/// A request for the assets of an interstitial. Main loop.
@MainActor
package protocol InterstitialAssetRequest: AnyObject {
    /// Cancels it; its completion is not called any more.
    func cancel()
}

/// A source with interstitials beside the stream.
@MainActor
package protocol InterstitialSource: MediaSource {
    /// The known interstitials, ordered by time.
    var interstitials: [Interstitial] { get }
    /// Resolves the assets of an event. For a viewer who comes to it `offset` after its beginning a list may have only what is left. A list may be empty; nil means
    /// that it could not be loaded. A skip control of the list replaces that of the interstitial.
    ///
    /// - Returns: the request; nil if the completion was called at once.
    func resolveAssets(
        of event: Interstitial.Event, from offset: MediaTime,
        _ completion: @escaping @MainActor (_ assets: [InterstitialAsset]?, _ skip: Interstitial.SkipControl?) -> Void
    ) -> (any InterstitialAssetRequest)?
    /// The segment boundary nearest to an asset time.
    func segmentBoundary(nearest time: MediaTime) -> MediaTime
}

extension InterstitialSource {
    package var interstitialSource: (any InterstitialSource)? { self }
}
