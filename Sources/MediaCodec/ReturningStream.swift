import MediaModel

/// A stream to which bytes that were read can be given back, also if it only goes forward. It begins where the other stream is, which is called zero.
// Unchecked: all mutable state is used by one reading thread at a time; `cancel` only reaches the other stream.
final class ReturningStream: ByteStream, @unchecked Sendable {
    private let stream: any ByteStream
    private var returned: ArraySlice<UInt8> = []
    /// The place of the byte that is read next.
    private(set) var position: Int64 = 0

    init(_ stream: any ByteStream) { self.stream = stream }

    var name: String { stream.name }
    var length: Int64? { stream.length }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        let count: Int
        if returned.isEmpty {
            count = try stream.read(into: buffer)
        } else {
            count = min(buffer.count, returned.count)
            buffer.copyBytes(from: returned.prefix(count))
            returned = returned.dropFirst(count)
        }
        position += Int64(count)
        return count
    }

    /// The bytes before the current position come again.
    func giveBack(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty else { return }
        returned = ArraySlice(Array(bytes) + returned)
        position -= Int64(bytes.count)
    }

    func seek(to offset: Int64) throws(MediaError) {
        guard offset != position else { return }
        if offset > position, offset - position <= Int64(returned.count) {
            returned = returned.dropFirst(Int(offset - position))
        } else {
            try stream.seek(to: offset)
            returned = []
        }
        position = offset
    }

    func cancel() { stream.cancel() }
}
