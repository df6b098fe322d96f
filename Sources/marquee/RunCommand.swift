import Appliance
import ArgumentParser
import ChannelFeed
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
        var plan = Box.Plan(display: try options.displayChoice(), audio: try options.audioChoice(), languages: options.languageList)
        plan.echoesLog = true
        let port = try options.checkedPort() ?? 8080
        let box: Box
        do {
            box = try Box(plan)
        } catch let error as MediaError {
            throw CommandFailure(error.sentence)
        }
        defer { box.close() }
        let signals = try StopSignals(loop: box.loop)
        let doors = try LocalDoors(box: box, port: port, watchesDevices: true)
        defer { doors.close() }
        if let address = feed { try apply(address, to: box) }
        box.loop.run(until: { signals.hasCome })
    }

    @MainActor
    private func apply(_ address: String, to box: Box) throws {
        let verdict = FeedFile.verdict(try OneShot.load(address, loop: box.loop, loader: box.loader))
        for finding in verdict.findings { box.log.note("feed: \(finding)") }
        guard let feed = verdict.feed else {
            throw CommandFailure("The feed \(address) was refused: \(verdict.findings.first.map(String.init(describing:)) ?? verdict.summary)")
        }
        box.appliance.apply(feed)
        if let start = feed.start { box.appliance.open(id: start.id) }
    }
}
