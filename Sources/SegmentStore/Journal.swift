import Cryptography
import Glibc
import LinuxSupport
import Synchronization

/// The file that records the changes of the index, in order: append-only, rewritten as a whole by draft, rename and fsync of the
/// folder.
///
/// A frame is the length of its payload in 4 bytes (little endian), the first 8 bytes of the payload's SHA-256, and the payload. The
/// first frame is the head: the mark of the format and of the key. A frame that is damaged is skipped, and what follows the last whole
/// frame is cut off: a power cut may tear it. Blocks on the disk; used on the store's thread only.
final class Journal: Sendable {
    private struct State {
        var file: (any StoreFile)?
        /// Where the next frame goes. The file may be longer after a write that failed.
        var end: Int64
        var isTorn: Bool
    }
    /// What a journal file contains.
    struct Contents {
        /// Where the last whole frame ends.
        var end: Int64 = 0
        var length: Int64 = 0
        /// Whether its head names another format or another key. Then its records are not read.
        var isForeign = false
        /// Whether frames before the end are damaged, so that it should be rewritten.
        var isDamaged = false
    }
    private let state: Mutex<State>
    private let folder: String
    private let disk: any StoreDisk
    private let format: BodyFormat
    /// Those on which the records rely.
    private let names: BodyNames

    static let name = "journal"
    private static let draft = "journal.new"
    private static let mark = Array("marquee segment store 1".utf8)
    private static let headLength = 12
    /// A longer frame is damage.
    private static let longestFrame = 16 << 20

    /// A journal whose contents were read before. Nothing is written yet.
    init(folder: String, disk: any StoreDisk, format: BodyFormat, names: BodyNames, after contents: Contents) {
        self.names = names
        self.folder = folder
        self.disk = disk
        self.format = format
        let end = contents.isForeign ? 0 : contents.end
        state = Mutex(State(file: nil, end: end, isTorn: contents.length > end))
    }

    /// The length in bytes.
    var length: Int64 { state.withLock { $0.end } }

    /// Writes records behind the others and makes them durable, after the names of the bodies.
    func append(_ records: [JournalRecord]) throws(SystemError) {
        try names.sync()
        var bytes: [UInt8] = []
        for record in records { frame(record.encoded, into: &bytes) }
        try state.withLock { state throws(SystemError) in
            let isNew = state.end == 0
            let file: any StoreFile
            if let open = state.file { file = open } else { file = try disk.openForWriting(path) }
            state.file = file
            if state.isTorn {
                try file.truncate(to: state.end)
                state.isTorn = false
            }
            if isNew { bytes = head + bytes }
            state.isTorn = true
            try file.write(bytes, at: state.end)
            try file.sync()
            if isNew { try disk.syncFolder(folder) }
            state.isTorn = false
            state.end += Int64(bytes.count)
        }
    }

    /// Replaces all records. The names of the bodies become durable first.
    func rewrite(_ records: some Sequence<JournalRecord>) throws(SystemError) {
        try names.sync()
        let draft = "\(folder)/\(Self.draft)"
        let file = try disk.openForWriting(draft)
        try file.truncate(to: 0)
        var bytes = head
        var end: Int64 = 0
        for record in records {
            frame(record.encoded, into: &bytes)
            guard bytes.count >= 1 << 20 else { continue }
            try file.write(bytes, at: end)
            end += Int64(bytes.count)
            bytes = []
        }
        try file.write(bytes, at: end)
        end += Int64(bytes.count)
        try file.sync()
        try disk.rename(draft, to: path)
        state.withLock { $0 = State(file: file, end: end, isTorn: false) }
        try disk.syncFolder(folder)
    }

    private var path: String { "\(folder)/\(Self.name)" }

    private var head: [UInt8] {
        var bytes: [UInt8] = []
        Self.frame(Self.mark + format.keyMark, into: &bytes)
        return bytes
    }

    private func frame(_ payload: [UInt8], into bytes: inout [UInt8]) { Self.frame(format.seal(record: payload), into: &bytes) }

    private static func frame(_ payload: [UInt8], into bytes: inout [UInt8]) {
        withUnsafeBytes(of: UInt32(payload.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes += SHA256.digest(payload).prefix(8)
        bytes += payload
    }

    // MARK: - Reading

    /// Reads a journal; one that does not exist is empty.
    ///
    /// - Parameter take: is given each whole record, in order.
    static func read(
        folder: String, disk: any StoreDisk, format: BodyFormat, _ take: (JournalRecord) -> Void
    ) throws(SystemError) -> Contents {
        var contents = Contents()
        let file: any StoreFile
        do throws(SystemError) { file = try disk.openForReading("\(folder)/\(name)") } catch {
            if error.code == ENOENT { return contents }
            throw error
        }
        contents.length = try file.length()
        var reader = FrameReader(file: file)
        var isHead = true
        var isDamageBehind = false
        while true {
            defer { isHead = false }
            switch try reader.next(longest: longestFrame) {
            case .end: return contents
            case .damaged: isDamageBehind = true
            case .whole(let payload):
                if isHead {
                    contents.isForeign = Array(payload) != mark + format.keyMark
                    if contents.isForeign { return contents }
                } else if let record = format.open(record: payload).flatMap({ JournalRecord($0) }) {
                    take(record)
                }
                contents.end = reader.position
                contents.isDamaged = isDamageBehind
            }
        }
    }

    /// Removes the draft of a rewrite that did not end.
    static func removeDraft(folder: String, disk: any StoreDisk) throws(SystemError) { try disk.remove("\(folder)/\(draft)") }

    /// Takes frames from a file, which is read in large pieces.
    private struct FrameReader {
        enum Frame {
            case whole(ArraySlice<UInt8>)
            case damaged
            case end
        }
        let file: any StoreFile
        /// Where the next frame begins.
        private(set) var position: Int64 = 0
        private var buffer: [UInt8] = []
        /// How many bytes of the buffer have been taken.
        private var taken = 0

        init(file: any StoreFile) { self.file = file }

        mutating func next(longest: Int) throws(SystemError) -> Frame {
            guard try fill(Journal.headLength) else { return .end }
            let head = buffer[taken..<taken + Journal.headLength]
            let length = Int(head.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
            // The next frame cannot be found behind a damaged length.
            guard length <= longest, try fill(Journal.headLength + length) else { return .end }
            let payload = buffer[taken + Journal.headLength..<taken + Journal.headLength + length]
            let isWhole = SHA256.digest(Array(payload)).prefix(8).elementsEqual(buffer[taken + 4..<taken + Journal.headLength])
            taken += Journal.headLength + length
            position += Int64(Journal.headLength + length)
            return isWhole ? .whole(payload) : .damaged
        }

        /// Makes sure that the buffer has this many bytes which were not taken.
        private mutating func fill(_ count: Int) throws(SystemError) -> Bool {
            guard buffer.count - taken < count else { return true }
            let offset = position + Int64(buffer.count - taken)
            let more = try file.read(max(count, 1 << 20), at: offset)
            buffer = Array(buffer[taken...]) + more
            taken = 0
            return buffer.count >= count
        }
    }
}
