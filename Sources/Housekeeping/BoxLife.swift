import ChannelFeed
import Configuration
import LinuxSupport
import MediaModel
import PlayerInterface

/// The life of a box between its start and its end: what its settings say, where its channels come from, what it shows while it has none. Main loop only.
@MainActor
package final class BoxLife {
    /// What the box is told at the start.
    package struct Plan {
        /// What the file says.
        package var provisioning: Provisioning
        /// Where it is; nil: there is none.
        package var files: ProvisioningFiles?
        /// The feed of the command line, which outranks all.
        package var feed: String?
        /// Where the last good feed is kept.
        package var stateFolder: String?
        /// What of the settings could not be put into force, beside what their verdicts say.
        package var remarks: [String] = []
        /// The port on which other machines reach the page; nil: they do not.
        package var pagePort: UInt16?
        /// Below it disks are mounted.
        package var media = FoundSource.Places.standardMedia
        /// Asks the network who announces a feed.
        package var question = AnnouncedFeeds.question

        package init(provisioning: Provisioning, files: ProvisioningFiles?) {
            self.provisioning = provisioning
            self.files = files
        }
    }

    private let parts: BoxParts
    private let supervisor: Supervisor
    private let serial = MachineFacts.serial
    private let verdict: VerdictNotice
    private let search: SourceSearch
    private var plan: Plan
    private lazy var sources = FeedSources(parts, folder: plan.stateFolder, media: plan.media) { [weak self] in self?.use($0) }
    private lazy var factoryReset = FactoryReset(parts, screens: { [unowned self] in screens }) { [weak self] in
        self?.resetWasGivenUp($0)
    }
    private lazy var safeMode = SafeMode(parts, screens: { [unowned self] in screens }) { [weak self] in
        self?.leaveSafeMode(isAsked: $0)
    }
    private var reports: ReportSender?
    private var hasFeed = false
    /// What the player of before was playing, until the box goes on with it.
    private var session: Session?
    private var setUpTimer: ScheduledEvent?

    package init(_ parts: BoxParts, plan: Plan, supervisor: Supervisor) {
        self.parts = parts
        self.plan = plan
        self.supervisor = supervisor
        session = supervisor.session
        verdict = VerdictNotice(plan.provisioning, remarks: plan.remarks, folder: plan.stateFolder)
        search = SourceSearch(
            clock: parts.clock, log: parts.log, folder: plan.stateFolder, media: plan.media, question: plan.question)
    }

    /// The feed in use.
    package var feedInUse: Feed? { sources.inUse }

    /// Begins. What is on the screen from then on is the box's.
    package func start() {
        verdict.tell(parts, screens: screens)
        parts.appliance.leaveOut(supervisor.decision.skipped)
        if plan.files?.isResetAskedFor == true { return factoryReset.begin(.file) }
        reports = makeReportSender()
        reports?.start()
        if supervisor.decision.staysSafe { return staySafe() }
        goOn()
    }

    /// A viewer has asked for a factory reset.
    package func resetAsked() { factoryReset.begin(.viewer) }

    /// Ends all work.
    package func close() {
        reports?.close()
        sources.close()
        search.close()
    }

    private var configuration: Configuration { plan.provisioning.configuration }

    /// Differs between boxes.
    private var seed: UInt64 { configuration.name(serial: serial).utf8.reduce(7 as UInt64) { $0 &* 31 &+ UInt64($1) } }

    // MARK: The screens of the box

    private var screens: SetUpScreens {
        let address = MachineFacts.address
        return SetUpScreens(
            name: configuration.name(serial: serial), address: address,
            page: plan.pagePort.flatMap { port in address.map { "http://\($0.contains(":") ? "[\($0)]" : $0):\(port)/" } },
            isProvisioned: configuration.namesFeed, isKiosk: configuration.isKiosk, strings: parts.appliance.strings)
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
        // What was on may be what it was.
        session = nil
        safeMode.begin(for: supervisor.decision.triesAgainAfter ?? .seconds(600))
    }

    private func leaveSafeMode(isAsked: Bool) {
        if isAsked { supervisor.forgive() }
        goOn()
    }

    private static let factsInterval = Duration.seconds(5)

    /// As long as there are no channels: why, and what to do. The address may come and change meanwhile.
    private func showSetUp() {
        guard !hasFeed, !factoryReset.isCounting else { return }
        let screens = self.screens
        if configuration.namesFeed || plan.feed != nil {
            parts.appliance.showSetUp(screens.waiting(sources.trouble ?? .loading))
        } else if let source = search.find(for: plan.provisioning) {
            let found: SetUpScreens.Found =
                switch source.kind {
                case .file(let name, let disk): .file(name, disk: disk)
                case .address(let address): .address(address)
                }
            parts.appliance.showSetUp(screens.question(found)) { [weak self] in self?.adopt(source) }
        } else {
            parts.appliance.showSetUp(screens.setUp(isRadioOff: SystemFiles.radioRemark(configuration) != nil))
        }
        showSetUp(after: Self.factsInterval)
    }

    private func showSetUp(after length: Duration) {
        setUpTimer?.cancel()
        setUpTimer = parts.clock.schedule(after: length) { [weak self] in self?.showSetUp() }
    }

    /// Somebody has said that what was found is good.
    private func adopt(_ source: FoundSource) {
        guard !sources.hasSource, let provisioning = search.adopt(source) else { return }
        plan.provisioning = provisioning
        goOn()
    }

    // MARK: The feed

    /// A feed that is there within a moment needs no words.
    private static let patience = Duration.seconds(1)

    private func goOn() {
        if plan.feed == nil, configuration.allowsUSB, configuration.namesFeed { sources.lookForDisks(trust) }
        guard let source else { return showSetUp() }
        sources.start(source)
        if !hasFeed { showSetUp(after: Self.patience) }
    }

    /// The command line's feed, else that of the settings.
    private var source: FeedSources.Source? {
        var hosts = configuration.plainHTTPHosts
        if let feed = plan.feed {
            // Who writes an address on the command line has let it in.
            if let host = FeedFile.host(of: feed) { hosts.insert(host) }
            return .init(address: feed, plainHTTPHosts: hosts, seed: seed)
        }
        return addressOfConfiguration.map {
            .init(
                address: $0, headers: configuration.feedRequestHeaders(serial: serial), plainHTTPHosts: hosts, trust: trust,
                seed: seed)
        }
    }

    /// A file's name is beside `marquee.toml`.
    private var addressOfConfiguration: String? {
        guard let address = configuration.feedAddress(serial: serial) else { return nil }
        guard configuration.feedURL == nil, !address.hasPrefix("/"), let files = plan.files else { return address }
        return files.firmware + "/" + address
    }

    private var trust: FeedTrust? { FeedTrust(configuration.publicKeys, allowsRollback: configuration.allowsRollback) }

    private func use(_ feed: Feed) {
        let isFirst = !hasFeed
        hasFeed = true
        if !factoryReset.isCounting { parts.appliance.showSetUp(nil) }
        parts.applyMetered(feed.policy.metered)
        parts.appliance.apply(feed)
        if isFirst { begin(feed) }
    }

    /// What is on when the box has its channels: what was on when it was killed, else what the operator wants.
    private func begin(_ feed: Feed) {
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

    /// Whether reports are sent.
    package var sendsReports: Bool { reports != nil }

    /// What the box says of itself to its operator.
    package func makeReport() -> BoxReport {
        var report = BoxReport(box: configuration.name(serial: serial), version: parts.machine.version)
        report.group = configuration.group
        report.date = parts.wallClock()?.description
        report.playerUptime = parts.clock.now - HostTime.zero
        report.isMetered = parts.machine.isMetered()
        report.screen = parts.machine.screen()
        report.sound = parts.machine.sound
        report.feed = feedInUse.map { ($0.id, $0.revision) }
        report.feedTrouble = sources.trouble?.code
        report.state = parts.appliance.nowPlaying.state.rawValue
        report.playback = parts.tally.sum(with: parts.appliance.currentLog)
        return report
    }

    /// The sender of reports, where the settings name somebody to send them to.
    private func makeReportSender() -> ReportSender? {
        guard let address = configuration.reportURL else { return nil }
        guard FeedFile.isLetIn(address, plainHTTPHosts: configuration.plainHTTPHosts) else {
            parts.log.note("report: nothing is sent, because report.url is plain http and its host is not in [feed] allow_http")
            return nil
        }
        let appliance = parts.appliance
        return ReportSender(
            address: address, interval: configuration.reportInterval, headers: configuration.identityHeaders(serial: serial),
            loader: parts.loader, clock: parts.clock, log: parts.log, stateFolder: plan.stateFolder, seed: seed,
            isBusy: { [weak appliance] in [.loading, .buffering].contains(appliance?.nowPlaying.state) },
            describe: { [weak self] in self?.makeReport() })
    }
}
