import Glibc
import LinuxSupport
import Synchronization

/// A disk in memory for tests and simulated boxes: it fails when it is told to, and can be seen as a power cut after any operation leaves it.
package final class MemoryDisk: StoreDisk {
    enum Operation: Sendable {
        case create(String, file: Int)
        case write(file: Int, [UInt8], at: Int)
        case truncate(file: Int, Int)
        case sync(file: Int)
        case rename(String, String)
        case remove(String)
        case syncFolder(String)
    }
    /// Files and names. A name leads to the number of a file.
    package struct Contents: Sendable {
        fileprivate(set) var files: [Int: [UInt8]] = [:]
        fileprivate(set) var names: [String: Int] = [:]
        var folders: Set<String> = []
        var nextFile = 0
        /// The files that have a name, which is one at most.
        fileprivate var named: Set<Int> = []
        /// The bytes of all files that have a name.
        fileprivate var usedBytes: Int64 = 0

        package init() {}
    }
    private struct State {
        var contents: Contents
        var unsynced: UnsyncedOperations
        /// nil: operations are not recorded.
        var log: [Operation]?
        /// How many bytes the files may have; nil for any number.
        var capacity: Int64?
        /// The errno of all changes from this operation on.
        var refusal: Int32?
        /// Fails the operation with this number, counted from the last `failOperation`.
        var failing: (number: Int, code: Int32, repeats: Bool)?
        var operations = 0
        var isGone = false
        var isLocked = false
        var free: Int64 = 1 << 40
    }
    private let state: Mutex<State>

    /// A disk that records its operations.
    init(_ contents: Contents = Contents()) {
        state = Mutex(State(contents: contents, unsynced: UnsyncedOperations(after: contents), log: []))
    }

    /// A disk that takes so many bytes, and answers the rest with ENOSPC. It records no operations: a simulated life has millions.
    package init(_ contents: Contents = Contents(), capacity: Int64) {
        state = Mutex(
            State(contents: contents, unsynced: UnsyncedOperations(after: contents), capacity: capacity, free: capacity))
    }

    /// All operations since the start, of a disk that records them.
    var log: [Operation] { state.withLock { $0.log ?? [] } }
    package var contents: Contents { state.withLock { $0.contents } }
    func setFree(_ bytes: Int64) { state.withLock { $0.free = bytes } }
    /// Every change fails from now on; nil ends that.
    package func refuseChanges(_ code: Int32?) { state.withLock { $0.refusal = code } }
    /// Change number `number` from now on fails, or every one from there on.
    func failChange(_ number: Int, _ code: Int32, andAllAfter repeats: Bool) {
        state.withLock { state in
            state.failing = (number, code, repeats)
            state.operations = 0
        }
    }
    func failNothing() {
        state.withLock { state in
            state.failing = nil
            state.refusal = nil
        }
    }
    /// A folder that vanished is there again.
    func comeBack() { state.withLock { $0.isGone = false } }
    /// The folder vanishes, as with a disk that is pulled out.
    func vanish() { state.withLock { $0.isGone = true } }
    /// The names of the files in a folder, sorted.
    package func names(_ folder: String) -> [String] {
        state.withLock {
            $0.contents.names.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
        }
        .sorted()
    }
    /// Changes bytes of a file behind the store's back.
    func damage(_ path: String, _ change: (inout [UInt8]) -> Void) {
        state.withLock { state in
            guard let file = state.contents.names[path] else { return }
            state.contents.edit(file, change)
        }
    }

    private func change(_ call: String, _ object: String, _ body: (inout State) throws(SystemError) -> Operation)
        throws(SystemError)
    {
        try state.withLock { state throws(SystemError) in
            if state.isGone { throw SystemError(call: call, object: object, code: ENOENT) }
            if let code = state.refusal { throw SystemError(call: call, object: object, code: code) }
            if let failing = state.failing {
                state.operations += 1
                if state.operations == failing.number || failing.repeats && state.operations > failing.number {
                    throw SystemError(call: call, object: object, code: failing.code)
                }
            }
            let operation = try body(&state)
            state.contents.apply(operation)
            state.log?.append(operation)
            state.unsynced.take(operation)
        }
    }

    /// Refuses a write for which there is no room.
    private static func checkRoom(for count: Int, at offset: Int64, in file: Int, _ path: String, _ state: State)
        throws(SystemError)
    {
        guard let capacity = state.capacity else { return }
        let growth = offset + Int64(count) - Int64(state.contents.files[file]?.count ?? 0)
        if growth > 0, state.contents.usedBytes + growth > capacity {
            throw SystemError(call: "pwrite", object: path, code: ENOSPC)
        }
    }

    // MARK: - StoreDisk

    package func makeFolder(_ path: String) throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            if state.isGone { throw SystemError(call: "mkdir", object: path, code: ENOENT) }
            if !state.contents.folders.contains(path), let code = state.refusal {
                throw SystemError(call: "mkdir", object: path, code: code)
            }
            // Folders are made before anything else; a power cut before that leaves nothing to check.
            state.contents.folders.insert(path)
        }
    }

    package func files(in folder: String) throws(SystemError) -> [(name: String, length: Int64)] {
        try state.withLock { state throws(SystemError) in
            if state.isGone || !state.contents.folders.contains(folder) {
                throw SystemError(call: "open", object: folder, code: ENOENT)
            }
            return state.contents.names.filter { $0.key.hasPrefix(folder + "/") }.map {
                (String($0.key.dropFirst(folder.count + 1)), Int64(state.contents.files[$0.value]?.count ?? 0))
            }.sorted { $0.name < $1.name }
        }
    }

    package func lock(_ folder: String) throws(SystemError) -> any FolderLock {
        try state.withLock { state throws(SystemError) in
            if state.isGone || !state.contents.folders.contains(where: { $0 == folder || $0.hasPrefix(folder + "/") }) {
                throw SystemError(call: "flock", object: folder, code: ENOENT)
            }
            if state.isLocked { throw SystemError(call: "flock", object: folder, code: EWOULDBLOCK) }
            state.isLocked = true
        }
        return MemoryLock(self)
    }

    fileprivate func unlock() { state.withLock { $0.isLocked = false } }

    package func openForReading(_ path: String) throws(SystemError) -> any StoreFile {
        try state.withLock { state throws(SystemError) in
            guard !state.isGone, let file = state.contents.names[path] else {
                throw SystemError(call: "open", object: path, code: ENOENT)
            }
            return MemoryFile(self, file, path)
        }
    }

    package func openForWriting(_ path: String) throws(SystemError) -> any StoreFile {
        if let file = state.withLock({ $0.isGone || $0.refusal != nil ? nil : $0.contents.names[path] }) {
            return MemoryFile(self, file, path)
        }
        try change("open", path) { state in
            let file = state.contents.nextFile
            state.contents.nextFile += 1
            return .create(path, file: file)
        }
        return try openForReading(path)
    }

    package func rename(_ path: String, to newPath: String) throws(SystemError) {
        try change("rename", path) { state throws(SystemError) in
            guard state.contents.names[path] != nil else {
                throw SystemError(call: "rename", object: path, code: ENOENT)
            }
            return .rename(path, newPath)
        }
    }

    package func remove(_ path: String) throws(SystemError) {
        guard state.withLock({ $0.contents.names[path] != nil }) else { return }
        try change("unlink", path) { _ in .remove(path) }
    }

    package func syncFolder(_ path: String) throws(SystemError) { try change("fsync", path) { _ in .syncFolder(path) } }

    package func freeBytes(_ path: String) throws(SystemError) -> Int64 {
        try state.withLock { state throws(SystemError) in
            if state.isGone { throw SystemError(call: "statvfs", object: path, code: ENOENT) }
            return state.free - state.contents.usedBytes
        }
    }

    private final class MemoryFile: StoreFile {
        private let disk: MemoryDisk
        private let file: Int
        private let path: String

        init(_ disk: MemoryDisk, _ file: Int, _ path: String) {
            self.disk = disk
            self.file = file
            self.path = path
        }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
            try disk.state.withLock { state throws(SystemError) in
                if state.isGone { throw SystemError(call: "pread", object: path, code: EIO) }
                let bytes = state.contents.files[file, default: []].dropFirst(Int(offset)).prefix(buffer.count)
                buffer.copyBytes(from: bytes)
                return bytes.count
            }
        }

        func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
            try disk.change("pwrite", path) { state throws(SystemError) in
                try MemoryDisk.checkRoom(for: bytes.count, at: offset, in: file, path, state)
                return .write(file: file, bytes, at: Int(offset))
            }
        }

        func truncate(to length: Int64) throws(SystemError) {
            try disk.change("ftruncate", path) { _ in .truncate(file: file, Int(length)) }
        }

        func sync() throws(SystemError) { try disk.change("fdatasync", path) { _ in .sync(file: file) } }

        func length() throws(SystemError) -> Int64 { disk.state.withLock { Int64($0.contents.files[file]?.count ?? 0) } }
    }

    fileprivate static func write(_ bytes: [UInt8], at offset: Int, in file: inout [UInt8]) {
        if file.count < offset + bytes.count { truncate(&file, to: offset + bytes.count) }
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }

    fileprivate static func truncate(_ file: inout [UInt8], to length: Int) {
        if file.count > length {
            file.removeLast(file.count - length)
        } else {
            file += [UInt8](repeating: 0, count: length - file.count)
        }
    }
}

