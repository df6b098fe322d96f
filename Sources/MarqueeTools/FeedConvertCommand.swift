import ArgumentParser
import ChannelFeed
import CommandSupport
import FeedConversion
import Glibc
import LinuxSupport
import MediaSources
import ProgrammeGuide
import Transfer

extension SourceKind: ExpressibleByArgument {}

/// `marquee feed convert`: makes a channel feed of what an operator has.
struct FeedConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Make a feed from another format: exit 0 converted (warnings allowed), 3 something was left out, 1 no feed.",
        discussion: """
            The report with everything that is lost or changed goes to standard error. The feed passes feed check. The formats and their fields are in \
            docs/channel-feed.md.
            """)

    @Argument(help: "A file, an http(s) address, or - for standard input.", completion: .file())
    var source: String

    @Option(help: "The kind of the source; without it it is detected.")
    var from: SourceKind?

    @Option(help: ArgumentHelp("The guide of an M3U list, in XMLTV.", valueName: "FILE|URL"), completion: .file())
    var xmltv: String?

    @Option(help: ArgumentHelp("The address of that guide for the boxes, when --xmltv is a file.", valueName: "URL"))
    var guideURL: String?

    @Option(name: .customLong("base-url"), help: ArgumentHelp("The base of relative addresses.", valueName: "URL"))
    var baseURL: String?

    @Option(
        name: .customLong("allow-http"),
        help: ArgumentHelp("A host that the boxes may use over plain http; may be repeated.", valueName: "HOST"))
    var plainHTTPHosts: [String] = []

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the feed here.", valueName: "FILE"), completion: .file())
    var output: String?

    @Flag(help: "Print the report as JSON.")
    var json = false

    func run() throws {
        let result = try MainActor.assumeIsolated { try convert() }
        Console.error(lines: String((json ? result.json() : result.text()).dropLast()))
        if let feed = result.feed {
            if let output {
                guard WholeFile.write(Array(feed.utf8), to: output) else {
                    throw CommandFault("Writing the feed \(output) failed: \(String(cString: strerror(errno))).")
                }
            } else {
                Console.write(feed)
            }
        }
        if result.exitCode != 0 { throw CommandFault("", code: result.exitCode) }
    }

    @MainActor
    private func convert() throws -> ConversionResult {
        let loop = try MainLoop(time: .real)
        let options = TransferOptions(plainHTTPHosts: Set(plainHTTPHosts.map { $0.lowercased() }))
        let loader = CurlTransfer(clock: loop.clock, version: Program.version, options: options)
        // The converter has its own limit, with a better sentence than the loader's.
        let response = try OneShot.load(source, kind: .media, loop: loop, loader: loader)
        var conversion = ConversionOptions()
        conversion.kind = from
        conversion.baseURL = baseURL
        conversion.sourceURL = response.url
        conversion.plainHTTPHosts = Set(plainHTTPHosts.map { $0.lowercased() })
        if let xmltv { conversion.guide = try guide(xmltv, loop: loop, loader: loader) }
        return FeedConverter.convert(response.bytes, options: conversion)
    }

    @MainActor
    private func guide(_ address: String, loop: MainLoop, loader: any ByteLoading) throws -> SourceGuide {
        let response = try OneShot.load(address, kind: .guide, loop: loop, loader: loader)
        // The channels of the guide count, whatever the times of its programmes.
        let always = FeedDate(milliseconds: .min)..<FeedDate(milliseconds: .max)
        do {
            let listings = try XMLTVReader.read(response.bytes, within: always, name: address)
            return SourceGuide(
                url: guideURL ?? (address.contains("://") ? address : nil), ids: listings.channels, names: listings.names)
        } catch {
            throw CommandFault(error.description)
        }
    }
}
