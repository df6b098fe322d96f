import ArgumentParser
import LinuxSupport
import Supervision
import WireFormats

/// What each command may know of the program that it is part of.
package enum Program {
    package static let version = "0.1.0"

    /// When the program began, for measurements of the start. Used on the main thread only.
    @MainActor package static var stamps = BootStamps()

    /// Carries out the command line, or hands it over to the program that has its command.
    ///
    /// Exit codes: 0 done, 1 the input was refused or failed to play, 2 wrong usage; for `run` also 75: restart requested.
    ///
    /// - Parameters:
    ///   - root: the commands of this program.
    ///   - own: which program this is.
    @MainActor package static func carryOut(_ root: (some ParsableCommand).Type, of own: ProgramName) {
        Heap.settle()
        stamps.reach(.main)
        do {
            try HandOver.unlessOwn(own)
            var command = try root.parseAsRoot()
            try command.run()
        } catch let fault as CommandFault {
            fault.report()
        } catch {
            // ArgumentParser's own code for wrong usage is 64; help and version are not failures.
            let code = root.exitCode(for: error)
            guard code != .success else { root.exit(withError: error) }
            CommandFault.tellPrograms(root.message(for: error))
            // The parser names words of the command line as they are.
            let words = CommandLine.arguments.filter { !JSONText.isOneLine($0) }
            Console.error(lines: words.reduce(root.fullMessage(for: error)) { $0.replacing($1, with: JSONText.line($1)) })
            CommandFault.exit(code == .validationFailure ? 2 : code.rawValue)
        }
    }
}
