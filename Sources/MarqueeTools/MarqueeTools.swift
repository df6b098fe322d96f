import ArgumentParser
import CommandSupport

/// The program of operators and developers. `marquee` hands its commands over, so that its help has the name by which it was called.
@main
struct MarqueeTools: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: called(CommandLine.arguments.first), abstract: "The tools beside a set-top box: feeds, media, compositions.",
        version: Program.version,
        subcommands: [
            ProbeCommand.self, FeedCommand.self, SettingsCommand.self, HLSCommand.self, ComposeCommand.self, ExportCommand.self,
            ThumbnailsCommand.self, StoryboardCommand.self, SimulateCommand.self,
        ])

    @MainActor static func main() { Program.carryOut(Self.self, of: .tools) }

    /// The name in the help of a program that was called by this path.
    static func called(_ path: String?) -> String {
        let name = path?.split(separator: "/").last.flatMap { ProgramName(rawValue: String($0)) }
        return (name ?? .tools).rawValue
    }
}
