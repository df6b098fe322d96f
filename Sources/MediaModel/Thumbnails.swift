import MediaTime

/// The answer to a request for a picture.
package enum LoadedPicture: Sendable {
    case picture(PixelBuffer)
    /// It does not exist, or cannot be decoded.
    case missing
    /// Newer requests came first, or nothing is loaded any more: it may be there when it is requested again.
    case dropped
}

/// Loads thumbnails of positions in an item: for the scrub bubble and the Chapters tab. Used on the main loop; slow work runs on
/// other threads.
@MainActor
package protocol ThumbnailProviding: AnyObject {
    /// Determines which pictures exist. Called once.
    ///
    /// - Parameter then: called once with their asset times in ascending order; empty: there are none.
    func loadTimes(_ then: @escaping @MainActor @Sendable ([MediaTime]) -> Void)
    /// Loads the picture of a position, in `argb8888`, fitted into the given size. Of several waiting requests the newest comes
    /// first, and the oldest may be dropped.
    ///
    /// - Parameters:
    ///   - time: asset time, one of those from `loadTimes`.
    ///   - then: called once.
    func loadThumbnail(
        at time: MediaTime, width: Int, height: Int, _ then: @escaping @MainActor @Sendable (LoadedPicture) -> Void)
    /// Cancels pending work; waiting requests are dropped.
    func close()
}
