import Glibc

/// The session of a desktop in which this program was started: where a window can be.
package struct DesktopSession: Sendable, Hashable {
    /// The drivers of SDL that are tried, best first.
    package let drivers: [String]

    /// A session of given drivers; for tests, whose driver is SDL's `dummy`.
    package init(drivers: [String]) { self.drivers = drivers }

    /// - Parameter environment: the value of a variable of the environment; nil if it is not set.
    /// - Returns: nil outside of a desktop.
    package init?(environment: (String) -> String?) {
        func isSet(_ name: String) -> Bool { !(environment(name) ?? "").isEmpty }
        let drivers = (isSet("WAYLAND_DISPLAY") ? ["wayland"] : []) + (isSet("DISPLAY") ? ["x11"] : [])
        guard !drivers.isEmpty else { return nil }
        self.drivers = drivers
    }

    /// What `marquee doctor` says about a window in it: the library that would open one, or why none can.
    package var words: String {
        switch SDLLibrary.found {
        case .success(let library): "on \(drivers.joined(separator: " or ")), by SDL \(library.version)"
        case .failure(let error): error.sentence
        }
    }

    /// The session of this process, if it has one.
    package static func current() -> DesktopSession? {
        DesktopSession { name in getenv(name).map { String(cString: $0) } }
    }
}
