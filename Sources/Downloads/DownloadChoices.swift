import FoundationEssentials
import SegmentStore

/// What viewers and operators decided about single items, beside what the feed marks. A value that the segment store keeps.
///
/// A choice lasts as long as the feed has the item.
package struct DownloadChoices: Sendable, Hashable, Codable {
    /// Items to store that the feed does not mark, or not with this priority.
    private var added: [String: DownloadPriority] = [:]
    /// Items that the feed marks and that are not stored.
    private var removed: Set<String> = []

    package init() {}

    /// The asset that keeps them. No item has a line break in its id (docs/channel-feed.md).
    private static let storeID = "\nchoices"

    /// - Parameter marked: the priority in the feed; nil for an item that it does not mark.
    /// - Returns: nil for an item that is not to be stored.
    package func priority(of item: String, marked: DownloadPriority?) -> DownloadPriority? {
        removed.contains(item) ? nil : added[item] ?? marked
    }

    package mutating func add(_ item: String, _ priority: DownloadPriority) {
        removed.remove(item)
        added[item] = priority
    }

    /// - Parameter isMarked: whether the feed marks the item. Of others nothing needs to be remembered.
    package mutating func remove(_ item: String, isMarked: Bool) {
        added[item] = nil
        if isMarked { removed.insert(item) }
    }

    /// Forgets the choices about items that no longer exist.
    package mutating func keepOnly(_ exists: (String) -> Bool) {
        added = added.filter { exists($0.key) }
        removed = removed.filter(exists)
    }

    // MARK: Keeping

    /// Reads them from an open store.
    @MainActor
    package init(in store: SegmentStore) {
        let kept = store.asset(Self.storeID).flatMap { try? JSONDecoder().decode(Self.self, from: Data($0.metadata)) }
        self = kept ?? Self()
    }

    /// Whether the store can record so many.
    package var canBeKept: Bool { encoded.count <= SegmentStore.longestMetadata }

    /// Records them.
    @MainActor
    package func keep(in store: SegmentStore, _ completion: @escaping SegmentStore.Completion = { _ in }) {
        store.setAsset(Self.storeID, metadata: encoded, isRequired: true, completion)
    }

    /// Nothing in these values can fail to be encoded.
    private var encoded: [UInt8] { (try? JSONEncoder().encode(self)).map { Array($0) } ?? [] }
}
