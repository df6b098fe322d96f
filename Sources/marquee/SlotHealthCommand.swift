import ArgumentParser
import BoxModel
import CommandSupport
import Configuration
import FoundationEssentials
import Housekeeping
import LinuxSupport
import MediaModel
import MediaSources
import SystemServices
import Transfer

/// `marquee slot-health`: what a version on trial is judged by, for the image's `slot judge`.
struct SlotHealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slot-health", abstract: CommandName.slotHealth.abstract,
        discussion: """
            Without --judge: one word a line for each thing that is missing now, and for each part that the machine has.
            With --judge: waits until the version is good (exit 0), or prints in one line why it is not (exit 1).
            """)

    @Flag(help: "Judge the running version.")
    var judge = false

    @Option(
        help: ArgumentHelp("With --judge: the output of this command before the update.", valueName: "FILE"), completion: .file())
    var before: String?

    @Option(help: ArgumentHelp("The box's configuration.", valueName: "FILE"), completion: .file())
    var config = "/firmware/marquee.toml"

    @Option(help: ArgumentHelp("The folder with the settings that were applied last.", valueName: "DIR"), completion: .directory)
    var provisioned = "/data/provision"

    private static let unit = "marquee.service"
    private static let address = "http://127.0.0.1:8080/v1/health"
    private static let interval = Duration.seconds(2)

    func run() throws {
        try MainActor.assumeIsolated {
            let loop = try MainLoop(time: .real)
            let loader = CurlTransfer(clock: loop.clock, version: Program.version)
            guard judge else {
                for line in SlotRecord(health(loop, loader)).lines { Console.print(line) }
                return
            }
            if let reason = try reasonAgainst(loop, loader) {
                Console.print(reason)
                throw CommandFault("")
            }
        }
    }

    /// Observes until there is a verdict.
    ///
    /// - Returns: nil if the version is good.
    @MainActor
    private func reasonAgainst(_ loop: MainLoop, _ loader: CurlTransfer) throws -> String? {
        var trial = SlotTrial(before: recordBefore)
        let start = loop.clock.now
        while true {
            switch trial.observe(observation(loop, loader), at: loop.clock.now - start) {
            case .good: return nil
            case .bad(let reason): return reason
            case .undecided: break
            }
            var isDue = false
            loop.clock.schedule(after: Self.interval) { isDue = true }
            loop.run(until: { isDue })
        }
    }

    private var recordBefore: SlotRecord {
        SlotRecord(before.flatMap { WholeFile.read($0, most: 4096) }.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    @MainActor
    private func observation(_ loop: MainLoop, _ loader: CurlTransfer) -> SlotTrial.Observation {
        let facts = UnitFacts.show([Self.unit], properties: ["ActiveState", "InvocationID", "NRestarts"])?.first ?? [:]
        let health = health(loop, loader)
        return SlotTrial.Observation(
            invocation: facts["ActiveState"] == "active" ? facts["InvocationID"] : nil,
            restarts: facts["NRestarts"].flatMap { Int($0) } ?? 0, shortcomings: health.shortcomings, parts: health.parts)
    }

    @MainActor
    private func health(_ loop: MainLoop, _ loader: CurlTransfer) -> SlotHealth {
        let files = ProvisioningFiles(file: config, folder: provisioned)
        let provisioning = try? files.read()
        return SlotHealth.read(player: player(loop, loader), namesFeed: provisioning?.configuration.namesFeed ?? false)
    }

    /// The player's answer; nil if there is none.
    @MainActor
    private func player(_ loop: MainLoop, _ loader: CurlTransfer) -> SlotHealth.Player? {
        var request = ByteRequest(url: Self.address, kind: .document)
        request.totalTimeout = .seconds(5)
        var result: Result<ByteResponse, MediaError>?
        loader.load(request) { result = $0 }
        loop.run(until: { result != nil })
        guard case .success(let response) = result else { return nil }
        return try? JSONDecoder().decode(SlotHealth.Player.self, from: Data(response.bytes))
    }
}
