import CommandSupport
import Glibc
import LinuxSupport
import Signatures
import TestSupport
import Testing
import WireFormats

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

    @Test("settings are checked and signed, and what a box makes of them is told")
    func settings() throws {
        let programs = try Self.installed("marquee-tools")
        func tools(_ words: String...) throws -> (code: Int32?, text: String, errors: String) {
            let run = try programs.run("marquee-tools", words.map { Array($0.utf8) })
            return (run.exitCode, run.text, run.errors)
        }
        let (document, key, card) = (
            programs.folder + "/settings.json", programs.folder + "/s1.pem", programs.folder + "/room.toml"
        )
        let pinned = try tools("feed", "keygen", "s1", "-o", key).text
        WholeFile.write(
            Array("[box]\ngroup = \"lobby\"\n[settings]\nurl = \"https://cdn.example/s.json\"\n\(pinned)".utf8), to: card)
        func write(_ settings: String, _ more: String = "") {
            let text = #"{"settingsVersion": 1, "revision": 7, "settings": \#(settings)\#(more)}"#
            WholeFile.write(Array(text.utf8), to: document)
        }
        write(#"{"network": {"dns": ["10.0.0.9"]}}"#, #", "groups": ["lobby"]"#)
        let checked = try tools("settings", "check", document)
        #expect(checked.code == 0 && checked.text == "Revision 7 for the group lobby:\n  sets network.dns\n", "\(checked)")
        let unsigned = try tools("settings", "check", document, "--card", card)
        #expect(unsigned.code == 1 && unsigned.errors.contains("settings.json.sig"), "\(unsigned)")
        let signed = try tools("settings", "sign", document, "--key", key)
        #expect(signed.code == 0 && signed.text == checked.text, "\(signed)")
        let taken = try tools("settings", "check", document, "--card", card)
        #expect(
            taken.code == 0 && taken.text.hasSuffix("after a restart of the machine: it changes network.dns.\n"), "\(taken)")
        // The signature is of the former text.
        write("{}")
        let stale = try tools("settings", "check", document, "--card", card)
        #expect(stale.code == 1 && stale.errors.contains("does not match its content"), "\(stale)")
        write("{}", #", "expires": "2026-12-31T00:00:00Z""#)
        let before = try tools("settings", "check", document, "--at", "2026-12-30")
        #expect(before.code == 0 && before.text.contains("is taken until 2026-12-31T00:00:00Z"), "\(before)")
        let after = try tools("settings", "check", document, "--at", "2027-01-02T00:00:00+01:00")
        #expect(after.code == 1 && after.text == "" && after.errors.contains("has expired at 2026-12-31T00:00:00Z."), "\(after)")
        write("{}", #", "expires": "2020-12-31T00:00:00Z""#)
        #expect(try tools("settings", "sign", document, "--key", key).errors.contains("has expired"))
        write(#"{"sound": {"max_volume": 200}}"#)
        let wrong = try tools("settings", "sign", document, "--key", key)
        #expect(wrong.code == 1 && wrong.errors.contains("/settings/sound/max_volume: write a whole number"), "\(wrong)")
    }

    @Test(
        "a name of a file on the command line cannot give the terminal a command, or say anything in a line of its own",
        arguments: [
            ["feed", "check"], ["feed", "check", "--json"], ["feed", "sign", "--key", "k1.pem"], ["feed", "keygen", "k1", "-o"],
            ["settings", "check"], ["settings", "check", "settings.json", "--card"],
            ["settings", "sign", "settings.json", "--key"],
            ["provision", "--check"], ["provision", "--apply"], ["hls", "inspect"], ["compose", "check"], ["probe"],
            ["update", "check"], ["log", "show", "--state"], ["nothing"],
        ])
    func names(_ words: [String]) throws {
        let programs = try Self.installed("marquee", "marquee-tools")
        let lie = "Good: all is well."
        // One that is there and is none of the documents, and one that is not.
        let there = programs.folder + "/a\u{1B}[31m\n\(lie)\n\u{9B}2J\u{202E}"
        WholeFile.write(Array("{".utf8), to: there)
        for name in [there, there + "/not"] {
            let words = words.map { $0.hasSuffix(".json") || $0.hasSuffix(".pem") ? programs.folder + "/" + $0 : $0 }
            WholeFile.write(
                Array(#"{"settingsVersion":1,"revision":7,"settings":{}}"#.utf8), to: programs.folder + "/settings.json")
            let run = try programs.run("marquee", (words + [name]).map { Array($0.utf8) })
            for text in [run.text, run.errors] {
                #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || JSONText.isOneLine(String($0)) }, "\(text)")
                #expect(!text.split(separator: "\n").contains { $0.hasPrefix(lie) }, "\(text)")
            }
            if run.exitCode != 0 { #expect(!(run.text + run.errors).isEmpty) }
        }
    }

    @Test("a document that takes its own key away is not signed, unless the key is said to be a spare one")
    func ownKey() throws {
        let programs = try Self.installed("marquee-tools")
        let (own, other) = (try SigningKey(name: "s1"), try SigningKey(name: "s2"))
        let (document, key) = (programs.folder + "/settings.json", programs.folder + "/s1.pem")
        WholeFile.write(own.pem, to: key)
        func sign(_ more: String, _ options: String...) throws -> (code: Int32?, errors: String, isSigned: Bool) {
            unlink(document + ".sig")
            WholeFile.write(Array(#"{"settingsVersion":1,"revision":7,"settings":{}\#(more)}"#.utf8), to: document)
            let words = ["settings", "sign", document, "--key", key] + options
            let run = try programs.run("marquee-tools", words.map { Array($0.utf8) })
            return (run.exitCode, run.errors, access(document + ".sig", F_OK) == 0)
        }
        let (without, with) = (#"Keys":["\#(other.pinned)"]"#, #"Keys":["\#(own.pinned)"]"#)
        for (more, isSpare, words) in [
            (#","public"# + without, false, "is not among its publicKeys"), (#","spare"# + without, false, "only for documents"),
            (#","spare"# + without, true, "is not among its spareKeys"),
            (#","public"# + with.replacing("s1:", with: "x:"), false, "not among its publicKeys"),
        ] {
            let run = isSpare ? try sign(more, "--spare") : try sign(more)
            #expect(run.code == 1 && !run.isSigned && run.errors.contains(words), "\(run)")
            #expect(run.errors.contains("If s1 is a spare key of the boxes, say so with --spare.") == !isSpare, "\(run)")
        }
        for (more, isSpare) in [
            ("", false), (#","public"# + with, false), (#","public"# + without, true),
            (#","public"# + without + #","spare"# + with, false),
        ] {
            let run = isSpare ? try sign(more, "--spare") : try sign(more)
            #expect(run.code == 0 && run.isSigned, "\(run)")
        }
    }

    private static func installed(_ names: String...) throws -> InstalledPrograms {
        try #require(InstalledPrograms(names), "swift build --build-tests builds the programs too")
    }

    private static func words(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }
}
