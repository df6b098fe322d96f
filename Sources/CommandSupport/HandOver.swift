import Glibc

/// Gives a command to the program that has it. That program takes the place of this one: it has the same process, environment, folder and streams. A
/// process that waits for this one gets its exit code or its signal.
package enum HandOver {
    /// The exit code without the other program: EX_UNAVAILABLE of sysexits.h.
    package static let unavailable: Int32 = 69

    /// Hands over a command line whose command another program has; returns if this program has it, or if no program does.
    ///
    /// - Throws: `CommandFault` if that program cannot be started.
    package static func unlessOwn(_ own: ProgramName) throws {
        guard let command = CommandName(arguments: CommandLine.arguments), command.program != own else { return }
        try give(command, from: 1)
    }

    /// Starts the program of a command with the words of this command line.
    ///
    /// - Parameter first: the number of the first word that it gets. Its name is the one by which this program was called.
    /// - Throws: `CommandFault` if it cannot be started.
    package static func give(_ command: CommandName, from first: Int) throws -> Never {
        let name = command.program.rawValue
        guard let own = realpath("/proc/self/exe", nil) else {
            throw CommandFault(
                "Finding \(name) for the command \(command.rawValue) failed: \(String(cString: strerror(errno))); is /proc mounted?",
                code: unavailable)
        }
        defer { free(own) }
        var folder = String(cString: own)
        folder.removeSubrange((folder.lastIndex(of: "/") ?? folder.startIndex)...)
        // The words as they are: a name of a file need not be text.
        var words = [CommandLine.unsafeArgv[0]]
        words += (first..<max(Int(CommandLine.argc), first)).map { CommandLine.unsafeArgv[$0] } + [nil]
        execve("\(folder)/\(name)", words, environ)
        let reason = errno
        guard reason == ENOENT else {
            throw CommandFault(
                "Starting \(folder)/\(name), which has the command \(command.rawValue), failed: \(String(cString: strerror(reason))).",
                code: unavailable)
        }
        throw CommandFault(
            """
            The command \(command.rawValue) is in the program \(name), which is not in \(folder); install the package \(name) on this machine, or use \
            one that has it.
            """, code: unavailable)
    }
}
