import HLSPlaylist
import MediaModel

/// What the disk remembers of a download: enough to continue after a restart without a network, and to know what can be played.
package struct DownloadRecord: Sendable, Hashable, Codable {
    package var asset: DownloadableAsset
    /// The stream that is stored, an index into the asset's.
    package var stream: Int
    /// The playlists of the plan; empty for a file. nil if they cannot be read: a power cut came before they were on the disk.
    package var playlists: [PlaylistText]?
    /// The options that are stored beside the variant, or that this download adds.
    package var selection: [RenditionID]
    /// The options that are wanted after these.
    package var furtherOptions: [RenditionID]
    /// The length of a file, if its server stated it.
    package var fileLength: Int64?
    package var isComplete: Bool

    /// The plan that was recorded; nil if it cannot be read.
    ///
    /// - Parameter configuration: its rule for variants is not applied again: the recorded playlists list one variant.
    package func plan(_ configuration: AssetDownloadConfiguration) -> DownloadPlan? {
        guard asset.streams.indices.contains(stream), let playlists else { return nil }
        guard let root = playlists.last(where: { $0.role == .root }) else {
            return DownloadPlan(
                file: asset.streams[stream], of: asset, layout: fileLength.map { .pieces(length: $0) } ?? .firstPiece)
        }
        var configuration = configuration
        configuration.minimumBitRate = nil
        var gathering = PlaylistGathering(address: root.url, options: selection, configuration: configuration)
        for playlist in [root] + playlists.filter({ $0.role != .root }) {
            guard (try? gathering.take(playlist.role, Array(playlist.text.utf8), url: playlist.url)) != nil else { return nil }
        }
        return gathering.presentation.flatMap {
            try? DownloadPlan(
                $0, of: asset, address: root.url, limits: configuration.limits, plainHTTPHosts: configuration.plainHTTPHosts)
        }
    }
}
