import HLSPlaylist
import MediaModel
import MediaTime

/// Whether delta updates (EXT-X-SKIP) are asked for: no longer once one could not be used.
struct DeltaTrust {
    private enum Trust {
        case trusted, distrusted
        /// The log has it.
        case told
    }

    private var trust = Trust.trusted
    /// Whether the last request asked for one.
    private(set) var isAwaited = false

    /// Decides for the next request.
    ///
    /// - Parameters:
    ///   - playlist: the one before; nil if the request starts over.
    ///   - age: since it was loaded.
    mutating func asks(after playlist: MediaPlaylist?, age: MediaTime) -> Bool {
        isAwaited = trust == .trusted && playlist.map { ReloadSchedule.mayAskForDelta($0, age: age) } ?? false
        return isAwaited
    }

    /// One has come that skips what is not known.
    mutating func distrust() { if trust == .trusted { trust = .distrusted } }

    /// What is listed in such a one is played.
    ///
    /// - Returns: whether that has to be told.
    mutating func tell() -> Bool {
        defer { trust = .told }
        return trust != .told
    }

    /// What is wrong with a delta update at an address.
    func error(at url: String) -> MediaError {
        MediaError(
            .sourceFormat,
            isAwaited
                ? "The delta update (EXT-X-SKIP) of \(url) skips segments that the playlist before it did not have; check the packager."
                : "\(url) was answered with a delta update (EXT-X-SKIP) that was not asked for; have the caches of its CDN heed the query."
        )
    }
}
