/// What the box has of an asset without a network (AVAssetCache). Main loop only.
@MainActor
package struct AssetCache {
    private let session: AssetDownloadSession

    package init(_ session: AssetDownloadSession) { self.session = session }

    /// Whether an item can be played without a network. True does not mean that all its options are stored. Asked of the store each time, so that it is also
    /// right after the store has removed something.
    package func isPlayableOffline(_ item: String) -> Bool { session.isComplete(item) }

    /// The options of sound and captions with playlists of their own that an item has in the store; empty if it cannot be played without a network.
    package func mediaSelectionOptions(of item: String, _ characteristic: RenditionID.Characteristic) -> [RenditionID] {
        session.localOptions(of: item).filter { $0.characteristic == characteristic }
    }

    /// The bytes that an item has on the disk.
    package func size(of item: String) -> Int64 { session.size(of: item) }
}
