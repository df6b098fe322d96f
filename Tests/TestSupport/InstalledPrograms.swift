import Glibc
import LinuxSupport

/// A folder in which programs are installed: the built ones, and scripts in place of others.
package final class InstalledPrograms {
    /// How a program ended, and what it wrote.
    package struct Outcome {
        /// As of waitpid(2).
        package var status: Int32
        package var process: pid_t
        package var output: [UInt8]
        package var errors: String

        /// Nil if a signal ended it.
        package var exitCode: Int32? { status & 0x7F == 0 ? status >> 8 & 0xFF : nil }
        /// Nil if it ended by itself.
        package var signal: Int32? { status & 0x7F == 0 ? nil : status & 0x7F }
        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    package let folder: String

    /// Installs built programs, which are beside the test program; nil if one is not there.
    package init?(_ names: [String]) {
        guard let built = Self.built(names) else { return nil }
        // On the file system of the programs, where a second name of a file needs no copy.
        var template = Array("\(built)/installed-XXXXXX".utf8CString)
        guard let made = template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!).map { String(cString: $0) } }) else {
            return nil
        }
        folder = made
        for name in names { guard link("\(built)/\(name)", "\(made)/\(name)") == 0 else { return nil } }
    }

    deinit { Folder.remove(folder) }

    /// Installs a script of sh(1).
    ///
    /// - Parameter place: its name, below the folder.
    package func install(_ script: String, as place: String, mode: mode_t = 0o755) {
        let path = "\(folder)/\(place)"
        Folder.make(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
        WholeFile.write(Array("#!/bin/sh\n\(script)\n".utf8), to: path)
        chmod(path, mode)
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - place: its name, below the folder.
    ///   - words: its arguments, which need not be text.
    ///   - input: what it can read.
    ///   - environment: is added to that of the test.
    package func run(_ place: String, _ words: [[UInt8]], input: String = "", environment: [String] = []) throws -> Outcome {
        let (path, files) = ("\(folder)/\(place)", ["input", "output", "errors"].map { "\(folder)/\($0)" })
        WholeFile.write(Array(input.utf8), to: files[0])
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, files[0], O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, files[1], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, files[2], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // Whatever this process blocks or ignores, signals have their usual effects.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments = ([Array(path.utf8)] + words).map(Self.copy) + [nil]
        let added = environment.map { Self.copy(Array($0.utf8)) }
        defer { (arguments + added).forEach { free($0) } }
        var surroundings = added
        var inherited = environ
        while let entry = inherited.pointee {
            surroundings.append(entry)
            inherited += 1
        }
        surroundings.append(nil)
        var process = pid_t()
        let code = posix_spawn(&process, path, &actions, &attributes, &arguments, &surroundings)
        guard code == 0 else { throw SystemError(call: "posix_spawn", object: path, code: code) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return Outcome(
            status: status, process: process, output: WholeFile.read(files[1]) ?? [],
            errors: String(decoding: WholeFile.read(files[2]) ?? [], as: UTF8.self))
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { strdup($0.baseAddress!) }
    }

    /// The folder of the built programs: that of the test program, or one above it.
    private static func built(_ names: [String]) -> String? {
        guard let own = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(own) }
        var parts = String(cString: own).split(separator: "/")
        while !parts.isEmpty {
            parts.removeLast()
            let folder = "/" + parts.joined(separator: "/")
            if names.allSatisfy({ access("\(folder)/\($0)", X_OK) == 0 }) { return folder }
        }
        return nil
    }
}
