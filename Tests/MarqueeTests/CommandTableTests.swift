import CommandSupport
import TestSupport
import Testing

@testable import marquee

@Suite("The table of commands")
struct CommandTableTests {
    @Test("this program has the commands that the table says, and each of them with its words")
    func own() {
        let own = Marquee.configuration.ungroupedSubcommands
        let table = CommandName.allCases.filter { $0.program == .box }
        #expect(own.map { $0.configuration.commandName ?? "" }.sorted() == table.map(\.rawValue).sorted())
        for command in own {
            let name = command.configuration.commandName.flatMap { CommandName(rawValue: $0) }
            #expect(command.configuration.abstract == name?.abstract)
        }
    }

    @Test("its help names all commands of the other program, in a section of their own")
    func elsewhere() throws {
        let groups = Marquee.configuration.groupedSubcommands
        let table = CommandName.allCases.filter { $0.program == .tools }
        let names = groups.flatMap(\.subcommands).map { $0.configuration.commandName ?? "" }
        #expect(groups.map(\.name) == ["marquee-tools"])
        #expect(names.sorted() == table.map(\.rawValue).sorted())
        let help = Marquee.helpMessage(columns: 200)
        let section = try #require(help.firstRange(of: "MARQUEE-TOOLS SUBCOMMANDS:")?.upperBound)
        for name in CommandName.allCases {
            let line = try #require(help.firstRange(of: "\n  \(name.rawValue) ")?.lowerBound, "\(name)")
            #expect((line >= section) == (name.program == .tools), "\(name)")
            #expect(help.contains(name.abstract), "\(name)")
        }
    }

    @Test("a command line names its command, also when it asks for help; nothing else is one")
    func named() {
        func command(_ words: String) -> CommandName? {
            CommandName(arguments: ["/usr/bin/marquee"] + words.split(separator: " ").map(String.init))
        }
        #expect(command("feed check feed.json") == .feed)
        #expect(command("help feed check") == .feed)
        #expect(command("slot-health --judge") == .slotHealth)
        for words in ["", "--version", "help", "Feed", "feeds", "--json feed", "plays feed", "--help hls"] {
            #expect(command(words) == nil, "\(words)")
        }
        #expect(command("play feed") == .play)
    }
}
