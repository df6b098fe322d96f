import Glibc
import LinuxSupport
import MediaModel

/// How fast the CPU reads picture memory, compared with plain memory, measured by reading one megabyte of each.
struct ReadSpeed: Sendable, Hashable, CustomStringConvertible {
    /// Bytes per second.
    var bytesPerSecond: Int
    /// The same for plain memory, measured at the same moment.
    var plainBytesPerSecond: Int

    /// Whether a decoder may keep its reference frames in it: uncached memory is slower by a factor of ten to a hundred.
    var isCached: Bool { bytesPerSecond > plainBytesPerSecond / 4 }

    var description: String { "\(bytesPerSecond >> 20) MiB/s read (plain memory \(plainBytesPerSecond >> 20) MiB/s)" }

    static let megabyte = 1 << 20

    /// Measures the memory of a picture of at least a megabyte. Its contents are overwritten.
    static func measure(_ picture: PixelBuffer, clock: any HostClock) -> ReadSpeed {
        let plain = [UInt8](repeating: filling, count: megabyte)
        let plainSpeed = plain.withUnsafeBytes { best($0, clock) }
        // Write first: untouched pages are not allocated yet.
        picture.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: filling) }
        let speed = picture.withBytes { best(UnsafeRawBufferPointer(rebasing: $0.prefix(megabyte)), clock) }
        return ReadSpeed(bytesPerSecond: speed, plainBytesPerSecond: plainSpeed)
    }

    private static let filling: UInt8 = 1

    /// The best of three readings, since the others were disturbed. It searches for a byte that is absent, so that every byte is
    /// read.
    private static func best(_ bytes: UnsafeRawBufferPointer, _ clock: any HostClock) -> Int {
        (0..<3).map { _ in
            let start = clock.now
            precondition(
                memchr(bytes.baseAddress!, Int32(filling) + 1, bytes.count) == nil, "the memory did not keep what was written")
            let nanoseconds = max((clock.now - start).wholeNanoseconds, 1)
            return Int(Int64(bytes.count) * 1_000_000_000 / nanoseconds)
        }.max() ?? 0
    }
}
