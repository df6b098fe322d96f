import CommandSupport
import LinuxSupport
import TestSupport
import Testing

@testable import MarqueeTools

@Suite("The program marquee-tools", .serialized)
struct ToolsTests {
    @Test("it has the commands that the table says, and each of them with its words")
    func table() {
        let own = MarqueeTools.configuration.subcommands
        let names = own.map { $0.configuration.commandName ?? "" }
        #expect(names.sorted() == CommandName.allCases.filter { $0.program == .tools }.map(\.rawValue).sorted())
        for command in own {
            let name = command.configuration.commandName.flatMap { CommandName(rawValue: $0) }
            #expect(command.configuration.abstract == name?.abstract)
        }
    }

    @Test("its help has the name by which it was called")
    func name() {
        #expect(MarqueeTools.called("/usr/bin/marquee") == "marquee" && MarqueeTools.called("marquee") == "marquee")
        #expect(MarqueeTools.called("/usr/bin/marquee-tools") == "marquee-tools")
        #expect(MarqueeTools.called("/tmp/program") == "marquee-tools" && MarqueeTools.called(nil) == "marquee-tools")
    }

    @Test("called by marquee, it does what that was asked, and its help names marquee")
    func handedOver() throws {
        let programs = try Self.installed("marquee", "marquee-tools")
        let inspected = try programs.run("marquee", Self.words("hls", "inspect", "-"), input: "no playlist")
        #expect(inspected.exitCode == 1 && inspected.text.contains("#EXTM3U"), "\(inspected.text)\(inspected.errors)")
        let wrong = try programs.run("marquee", Self.words("feed", "check", "feed.json", "--nonsense"))
        #expect(wrong.exitCode == 2 && wrong.errors.contains("--nonsense"))
        for line in [["feed", "check", "--help"], ["help", "feed", "check"]] {
            let help = try programs.run("marquee", line.map { Array($0.utf8) })
            #expect(help.exitCode == 0 && help.text.contains("USAGE: marquee feed check"), "\(help.text)\(help.errors)")
        }
    }

    @Test("a command of the box goes to the program of the box, and without it a sentence says so")
    func box() throws {
        let programs = try Self.installed("marquee-tools")
        let absent = try programs.run("marquee-tools", Self.words("run", "--port", "0"))
        #expect(absent.exitCode == 69 && absent.errors.hasPrefix("marquee: The command run is in the program marquee,"))
        programs.install(#"echo "box: $*""#, as: "marquee")
        let run = try programs.run("marquee-tools", Self.words("run", "--port", "0"))
        #expect(run.exitCode == 0 && run.text == "box: run --port 0\n")
    }

    @Test("compose play checks each composition, and gives the player the words that follow")
    func composePlay() throws {
        let programs = try Self.installed("marquee-tools")
        programs.install(#"echo "box: $*"; exit 5"#, as: "marquee")
        let piece = #"{"url": "film.mkv", "source": {"start": 0, "duration": 2}}"#
        let good = #"{"compositionVersion": 1, "tracks": [{"id": 1, "type": "video", "segments": [\#(piece)]}]}"#
        let (first, second) = (programs.folder + "/good.json", programs.folder + "/bad.json")
        WholeFile.write(Array(good.utf8), to: first)
        WholeFile.write(Array("{}".utf8), to: second)
        let played = try programs.run("marquee-tools", Self.words("compose", "play", first, "--until", "3", "--audio", "null"))
        #expect(played.exitCode == 5 && played.text == "box: play \(first) --until 3 --audio null\n", "\(played.errors)")
        let refused = try programs.run("marquee-tools", Self.words("compose", "play", first, second))
        #expect(refused.exitCode == 1 && refused.text.isEmpty && refused.errors.contains("bad.json"), "\(refused.errors)")
        let wrong = try programs.run("marquee-tools", Self.words("compose", "play", first, "--clock", "none"))
        #expect(wrong.exitCode == 2 && wrong.text.isEmpty)
    }

    private static func installed(_ names: String...) throws -> InstalledPrograms {
        try #require(InstalledPrograms(names), "swift build --build-tests builds the programs too")
    }

    private static func words(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }
}
