import ArgumentParser
import CommandSupport
import LinuxSupport

/// The program: parses arguments and joins the real parts. Only this module knows all of them.
@main
struct Marquee: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marquee", abstract: "The player of a set-top box, for channels and a remote.",
        version: Program.version,
        subcommands: [
            RunCommand.self, PlayCommand.self, ProbeCommand.self, FeedCommand.self, HLSCommand.self, LogCommand.self,
            ComposeCommand.self, ExportCommand.self, ThumbnailsCommand.self,
            DoctorCommand.self, DownloadCommand.self, TellCommand.self, UpdateCommand.self,
            ProvisionCommand.self, SlotHealthCommand.self, StoryboardCommand.self, SimulateCommand.self,
        ])

    /// Exit codes: 0 done, 1 the input was refused or failed to play, 2 wrong usage; for `run` also 75: restart requested.
    @MainActor static func main() {
        Heap.settle()
        Program.stamps.reach(.main)
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as CommandFault {
            failure.report()
        } catch {
            // ArgumentParser's own code for wrong usage is 64; help and version are not failures.
            let code = exitCode(for: error)
            guard code != .success else { exit(withError: error) }
            CommandFault.tellPrograms(message(for: error))
            Console.error(fullMessage(for: error))
            CommandFault.exit(code == .validationFailure ? 2 : code.rawValue)
        }
    }
}
