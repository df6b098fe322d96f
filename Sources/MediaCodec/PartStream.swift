import MediaModel

/// A part of another stream as a stream of its own.
// Unchecked: all mutable state is used by one reading thread at a time; `cancel` only reaches the other stream.
final class PartStream: ByteStream, @unchecked Sendable {
    private let whole: any ByteStream
    private let range: Range<Int64>
    private var position: Int64 = 0

    init(_ whole: any ByteStream, _ range: Range<Int64>) { (self.whole, self.range) = (whole, range) }

    var name: String { whole.name }
    var length: Int64? { range.upperBound - range.lowerBound }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        let count = Int(min(Int64(buffer.count), max(range.upperBound - range.lowerBound - position, 0)))
        guard count > 0 else { return 0 }
        // Other parts may have been read since.
        try whole.seek(to: range.lowerBound + position)
        let read = try whole.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
        position += Int64(read)
        return read
    }

    func seek(to offset: Int64) { position = offset }

    func cancel() { whole.cancel() }
}
