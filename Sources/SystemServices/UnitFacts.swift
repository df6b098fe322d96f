import Glibc

/// Properties of the service manager and its units, from `systemctl show`: lines of `NAME=value`, with an empty line between
/// units.
///
/// Uses the program and not D-Bus: it uses the manager's private socket, so that no bus has to run, and only `marquee doctor`
/// asks.
package enum UnitFacts {
    /// Queries the manager.
    ///
    /// - Parameter units: unit names; none queries the manager's own properties.
    /// - Returns: the properties of each unit; nil when there is no manager.
    package static func show(_ units: [String], properties: [String]) -> [[String: String]]? {
        guard access("/run/systemd/system", F_OK) == 0 else { return nil }
        let words = ["systemctl", "show", "--no-pager", "--property=" + properties.joined(separator: ",")] + units
        return output(of: words).map { parse($0) }
    }

    /// Parses the output of `systemctl show`.
    package static func parse(_ text: String) -> [[String: String]] {
        var units: [[String: String]] = [[:]]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                if !units[units.count - 1].isEmpty { units.append([:]) }
                continue
            }
            let words = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if words.count == 2 { units[units.count - 1][String(words[0])] = String(words[1]) }
        }
        return units.filter { !$0.isEmpty }
    }

    private static func output(of words: [String]) -> String? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let code = posix_spawnp(&child, words[0], &actions, nil, &arguments, environ)
        close(ends[1])
        guard code == 0 else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
