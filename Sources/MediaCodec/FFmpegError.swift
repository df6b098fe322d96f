import CFFmpeg
import MediaModel

/// An FFmpeg call that returned a negative number: the call and its AVERROR.
struct FFmpegError: Error, Equatable, CustomStringConvertible {
    /// The function, e.g. `avformat_open_input`.
    let call: String
    /// The negative AVERROR.
    let code: Int32

    /// FFmpeg's own words for the code, e.g. "Invalid data found when processing input".
    var reason: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AV_ERROR_MAX_STRING_SIZE)) { text in
            av_strerror(code, text.baseAddress!, text.count)
            return String(cString: text.baseAddress!)
        }
    }

    var description: String { "\(call): \(reason)" }
}

/// For calls that return a negative AVERROR. "Again" and the end of the stream are values, handled by the callers that expect
/// them.
@discardableResult
func ffmpeg(_ call: String, _ body: () -> Int32) throws(FFmpegError) -> Int32 {
    let result = body()
    guard result >= 0 else { throw FFmpegError(call: call, code: result) }
    return result
}

/// For calls that return NULL only when memory is exhausted, which nothing here survives.
func allocated<Pointee>(_ pointer: UnsafeMutablePointer<Pointee>?, _ what: StaticString) -> UnsafeMutablePointer<Pointee> {
    guard let pointer else { fatalError("no memory left for \(what)") }
    return pointer
}
