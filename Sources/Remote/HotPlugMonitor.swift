import CUdev
import Glibc
import LinuxSupport

/// Reports input devices that are added or removed (libudev's netlink monitor). Main loop only.
///
/// If udevd runs, its events are used, which come after it has set the device's permissions; otherwise the kernel's own.
final class HotPlugMonitor {
    /// A device that was added or removed, by the path of its node.
    enum Change: Equatable {
        case added(String)
        case removed(String)
        /// Too many changes came at once, and some were lost (ENOBUFS).
        case lost
    }

    private let context: OpaquePointer
    private let monitor: OpaquePointer

    /// - Parameter usesUdevd: whether to wait for udevd's events.
    /// - Throws: `RemoteError` when the monitor cannot be opened.
    init(usesUdevd: Bool = access("/run/udev/control", F_OK) == 0) throws(RemoteError) {
        guard let context = udev_new() else {
            throw RemoteError(
                .hotPlug, "Input devices could not be watched: udev_new failed, out of memory; close other programs.")
        }
        guard let monitor = udev_monitor_new_from_netlink(context, usesUdevd ? "udev" : "kernel") else {
            let code = errno
            udev_unref(context)
            throw Self.failure("udev_monitor_new_from_netlink", code)
        }
        var result = udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil)
        if result >= 0 { result = udev_monitor_enable_receiving(monitor) }
        guard result >= 0 else {
            udev_monitor_unref(monitor)
            udev_unref(context)
            throw Self.failure("udev_monitor_enable_receiving", -result)
        }
        self.context = context
        self.monitor = monitor
    }

    deinit {
        udev_monitor_unref(monitor)
        udev_unref(context)
    }

    private static func failure(_ call: String, _ code: Int32) -> RemoteError {
        RemoteError(
            .hotPlug,
            "Input devices could not be watched: \(call) failed with \(String(cString: strerror(code))) (errno \(code)); allow netlink sockets."
        )
    }

    /// Readable when there is a change.
    var descriptor: Int32 { udev_monitor_get_fd(monitor) }

    /// The next change; nil when there is none for now.
    func next() -> Change? {
        while true {
            errno = 0
            guard let device = udev_monitor_receive_device(monitor) else { return errno == ENOBUFS ? .lost : nil }
            defer { udev_device_unref(device) }
            guard let node = udev_device_get_devnode(device), let action = udev_device_get_action(device) else { continue }
            let path = String(cString: node)
            guard EventNode(path: path) != nil else { continue }
            switch String(cString: action) {
            case "add": return .added(path)
            case "remove": return .removed(path)
            default: continue
            }
        }
    }
}

/// A node `/dev/input/eventN`.
struct EventNode: Comparable {
    static let folder = "/dev/input"
    let number: Int

    /// - Returns: nil for the nodes of mice, joysticks and others.
    init?(path: String) {
        let prefix = "\(Self.folder)/event"
        guard path.hasPrefix(prefix), let number = Int(path.dropFirst(prefix.count)), number >= 0 else { return nil }
        self.number = number
    }

    var path: String { "\(Self.folder)/event\(number)" }
    /// The device's name in events.
    var name: String { "event\(number)" }

    static func < (left: EventNode, right: EventNode) -> Bool { left.number < right.number }

    /// All nodes that exist now, ordered by number; empty when there is no such folder.
    static func all() -> [EventNode] {
        Folder.names(folder).compactMap { EventNode(path: "\(folder)/\($0)") }.sorted()
    }
}
