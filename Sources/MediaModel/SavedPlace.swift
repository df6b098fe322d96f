import MediaTime

/// Where a viewer left an item.
package struct SavedPlace: Sendable, Hashable {
    /// In asset time. If an interstitial was left that must be watched first: the position after it that the viewer wanted.
    package var time: MediaTime
    /// The id of the interstitial that must be watched before playback resumes; nil: none.
    package var owedInterstitial: String?

    package init(time: MediaTime, owedInterstitial: String? = nil) {
        self.time = time
        self.owedInterstitial = owedInterstitial
    }
}
