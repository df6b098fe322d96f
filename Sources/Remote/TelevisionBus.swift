import CLinux
import Glibc
import LinuxSupport

/// The calls to CEC adapters that `TelevisionWatch` makes. Main loop only.
@MainActor
protocol TelevisionBus {
    /// Whether there is a node for an adapter.
    func exists(_ path: String) -> Bool
    /// Opens an adapter for the messages of others; its descriptor is readable while there are some.
    func open(_ path: String) throws(SystemError) -> FileDescriptor
    /// The next message. Does not wait.
    func receive(_ adapter: FileDescriptor) -> TelevisionReception
    /// The box's address on the bus; nil while there is none.
    func physicalAddress(_ adapter: FileDescriptor) -> UInt16?
    /// Sends without waiting for completion.
    func send(_ bytes: [UInt8], to destination: Int32, _ adapter: FileDescriptor)
}

enum TelevisionReception: Equatable {
    /// A message with its header first.
    case message([UInt8])
    case nothing
    /// The adapter has gone; the errno.
    case gone(Int32)
}

/// The kernel's CEC devices.
struct KernelTelevisionBus: TelevisionBus {
    func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    func open(_ path: String) throws(SystemError) -> FileDescriptor {
        let file = try FileDescriptor(opening: path, flags: O_RDWR | O_NONBLOCK)
        let code = marquee_cec_follow(file.number)
        guard code == 0 else { throw SystemError(call: "CEC_S_MODE", object: path, code: code) }
        return file
    }

    func receive(_ adapter: FileDescriptor) -> TelevisionReception {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = marquee_cec_receive(adapter.number, &bytes, Int32(bytes.count))
        if count < 0 { return .gone(-count) }
        return count == 0 ? .nothing : .message(Array(bytes.prefix(Int(count))))
    }

    func physicalAddress(_ adapter: FileDescriptor) -> UInt16? {
        let address = marquee_cec_physical_address(adapter.number)
        return address >= 0 ? UInt16(truncatingIfNeeded: address) : nil
    }

    func send(_ bytes: [UInt8], to destination: Int32, _ adapter: FileDescriptor) {
        _ = marquee_cec_send(adapter.number, destination, bytes, Int32(bytes.count))
    }
}
