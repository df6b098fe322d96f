/// The most that resources without an asset may be together.
package struct CacheBounds: Sendable, Hashable {
    package var bytes: Int64
    package var count: Int

    package init(bytes: Int64, count: Int) {
        self.bytes = bytes
        self.count = count
    }
}

/// The order in which stored resources give way: those without an asset first, then whole assets, each by last use. Required assets and
/// those spared stay.
enum Eviction {
    /// The records that free at least `count` bytes, or as many as may be freed.
    static func records(freeing count: Int64, of index: StoreIndex, sparing: Set<String>, writing: Set<ResourceKey>)
        -> [JournalRecord]
    {
        guard count > 0 else { return [] }
        var rest = index
        var records: [JournalRecord] = []
        let goal = index.usage.total - count
        for (key, _) in index.cacheEntries where !writing.contains(key) {
            guard rest.usage.total > goal else { return records }
            records.append(.removed(key))
            _ = rest.apply(.removed(key))
        }
        let assets = index.assetIDs.filter { !sparing.contains($0) }.compactMap { index.asset($0) }.filter { !$0.isRequired }
        for asset in assets.sorted(by: { ($0.lastUse, $0.id) < ($1.lastUse, $1.id) }) {
            guard rest.usage.total > goal else { return records }
            records.append(.assetRemoved(asset.id))
            _ = rest.apply(.assetRemoved(asset.id))
        }
        return records
    }

    /// The records that bring the resources without an asset within their bounds. What is not wanted goes first.
    static func records(
        trimming index: StoreIndex, to bounds: CacheBounds, keeping wanted: Set<ResourceKey>, writing: Set<ResourceKey>
    ) -> [JournalRecord] {
        var rest = index
        var records: [JournalRecord] = []
        let entries = index.cacheEntries.map(\.key).filter { !writing.contains($0) }
        var count = entries.count
        for key in entries.filter({ !wanted.contains($0) }) + entries.filter(wanted.contains) {
            guard rest.usage.cache > bounds.bytes || count > bounds.count else { break }
            records.append(.removed(key))
            _ = rest.apply(.removed(key))
            count -= 1
        }
        return records
    }
}
