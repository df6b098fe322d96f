import ArgumentParser
import Configuration
import Display
import LinuxSupport
import MediaModel
import Supervision

/// `marquee doctor`: what was found, what is used, and why not better.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what was found on this machine, what is used, and why not better.")

    @OptionGroup var options: PlayerOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Say how long the last start of this box took, and where the time went.")
    var boot = false

    @Option(help: ArgumentHelp("The box's configuration.", valueName: "FILE"))
    var config = "/firmware/marquee.toml"

    @Option(help: ArgumentHelp("Where what was applied last is kept.", valueName: "DIR"))
    var provisioned = "/data/provision"

    func run() throws {
        if boot { return BootExamination.run(json: json) }
        let facts = try MainActor.assumeIsolated { try examine() }
        Console.print(
            json
                ? JSONText.object(facts.map { ($0.0, .string($0.1)) }).text
                : facts.map { "\($0.0): \($0.1)" }.joined(separator: "\n"))
    }

    @MainActor
    private func examine() throws -> [(String, String)] {
        let plan = Box.Plan(display: try options.displayChoice(), audio: try options.audioChoice())
        let box: Box
        do {
            box = try Box(plan)
        } catch let error as MediaError {
            return [("display", error.sentence)]
        }
        defer { box.close() }
        return [
            ("display", box.display.name), ("mode", box.display.mode.description),
            ("video memory", describe(box.display.videoAllocator)),
            ("interface memory", describe(box.display.interfaceAllocator)),
            ("sound", box.player.services.sink.name), ("decoder threads", String(box.codecs.videoThreads)),
        ] + memoryTried(box.display) + box.log.tail(20).map { ("note", $0) } + settings + crashes
    }

    /// What became of the settings, as `applied.txt` has it; nothing where this machine has none.
    private var settings: [(String, String)] {
        let files = ProvisioningFiles(file: config, folder: provisioned)
        do throws(ConfigurationError) {
            let provisioning = try files.read()
            guard provisioning.hasFile else { return [] }
            return [("settings", provisioning.summary)] + provisioning.configuration.verdicts.map { ("setting", $0.description) }
        } catch {
            return [("settings", error.description)]
        }
    }

    /// What crashes have left behind.
    private var crashes: [(String, String)] {
        guard let folder = StateFolder.path() else { return [] }
        let now = MachineInstant.now()
        return CrashFolder(folder + "/crash").records.map { record in
            (
                "crash",
                "\(record.summary), \(Int(now.age(of: record) / .seconds(60))) min ago, version \(record.version), build \(record.build ?? "-")"
            )
        }
    }

    /// Each kind of memory that was tried at the start, and why it is used or not.
    @MainActor
    private func memoryTried(_ display: any DisplayOutput) -> [(String, String)] {
        (DisplayFactory.probe(display)?.memory ?? []).map { ("\($0.purpose.rawValue) memory \($0.name)", $0.remark) }
    }

    private func describe(_ allocator: any FrameAllocator) -> String {
        "\(allocator.name), \(allocator.isCached ? "cached" : "uncached: decoders write elsewhere and pictures are copied")"
    }
}
