import Glibc

/// The folder that outlives the program: systemd's `StateDirectory=`, else the place of the XDG base directory specification.
package enum StateFolder {
    /// Finds the folder, making it where it is missing; nil where it cannot be made.
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

/// Where the running player keeps what only this boot needs: systemd's `RuntimeDirectory=`.
package enum RuntimeFolder {
    /// The folder; nil where the program was not given one.
    package static var path: String? {
        getenv("RUNTIME_DIRECTORY").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
