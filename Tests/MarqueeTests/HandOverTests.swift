import CommandSupport
import Glibc
import LinuxSupport
import TestSupport
import Testing

/// The built program, with a script in place of `marquee-tools`.
@Suite("A command of marquee-tools is handed over to the one beside the program", .serialized)
struct HandOverTests {
    private static func installed(_ script: String? = nil, mode: mode_t = 0o755) throws -> InstalledPrograms {
        let programs = try #require(InstalledPrograms(["marquee"]), "swift build --build-tests builds the program too")
        if let script { programs.install(script, as: "marquee-tools", mode: mode) }
        return programs
    }

    private static func words(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }

    @Test(
        "it gets the arguments as they are, the environment and the input, in the same process, and its exit code is the result")
    func beside() throws {
        let programs = try Self.installed(
            #"printf '<%s>' "$@"; printf '<%s><%s><%s>' "$$" "$HANDED" "$(cat)"; echo no >&2; exit 7"#)
        let odd: [UInt8] = [0x66, 0xFF, 0x0A]
        let outcome = try programs.run(
            "marquee", Self.words("feed", "check", "", "a b", "--json") + [odd], input: "input", environment: ["HANDED=over"])
        #expect(outcome.exitCode == 7 && outcome.errors == "no\n")
        let wanted = Array("<feed><check><><a b><--json><".utf8) + odd + Array("><\(outcome.process)><over><input>".utf8)
        #expect(outcome.output == wanted, "\(outcome.text)")
    }

    @Test("every name of the table is handed over, and so is the question for its help", arguments: CommandName.allCases)
    func names(command: CommandName) throws {
        let programs = try Self.installed(#"echo "tools: $*""#)
        for line in [[command.rawValue, "--help"], ["help", command.rawValue]] {
            let outcome = try programs.run("marquee", line.map { Array($0.utf8) })
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            let isHandedOver = outcome.text == "tools: \(line.joined(separator: " "))\n"
            #expect(isHandedOver == (command.program == .tools), "\(line): \(outcome.text)")
            if !isHandedOver { #expect(outcome.text.contains("USAGE: marquee \(command.rawValue)"), "\(outcome.text)") }
        }
    }

    @Test("the folder is that of the program itself, however many links lead to it")
    func links() throws {
        let programs = try Self.installed("echo right")
        programs.install("echo wrong", as: "bin/marquee-tools")
        symlink("../marquee", programs.folder + "/bin/first")
        symlink("first", programs.folder + "/bin/marquee")
        let outcome = try programs.run("bin/marquee", Self.words("hls", "inspect", "a"))
        #expect(outcome.text == "right\n" && outcome.exitCode == 0)
    }

    @Test("the signal that ends it is the result", arguments: [SIGTERM, SIGKILL, SIGINT])
    func signals(number: Int32) throws {
        let outcome = try Self.installed("kill -\(number) $$").run("marquee", Self.words("export", "--list"))
        #expect(outcome.signal == number && outcome.exitCode == nil)
    }

    @Test("without it one sentence says which program is missing, where, and what to install; --json has it too")
    func absent() throws {
        let programs = try Self.installed()
        let outcome = try programs.run("marquee", Self.words("feed", "check", "feed.json", "--json"))
        let sentence =
            "The command feed is in the program marquee-tools, which is not in \(programs.folder); "
            + "install the package marquee-tools on this machine, or use one that has it."
        #expect(outcome.exitCode == 69 && outcome.errors == "marquee: \(sentence)\n")
        #expect(outcome.text == "{\"error\":\"\(sentence)\"}\n")
    }

    @Test("one that cannot be started is not called missing")
    func unusable() throws {
        let outcome = try Self.installed("echo no", mode: 0o644).run("marquee", Self.words("probe", "a"))
        #expect(outcome.exitCode == 69 && outcome.text.isEmpty)
        #expect(outcome.errors.contains("Permission denied") && outcome.errors.contains("marquee-tools"), "\(outcome.errors)")
    }

    @Test("what is no command is refused by this program, and its own commands stay its own")
    func own() throws {
        let programs = try Self.installed("echo tools")
        let unknown = try programs.run("marquee", Self.words("feeds"))
        #expect(unknown.exitCode == 2 && unknown.text.isEmpty && unknown.errors.contains("feeds"), "\(unknown.errors)")
        let version = try programs.run("marquee", Self.words("--version"))
        #expect(version.exitCode == 0 && version.text == Program.version + "\n")
        let keys = try programs.run("marquee", Self.words("provision", "--keys"))
        #expect(keys.exitCode == 0 && keys.text.contains("feed.url"), "\(keys.errors)")
    }
}
