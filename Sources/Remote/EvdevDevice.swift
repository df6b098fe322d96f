import CEvdev
import Glibc
import LinuxSupport

/// An open input device (libevdev), closed in `deinit`. Main loop only.
final class EvdevDevice {
    /// A key code and its value, at an instant of CLOCK_MONOTONIC.
    struct KeyEvent: Equatable {
        var code: UInt16
        var value: Int32
        var nanoseconds: Int64
    }

    /// Relative motion of a pointing device, at an instant of CLOCK_MONOTONIC.
    struct Motion: Equatable {
        var axis: PointerSteps.Axis
        var counts: Int32
        var nanoseconds: Int64
    }

    /// The result of a read.
    enum Reading: Equatable {
        case key(KeyEvent)
        case motion(Motion)
        /// No event is available now.
        case nothing
        /// The device is gone.
        case gone
    }

    let path: String
    let descriptor: FileDescriptor
    private let handle: OpaquePointer
    private var isSynchronizing = false

    /// Opens a device for reading.
    ///
    /// - Throws: `SystemError`.
    init(path: String) throws(SystemError) {
        let descriptor = try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
        var handle: OpaquePointer?
        let code = libevdev_new_from_fd(descriptor.number, &handle)
        guard code == 0, let handle else { throw SystemError(call: "libevdev_new_from_fd", object: path, code: -code) }
        // The kernel's timestamps use the same clock as the rest of the program.
        let clockCode = libevdev_set_clock_id(handle, CLOCK_MONOTONIC)
        guard clockCode == 0 else {
            libevdev_free(handle)
            throw SystemError(call: "EVIOCSCLOCKID", object: path, code: -clockCode)
        }
        self.path = path
        self.descriptor = descriptor
        self.handle = handle
    }

    deinit { libevdev_free(handle) }

    /// The device's own name.
    var name: String { String(cString: libevdev_get_name(handle)) }

    /// Vendor, product and name: the same each time the device is plugged in.
    var identity: String { "\(libevdev_get_id_vendor(handle)):\(libevdev_get_id_product(handle)):\(name)" }

    /// Whether it is the kernel's HDMI-CEC device: by its bus, or by its name when a driver does not set the bus.
    var isCEC: Bool {
        if libevdev_get_id_bustype(handle) == BUS_CEC { return true }
        let place = libevdev_get_phys(handle).map { String(cString: $0) } ?? ""
        return [name, place].contains { Self.words($0).contains("cec") }
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter }.map(String.init)
    }

    /// Whether it has a key with that code.
    func has(_ code: UInt16) -> Bool { libevdev_has_event_code(handle, UInt32(EV_KEY), UInt32(code)) == 1 }

    /// Whether it is moved in two directions: an air mouse or a mouse, but no touchpad, which reports places.
    var isPointer: Bool {
        [REL_X, REL_Y].allSatisfy { libevdev_has_event_code(handle, UInt32(EV_REL), UInt32($0)) == 1 }
    }

    /// Grabs the device (EVIOCGRAB), so that its events do not reach the console or a login manager.
    func grab() throws(SystemError) {
        let code = libevdev_grab(handle, LIBEVDEV_GRAB)
        guard code == 0 else { throw SystemError(call: "EVIOCGRAB", object: path, code: -code) }
    }

    /// The next key or motion. When the kernel had to drop events, it returns the events that make up the difference.
    func read() -> Reading {
        while true {
            var event = input_event()
            let flag = isSynchronizing ? LIBEVDEV_READ_FLAG_SYNC : LIBEVDEV_READ_FLAG_NORMAL
            let code = libevdev_next_event(handle, UInt32(flag.rawValue), &event)
            if code == -EAGAIN {
                guard isSynchronizing else { return .nothing }
                isSynchronizing = false
                continue
            }
            if code == -EINTR { continue }
            guard code >= 0 else { return .gone }
            if code == Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue) { isSynchronizing = true }
            let instant = Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1000
            switch Int32(event.type) {
            case EV_KEY: return .key(KeyEvent(code: event.code, value: event.value, nanoseconds: instant))
            case EV_REL:
                guard let axis = Self.axis(event.code) else { continue }
                return .motion(Motion(axis: axis, counts: event.value, nanoseconds: instant))
            default: continue
            }
        }
    }

    private static func axis(_ code: UInt16) -> PointerSteps.Axis? {
        switch Int32(code) {
        case REL_X: .horizontal
        case REL_Y: .vertical
        case REL_WHEEL: .wheel
        default: nil
        }
    }
}
