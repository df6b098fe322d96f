import LinuxSupport
import MediaModel
import Synchronization

/// How fast the CPU reads picture memory, compared with plain memory, measured by reading one megabyte of each.
struct ReadSpeed: Sendable, Hashable, CustomStringConvertible {
    /// Bytes a second.
    var bytesPerSecond: Int
    /// The same for plain memory, at the same moment.
    var plainBytesPerSecond: Int

    /// Whether a decoder may read its references from it: uncached memory is slower by a factor of ten to a hundred.
    var isCached: Bool { bytesPerSecond > plainBytesPerSecond / 4 }

    var description: String { "\(bytesPerSecond >> 20) MiB/s read (plain memory \(plainBytesPerSecond >> 20) MiB/s)" }

    static let megabyte = 1 << 20

    /// Measures a picture's memory of at least a megabyte.
    static func measure(_ picture: PixelBuffer, clock: any HostClock) -> ReadSpeed {
        let plain = [UInt64](repeating: 1, count: megabyte / 8)
        let plainSpeed = plain.withUnsafeBytes { best($0, clock) }
        let speed = picture.withBytes { best(UnsafeRawBufferPointer(rebasing: $0.prefix(megabyte)), clock) }
        return ReadSpeed(bytesPerSecond: speed, plainBytesPerSecond: plainSpeed)
    }

    /// The best of three readings: the others were disturbed.
    private static func best(_ bytes: UnsafeRawBufferPointer, _ clock: any HostClock) -> Int {
        (0..<3).map { _ in
            let start = clock.now
            var sum: UInt64 = 0
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                sum &+= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            }
            sink.withLock { $0 = sum }
            let nanoseconds = max((clock.now - start).wholeNanoseconds, 1)
            return Int(Int64(bytes.count) * 1_000_000_000 / nanoseconds)
        }.max() ?? 0
    }

    /// Where sums go so that the compiler does not leave the reading out.
    private static let sink = Mutex<UInt64>(0)
}
