import CFFmpeg
import MediaModel

/// Lets FFmpeg read from a `ByteStream`: an AVIOContext and the state of its callbacks. FFmpeg itself opens no file and no
/// network connection.
///
/// Confined to the reading thread; the stream's own `cancel` unblocks a waiting read.
final class StreamReader {
    /// The first bytes of a stream, kept so that an error can describe them.
    private(set) var head: [UInt8] = []
    /// Why reading failed.
    private(set) var failure: MediaError?
    /// Whether FFmpeg has read to the end of the stream, and has not gone back since, which it also does inside its buffer.
    var hasEnded: Bool { context.pointee.eof_reached != 0 }
    /// Whether FFmpeg asked for bytes behind the end of the stream since `forgetLack`, also if it went back then.
    private(set) var lacksBytes = false
    let stream: any ByteStream
    private(set) var context: UnsafeMutablePointer<AVIOContext>!
    /// Sees the header while it is read.
    private var scanner: TrackHeaders? = TrackHeaders()
    /// Start of the bytes of `head` not yet passed to FFmpeg; nil when all have been.
    private var headPosition: Int?
    private var position: Int64 = 0
    /// What was read since the last sample of a stream without a length.
    private var fruitless = 0

    /// A stream without a length, and so perhaps without an end, has ended when so much of it gives no sample.
    static let mostFruitless = 32 << 20

    /// Large enough for a transport stream's tables and first frames: FFmpeg rewinds within it on streams that cannot seek.
    private static let bufferSize = 256 << 10
    private static let headSize = 4096

    init(_ stream: any ByteStream) throws(MediaError) {
        self.stream = stream
        try readHead()
        guard let buffer = av_malloc(Self.bufferSize) else { fatalError("no memory left for a stream's buffer") }
        context = allocated(
            avio_alloc_context(
                buffer, Int32(Self.bufferSize), 0, Unmanaged.passUnretained(self).toOpaque(), readStream, nil,
                stream.length == nil ? nil : seekStream), "a stream")
        if stream.length == nil { context.pointee.seekable = 0 }
    }

    deinit {
        guard context != nil else { return }
        av_free(context.pointee.buffer)
        avio_context_free(&context)
    }

    /// A sample was found in what was read.
    func foundSample() { fruitless = 0 }

    /// What was asked for until now was a guess, as that of a probe is, and not what the stream states.
    func forgetLack() { lacksBytes = false }

    /// Returns the failure and clears it.
    func takeFailure() -> MediaError? {
        defer { failure = nil }
        return failure
    }

    /// What the header states of its tracks. Called once, when it has been read.
    func takeHeaders() -> TrackHeaders {
        defer { scanner = nil }
        return scanner ?? TrackHeaders()
    }

    private func readHead() throws(MediaError) {
        head = [UInt8](repeating: 0, count: Self.headSize)
        var count = 0
        while count < Self.headSize {
            let free = count..<Self.headSize
            let result: Result<Int, MediaError> = head.withUnsafeMutableBytes { bytes in
                do throws(MediaError) {
                    return .success(try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[free])))
                } catch {
                    return .failure(error)
                }
            }
            let read = try result.get()
            if read == 0 { break }
            count += read
        }
        head.removeLast(Self.headSize - count)
        headPosition = head.isEmpty ? nil : 0
    }

    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        if let start = headPosition {
            let count = min(buffer.count, head.count - start)
            head.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
            headPosition = start + count == head.count ? nil : start + count
            scanner?.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: position)
            position += Int64(count)
            return Int32(count)
        }
        guard stream.length != nil || fruitless < Self.mostFruitless else {
            return marquee_averror_eof
        }
        do throws(MediaError) {
            let count = try stream.read(into: buffer)
            fruitless += count
            scanner?.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: position)
            position += Int64(count)
            if count == 0 { lacksBytes = true }
            return count == 0 ? marquee_averror_eof : Int32(count)
        } catch {
            failure = error
            return marquee_averror_io
        }
    }

    fileprivate func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        guard let length = stream.length else { return Int64(marquee_averror_io) }
        switch SeekTarget(offset, whence, position: position, length: length) {
        case .length: return length
        case .invalid: return Int64(marquee_averror_invalid)
        case .position(let target):
            if target > length { lacksBytes = true }
            do throws(MediaError) {
                try stream.seek(to: target)
                headPosition = nil
                position = target
                return target
            } catch {
                failure = error
                return Int64(marquee_averror_io)
            }
        }
    }
}

private func reader(_ opaque: UnsafeMutableRawPointer?) -> StreamReader {
    Unmanaged<StreamReader>.fromOpaque(opaque!).takeUnretainedValue()
}

private func readStream(_ opaque: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
    reader(opaque).read(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
}

private func seekStream(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    reader(opaque).seek(offset, whence)
}
