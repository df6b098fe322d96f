import CFFmpeg
import MediaModel

/// Lets FFmpeg write into a `ByteOutput`: an AVIOContext and the state of its callbacks.
///
/// Confined to the writing thread.
final class OutputWriter {
    private let output: any ByteOutput
    private(set) var context: UnsafeMutablePointer<AVIOContext>!
    private var failure: MediaError?
    private var position: Int64 = 0
    private var length: Int64 = 0

    private static let bufferSize = 256 << 10

    init(_ output: any ByteOutput) {
        self.output = output
        guard let buffer = av_malloc(Self.bufferSize) else { fatalError("no memory left for an output's buffer") }
        context = allocated(
            marquee_alloc_output(
                buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), Unmanaged.passUnretained(self).toOpaque(),
                writeOutput, seekOutput), "an output")
    }

    deinit {
        av_free(context.pointee.buffer)
        avio_context_free(&context)
    }

    /// Throws the error of the output, or one for a call of FFmpeg that failed.
    func check(_ code: Int32, _ words: @autoclosure () -> String) throws(MediaError) {
        if let failure { throw failure }
        guard code >= 0 else {
            throw MediaError(
                .sourceFormat, "\(words()) \(output.name) failed: \(FFmpegError(call: "av_write_frame", code: code).reason).")
        }
    }

    fileprivate func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        // After a failure FFmpeg goes on for a while: nothing more may be written.
        guard failure == nil else { return marquee_averror_io }
        do throws(MediaError) {
            try output.write(bytes)
            position += Int64(bytes.count)
            length = max(length, position)
            return Int32(bytes.count)
        } catch {
            failure = error
            return marquee_averror_io
        }
    }

    fileprivate func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        switch SeekTarget(offset, whence, position: position, length: length) {
        case .length: return length
        case .invalid: return Int64(marquee_averror_invalid)
        case .position(let target):
            guard failure == nil else { return Int64(marquee_averror_invalid) }
            do throws(MediaError) {
                try output.seek(to: target)
                position = target
                return target
            } catch {
                failure = error
                return Int64(marquee_averror_io)
            }
        }
    }
}

private func writer(_ opaque: UnsafeMutableRawPointer?) -> OutputWriter {
    Unmanaged<OutputWriter>.fromOpaque(opaque!).takeUnretainedValue()
}

private func writeOutput(_ opaque: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: Int32) -> Int32 {
    writer(opaque).write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
}

private func seekOutput(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    writer(opaque).seek(offset, whence)
}
