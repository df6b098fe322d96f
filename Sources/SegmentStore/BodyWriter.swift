import LinuxSupport
import MediaSources
import Synchronization

/// Writes one resource into the store. Made by `SegmentStore.makeWriter`; ends with `finish`, `suspend` or `discard`. Main loop only; the
/// disk works on the store's thread.
@MainActor
package final class BodyWriter {
    package let key: ResourceKey
    /// How many bytes it has, with those of an earlier partial: where the next ones belong.
    package private(set) var offset: Int64
    /// Why nothing more is written; `finish` will fail with it.
    package private(set) var failure: StoreError?

    struct Start {
        var offset: Int64
        var number: UInt64
    }
    private let description: BodyDescription
    private let number: UInt64
    private let folder: StoreFolder
    private let store: SegmentStore
    private let slot = PartialSlot()
    /// Where the last checkpoint was.
    private var checkpoint: Int64
    private var isEnded = false

    /// How many bytes may be lost in a power cut; usual segments are shorter.
    static let checkpointDistance: Int64 = 4 << 20

    init(_ key: ResourceKey, _ description: BodyDescription, _ start: Start, _ folder: StoreFolder, _ store: SegmentStore) {
        self.key = key
        self.description = description
        self.folder = folder
        self.store = store
        offset = start.offset
        checkpoint = start.offset
        number = start.number
        store.thread.perform { [slot] in
            slot.set { () throws(StoreError) in
                try PartialFile(folder, number: start.number, continuingAfter: start.offset)
            }
        }
    }

    /// Adds the next bytes.
    package func append(_ bytes: [UInt8]) { append(BytePieces(bytes)) }

    /// Adds the next bytes.
    package func append(_ bytes: BytePieces) {
        guard !isEnded, failure == nil, !bytes.isEmpty else { return }
        guard store.beginWriting(bytes.count) else {
            failure = StoreError(.overloaded, "Saving \(key.name) was given up: the disk is too slow for the network.")
            return
        }
        offset += Int64(bytes.count)
        let slot = slot
        store.clock.compute(on: store.thread, rank: .transfer) { () -> StoreError? in
            slot.use("Saving a body") { partial throws(SystemError) in try partial.append(bytes) }
        } then: { [self] error in
            store.endWriting(bytes.count)
            if failure == nil { failure = error }
        }
        if offset - checkpoint >= Self.checkpointDistance { makeCheckpoint { _ in } }
    }

    /// Makes what there is durable, and records it.
    ///
    /// - Parameter completion: is told whether there is a partial to continue.
    private func makeCheckpoint(_ completion: @escaping @MainActor @Sendable (Bool) -> Void) {
        checkpoint = offset
        let slot = slot
        store.clock.compute(on: store.thread, rank: .transfer) { () -> Result<Int64, StoreError> in
            slot.value("Saving a body") { partial throws(SystemError) in try partial.sync() }
        } then: { [self] result in
            switch result {
            case .success(let length):
                // A version without a validator cannot be continued.
                guard description.version.validator != nil, length > 0, !isFinishing else { return completion(false) }
                store.commit([.partial(key, number: number, length: length, description)]) { _ in completion(true) }
            case .failure(let error):
                if failure == nil { failure = error }
                completion(false)
            }
        }
    }

    /// After this, the partial may not be recorded any more.
    private var isFinishing = false

    /// Ends the body. It becomes visible, and the completion runs, when it is durable.
    ///
    /// - Parameters:
    ///   - description: replaces the one given at the start.
    ///   - expected: is checked first; on a failure the body is removed.
    package func finish(
        _ description: BodyDescription? = nil, expecting expected: ExpectedBody = ExpectedBody(),
        _ completion: @escaping @MainActor @Sendable (Result<StoredBody, StoreError>) -> Void
    ) {
        guard !isEnded else { return }
        isEnded = true
        isFinishing = true
        if let failure {
            store.note(failure)
            discardFile()
            return store.later { completion(.failure(failure)) }
        }
        let slot = slot
        store.clock.compute(on: store.thread, rank: .transfer) { () -> Result<PartialFile.Finished, StoreError> in
            slot.finish(expected)
        } then: { [self] result in
            switch result {
            case .success(let finished): place(finished, description ?? self.description, completion)
            case .failure(let error):
                store.note(error)
                discardFile()
                completion(.failure(error))
            }
        }
    }

    /// Gives the file its final name, and then records it. Until then no removal of the same body may take the file away.
    private func place(
        _ finished: PartialFile.Finished, _ description: BodyDescription,
        _ completion: @escaping @MainActor @Sendable (Result<StoredBody, StoreError>) -> Void
    ) {
        store.beginArriving(finished.digest)
        let slot = slot
        store.clock.compute(on: store.thread, rank: .transfer) { () -> StoreError? in
            slot.place(finished)
        } then: { [self] error in
            store.endArriving(finished.digest)
            if let error {
                store.note(error)
                discardFile()
                return completion(.failure(error))
            }
            store.endWriting(key)
            var records = [JournalRecord.stored(key, finished.digest, length: finished.length, description)]
            // What no asset has is in use when it comes.
            if !store.bodies.isMember(key) { records.append(.resourceUsed(key, store.bodies.index.lastUse + 1)) }
            store.commit(records) { [store] error in
                store.note(error)
                if let error { return completion(.failure(error)) }
                completion(.success(StoredBody(length: finished.length, description: description)))
            }
        }
    }

    /// Ends writing for now; the durable bytes are kept for later if their version can be recognized.
    package func suspend(_ completion: @escaping @MainActor @Sendable () -> Void = {}) {
        guard !isEnded else { return store.later(completion) }
        isEnded = true
        guard failure == nil, description.version.validator != nil else {
            discardFile()
            return store.later(completion)
        }
        makeCheckpoint { [self] isRecorded in
            if isRecorded { store.endWriting(key) } else { discardFile() }
            completion()
        }
    }

    /// Ends writing and removes what there is.
    package func discard() {
        guard !isEnded else { return }
        isEnded = true
        isFinishing = true
        discardFile()
    }

    private func discardFile() {
        store.endWriting(key)
        let (folder, number, slot) = (folder, number, slot)
        store.thread.perform {
            slot.clear()
            // What cannot be removed now is an orphan, which the next opening removes.
            try? folder.remove(StoreIndex.Leftovers(partials: [number]))
        }
        if case .partial(number, _, _) = store.bodies.index.place(of: key) { store.commit([.removed(key)]) { _ in } }
    }
}

