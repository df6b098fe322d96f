import BoxModel
import CommandSupport
import Downloads
import LinuxSupport
import SegmentStore

/// The downloads of a box that does not run, in its store. The store refuses a second process, so that no box can begin meanwhile.
@MainActor
final class ClosedBox: DownloadAccess {
    private let loop: MainLoop
    private let store: SegmentStore
    private let downloads: StoredDownloads

    /// Opens the store.
    ///
    /// - Throws: `CommandFault` if it cannot be opened, or another process has it.
    init(folder: String, loop: MainLoop) throws {
        self.loop = loop
        store = SegmentStore(folder: folder, clock: loop.clock)
        downloads = StoredDownloads(store, clock: loop.clock)
        var result: Result<StoreReport, StoreError>?
        store.open { result = $0 }
        loop.run(until: { result != nil })
        if case .failure(let error) = result {
            close()
            throw CommandFault(error.sentence)
        }
    }

    func close() {
        downloads.close()
        store.close()
    }

    func list() -> [DownloadStatus] { downloads.list }

    func trouble() -> String? { store.refusal?.sentence }

    func add(_ id: String, isRequired: Bool) throws {
        try wait { downloads.add(id, isRequired: isRequired, $0) }
    }

    func remove(_ id: String) throws { try wait { downloads.remove(id, $0) } }

    func verify(_ id: String) throws -> DownloadStatus.Verification {
        guard downloads.list.contains(where: { $0.id == id }) else {
            throw CommandFault("Nothing is stored of \(id); marquee download list shows what is.")
        }
        var result: Result<[ResourceKey], StoreError>?
        downloads.verify(id) { result = $0 }
        loop.run(until: { result != nil })
        switch result! {
        case .success(let damaged): return damaged.isEmpty ? .intact : .damaged
        case .failure(let error): throw CommandFault(error.sentence)
        }
    }

    /// Runs until a change is on the disk.
    private func wait(_ change: (@escaping StoredDownloads.Completion) -> Void) throws {
        var isDone = false
        var failure: StoreError?
        change { error in
            failure = error
            isDone = true
        }
        loop.run(until: { isDone })
        if let failure { throw CommandFault(failure.sentence) }
    }
}
