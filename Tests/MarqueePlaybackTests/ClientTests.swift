import Glibc
import LinuxSupport
import TestSupport
import Testing

/// A client of the library is a program of its own: the main loop needs the main thread, and the test program has given that away.
@Suite("A client of the library", .serialized, .enabled(if: FFmpegProgram.isPresent, "\(FFmpegProgram.absence)"))
struct ClientTests {
    @Test(
        "a listing of the guide prints what it should",
        arguments: [
            "play-a-file", "status", "titles", "chapters", "observers", "seeks", "queue", "rates", "media-selection", "logs",
        ])
    func listing(name: String) throws {
        let expected = try #require(WholeFile.read(Fixtures.root + "/Examples/expected.txt"))
        let lines = String(decoding: expected, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix(name + ": ") }
        #expect(!lines.isEmpty)
        #expect(try Self.run(name) == (0, lines.map { $0 + "\n" }.joined()))
    }

    @Test(
        "what a client does wrong has the result that is documented",
        arguments: [
            "lettingGo", "closing", "twice", "early", "rates-refused", "cancelling", "silence", "slowness", "observations",
            "throwing",
            "waiting", "refusals",
        ])
    func mistake(name: String) throws { #expect(try Self.run(name) == (0, "")) }

    @Test(
        "a main loop inside of a main loop, and one of an async main, end the program with a sentence",
        arguments: ["nested", "async"])
    func trap(name: String) throws {
        let (status, printed) = try Self.run(name)
        #expect([SIGILL, SIGTRAP].contains(status & 0x7F), "\(printed)")
        #expect(printed.contains("main loop"), "\(printed)")
    }

    /// Runs the client with the film of the listings.
    ///
    /// - Returns: its status as of wait(2), and what it printed to both of its outputs.
    private static func run(_ name: String) throws -> (Int32, String) {
        let folder = ScratchFolder("client")
        let examples = Fixtures.root + "/Examples"
        let words = try #require(WholeFile.read(examples + "/film.arguments"))
        let film = String(decoding: words, as: UTF8.self).split(separator: "\n")
            .map { $0 == "CHAPTERS" ? examples + "/film.chapters" : String($0) }
        WholeFile.write(try FFmpegProgram.make(film, suffix: "mkv"), to: folder.path + "/film.mkv")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, folder.path + "/printed", O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let order = ["LibraryClient", folder.path + "/film.mkv", name]
        var arguments: [UnsafeMutablePointer<CChar>?] = order.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process = pid_t()
        let program = try #require(Self.program)
        try #require(posix_spawn(&process, program, &actions, nil, &arguments, environ) == 0, "\(program)")
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return (status, folder.get("printed") ?? "")
    }

    /// The client is beside the test program, which is the file of which this code is a part, or its folder.
    private static let program: String? = {
        var parts = (realPath("/proc/self/exe") ?? "").split(separator: "/")
        while !parts.isEmpty {
            parts.removeLast()
            let path = "/" + parts.joined(separator: "/") + "/LibraryClient"
            if access(path, X_OK) == 0 { return path }
        }
        return nil
    }()

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
