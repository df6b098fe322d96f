import Appliance
import ArgumentParser
import ChannelFeed
import Configuration
import Display
import Glibc
import LinuxSupport
import MediaModel

/// `marquee run`: the box. It shows what the feed offers, plays what is chosen, and ends when it is told to.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Be the box: show a feed, play what is chosen.")

    @Option(help: ArgumentHelp("The box's configuration (marquee.toml).", valueName: "FILE"))
    var config: String?

    @Option(help: ArgumentHelp("The channel feed; outranks the configuration's.", valueName: "URL|FILE"))
    var feed: String?

    @OptionGroup var options: PlayerOptions

    func run() throws {
        try MainActor.assumeIsolated { try serve() }
    }

    @MainActor
    private func serve() throws {
        let configuration = try readConfiguration()
        let port = try options.checkedPort() ?? 8080
        StopSignals.hold()
        let box: Box
        do {
            box = try Box(try plan(configuration))
        } catch let error as MediaError {
            throw CommandFailure(error.sentence)
        }
        defer { box.close() }
        for verdict in configuration.verdicts { box.log.note("configuration: \(verdict)") }
        let signals = try StopSignals(loop: box.loop)
        let doors = try LocalDoors(box: box, port: port, watchesDevices: true)
        defer { doors.close() }
        // The command line outranks the file.
        if let address = feed ?? configuration.feedURL ?? configuration.feedFile {
            try apply(address, to: box, hosts: configuration.plainHTTPHosts)
        }
        box.loop.run(until: { signals.hasCome })
    }

    private func readConfiguration() throws -> Configuration {
        guard let config else { return Configuration() }
        guard let bytes = TextFile.read(config) else {
            throw CommandFailure("The configuration \(config) could not be read: \(String(cString: strerror(errno))).")
        }
        do {
            return try Configuration(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw CommandFailure(error.description)
        }
    }

    /// Options that were given outrank the file; those that were not leave it to the file.
    private func plan(_ configuration: Configuration) throws -> Box.Plan {
        var plan = Box.Plan(
            display: try options.displayChoice(), audio: try options.audioChoice(), languages: options.languageList,
            echoesLog: true)
        plan.isKiosk = configuration.isKiosk
        plan.stateFolder = StateFolder.path()
        if options.languages == PlayerOptions.defaultLanguages, let language = configuration.language {
            plan.languages = [language]
        }
        if plan.display == .auto, let mode = configuration.displayMode.flatMap({ DisplayMode(text: $0) }) {
            plan.preferredMode = mode
        }
        if plan.audio == .automatic, let device = configuration.audioOutput { plan.audio = .alsa(device: device) }
        return plan
    }

    @MainActor
    private func apply(_ address: String, to box: Box, hosts: Set<String>) throws {
        let verdict = FeedFile.verdict(try OneShot.load(address, loop: box.loop, loader: box.loader), plainHTTPHosts: hosts)
        for finding in verdict.findings { box.log.note("feed: \(finding)") }
        guard let feed = verdict.feed else {
            throw CommandFailure(
                "The feed \(address) was refused: \(verdict.findings.first.map(String.init(describing:)) ?? verdict.summary)")
        }
        box.appliance.apply(feed)
        if let start = feed.start { box.appliance.open(id: start.id) }
    }
}
