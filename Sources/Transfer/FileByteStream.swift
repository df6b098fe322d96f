import Glibc
import LinuxSupport
import MediaModel
import Synchronization
import URLReferences

/// A file as a byte stream (pread(2)). It is opened at the first read or request for its length.
final class FileByteStream: RecordedByteStream {
    private struct State {
        var file: Result<(descriptor: FileDescriptor, length: Int64), MediaError>?
        var position: Int64 = 0
        var isCancelled = false
    }
    private let path: String
    private let state = Mutex(State())

    init(_ path: String) { self.path = path }

    var name: String { path }

    var length: Int64? { try? open().length }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        let file = try open()
        let position = state.withLock { $0.isCancelled ? nil : $0.position }
        guard let position, buffer.count > 0 else { return 0 }
        do throws(SystemError) {
            let count = try systemCall("pread", on: path) {
                pread(file.descriptor.number, buffer.baseAddress, buffer.count, off_t(position))
            }
            state.withLock { $0.position = position + Int64(count) }
            return count
        } catch {
            throw Self.failure(error)
        }
    }

    /// Whether the last write is recent, by the clock that the kernel uses for it.
    var isBeingWritten: Bool {
        guard let file = try? open() else { return false }
        var status = stat()
        var now = timespec()
        guard fstat(file.descriptor.number, &status) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
        return (-1...Self.recently).contains(now.tv_sec - status.st_mtim.tv_sec)
    }

    /// In seconds. Recorders write a fragment every few seconds.
    private static let recently = 15

    func seek(to offset: Int64) throws(MediaError) { state.withLock { $0.position = max(offset, 0) } }

    func cancel() { state.withLock { $0.isCancelled = true } }

    private func open() throws(MediaError) -> (descriptor: FileDescriptor, length: Int64) {
        try state.withLock { state in
            let result = state.file ?? Self.open(path)
            state.file = result
            return result
        }.get()
    }

    private static func open(_ path: String) -> Result<(descriptor: FileDescriptor, length: Int64), MediaError> {
        do throws(SystemError) {
            let descriptor = try descriptor(path)
            var status = stat()
            try systemCall("fstat", on: path) { fstat(descriptor.number, &status) }
            guard status.st_mode & S_IFMT == S_IFREG else {
                let what = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file"
                return .failure(MediaError(.sourceFormat, "Reading \(path) failed: it is \(what); give a file."))
            }
            return .success((descriptor, Int64(status.st_size)))
        } catch {
            return .failure(failure(error))
        }
    }

    private static func descriptor(_ path: String) throws(SystemError) -> FileDescriptor {
        // Without O_NONBLOCK, opening a pipe without a writer would block the thread forever.
        let flags = O_RDONLY | O_NONBLOCK
        do throws(SystemError) { return try FileDescriptor(opening: path, flags: flags) } catch {
            // A playlist beside its segments names them by URLs, whose blanks are escaped.
            let decoded = URLReference.percentDecoded(path)
            guard error.code == ENOENT else { throw error }
            if decoded != path, let file = try? FileDescriptor(opening: decoded, flags: flags) { return file }
            guard let bytes = FileNames.bytes(of: path) ?? FileNames.bytes(of: decoded) else { throw error }
            let name = bytes.map { CChar(bitPattern: $0) } + [0]
            return FileDescriptor(adopting: try systemCall("open", on: path) { Glibc.open(name, flags | O_CLOEXEC) })
        }
    }

    private static func failure(_ error: SystemError) -> MediaError {
        let reason = String(cString: strerror(error.code))
        switch error.code {
        case ENOENT, ENOTDIR:
            return MediaError(
                .sourceMissing, "Reading \(error.object) failed: there is no such file; check the path.", fault: .unreadable)
        default:
            return MediaError(
                .sourceFormat, "Reading \(error.object) failed: \(reason); check the file and its permissions.",
                fault: .unreadable)
        }
    }

    /// Reads a whole file, or a range of it.
    static func contents(_ path: String, _ kind: BodyKind, _ range: Range<Int64>?) throws(MediaError) -> [UInt8] {
        let stream = FileByteStream(path)
        let length = try stream.open().length
        let range = range ?? 0..<length
        guard range.upperBound == .max || range.upperBound <= length, range.lowerBound <= length else {
            throw MediaError(
                .sourceFormat,
                "Reading bytes \(range.lowerBound) to \(range.upperBound) of \(path) failed: it has only \(length); it may have been cut off."
            )
        }
        let count = min(range.upperBound, length) - range.lowerBound
        guard count <= Int64(kind.longest) else {
            throw MediaError(
                .sourceFormat,
                "Reading \(path) whole failed: it is longer than \(kind.longestWords); check that it is what the address says.",
                fault: .tooLong)
        }
        try stream.seek(to: range.lowerBound)
        return try stream.read(count: Int(count))
    }
}