// MARK: - Power cuts

extension MemoryDisk {
    /// What may be left on a disk when the power is cut after the first `count` operations: contents that were not synced are
    /// there, torn or lost; names that were not synced are there up to some moment.
    ///
    /// - Parameter start: what the disk had before the first operation.
    static func afterPowerCut(
        _ log: [Operation], after count: Int, folders: Set<String>, on start: Contents = Contents(),
        _ random: inout SeededGenerator
    ) -> Contents {
        var operations = UnsyncedOperations(after: start)
        for operation in log.prefix(count) { operations.take(operation) }
        return operations.afterPowerCut(folders: folders, &random)
    }

    /// What may be left when the power is cut now. No thread may be writing.
    package func afterPowerCut(_ random: inout SeededGenerator) -> Contents {
        let (unsynced, folders) = state.withLock { ($0.unsynced, $0.contents.folders) }
        return unsynced.afterPowerCut(folders: folders, &random)
    }
}

/// What is durable on a disk, and the operations behind it that are not.
private struct UnsyncedOperations {
    private var durable: MemoryDisk.Contents
    private var volatile: [Int: [MemoryDisk.Operation]] = [:]
    private var namesWaiting: [MemoryDisk.Operation] = []

    init(after durable: MemoryDisk.Contents) { self.durable = durable }

