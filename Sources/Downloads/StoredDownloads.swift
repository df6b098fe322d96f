import BoxModel
import LinuxSupport
import SegmentStore

/// The downloads of a store that no box has open, for commands. What is chosen here is obeyed by the next box that opens the store. Main loop only.
@MainActor
package final class StoredDownloads {
    package typealias Completion = SegmentStore.Completion
    private let store: SegmentStore
    private let keeping: DownloadKeeping

    /// - Parameter store: open; its owner closes it after this.
    package init(_ store: SegmentStore, clock: any HostClock) {
        self.store = store
        keeping = DownloadKeeping(store: store, clock: clock, matching: ResourceMatching())
    }

    package func close() { keeping.close() }

    /// What is stored, whole or in part, by id. Why something is missing, and how much, only a box knows.
    package var list: [DownloadStatus] {
        let items = keeping.items
        let sizes = keeping.sizes(of: Set(items.map(\.id)))
        return items.map { item, isRequired in
            let isSaved = keeping.isComplete(DownloadID(item: item))
            var status = DownloadStatus(id: item, state: isSaved ? .saved : .queued, isRequired: isRequired)
            status.progress = isSaved ? 1 : 0
            status.bytes = sizes[item] ?? 0
            if isSaved { status.expectedBytes = status.bytes }
            return status
        }
    }

    /// The next box stores an item, if its feed has it.
    package func add(_ item: String, isRequired: Bool, _ completion: @escaping Completion) {
        var choices = DownloadChoices(in: store)
        choices.add(item, isRequired ? .required : .opportunistic)
        choices.keep(in: store, completion)
    }

    /// Removes what is stored of an item. The next box does not store it again.
    package func remove(_ item: String, _ completion: @escaping Completion) {
        var choices = DownloadChoices(in: store)
        choices.remove(item, isMarked: true)
        keeping.remove(item: item)
        choices.keep(in: store, completion)
    }

    /// Compares everything that is stored of an item with its SHA-256.
    ///
    /// - Parameter completion: is given the damaged resources, which count as absent from then on, or why nothing can be said.
    package func verify(_ item: String, _ completion: @escaping @MainActor @Sendable (Result<[ResourceKey], StoreError>) -> Void)
    {
        keeping.verify(item: item, completion)
    }
}
