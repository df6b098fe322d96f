import Cryptography
import LinuxSupport
import MediaSources
import Synchronization

/// The file of a body that is being written. Blocks on the disk; used on the store's thread only.
final class PartialFile: Sendable {
    private struct State {
        var file: any StoreFile
        var hash = RunningBodyDigest()
        /// The bytes of the body that are in the file.
        var length: Int64 = 0
        /// Bytes of an incomplete chunk, which only a sealed file holds back.
        var tail: [UInt8] = []
        var chunks: Int64 = 0
    }
    private let state: Mutex<State>
    private let folder: StoreFolder
    private let number: UInt64

    /// Makes a new partial, or continues one.
    ///
    /// - Parameter length: the bytes to continue after; what the file has beyond them is cut off.
    /// - Throws: `damaged` when the file does not have these bytes.
    init(_ folder: StoreFolder, number: UInt64, continuingAfter length: Int64 = 0) throws(StoreError) {
        self.folder = folder
        self.number = number
        do throws(SystemError) {
            let file = try folder.disk.openForWriting(folder.partialPath(number))
            folder.names.change()
            try file.truncate(to: folder.format.fileLength(of: length))
            let continued = State(file: file)
            state = Mutex(continued)
        } catch {
            throw StoreError(error, while: "Opening an unfinished body")
        }
        try rehash(length)
    }

    private func rehash(_ length: Int64) throws(StoreError) {
        try state.withLock { state throws(StoreError) in
            while state.length < length {
                let end = min(length, state.length + Int64(16 * BodyFormat.chunkLength))
                let bytes: [UInt8]?
                do throws(SystemError) {
                    bytes = try folder.format.read(state.file, state.length..<end, of: length)
                } catch {
                    throw StoreError(error, while: "Reading an unfinished body")
                }
                guard let bytes else {
                    throw StoreError(.damaged, "Continuing an unfinished body failed: its file is damaged; it is loaded again.")
                }
                state.hash.update(bytes)
                state.length = end
            }
            state.chunks = length / Int64(BodyFormat.chunkLength)
        }
    }

    /// Writes the next bytes.
    func append(_ bytes: BytePieces) throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            for piece in bytes.pieces {
                if folder.format.key == nil { try writeClear(&state, piece) } else { try writeSealed(&state, piece) }
            }
        }
    }

    private func writeClear(_ state: inout State, _ piece: [UInt8]) throws(SystemError) {
        try state.file.write(piece, at: state.length)
        state.hash.update(piece)
        state.length += Int64(piece.count)
    }

    private func writeSealed(_ state: inout State, _ piece: [UInt8]) throws(SystemError) {
        if state.tail.isEmpty, piece.count == BodyFormat.chunkLength { return try writeChunk(&state, piece) }
        state.tail += piece
        while state.tail.count >= BodyFormat.chunkLength {
            try writeChunk(&state, Array(state.tail.prefix(BodyFormat.chunkLength)))
            state.tail.removeFirst(BodyFormat.chunkLength)
        }
    }

    private func writeChunk(_ state: inout State, _ chunk: [UInt8]) throws(SystemError) {
        let sealed = folder.format.seal(chunk, index: state.chunks)
        try state.file.write(sealed, at: folder.format.fileLength(of: state.length))
        state.hash.update(chunk)
        state.length += Int64(chunk.count)
        state.chunks += 1
    }

    /// Makes what is in the file durable. Its name becomes so with the record (`BodyNames`).
    ///
    /// - Returns: how many bytes of the body that is.
    func sync() throws(SystemError) -> Int64 {
        try state.withLock { state throws(SystemError) in
            try state.file.sync()
            return state.length
        }
    }

    /// A body that is whole and checked.
    struct Finished: Sendable {
        var digest: BodyDigest
        var length: Int64
    }

    /// Ends the body, checks it and makes it durable.
    ///
    /// - Throws: `wrongLength` or `wrongDigest` when it is not what was expected; a failure of the disk.
    func finish(_ expected: ExpectedBody) throws(StoreError) -> Finished {
        try state.withLock { state throws(StoreError) in
            let length = state.length + Int64(state.tail.count)
            guard expected.length.map({ $0 == length }) ?? true else {
                throw StoreError(
                    .wrongLength,
                    "Saving a body failed: it has \(length) bytes and not \(expected.length ?? 0); correct the file at the server."
                )
            }
            let digest: BodyDigest
            do throws(SystemError) {
                if !state.tail.isEmpty { try writeChunk(&state, state.tail) }
                state.tail = []
                digest = state.hash.finish()
                try state.file.sync()
            } catch {
                throw StoreError(error, while: "Saving a body")
            }
            if let sha256 = expected.sha256 { try check(sha256, state.file, length) }
            return Finished(digest: digest, length: length)
        }
    }

    /// Reads the body back, because few bodies have a stated SHA-256.
    private func check(_ sha256: [UInt8], _ file: any StoreFile, _ length: Int64) throws(StoreError) {
        let sum = RunningSHA256()
        let isRead: Bool
        do throws(SystemError) { isRead = try folder.format.readAll(file, length) { sum.update($0) } } catch {
            throw StoreError(error, while: "Reading a body that was just written")
        }
        guard isRead else {
            throw StoreError(.damaged, "Saving a body failed: what was written cannot be read; check the disk.")
        }
        let found = sum.finish()
        guard found == sha256 else {
            throw StoreError(
                .wrongDigest,
                "Saving a body failed: its SHA-256 is \(found.hexadecimal); correct the file at the server, or what the feed states."
            )
        }
    }

    /// Gives a finished body its final name (`StoreFolder.place`).
    func place(_ finished: Finished) throws(StoreError) { try folder.place(number, as: finished.digest, finished.length) }
}