    mutating func take(_ operation: MemoryDisk.Operation) {
        switch operation {
        case .create(_, let file):
            durable.nextFile = max(durable.nextFile, file + 1)
            namesWaiting.append(operation)
        case .rename, .remove: namesWaiting.append(operation)
        case .syncFolder:
            namesWaiting.forEach { durable.apply($0) }
            namesWaiting = []
        case .write(let file, _, _), .truncate(let file, _): volatile[file, default: []].append(operation)
        case .sync(let file): volatile.removeValue(forKey: file)?.forEach { durable.apply($0) }
        }
    }

    func afterPowerCut(folders: Set<String>, _ random: inout SeededGenerator) -> MemoryDisk.Contents {
        var left = durable
        left.folders = folders
        // The kernel writes names in their order, contents in any.
        for operation in namesWaiting.prefix(Int.random(in: 0...namesWaiting.count, using: &random)) { left.apply(operation) }
        for file in volatile.keys.sorted() {
            for operation in volatile[file] ?? [] {
                switch (operation, Int.random(in: 0..<4, using: &random)) {
                case (_, 0): break
                case (.write(let file, let bytes, let offset), 1):
                    left.apply(.write(file: file, Array(bytes.prefix(bytes.count / 2)), at: offset))
                default: left.apply(operation)
                }
            }
        }
        left.forgetUnnamedFiles()
        return left
    }
}

extension MemoryDisk.Contents {
    /// Frees the bytes of files that nothing can open any more.
    fileprivate mutating func forgetUnnamedFiles() { files = files.filter { named.contains($0.key) } }

    fileprivate mutating func apply(_ operation: MemoryDisk.Operation) {
        switch operation {
        case .create(let path, let file):
            if files[file] == nil { files[file] = [] }
            link(path, to: file)
        case .write(let file, let bytes, let offset): edit(file) { MemoryDisk.write(bytes, at: offset, in: &$0) }
        case .truncate(let file, let length): edit(file) { MemoryDisk.truncate(&$0, to: length) }
        case .rename(let old, let new):
            let file = unlink(old)
            if let file { link(new, to: file) } else { unlink(new) }
        case .remove(let path): unlink(path)
        case .sync, .syncFolder: break
        }
    }

    fileprivate mutating func edit(_ file: Int, _ change: (inout [UInt8]) -> Void) {
        let before = length(file)
        change(&files[file, default: []])
        if named.contains(file) { usedBytes += length(file) - before }
    }

    private mutating func link(_ path: String, to file: Int) {
        unlink(path)
        names[path] = file
        named.insert(file)
        usedBytes += length(file)
    }

    @discardableResult
    private mutating func unlink(_ path: String) -> Int? {
        guard let file = names.removeValue(forKey: path) else { return nil }
        named.remove(file)
        usedBytes -= length(file)
        return file
    }

    private func length(_ file: Int) -> Int64 { Int64(files[file]?.count ?? 0) }
}

private final class MemoryLock: FolderLock {
    private let disk: MemoryDisk

    init(_ disk: MemoryDisk) { self.disk = disk }

    deinit { disk.unlock() }
}
