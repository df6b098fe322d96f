import Appliance
import ArgumentParser
import BoxAssembly
import BoxModel
import ChannelFeed
import CommandSupport
import Configuration
import Display
import Glibc
import Housekeeping
import LinuxSupport
import MediaModel
import Supervision
import SystemServices
import TransportSecurity

/// `marquee run`: the box. It shows the feed, plays what the viewer chooses, and ends only when told to: neither a missing feed, network or screen
/// nor a wrong file ends it.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: CommandName.run.abstract)

    @Option(help: ArgumentHelp("The box's configuration (marquee.toml).", valueName: "FILE"), completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The folder in which `marquee provision --apply` keeps the applied settings, with secrets.", valueName: "DIR"),
        completion: .directory)
    var provisioned: String?

    @Option(
        help: ArgumentHelp("The channel feed; overrides the one in the configuration.", valueName: "URL|FILE"),
        completion: .file())
    var feed: String?

    @OptionGroup var options: PlayerOptions

    func run() throws {
        try MainActor.assumeIsolated { try serve() }
    }

    @MainActor
    private func serve() throws {
        let files = config.map { ProvisioningFiles(file: $0, folder: provisioned) }
        let stateFolder = StateFolder.path()
        let moved = stateFolder.map(StateSweep.clear) ?? []
        let card = try read(files)
        let remote = stateFolder.map { RemoteSettings(card: card, folder: $0) }
        let provisioning = AdoptedSettings.standing(for: remote?.provisioning ?? card, in: stateFolder)
        let port = try options.checkedPort() ?? Configuration.pagePort
        var plan = try plan(provisioning.configuration, files, stateFolder)
        plan.remarks += moved
        let identity = pageIdentity(&plan)
        provisioning.configuration.prepareProcess()
        StopSignals.hold()
        HangupSignal.hold()
        let notifier = ServiceNotifier.fromEnvironment()
        let supervisor = Supervisor(
            stamps: Program.stamps, notifier: notifier, stateFolder: plan.stateFolder, version: Program.version)
        supervisor.reach(.configured)
        let processGuard = try ProcessGuard(signals: StopSignals.signals)
        defer { processGuard.stop() }
        defer { supervisor.end() }
        guard let box = try makeBox(plan, notifier) else { return }
        supervisor.reach(.display)
        defer { box.close() }
        let supervision = box.supervise(with: supervisor)
        defer { supervision.cancel() }
        if let certificate = box.pageCertificate { box.log.note("local page: https for other machines, \(certificate)") }
        FoundParts.write(of: box)
        defer { FoundParts.remove() }
        let signals = try StopSignals(loop: box.loop)
        let doors = try LocalDoors(
            box: box, port: port, watchesDevices: true, keyMaps: plan.doors.keyMaps, tokens: plan.doors.tokens,
            identity: identity, stateFolder: plan.stateFolder, provisioning: provisioning, files: files)
        defer { doors.close() }
        var life = BoxLife.Plan(provisioning: provisioning, files: files)
        life.feed = feed
        life.remote = remote
        life.stateFolder = plan.stateFolder
        life.remarks = plan.remarks
        life.pagePort = doors.openPort
        life.pageScheme = identity == nil ? "http" : "https"
        life.supportBundle = { doors.makeSupportBundle($0) }
        let keeping = box.keep(life, supervisor: supervisor)
        defer { keeping.close() }
        doors.add(keeping.life)
        box.appliance.phones.page = { [weak life = keeping.life] in life?.phonePage(isSecret: $0) }
        keeping.start()
        let broker = doors.server.flatMap {
            BrokerDoor(
                box: box, plan: plan, configuration: provisioning.configuration, files: files, server: $0, life: keeping.life)
        }
        defer { broker?.close() }
        keeping.life.watchBroker { [weak broker] in broker?.isConnected ?? false }
        var hasNoTerminal = false
        let reload = SettingsReload(provisioning.configuration, rules: box.appliance.rules, log: box.log) {
            () throws(ConfigurationError) in try Self.readAgain(files, stateFolder)
        }
        let hangup = try HangupSignal(loop: box.loop, onClosedTerminal: { hasNoTerminal = true }) {
            box.log.note("SIGHUP: the feed is asked for and the settings are read again")
            reload.readAgain()
            _ = keeping.life.refreshFeed()
        }
        processGuard.watchLoop(of: box.loop.clock)
        withExtendedLifetime(hangup) {
            box.loop.run(until: { signals.hasCome || doors.isWindowClosed || supervisor.isRestartAsked || hasNoTerminal })
        }
        processGuard.leaveLoop()
        if supervisor.isRestartAsked { throw CommandFault("", code: SelfRestart.exitCode) }
    }

    /// The page's certificate for other machines; nil if they need none. If there can be none, they do not reach the page.
    private func pageIdentity(_ plan: inout BoxPlan) -> ServerIdentity? {
        guard let source = plan.doors.identity else { return nil }
        var remarks: [String] = []
        defer { plan.remarks += remarks }
        do throws(TransportSecurityError) {
            let identity = try source.identity(storedIn: plan.stateFolder, now: Int64(time(nil))) { remarks.append($0) }
            plan.doors.certificate = identity.certificate
            return identity
        } catch {
            remarks.append("The local page is for this machine only, because \(error).")
            plan.doors.tokens = []
            return nil
        }
    }

    /// A card that was not requested by name may appear later; nil if the program was told to stop first.
    @MainActor
    private func makeBox(_ plan: BoxPlan, _ notifier: ServiceNotifier) throws -> Box? {
        try DisplayWait.make(notifier: notifier) {
            Console.error("marquee: \($0) Waiting for one.")
        } _: {
            do {
                return try Box(plan)
            } catch let error as MediaError {
                guard case .kms = plan.picture.display else { throw CommandFault(error.sentence) }
                throw error
            }
        }
    }

    /// The settings in use, read as at the start.
    private static func readAgain(_ files: ProvisioningFiles?, _ stateFolder: String?) throws(ConfigurationError) -> Provisioning
    {
        let card = try files?.read() ?? Provisioning(file: nil, applied: nil)
        let settings = stateFolder.map { SettingsFile(in: $0).standing(for: card) }
        return AdoptedSettings.standing(for: settings ?? card, in: stateFolder)
    }

    /// Only an existing file that cannot be read is reported; the box runs without one.
    private func read(_ files: ProvisioningFiles?) throws -> Provisioning {
        guard let files else { return Provisioning(file: nil, applied: nil) }
        do throws(ConfigurationError) {
            return try files.read()
        } catch {
            Console.error("marquee: \(error.description)")
            return Provisioning(file: nil, applied: nil)
        }
    }

    /// Given options take precedence over the file.
    private func plan(_ configuration: Configuration, _ files: ProvisioningFiles?, _ stateFolder: String?) throws -> BoxPlan {
        var plan = BoxPlan(
            display: try options.displayChoice(), audio: try options.audioChoice(), languages: options.languageList)
        plan.picture.session = DesktopSession.current()
        plan.echoesLog = true
        plan.keepsLog = true
        plan.stateFolder = stateFolder
        plan.savedFolder = stateFolder.map { $0 + "/saved" }
        plan.artworkFolder = stateFolder.map { $0 + "/artwork" }
        plan.sound.unmutesCards = true
        plan.viewer.canReset = files != nil && RuntimeFolder.path != nil
        plan.network.wireless = MachineFacts.board == nil ? .machine : .box(hasCountry: configuration.wirelessCountry != nil)
        plan.apply(
            configuration, files: files, options: options, serial: MachineFacts.serial, folder: RuntimeFolder.path ?? stateFolder)
        return plan
    }
}
