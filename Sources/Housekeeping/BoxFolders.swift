import Glibc

/// The persistent folder: systemd's `StateDirectory=`, otherwise the one of the XDG base directory specification.
package enum StateFolder {
    /// Finds the folder, or creates it; nil if it cannot be created.
    package static func path() -> String? {
        if let given = variable("STATE_DIRECTORY") { return make(given) }
        if let state = variable("XDG_STATE_HOME") { return make(state + "/marquee") }
        return variable("HOME").flatMap { make($0 + "/.local/state/marquee") }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    private static func make(_ path: String) -> String? {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else { return nil }
        }
        return made
    }
}

/// The folder for state of the running boot: systemd's `RuntimeDirectory=`.
package enum RuntimeFolder {
    /// The folder; nil if the program was not given one.
    package static var path: String? {
        getenv("RUNTIME_DIRECTORY").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
