import ArgumentParser
import BoxModel
import CommandSupport
import Composition
import Housekeeping
import LinuxSupport
import MediaCodec
import Playback
import Transfer
import WireFormats

/// `marquee compose`: programmes edited from ranges of other media.
struct ComposeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compose", abstract: CommandName.compose.abstract,
        subcommands: [Check.self, Play.self, Info.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check a composition: exit 0 good (warnings allowed), 1 refused.")

        @Argument(help: "A file, an http(s) address, or - for standard input.", completion: .file())
        var composition: String

        @Flag(help: "Print the report as JSON.")
        var json = false

        @Flag(help: "Open the sources and compare the segments with them.")
        var probe = false

        func run() throws {
            let verdict = try MainActor.assumeIsolated {
                let (verdict, bytes) = try ComposeCommand.read(composition)
                guard let document = verdict.document else { return verdict }
                var findings = document.validateForPlaying()
                if probe {
                    findings += document.composition.validate(against: try ComposeCommand.sources(of: document.composition))
                }
                return CompositionReader.adding(findings, to: verdict, of: bytes)
            }
            if json {
                let report = JSONText.object([
                    ("accepted", .bool(verdict.document != nil)), ("findings", .array(verdict.findings.map(\.json))),
                ])
                Console.write(report.indentedText + "\n")
            } else {
                verdict.findings.forEach { Console.print("\($0)") }
                Console.print(verdict.document == nil ? "The composition is refused." : "The composition is good.")
            }
            if verdict.document == nil { throw CommandFault("", code: 1) }
        }
    }

    struct Play: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Play compositions, with the options of marquee play.")

        @OptionGroup var play: PlayOptions

        func run() throws {
            for target in play.targets { try MainActor.assumeIsolated { _ = try ComposeCommand.playable(target) } }
            // Without the word compose: the player has the same arguments.
            try HandOver.give(.play, from: 2)
        }
    }

    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the tracks and segments of a composition; exit 1 if it is refused.")

        @Argument(help: "A file, an http(s) address, or - for standard input.", completion: .file())
        var composition: String

        @Flag(help: "Print JSON.")
        var json = false

        @Flag(help: "Open the sources and print their chapters, in the time of the composition.")
        var probe = false

        func run() throws {
            let (document, sources) = try MainActor.assumeIsolated {
                let document = try ComposeCommand.playable(composition)
                return (document, probe ? try ComposeCommand.sources(of: document.composition) : [:])
            }
            let facts = sources.compactMapValues { result -> SourceFacts? in
                if case .found(let facts) = result { facts } else { nil }
            }
            let report = CompositionReport(document, sources: facts)
            Console.write((json ? report.json.indentedText : report.text) + "\n")
        }
    }

    /// Opens the sources one after another, as playback opens them. Blocks until done.
    @MainActor
    private static func sources(of composition: Composition) throws -> [String: SourceResult] {
        let loop = try MainLoop(time: .real)
        let (loader, codecs) = (CurlTransfer(clock: loop.clock, version: Program.version), FFmpegCodecs())
        var results: [String: SourceResult] = [:]
        let (urls, bar) = (composition.sourceURLs, ProgressBar())
        for (index, url) in urls.enumerated() {
            bar.show(done: index, total: urls.count)
            results[url] = PieceSource.result(of: url, loader: loader, codecs: codecs)
        }
        bar.clear()
        return results
    }

    /// Loads a composition that can be played. Blocks until done.
    ///
    /// - Throws: `CommandFault` if it is refused.
    @MainActor
    private static func playable(_ address: String) throws -> CompositionDocument {
        let (verdict, bytes) = try read(address)
        guard let document = verdict.document else { return try accepted(verdict, address) }
        return try accepted(CompositionReader.adding(document.validateForPlaying(), to: verdict, of: bytes), address)
    }

    /// Loads a composition, with the loop and loader of another command. Blocks until done.
    ///
    /// - Throws: `CommandFault` if it is refused.
    @MainActor
    static func document(_ address: String, loop: MainLoop, loader: CurlTransfer) throws -> CompositionDocument {
        try accepted(try read(address, loop: loop, loader: loader).verdict, address)
    }

    private static func accepted(_ verdict: CompositionVerdict, _ address: String) throws -> CompositionDocument {
        guard let document = verdict.document else {
            let first = verdict.findings.first { $0.severity == .error }.map { ": \($0)" } ?? "."
            throw CommandFault(
                "Reading the composition \(address) failed\(first) `marquee compose check` prints everything that is wrong.")
        }
        return document
    }

    /// Loads and checks a composition. Blocks until done.
    ///
    /// - Throws: `CommandFault` if there is nothing to check.
    @MainActor
    private static func read(_ address: String) throws -> (verdict: CompositionVerdict, bytes: [UInt8]) {
        let loop = try MainLoop(time: .real)
        return try read(address, loop: loop, loader: CurlTransfer(clock: loop.clock, version: Program.version))
    }

    @MainActor
    private static func read(
        _ address: String, loop: MainLoop, loader: CurlTransfer
    ) throws -> (verdict: CompositionVerdict, bytes: [UInt8]) {
        let response = try OneShot.load(address, kind: .document, loop: loop, loader: loader)
        return (CompositionReader.read(response.bytes, baseURL: FeedFile.place(of: response.url)), response.bytes)
    }
}
