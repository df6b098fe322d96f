import Cryptography
import Glibc
import LinuxSupport

/// The folder of a store: the journal, and `bodies` with one file for each body and each partial. Blocks on the disk; used on the
/// store's threads only.
struct StoreFolder: Sendable {
    let path: String
    let disk: any StoreDisk
    let format: BodyFormat
    /// What it holds, for sentences.
    let contents: String
    /// The names in `bodies`.
    let names: BodyNames

    init(path: String, disk: any StoreDisk, format: BodyFormat, contents: String = SegmentStore.Options().contents) {
        self.path = path
        self.disk = disk
        self.format = format
        self.contents = contents
        names = BodyNames(folder: path + "/bodies", disk: disk)
    }

    private static let partialPrefix = "partial-"

    var bodies: String { path + "/bodies" }
    func bodyPath(_ digest: BodyDigest) -> String { "\(bodies)/\(format.fileName(digest))" }
    func partialPath(_ number: UInt64) -> String { "\(bodies)/\(Self.partialPrefix)\(number)" }

    /// Reads a range of a body.
    ///
    /// - Throws: `absent` when there is no file, `damaged` when it does not have these bytes.
    func read(_ digest: BodyDigest, _ range: Range<Int64>, of length: Int64) throws(StoreError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try format.read(disk.openForReading(bodyPath(digest)), range, of: length)
        } catch {
            throw StoreError(error, while: "Reading a saved body")
        }
        guard let bytes else { throw Self.damage(digest) }
        return bytes
    }

    /// Reads the durable bytes of a partial.
    func readPartial(_ number: UInt64, _ length: Int64) throws(StoreError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try format.read(disk.openForReading(partialPath(number)), 0..<length, of: length)
        } catch {
            throw StoreError(error, while: "Reading an unfinished body")
        }
        guard let bytes else {
            throw StoreError(.damaged, "Reading an unfinished body failed: its file is damaged; it is loaded again.")
        }
        return bytes
    }

    static func damage(_ digest: BodyDigest) -> StoreError {
        StoreError(.damaged, "Reading the saved body \(digest.hexadecimal.prefix(12)) failed: it is damaged; it is loaded again.")
    }

    /// Whether a body has the length and the digest that it should have.
    ///
    /// - Throws: when the disk fails, so that nothing can be said.
    func isIntact(_ digest: BodyDigest, _ length: Int64) throws(StoreError) -> Bool {
        do throws(SystemError) {
            let file = try disk.openForReading(bodyPath(digest))
            guard try file.length() == format.fileLength(of: length) else { return false }
            var sum = RunningBodyDigest(like: digest)
            return try format.readAll(file, length) { sum.update($0) } && sum.finish() == digest
        } catch {
            // A sector that cannot be read is damage of this body.
            if [ENOENT, EIO].contains(error.code) { return false }
            throw StoreError(error, while: "Verifying a saved body")
        }
    }

    /// Gives a finished partial the name of its body, which becomes durable with the record (`BodyNames`). A body of that name that is damaged is
    /// replaced.
    ///
    /// - Throws: `sameName` when an intact body with other bytes has the name; a failure of the disk.
    func place(_ number: UInt64, as digest: BodyDigest, _ length: Int64) throws(StoreError) {
        if isOtherBody(digest, length, than: number), try isIntact(digest, length) {
            throw StoreError(
                .sameName,
                "Saving a body failed: another body has the same checksum, which does not happen by accident; examine the file at the server."
            )
        }
        do throws(SystemError) { try disk.rename(partialPath(number), to: bodyPath(digest)) } catch {
            throw StoreError(error, while: "Saving a body")
        }
        names.change()
    }

    /// Whether there is a file with the name of a body, and it does not have the bytes of the partial. What cannot be read is no body.
    private func isOtherBody(_ digest: BodyDigest, _ length: Int64, than number: UInt64) -> Bool {
        guard let body = try? disk.openForReading(bodyPath(digest)), let partial = try? disk.openForReading(partialPath(number))
        else {
            return false
        }
        var offset: Int64 = 0
        while offset < length {
            let range = offset..<min(length, offset + Int64(BodyFormat.readAtOnce))
            guard let one = try? format.read(body, range, of: length), let other = try? format.read(partial, range, of: length)
            else {
                return true
            }
            if one != other { return true }
            offset = range.upperBound
        }
        return false
    }

    func remove(_ leftovers: StoreIndex.Leftovers) throws(SystemError) {
        for digest in leftovers.bodies { try disk.remove(bodyPath(digest)) }
        for number in leftovers.partials { try disk.remove(partialPath(number)) }
    }

    /// Writes a file, and removes it.
    ///
    /// - Throws: when the disk does not take changes.
    func probe() throws(SystemError) {
        let path = "\(bodies)/probe"
        do throws(SystemError) {
            let file = try disk.openForWriting(path)
            try file.write([UInt8](repeating: 0, count: Self.probeLength), at: 0)
            try file.sync()
        } catch {
            try? disk.remove(path)
            throw error
        }
        try disk.remove(path)
    }

    private static let probeLength = 64 << 10

    // MARK: - Opening

    /// What opening leads to.
    struct Opened: Sendable {
        var index: StoreIndex
        var journal: Journal
        var report: StoreReport
        /// Held as long as the store is open.
        var lock: any FolderLock
        var isJournalToRewrite: Bool
        /// How many records the journal has.
        var recordCount: Int
    }

    /// Reads the journal, compares it with the files, and removes files that nothing refers to. Linear in the number of resources.
    ///
    /// - Throws: when the folder cannot be read or made, or another process has it open.
    func open() throws(SystemError) -> Opened {
        var report = StoreReport()
        var writeFailure: SystemError?
        do throws(SystemError) { try disk.makeFolder(bodies) } catch { writeFailure = error }
        let lock: any FolderLock
        // A folder that could not be made is the cause of one that is not there.
        do throws(SystemError) { lock = try disk.lock(path) } catch {
            throw error.code == EWOULDBLOCK ? error : writeFailure ?? error
        }
        do throws(SystemError) { try prepare() } catch { writeFailure = writeFailure ?? error }
        var index = StoreIndex()
        var recordCount = 0
        let contents = try Journal.read(folder: path, disk: disk, format: format) { record in
            _ = index.apply(record)
            recordCount += 1
        }
        if contents.isForeign {
            report.warning = StoreError(
                .noKey, "The \(self.contents) in \(path) cannot be read: they were saved with another key; they are removed.")
        }
        report.journalBytesCut = contents.length - contents.end
        let files: [(name: String, length: Int64)]
        do throws(SystemError) { files = try disk.files(in: bodies) } catch { throw writeFailure ?? error }
        dropMissing(files, &index, &report)
        do throws(SystemError) {
            if writeFailure == nil { report.orphansRemoved = try removeOrphans(files, index) }
        } catch { writeFailure = error }
        if let writeFailure { report.warning = StoreError(writeFailure, while: "Opening the \(self.contents) for writing") }
        report.resources = index.usage.resources
        report.assets = index.assetIDs.count
        return Opened(
            index: index, journal: Journal(folder: path, disk: disk, format: format, names: names, after: contents),
            report: report, lock: lock,
            isJournalToRewrite: (contents.isDamaged || contents.isForeign || report.bodiesMissing > 0) && writeFailure == nil,
            recordCount: recordCount)
    }

    private func prepare() throws(SystemError) {
        try disk.syncFolder(path)
        try Journal.removeDraft(folder: path, disk: disk)
    }

    /// Forgets resources whose file is missing or too short.
    private func dropMissing(_ files: [(name: String, length: Int64)], _ index: inout StoreIndex, _ report: inout StoreReport) {
        let lengths = Dictionary(files, uniquingKeysWith: { first, _ in first })
        let missing = Set(
            index.digests.filter { digest, length in lengths[format.fileName(digest)] != format.fileLength(of: length) }.keys)
        for key in index.keys(of: missing) {
            _ = index.apply(.removed(key))
            report.bodiesMissing += 1
        }
        for partial in index.partials {
            // The journal has the length that was durable; a file that is shorter is damaged.
            let length = lengths[Self.partialPrefix + "\(partial.number)"] ?? -1
            if length < format.fileLength(of: partial.length) { _ = index.apply(.removed(partial.key)) }
        }
    }

    /// The names of the files of all bodies, and of those that are not finished. Linear in the number of resources.
    func fileNames(of index: StoreIndex) -> Set<String> {
        var names = Set(index.digests.keys.map(format.fileName))
        names.formUnion(index.partials.map { Self.partialPrefix + "\($0.number)" })
        return names
    }

    private func removeOrphans(_ files: [(name: String, length: Int64)], _ index: StoreIndex) throws(SystemError) -> Int {
        let known = fileNames(of: index)
        let orphans = files.filter { !known.contains($0.name) }
        for file in orphans { try disk.remove("\(bodies)/\(file.name)") }
        return orphans.count
    }
}
