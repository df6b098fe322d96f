import CFFmpeg
import Glibc

/// What FFmpeg's seek callback asks for.
enum SeekTarget: Equatable {
    /// The length, without moving.
    case length
    case position(Int64)
    /// Nothing that can be done: an unknown origin, or a position before the start or beyond 64 bits.
    case invalid

    /// - Parameters:
    ///   - offset: from the origin.
    ///   - whence: the origin: of lseek(2), or `AVSEEK_SIZE`.
    init(_ offset: Int64, _ whence: Int32, position: Int64, length: Int64) {
        let origin: Int64
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE:
            self = .length
            return
        case SEEK_SET: origin = 0
        case SEEK_CUR: origin = position
        case SEEK_END: origin = length
        default:
            self = .invalid
            return
        }
        let (target, overflow) = origin.addingReportingOverflow(offset)
        self = overflow || target < 0 ? .invalid : .position(target)
    }
}
