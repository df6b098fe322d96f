import BoxModel
import ChannelFeed
import Configuration
import LinuxSupport
import Screens
import Shell
import StatusModel
import Supervision

/// The life of a box from its start to its end: it applies the settings, finds the source of channels, and shows screens while there are none. Main loop only.
@MainActor
package final class BoxLife {
    package typealias Plan = BoxLifePlan

    private let parts: BoxParts
    private let supervisor: Supervisor
    private let serial = MachineFacts.serial
    private let verdict: VerdictNotice
    private let search: SourceSearch
    private var plan: Plan
    private lazy var sources = FeedSources(parts, folder: plan.stateFolder, media: plan.media) { [weak self] in self?.use($0) }
    private lazy var reset = FactoryReset(parts, screens: { [unowned self] in screens }) { [weak self] in
        self?.resetWasGivenUp($0)
    }
    private lazy var safeMode = SafeMode(parts, screens: { [unowned self] in screens }) { [weak self] in
        self?.leaveSafeMode(isAsked: $0)
    }
    private lazy var stick = ReportToStick(
        clock: parts.clock, log: parts.log, folders: plan.runtimeFolder.map { .init(spool: $0, answer: $0 + "-report") },
        bundle: plan.supportBundle
    ) { [weak self] in self?.reportChanged() }
    private lazy var bundles = BundleSender(
        loader: parts.loader, log: parts.log, headers: configuration.identityHeaders(serial: serial),
        plainHTTPHosts: configuration.plainHTTPHosts, make: plan.supportBundle)
    private lazy var firstRun = FirstRunKeeper(
        parts, search: search,
        surroundings: .init(
            provisioning: { [unowned self] in plan.provisioning }, source: { [unowned self] in source(of: $0) },
            adopt: { [unowned self] in adopt($0) }, changed: { [unowned self] in showSetUp() },
            ended: { [unowned self] in firstRunEnded() }))
    private var reports: ReportSender?
    private var network: NetworkWatch?
    private var hasFeed = false
    /// The session of the previous process, until it is resumed.
    private var session: Session?
    private var setUpTimer: ScheduledEvent?
    private var linkWatch: LinkWatch?

    package init(_ parts: BoxParts, plan: Plan, supervisor: Supervisor) {
        self.parts = parts
        self.plan = plan
        self.supervisor = supervisor
        session = supervisor.session
        verdict = VerdictNotice(plan.provisioning, remarks: plan.remarks, folder: plan.stateFolder)
        search = SourceSearch(
            clock: parts.clock, log: parts.log, folder: plan.stateFolder, media: plan.media, question: plan.question)
    }

    // MARK: What operators are told

    /// The feed in use, and the check of the newest one.
    package var feedStatus: FeedStatus { sources.status }

    /// Sent when `feedStatus` may be different.
    package var feedChanges: EventSource<Void> { sources.changes }

    /// What is wrong with the box, apart from its screen.
    package var faults: [BoxHealth.Fault] {
        var faults: [BoxHealth.Fault] = []
        if safeMode.isActive { faults.append(.safeMode) } else if !hasFeed { faults.append(.noChannels) }
        if parts.machine.sound() == "none" { faults.append(.noSound) }
        if let code = sources.trouble?.code { faults.append(.feedNotCurrent(code)) }
        if parts.wallClock() == nil { faults.append(.dateUnknown) }
        switch parts.downloads?.trouble {
        case .full: faults.append(.storageFull)
        case .unusable: faults.append(.storageUnusable)
        case nil: break
        }
        if parts.isLibraryRefused() { faults.append(.libraryNotStored) }
        return faults
    }

    /// The date; nil while it is unknown.
    package var date: FeedDate? { parts.wallClock() }

    /// The programmes that are stored; nil if none are.
    package var downloadDoor: (any DownloadDoor)? { parts.downloads }

    /// The feed in use.
    package var feedInUse: Feed? { sources.inUse }

    /// Starts. From then on housekeeping decides what the screen shows.
    package func start() {
        verdict.tell(parts, screens: screens)
        network = NetworkWatch(clock: parts.clock, address: plan.address) {
            [weak appliance = parts.appliance, networkReturned = parts.networkReturned] isConnected in
            appliance?.networkChanged(isConnected: isConnected)
            if isConnected { networkReturned() }
        }
        parts.appliance.leaveOut(supervisor.decision.skipped)
        if plan.files?.isResetAskedFor == true { return reset.begin(.file) }
        reports = makeReportSender()
        reports?.start()
        // Also in safe mode: an update may be what it needs.
        parts.updates?.start()
        parts.stickUpdates?.start()
        startSettings()
        if supervisor.decision.staysSafe { return staySafe() }
        goOn()
    }

    /// Carries out a command about the box itself, which the appliance cannot.
    ///
    /// - Returns: nil for any other command.
    package func perform(_ command: RemoteCommand) -> CommandResult? {
        switch command {
        case .refreshFeed: refreshFeed() ? .success : .failed(.notReady)
        case .updateNow: updateNow()
        case .sendSupportBundle(let address): bundles.send(to: address)
        case .restartPlayer: supervisor.askForRestart() ? .success : .failed(.notSupported)
        case .reboot: reboot()
        default: nil
        }
    }

    /// Asks for the feed now.
    ///
    /// - Returns: false if none is set.
    package func refreshFeed() -> Bool {
        parts.log.note("the feed is asked for on request")
        parts.settings?.refresh()
        return sources.refresh()
    }

    /// Also in safe mode, which settings may have caused.
    private func startSettings() {
        guard let settings = parts.settings else { return }
        settings.surroundings.isFeedReached = { [weak self] in self?.sources.isReached ?? false }
        settings.surroundings.refreshFeed = { [weak self] in _ = self?.sources.refresh() }
        settings.surroundings.keepFeed = { [weak self] in self?.sources.settle() }
        settings.surroundings.restart = { [parts, supervisor] way in
            if way == .restartMachine, let restartMachine = parts.restartMachine { return restartMachine() }
            return supervisor.askForRestart()
        }
        settings.start()
    }

    /// Tells the settings from afar whether the operator's broker has let the box in.
    package func watchBroker(_ isConnected: @escaping @MainActor () -> Bool) {
        parts.settings?.surroundings.isBrokerReached = isConnected
    }

    /// Sent when what is told of settings from afar may be different; nil where there are none.
    package var settingsChanges: EventSource<Void>? { parts.settings?.changes }

    /// Takes a document of settings that came over the broker or the API.
    ///
    /// - Returns: why it changes nothing, as one sentence; nil if it was taken.
    package func takeSettings(_ document: [UInt8], signature: [UInt8]) -> String? {
        guard let settings = parts.settings else {
            return "The box takes no settings: marquee.toml has no [settings] public_keys."
        }
        return settings.take(document, signature: signature)
    }

    private func updateNow() -> CommandResult {
        guard let updates = parts.updates else { return .failed(.notSupported) }
        return updates.updateNow() ? .success : .failed(.notReady)
    }

    /// An update that is being written is not interrupted.
    private func reboot() -> CommandResult {
        guard let restartMachine = parts.restartMachine else { return .failed(.notSupported) }
        guard parts.updates?.isInstalling != true, parts.stickUpdates?.isBusy != true else { return .failed(.notReady) }
        guard restartMachine() else { return .failed(.notSupported) }
        parts.log.note("the machine is started again on request")
        return .success
    }

    /// Carries out what a viewer has asked for.
    package func carryOut(_ task: BoxTask) {
        switch task {
        case .factoryReset: reset.begin(.viewer)
        case .installFromStick: parts.stickUpdates?.accept()
        case .saveReport: stick.save()
        }
    }

    /// What a viewer is told of reports on a USB stick; nil where there are none.
    package var reportFact: BoxFacts.Report? { stick.fact }

    /// Stops all work.
    package func close() {
        stick.close()
        bundles.close()
        reports?.close()
        network?.close()
        sources.close()
        search.close()
        firstRun.close()
        parts.downloads?.close()
        parts.updates?.close()
        parts.stickUpdates?.close()
        parts.settings?.close()
    }

    private var configuration: Configuration { plan.provisioning.configuration }

    private var seed: UInt64 { Self.seed(configuration, serial: serial) }

    /// Differs between boxes, also between those with a name from one file.
    package static func seed(_ configuration: Configuration, serial: String?) -> UInt64 {
        "\(configuration.name(serial: serial)) \(serial ?? "")".utf8.reduce(7 as UInt64) { $0 &* 31 &+ UInt64($1) }
    }

    // MARK: The local page

    /// The address of the page for phones; nil if none reaches it, or for a secret none in private.
    package func phonePage(isSecret: Bool) -> String? { plan.phonePage(isSecret: isSecret) }

    // MARK: The screens of the box

    private var screens: SetUpScreens {
        let address = plan.address()
        var screens = SetUpScreens(
            name: configuration.name(serial: serial), address: address,
            page: plan.page(at: address),
            isProvisioned: configuration.namesFeed, isKiosk: configuration.isKiosk,
            leadsToWireless: parts.appliance.leadsToWireless,
            isRadioOff: SystemFiles.radioRemark(configuration) != nil || address == nil && parts.appliance.isRadioWithoutCountry,
            strings: parts.appliance.strings)
        screens.report = stick.state
        return screens
    }

    private func reportChanged() {
        if safeMode.isActive { safeMode.show() } else { showSetUp() }
        parts.appliance.factsChanged()
    }

    private func resetWasGivenUp(_ origin: FactoryReset.Origin) {
        switch origin {
        case .file: goOn()
        case .viewer:
            parts.appliance.showSetUp(nil)
            showSetUp()
        }
    }

    private func staySafe() {
        // The previous session may have caused the crashes.
        session = nil
        safeMode.begin(for: supervisor.decision.triesAgainAfter ?? .seconds(600))
    }

    private func leaveSafeMode(isAsked: Bool) {
        if isAsked { supervisor.forgive() }
        goOn()
    }

    private static let factsInterval = Duration.seconds(5)

    /// While there are no channels: the reason and what to do. Repeated, because the address may change.
    private func showSetUp() {
        guard !reset.isCounting else { return }
        if firstRun.isRunning {
            parts.appliance.showSetUp(nil)
            firstRun.show(address: plan.address())
            return showSetUp(after: Self.factsInterval)
        }
        guard !hasFeed else { return }
        let screens = self.screens
        if configuration.namesFeed || plan.feed != nil {
            let view = screens.waiting(sources.trouble ?? .loading)
            parts.appliance.showSetUp(view, onSelect: view.button == nil ? nil : openWireless)
        } else if let source = search.question(for: plan.provisioning) {
            let found: SetUpScreens.Found =
                switch source.kind {
                case .file(let name, let disk): .file(name, disk: disk)
                case .address(let address): .address(address)
                }
            parts.appliance.showSetUp(
                screens.question(found), onSelect: { [weak self] in _ = self?.adopt(source) },
                onBack: { [weak self] in self?.decline(source) })
        } else {
            let isOffered = firstRun.isOffered
            let view = screens.setUp(offersFirstRun: isOffered)
            parts.appliance.showSetUp(
                view, onSelect: view.button == nil ? nil : isOffered ? beginFirstRun : openWireless)
        }
        showSetUp(after: Self.factsInterval)
    }

    /// The way to a network, from a screen that says that there is none.
    private var openWireless: @MainActor () -> Void { { [appliance = parts.appliance] in appliance.openWireless() } }

    private var beginFirstRun: @MainActor () -> Void { { [weak self] in self?.firstRun.begin() } }

    private func showSetUp(after length: Duration) {
        setUpTimer?.cancel()
        setUpTimer = parts.clock.schedule(after: length) { [weak self] in self?.showSetUp() }
    }

    /// A viewer does not want a found source now.
    private func decline(_ source: FoundSource) {
        search.decline(source)
        showSetUp()
    }

    /// A viewer has confirmed a found source.
    ///
    /// - Returns: whether it is used from now on.
    private func adopt(_ source: FoundSource) -> Bool {
        guard !sources.hasSource, let provisioning = search.adopt(source, for: plan.provisioning),
            provisioning.configuration.namesFeed
        else { return false }
        plan.provisioning = provisioning
        goOn()
        return true
    }

    /// Carries out what the first run wants.
    package func perform(_ request: FirstRunRequest) { firstRun.perform(request) }

    private func firstRunEnded() {
        if let feed = feedInUse, hasFeed { begin(feed) } else { showSetUp() }
    }

    // MARK: The feed

    /// A feed that arrives within this time needs no message.
    private static let patience = Duration.seconds(1)

    private func goOn() {
        parts.downloads?.start()
        if plan.feed == nil, configuration.allowsUSB, let address = address(of: configuration) {
            sources.lookForDisks(trust(of: configuration), of: address)
        }
        guard let source else { return showSetUp() }
        sources.start(source, before: sourceBefore)
        if !hasFeed { showSetUp(after: Self.patience) }
    }

    /// The feed of the command line, otherwise that of the settings.
    private var source: FeedKeeper.Source? {
        guard let feed = plan.feed else { return source(of: configuration) }
        var hosts = configuration.plainHTTPHosts
        // An address on the command line needs no entry in allow_http.
        if let host = FeedFile.plainHost(of: feed) { hosts.insert(host) }
        return .init(address: feed, plainHTTPHosts: hosts, seed: seed)
    }

    /// The feed of the settings before those on trial: a viewer has its channels until the trial has brought others.
    private var sourceBefore: FeedKeeper.Source? {
        guard plan.feed == nil, let before = plan.remote?.provisioningBefore else { return nil }
        return source(of: AdoptedSettings.standing(for: before, in: plan.stateFolder).configuration)
    }

    private func source(of configuration: Configuration) -> FeedKeeper.Source? {
        address(of: configuration).map {
            .init(
                address: $0, headers: configuration.feedRequestHeaders(serial: serial),
                plainHTTPHosts: configuration.plainHTTPHosts, trust: trust(of: configuration), seed: seed)
        }
    }

    /// A file name is relative to the folder of `marquee.toml`.
    private func address(of configuration: Configuration) -> String? {
        guard let address = configuration.feedAddress(serial: serial) else { return nil }
        guard configuration.feedURL == nil, !address.hasPrefix("/"), let files = plan.files else { return address }
        return files.firmware + "/" + address
    }

    private func trust(of configuration: Configuration) -> FeedTrust? {
        FeedTrust(
            configuration.publicKeys, allowsRollback: configuration.allowsRollback, group: configuration.group ?? "default")
    }

    private func use(_ feed: Feed) {
        let isFirst = !hasFeed
        hasFeed = true
        if !reset.isCounting { parts.appliance.showSetUp(nil) }
        parts.applyMetered(feed.policy.metered)
        linkWatch?.close()
        linkWatch = LinkWatch(clock: parts.clock, isMetered: parts.machine.isMetered) { [parts] in
            parts.applyMetered(feed.policy.metered)
        }
        parts.appliance.apply(feed)
        parts.downloads?.take(feed)
        // The first run goes on over Home, and what plays at the start waits for its end.
        guard !firstRun.isRunning else { return showSetUp() }
        if isFirst { begin(feed) }
    }

    /// What to play when the channels are known: the restored session, otherwise the operator's choice.
    private func begin(_ feed: Feed) {
        // Who has sent the box to sleep meanwhile does not want to watch.
        guard parts.appliance.nowPlaying.state != .standby else { return }
        if let session {
            self.session = nil
            parts.log.note("resuming \(session.id)")
            if parts.appliance.resume(session) { return }
        }
        if let start = feed.start {
            parts.appliance.open(id: start.id)
        } else if configuration.isKiosk, feed.channels.count == 1 {
            parts.appliance.open(id: feed.channels[0].id)
        }
    }

    // MARK: Reports

    package var sendsReports: Bool { reports != nil }

    /// What operators are told about the box.
    package var description: BoxDescription {
        var description = BoxDescription(
            name: configuration.name(serial: serial), version: parts.machine.version, build: FlightRecorder.buildID,
            screen: parts.machine.screen(), sound: parts.machine.sound())
        description.route = parts.appliance.soundRoute
        description.chosenOutput = parts.appliance.chosenOutput
        description.uptime = parts.clock.now - HostTime.zero
        description.isMetered = parts.machine.isMetered()
        description.throughput = parts.machine.throughput()
        description.update = (parts.updates?.status).map(BoxDescription.Update.init)
        (description.settings, description.playsKey) = (parts.settings?.status, parts.plays?.signingKey)
        return description
    }

    /// The contents of a report to the operator.
    package func makeReport() -> BoxReport {
        var report = BoxReport(box: configuration.name(serial: serial), version: parts.machine.version)
        report.group = configuration.group
        report.board = MachineFacts.board
        report.interval = configuration.reportInterval
        report.date = parts.wallClock()?.description
        report.playerUptime = parts.clock.now - HostTime.zero
        report.isMetered = parts.machine.isMetered()
        report.screen = parts.machine.screen()
        report.sound = parts.machine.sound()
        report.feed = feedInUse.map { ($0.id, $0.revision) }
        report.feedTrouble = sources.trouble?.code
        report.update = parts.updates?.status
        (report.settings, report.playsKey) = (parts.settings?.status, parts.plays?.signingKey)
        let now = parts.appliance.nowPlaying
        report.state = (now.state.rawValue, now.isScreenOff)
        let lost = parts.appliance.isScreenLost ? [BoxHealth.Fault.screenLost] : []
        report.health = BoxHealth(faults: lost + faults, isInStandby: now.state == .standby)
        report.playback = parts.tally.sum(with: parts.appliance.currentLog)
        return report
    }

    /// The contents of a report with the state of the machine, which the result reads. Any thread may call the result; it blocks on the disk.
    package func makeReportText() -> @Sendable () -> String {
        let (report, folder) = (makeReport(), plan.stateFolder)
        return {
            var report = report
            report.machine = MachineState.read(stateFolder: folder)
            return report.text
        }
    }

    /// The sender of reports, if the settings name an address.
    private func makeReportSender() -> ReportSender? {
        guard let address = configuration.reportURL else { return nil }
        guard FeedFile.isLetIn(address, plainHTTPHosts: configuration.plainHTTPHosts) else {
            parts.log.note("report: nothing is sent, because report.url is plain http and its host is not in [feed] allow_http")
            return nil
        }
        let appliance = parts.appliance
        let destination = ReportSender.Destination(
            address: address, interval: configuration.reportInterval,
            headers: configuration.reportHeaders + configuration.identityHeaders(serial: serial), seed: seed)
        return ReportSender(
            to: destination, loader: parts.loader, clock: parts.clock, log: parts.log, stateFolder: plan.stateFolder,
            plays: configuration.reportsPlays ? parts.plays : nil,
            isBusy: { [weak appliance] in [.loading, .buffering].contains(appliance?.nowPlaying.state) },
            describe: { [weak self] in self?.makeReport() })
    }
}
