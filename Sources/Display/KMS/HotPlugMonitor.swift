import CDRM
import Glibc
import LinuxSupport

/// The kernel's uevents of graphics cards (netlink, NETLINK_KOBJECT_UEVENT).
struct HotPlugMonitor {
    /// Readable when an event has come; nil where the kernel gives no such socket.
    let descriptor: FileDescriptor?

    init() {
        let number = marquee_open_uevents()
        descriptor = number >= 0 ? FileDescriptor(adopting: number) : nil
    }

    /// Reads all pending events.
    ///
    /// - Returns: whether one of them is about a graphics card, or may have been: the kernel drops events when too many come at once (ENOBUFS).
    func readConcernsCards() -> Bool {
        guard let descriptor else { return false }
        var concerns = false
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = read(descriptor.number, &buffer, buffer.count)
            if count < 0, errno == ENOBUFS {
                concerns = true
                continue
            }
            guard count > 0 else { return concerns }
            if buffer[..<count].split(separator: 0).contains(where: { $0.elementsEqual("SUBSYSTEM=drm".utf8) }) {
                concerns = true
            }
        }
    }
}
