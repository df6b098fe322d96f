import MediaTime

/// Brings small pictures of places of an item, for whoever looks for a place in it: the scrub bubble and the Chapters tab. Lives on the main
/// loop; whatever takes time is done elsewhere.
@MainActor
package protocol ThumbnailProviding: AnyObject {
    /// Finds out which pictures there are. Called once.
    ///
    /// - Parameter then: called once with their asset times, rising; empty: there are none.
    func loadTimes(_ then: @escaping @MainActor @Sendable ([MediaTime]) -> Void)
    /// Brings the picture of a place, in `argb8888`, fitted into so many pixels. Of several that wait, the newest comes first, and those that
    /// have waited longest may be given up.
    ///
    /// - Parameters:
    ///   - time: asset time: one of those that were told.
    ///   - then: called once; nil: there is no picture, or it was given up.
    func loadThumbnail(at time: MediaTime, width: Int, height: Int, _ then: @escaping @MainActor @Sendable (PixelBuffer?) -> Void)
    /// Ends what is under way; what still waits is told nil.
    func close()
}
