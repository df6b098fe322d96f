import ArgumentParser
import CommandSupport
import HLSPlaylist
import LinuxSupport
import Transfer

/// `marquee hls inspect`: a playlist as parsed by this box.
struct HLSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hls", abstract: CommandName.hls.abstract, subcommands: [Inspect.self])

    struct Inspect: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a playlist as parsed, with errors and warnings by line; exit 1 when it is refused.")

        @Argument(help: "A file, an http(s) address, or - for standard input.", completion: .file())
        var playlist: String

        @Flag(help: "Print JSON.")
        var json = false

        @Flag(help: "Refuse what players tolerate.")
        var strict = false

        func run() throws {
            let (bytes, url) = try MainActor.assumeIsolated { try read() }
            let parser = PlaylistParser(leniency: strict ? .strict : .lenient, url: url)
            let report = InspectReport(parser.parse(bytes))
            Console.write((json ? report.json : report.text) + "\n")
            if report.isRefused { throw CommandFault("", code: 1) }
        }

        @MainActor
        private func read() throws -> (bytes: [UInt8], url: String?) {
            guard playlist != "-" else { return (try OneShot.standardInput(), nil) }
            let loop = try MainLoop(time: .real)
            let loader = CurlTransfer(clock: loop.clock, version: Program.version)
            let response = try OneShot.load(playlist, kind: .playlist, loop: loop, loader: loader)
            return (response.bytes, response.url)
        }
    }
}
