import MediaTime

/// A saved position of an item.
package struct SavedPlace: Sendable, Hashable {
    /// In asset time. If the viewer left an interstitial that must be watched first: the position after it to which they wanted to go.
    package var time: MediaTime
    /// The id of the interstitial that must be watched before playback resumes; nil: none.
    package var owedInterstitial: String?

    package init(time: MediaTime, owedInterstitial: String? = nil) {
        self.time = time
        self.owedInterstitial = owedInterstitial
    }
}
