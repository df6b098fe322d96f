import Glibc
import LinuxSupport
import NetworkConditions

/// A network simulated by the kernel's netem, for the lifetime of this object.
///
/// A shell sets it up, and removes it when its input ends. So the loopback interface is restored however this program ends.
final class KernelNetwork {
    private let child: pid_t
    /// Open while the network is needed.
    private var leash: Int32

    /// Why netem is not available, as text for the log.
    struct Refusal: Error {
        var reason: String
    }

    /// Makes the kernel treat all packets from and to an address's origin as a network would.
    init(_ profile: NetworkProfile, origin url: String) throws(Refusal) {
        guard let port = Self.localPort(url) else {
            throw Refusal(reason: "netem is used for origins on this machine only")
        }
        if let obstacle = profile.netemObstacle { throw Refusal(reason: obstacle) }
        var toChild: [Int32] = [0, 0]
        var fromChild: [Int32] = [0, 0]
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else {
            throw Refusal(reason: "no pipe to a shell could be created")
        }
        // Only the shell gets these ends, so that the pipe closes when this program ends.
        for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let script = Self.script(profile.netemCommands(port: port))
        let code = Self.spawn(script, input: toChild[0], output: fromChild[1])
        close(toChild[0])
        close(fromChild[1])
        let answer = FileDescriptor(adopting: fromChild[0])
        guard let child = code else {
            close(toChild[1])
            throw Refusal(reason: "no shell could be started")
        }
        self.child = child
        leash = toChild[1]
        let line = Self.line(from: answer.number)
        guard line == "ready" else {
            let reason = line.isEmpty ? "tc(8) is not installed" : line
            end()
            throw Refusal(reason: reason)
        }
    }

    deinit { end() }

    private func end() {
        guard leash >= 0 else { return }
        close(leash)
        leash = -1
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
    }

    /// The script sets up netem, prints the result, waits for the end of its input, and removes netem. It ignores signals that a terminal sends to all processes.
    private static func script(_ commands: [String]) -> String {
        let steps = commands.map { "words=$(\($0) 2>&1) || refuse" }.joined(separator: "\n")
        return """
            trap '' INT TERM HUP
            refuse() { tc qdisc del dev lo root 2>/dev/null; echo "${words:-tc refused}" | head -n 1; exit 1; }
            \(steps)
            echo ready
            read -r line
            tc qdisc del dev lo root
            """
    }

    private static func spawn(_ script: String, input: Int32, output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The folders of system tools, which are not in every user's path.
        let words = ["/bin/sh", "-c", "PATH=$PATH:/usr/sbin:/sbin\n" + script]
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        return posix_spawn(&child, words[0], &actions, nil, &pointers, environ) == 0 ? child : nil
    }

    /// The first line, or its part before the end of input.
    private static func line(from descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0, byte != 0x0A else { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }

    /// The port of an address on this machine.
    private static func localPort(_ url: String) -> Int? {
        guard url.hasPrefix("http://") else { return nil }
        let host = url.dropFirst(7).prefix { $0 != "/" && $0 != "?" }
        let parts = host.split(separator: ":")
        guard let name = parts.first, name == "127.0.0.1" || name == "localhost" else { return nil }
        return parts.count > 1 ? Int(parts[1]) : 80
    }
}
