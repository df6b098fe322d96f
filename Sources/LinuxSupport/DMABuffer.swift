import CLinux
import Glibc

/// A dma-buf: memory that devices share, known by a descriptor of its own (Documentation/driver-api/dma-buf.rst of the kernel). Any thread.
package final class DMABuffer: Sendable {
    /// Tells buffers apart: one buffer has one identity, whichever descriptor it came through, because each has an inode (since Linux 5.3). It is not
    /// given to another buffer while an object of this class exists.
    package struct Identity: Sendable, Hashable {
        fileprivate let device: UInt64
        fileprivate let inode: UInt64
    }
    package let identity: Identity
    /// The size that the kernel reports; zero if it reports none.
    package let byteCount: Int
    private let descriptor: FileDescriptor

    /// Duplicates a descriptor, which may be closed afterwards.
    ///
    /// - Throws: `SystemError` if there is no such descriptor, or no room for another.
    package init(duplicating number: Int32) throws(SystemError) {
        let own = FileDescriptor(
            adopting: try systemCall("fcntl", on: "the buffer \(number)") { fcntl(number, F_DUPFD_CLOEXEC, Int32(0)) })
        descriptor = own
        identity = try Self.identity(of: own.number)
        byteCount = max(0, lseek(own.number, 0, SEEK_END))
    }

    /// The identity of the buffer behind a descriptor.
    package static func identity(of number: Int32) throws(SystemError) -> Identity {
        var facts = stat()
        try systemCall("fstat", on: "the buffer \(number)") { fstat(number, &facts) }
        return Identity(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino))
    }

    /// The number of the descriptor, for calls made while this object is alive.
    package var number: Int32 { descriptor.number }

    /// The CPU is about to read (DMA_BUF_IOCTL_SYNC).
    package func beginReading() { synchronize(isEnd: false) }

    /// The CPU has read.
    package func endReading() { synchronize(isEnd: true) }

    private func synchronize(isEnd: Bool) {
        // DMA_BUF_SYNC_READ, DMA_BUF_SYNC_END and DMA_BUF_IOCTL_SYNC of linux/dma-buf.h: macros that Swift does not import.
        var flags: UInt64 = 1 | (isEnd ? 4 : 0)
        // Other errors are those of memory that needs no announcement.
        while marquee_ioctl(number, 0x4008_6200, &flags) < 0, errno == EINTR || errno == EAGAIN {}
    }
}

/// Buffers that are mapped for reading, one after another in one stretch of addresses, so that what lies in several of them has offsets from one base.
package final class DMABufferMapping: Sendable {
    /// Where each buffer begins.
    package let offsets: [Int]
    package let byteCount: Int
    private let address: UInt

    /// Maps whole buffers.
    ///
    /// - Throws: `SystemError` if a device does not let its memory be mapped, or there are no addresses left.
    package init(_ buffers: [DMABuffer]) throws(SystemError) {
        let page = Int(getpagesize())
        var offsets: [Int] = []
        var total = 0
        for buffer in buffers {
            offsets.append(total)
            let (rounded, isTooMuch) = total.addingReportingOverflow((buffer.byteCount / page + 1) * page)
            guard !isTooMuch else { throw SystemError(call: "mmap", object: "shared picture memory", code: ENOMEM) }
            total = rounded
        }
        // Vector code may read a little beyond the end of a buffer: there are zeros.
        guard let base = mmap(nil, total, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0), base != Self.failed
        else {
            throw SystemError(call: "mmap", object: "shared picture memory", code: errno)
        }
        for (buffer, offset) in zip(buffers, offsets) {
            guard mmap(base + offset, buffer.byteCount, PROT_READ, MAP_SHARED | MAP_FIXED, buffer.number, 0) != Self.failed else {
                let code = errno
                munmap(base, total)
                throw SystemError(call: "mmap", object: "shared picture memory", code: code)
            }
        }
        self.offsets = offsets
        byteCount = total
        address = UInt(bitPattern: base)
    }

    private static var failed: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: -1) }

    /// The first byte; reading beyond the end of a buffer is an error of the caller.
    package var base: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: address)! }

    deinit { munmap(base, byteCount) }
}
