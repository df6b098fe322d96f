import ArgumentParser
import BoxAssembly
import CommandSupport
import Configuration
import Display
import Housekeeping
import LinuxSupport
import MediaModel

/// `marquee doctor`: what was found, what is used, and why nothing better is.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: CommandName.doctor.abstract)

    @OptionGroup var options: PlayerOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print how long the last start of this box took, part by part.")
    var boot = false

    @Option(help: ArgumentHelp("The box's configuration.", valueName: "FILE"), completion: .file())
    var config = "/firmware/marquee.toml"

    @Option(help: ArgumentHelp("The folder with the settings that were applied last.", valueName: "DIR"), completion: .directory)
    var provisioned = "/data/provision"

    func run() throws {
        if boot { return Console.write(BootExamination.report(json: json) + "\n") }
        let facts = try MainActor.assumeIsolated { try examine() }
        Console.write((json ? MachineExamination.json(facts).text : MachineExamination.text(facts)) + "\n")
    }

    @MainActor
    private func examine() throws -> [(String, String)] {
        let files = ProvisioningFiles(file: config, folder: provisioned)
        let provisioning = Result { () throws(ConfigurationError) in SettingsTrial.tried(try files.read(), files).provisioning }
        let known = (try? provisioning.get()) ?? Provisioning(file: nil, applied: nil)
        return try parts(known.configuration) + MachineExamination.facts(provisioning)
    }

    /// The window that `run` and `play` would open on this desktop; it is not opened here.
    private var window: [(String, String)] {
        guard options.display == "auto", let session = DesktopSession.current() else { return [] }
        return [("window", session.words)]
    }

    /// The parts of the running player, or those that a player would use.
    @MainActor
    private func parts(_ configuration: Configuration) throws -> [(String, String)] {
        let found = FoundParts.read()
        // A display named on the command line is tried.
        if let found, options.display == "auto" { return [("player", "running; it reports:")] + found }
        do {
            var plan = BoxPlan(display: try options.displayChoice(), audio: try options.audioChoice())
            plan.sound.passesThrough = configuration.passesSoundThrough
            plan.picture.decodesInHardware = configuration.decodesInHardware
            plan.picture.rotation = configuration.rotation
            let box = try Box(plan)
            defer { box.close() }
            return FoundParts.facts(of: box) + window + box.log.tail(20).map { ("note", $0) }
        } catch let error as MediaError {
            return [("display", error.sentence)]
        }
    }
}