/// The partial of a writer, between the jobs of the store's thread. After the first failure nothing more is done.
private final class PartialSlot: Sendable {
    private let partial = Mutex<Result<PartialFile, StoreError>>(
        .failure(StoreError(.notOpen, "The unfinished body is not open.")))

    func set(_ make: () throws(StoreError) -> PartialFile) {
        let made: Result<PartialFile, StoreError>
        do throws(StoreError) { made = .success(try make()) } catch { made = .failure(error) }
        partial.withLock { $0 = made }
    }

    func clear() { partial.withLock { $0 = .failure(StoreError(.notOpen, "The unfinished body was given up.")) } }

    /// - Returns: the failure, of this call or of an earlier one.
    func use(_ act: String, _ body: (PartialFile) throws(SystemError) -> Void) -> StoreError? {
        switch value(act, body) {
        case .success: nil
        case .failure(let error): error
        }
    }

    func value<Value>(_ act: String, _ body: (PartialFile) throws(SystemError) -> Value) -> Result<Value, StoreError> {
        withFile { file throws(StoreError) in
            do throws(SystemError) { return try body(file) } catch { throw StoreError(error, while: act) }
        }
    }

    func finish(_ expected: ExpectedBody) -> Result<PartialFile.Finished, StoreError> {
        withFile { file throws(StoreError) in try file.finish(expected) }
    }

    /// - Returns: the failure, of this call or of an earlier one.
    func place(_ finished: PartialFile.Finished) -> StoreError? {
        switch withFile({ file throws(StoreError) in try file.place(finished) }) {
        case .success: nil
        case .failure(let error): error
        }
    }

    private func withFile<Value>(_ body: (PartialFile) throws(StoreError) -> Value) -> Result<Value, StoreError> {
        let current = partial.withLock { $0 }
        do throws(StoreError) { return .success(try body(try current.get())) } catch {
            partial.withLock { $0 = .failure(error) }
            return .failure(error)
        }
    }
}
