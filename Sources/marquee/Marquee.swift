import ArgumentParser
import CommandSupport

/// The program of the box: its commands, and the names of those of `marquee-tools`.
@main
struct Marquee: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: ProgramName.box.rawValue, abstract: "The player of a set-top box, for channels and a remote.",
        version: Program.version,
        subcommands: [
            RunCommand.self, PlayCommand.self, LogCommand.self, DoctorCommand.self, DownloadCommand.self, TellCommand.self,
            UpdateCommand.self, ProvisionCommand.self, SlotHealthCommand.self,
        ],
        groupedSubcommands: [
            CommandGroup(
                name: ProgramName.tools.rawValue,
                subcommands: [
                    ProbeElsewhere.self, FeedElsewhere.self, SettingsElsewhere.self, HLSElsewhere.self, ComposeElsewhere.self,
                    ExportElsewhere.self,
                    ThumbnailsElsewhere.self, StoryboardElsewhere.self, SimulateElsewhere.self,
                ])
        ])

    @MainActor static func main() { Program.carryOut(Self.self, of: .box) }
}

/// A command that another program has, as help and completions name it. It is handed over before this program parses it.
private protocol CommandElsewhere: ParsableCommand {
    static var name: CommandName { get }
}

extension CommandElsewhere {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: name.rawValue, abstract: name.abstract)
    }

    func run() throws { try HandOver.give(Self.name, from: 1) }
}

private struct ProbeElsewhere: CommandElsewhere { static let name = CommandName.probe }
private struct FeedElsewhere: CommandElsewhere { static let name = CommandName.feed }
private struct SettingsElsewhere: CommandElsewhere { static let name = CommandName.settings }
private struct HLSElsewhere: CommandElsewhere { static let name = CommandName.hls }
private struct ComposeElsewhere: CommandElsewhere { static let name = CommandName.compose }
private struct ExportElsewhere: CommandElsewhere { static let name = CommandName.export }
private struct ThumbnailsElsewhere: CommandElsewhere { static let name = CommandName.thumbnails }
private struct StoryboardElsewhere: CommandElsewhere { static let name = CommandName.storyboard }
private struct SimulateElsewhere: CommandElsewhere { static let name = CommandName.simulate }
