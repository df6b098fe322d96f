import Cryptography
import Glibc
import LinuxSupport
import Synchronization
import WireFormats

/// Records of one line each in files that are only appended to, numbered from 1. Every record is whole or absent, also after a power cut; the oldest
/// are deleted when there are too many. Any thread; every call blocks on the disk.
///
/// A line is the first eight digits of the SHA-256 of the rest, the number of the record, and its text. A file has the number of its first record as
/// its name.
package final class RecordFolder: Sendable {
    /// A record as it is on the disk.
    package struct Record: Sendable, Equatable {
        package var number: UInt64
        package var text: String
    }

    /// How much is kept.
    package struct Limits: Sendable {
        /// A file that is longer is not appended to any more.
        var fileLength = 1 << 20
        var mostFiles = 16

        package init(fileLength: Int = 1 << 20, mostFiles: Int = 16) {
            self.fileLength = fileLength
            self.mostFiles = mostFiles
        }
    }

    private struct State {
        /// The file that is appended to; nil before the first record of this process.
        var file: (path: String, length: Int)?
        var next: UInt64?
    }

    private let path: String
    private let limits: Limits
    private let isSynced: Bool
    private let behind: UInt64
    private let state = Mutex(State())

    /// A record is cut to this many bytes.
    private static let longestRecord = 16 << 10
    private static let checkLength = 8
    private static let nameLength = 16

    /// - Parameters:
    ///   - path: the folder, which is made when it is needed.
    ///   - isSynced: whether a record is on the disk when `append` returns; otherwise a power cut takes the last ones.
    ///   - behind: new records have greater numbers than this.
    package init(_ path: String, limits: Limits = Limits(), isSynced: Bool = true, behind: UInt64 = 0) {
        self.path = path
        self.limits = limits
        self.isSynced = isSynced
        self.behind = behind
    }

    /// Adds records, in order.
    ///
    /// - Parameter texts: without line feeds, which become spaces.
    /// - Returns: the number of the first; nil with errno set when they could not be written. Then none of them is there.
    package func append(_ texts: [String]) -> UInt64? {
        state.withLock { state in
            let first = open(&state)
            var bytes: [UInt8] = []
            for (offset, text) in texts.enumerated() { bytes += Self.line(first + UInt64(offset), text) }
            guard write(bytes, first: first, &state) else { return nil }
            state.next = first + UInt64(texts.count)
            return first
        }
    }

    /// The records from a number on, oldest first, as many as there are up to a limit.
    package func records(from number: UInt64 = 0, most: Int = .max) -> [Record] {
        state.withLock { _ in
            let files = self.files
            let start = files.lastIndex { $0.first <= number } ?? 0
            var records: [Record] = []
            for file in files.dropFirst(start) {
                for record in Self.whole(in: file.path).records where record.number >= number {
                    records.append(record)
                    if records.count == most { return records }
                }
            }
            return records
        }
    }

    /// The records of the last files: at least those of one full file, if there are so many.
    package func lastRecords() -> [Record] {
        state.withLock { _ in files.suffix(2).flatMap { Self.whole(in: $0.path).records } }
    }

    // MARK: Files

    private var files: [(path: String, first: UInt64)] {
        Folder.names(path).compactMap { name in
            name.utf8.count == Self.nameLength ? UInt64(name).map { ("\(path)/\(name)", $0) } : nil
        }
    }

    /// Finds where to append, once: what a power cut has left of the last record is cut off.
    ///
    /// - Returns: the number of the next record.
    private func open(_ state: inout State) -> UInt64 {
        if let next = state.next { return next }
        var next = behind + 1
        if let last = files.last {
            let (records, length, isWhole) = Self.whole(in: last.path)
            next = max((records.last?.number ?? 0) + 1, last.first, next)
            if isWhole || truncate(last.path, off_t(length)) == 0 { state.file = (last.path, length) }
        }
        state.next = next
        return next
    }

    private func write(_ bytes: [UInt8], first: UInt64, _ state: inout State) -> Bool {
        var isNew = false
        if state.file.map({ $0.length >= limits.fileLength }) ?? true {
            Folder.make(path)
            let digits = String(first)
            state.file = ("\(path)/\(String(repeating: "0", count: max(0, Self.nameLength - digits.count)))\(digits)", 0)
            isNew = true
        }
        guard let file = state.file else { return false }
        let number = Glibc.open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard number >= 0 else {
            if isNew { state.file = nil }
            return false
        }
        defer { close(number) }
        // What is behind the last whole record is the rest of one that could not be written.
        let isWritten =
            ftruncate(number, off_t(file.length)) == 0 && put(bytes, at: file.length, on: number)
            && (!isSynced || fdatasync(number) == 0)
        guard isWritten else {
            let code = errno
            ftruncate(number, off_t(file.length))
            errno = code
            return false
        }
        state.file?.length += bytes.count
        if isNew {
            if isSynced { WholeFile.syncFolder(of: file.path) }
            for old in files.dropLast(limits.mostFiles) { unlink(old.path) }
        }
        return true
    }

    private func put(_ bytes: [UInt8], at offset: Int, on number: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { pwrite(number, $0.baseAddress! + done, $0.count - done, off_t(offset + done)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    // MARK: Lines

    private static func line(_ number: UInt64, _ text: String) -> [UInt8] {
        let rest = Array("\(number) ".utf8) + text.utf8.prefix(longestRecord).map { $0 == 0x0A ? 0x20 : $0 }
        return Array(check(rest[...]).utf8) + [0x20] + rest + [0x0A]
    }

    private static func check(_ bytes: ArraySlice<UInt8>) -> String {
        String(SHA256.digest(Array(bytes)).hexadecimal.prefix(checkLength))
    }

    /// The whole records of a file, and where the last of them ends.
    private static func whole(in path: String) -> (records: [Record], length: Int, isWhole: Bool) {
        guard let bytes = WholeFile.read(path) else { return ([], 0, false) }
        var (records, place, end) = ([Record](), 0, 0)
        while let feed = bytes[place...].firstIndex(of: 0x0A) {
            if let record = record(bytes[place..<feed]) {
                records.append(record)
                end = feed + 1
            }
            place = feed + 1
        }
        return (records, end, end == bytes.count)
    }

    private static func record(_ line: ArraySlice<UInt8>) -> Record? {
        guard line.count > checkLength + 1, line[line.startIndex + checkLength] == 0x20 else { return nil }
        let rest = line.dropFirst(checkLength + 1)
        guard check(rest) == String(decoding: line.prefix(checkLength), as: UTF8.self) else { return nil }
        let words = String(decoding: rest, as: UTF8.self).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, let number = UInt64(words[0]) else { return nil }
        return Record(number: number, text: String(words[1]))
    }
}
