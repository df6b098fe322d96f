import Appliance
import ChannelFeed
import Configuration
import Glibc
import LinuxSupport
import MediaModel
import PlayerInterface
import Supervision

/// The life of a box between its start and its end: what its settings say, where its channels come from, what it shows while it has none.
@MainActor
final class BoxService {
    /// What the service is told at the start.
    struct Plan {
        /// What the file says.
        var provisioning: Provisioning
        /// Where it is; nil: there is none.
        var files: ProvisioningFiles?
        /// The feed of the command line, which outranks all.
        var feed: String?
        /// Where the last good feed is kept.
        var stateFolder: String?
        /// What of the settings could not be put into force, beside what their verdicts say.
        var remarks: [String] = []
        /// The port on which other machines reach the page; nil: they do not.
        var pagePort: UInt16?
        /// Below it disks are mounted.
        var media = FoundSource.Places.standardMedia
        /// Asks the network who announces a feed.
        var question = AnnouncedFeeds.question
    }

    let box: Box
    private var plan: Plan
    private let supervisor: Supervisor
    let serial = MachineFacts.serial
    private(set) var reports: ReportSender?
    private var keeper: FeedKeeper?
    private var guides: GuideKeeper?
    private var sticks: StickFeeds?
    private var announced: AnnouncedFeeds?
    private var hasFeed = false
    /// The feed of the settings' source, and that of a disk, which goes before it.
    private var settled: Feed?
    private var carried: Feed?
    private var trouble: SetUpScreens.Trouble?
    private var session: Session?
    /// The box stays safe until then.
    private var safeUntil: HostTime?
    private var setUpTimer: ScheduledEvent?
    /// While a factory reset is announced.
    private var resetTimer: ScheduledEvent?

    init(box: Box, plan: Plan, supervisor: Supervisor) {
        self.box = box
        self.plan = plan
        self.supervisor = supervisor
        session = supervisor.session
    }

    var configuration: Configuration { plan.provisioning.configuration }
    var clock: any HostClock { box.loop.clock }
    var stateFolder: String? { plan.stateFolder }
    /// The feed in use.
    var feedInUse: Feed? { carried ?? settled }
    /// Why no newer one could be had; nil: the last request brought one.
    private(set) var troubleCode: String?
    /// Differs between boxes.
    var seed: UInt64 { configuration.name(serial: serial).utf8.reduce(7 as UInt64) { $0 &* 31 &+ UInt64($1) } }

    func start() {
        tellVerdict()
        box.resetWish.action = { [weak self] in self?.reset(secondsLeft: 10, isAsked: true) }
        box.appliance.leaveOut(supervisor.decision.skipped)
        if plan.files?.isResetAskedFor == true { return reset(secondsLeft: 10) }
        reports = makeReportSender()
        reports?.start()
        if supervisor.decision.staysSafe { return staySafe() }
        goOn()
    }

    func close() {
        reports?.close()
        keeper?.close()
        guides?.close()
        sticks?.close()
        announced?.close()
    }

    // MARK: The screens of the box

    private var screens: SetUpScreens {
        let address = MachineFacts.address
        return SetUpScreens(
            name: configuration.name(serial: serial), address: address,
            page: plan.pagePort.flatMap { port in address.map { "http://\($0.contains(":") ? "[\($0)]" : $0):\(port)/" } },
            isProvisioned: configuration.namesFeed, isKiosk: configuration.isKiosk, strings: box.appliance.strings)
    }

    /// A plug that is pulled now leaves everything as it was; where a viewer has asked for it, Back does too.
    private func reset(secondsLeft: Int, isAsked: Bool = false) {
        guard secondsLeft > 0 else {
            box.log.note("factory reset: asked for \(isAsked ? "in Settings" : "by the file reset")")
            if let folder = RuntimeFolder.path, WholeFile.write([], to: folder + "/reset") { return }
            box.log.note("factory reset: not possible without a runtime folder")
            resetTimer = nil
            return isAsked ? takeBackReset() : goOn()
        }
        let view = screens.reset(seconds: secondsLeft, isAsked: isAsked)
        if isAsked {
            box.appliance.showSetUp(view, onBack: { [weak self] in self?.takeBackReset() })
        } else {
            box.appliance.showSetUp(view)
        }
        resetTimer = clock.schedule(after: .seconds(1)) { [weak self] in
            self?.reset(secondsLeft: secondsLeft - 1, isAsked: isAsked)
        }
    }

    private func takeBackReset() {
        resetTimer?.cancel()
        resetTimer = nil
        box.appliance.showSetUp(nil)
        showSetUp()
    }

    private func staySafe() {
        let wait = supervisor.decision.triesAgainAfter ?? .seconds(600)
        box.log.note("five crashes in ten minutes: nothing is played until the viewer asks for it")
        // What was on may be what it was.
        session = nil
        safeUntil = clock.now + wait
        showSafe()
    }

    private func showSafe() {
        guard let safeUntil else { return }
        let left = safeUntil - clock.now
        guard left > .zero else { return leaveSafe() }
        box.appliance.showSetUp(screens.safe(waits: left)) { [weak self] in
            self?.supervisor.forgive()
            self?.leaveSafe()
        }
        clock.schedule(after: min(left, .seconds(10))) { [weak self] in self?.showSafe() }
    }

    private func leaveSafe() {
        safeUntil = nil
        box.appliance.showSetUp(nil)
        goOn()
    }

    private static let factsInterval = Duration.seconds(5)

    /// As long as there are no channels: why, and what to do. The address may come and change meanwhile.
    private func showSetUp() {
        guard !hasFeed, resetTimer == nil else { return }
        let screens = self.screens
        if configuration.namesFeed || plan.feed != nil {
            box.appliance.showSetUp(screens.waiting(trouble ?? .loading))
        } else if let source = findSource() {
            let found: SetUpScreens.Found =
                switch source.kind {
                case .file(let name, let disk): .file(name, disk: disk)
                case .address(let address): .address(address)
                }
            box.appliance.showSetUp(screens.question(found)) { [weak self] in self?.adopt(source) }
        } else {
            box.appliance.showSetUp(screens.setUp(isRadioOff: SystemFiles.radioRemark(configuration) != nil))
        }
        setUpTimer?.cancel()
        setUpTimer = clock.schedule(after: Self.factsInterval) { [weak self] in self?.showSetUp() }
    }

    /// A box that nobody has ever told anything looks everywhere; one that has a file, where that lets it.
    private func findSource() -> FoundSource? {
        guard let folder = plan.stateFolder else { return nil }
        let isFresh = !plan.provisioning.hasFile && configuration.isEmpty
        var places = FoundSource.Places(copy: folder + "/adopted.json")
        places.media = plan.media
        let asksNetwork = isFresh || configuration.allowsDiscovery
        let announced = announced ?? AnnouncedFeeds(clock: clock, question: plan.question)
        self.announced = announced
        if asksNetwork { announced.look() }
        return FoundSource.find(
            places, asksDisks: isFresh || configuration.allowsUSB, asksNetwork: asksNetwork, announced: announced.addresses)
    }

    /// How long the screen shows what is wrong with the settings.
    private static let verdictTime = Duration.seconds(30)

    private func tellVerdict() {
        let provisioning = plan.provisioning
        for verdict in provisioning.configuration.verdicts { box.log.note("configuration: \(verdict)") }
        if let problem = provisioning.problem { box.log.note("configuration: \(problem.description)") }
        for remark in plan.remarks { box.log.note("configuration: \(remark)") }
        guard isNews else { return }
        let problems =
            (provisioning.problem.map { [$0.description] } ?? provisioning.configuration.problems.map(\.description))
            + plan.remarks
        guard let view = screens.verdict(problems: problems, isWhole: provisioning.problem == nil) else { return }
        box.appliance.showVerdict(view)
        clock.schedule(after: Self.verdictTime) { [weak self] in
            self?.box.appliance.showVerdict(nil)
            self?.rememberVerdict()
        }
    }

    // A file that has not changed since it was shown for all its time is not shown again.
    private var verdictFile: String? { plan.stateFolder.map { $0 + "/verdict" } }
    private var isNews: Bool {
        guard let verdictFile, let seen = WholeFile.read(verdictFile) else { return true }
        return seen != Array(verdictText.utf8)
    }
    private var verdictText: String { ([plan.provisioning.report] + plan.remarks).joined(separator: "\n") }
    private func rememberVerdict() {
        if let verdictFile { WholeFile.write(Array(verdictText.utf8), to: verdictFile) }
    }

    /// Somebody has said that what was found is good. From the next start on it stands for the file that is not there.
    private func adopt(_ source: FoundSource) {
        guard let folder = plan.stateFolder, keeper == nil else { return }
        if let feed = source.feed {
            guard let bytes = WholeFile.read(feed), WholeFile.write(bytes, to: folder + "/adopted.json") else {
                return box.log.note("\(feed) could not be copied: \(String(cString: strerror(errno)))")
            }
        }
        guard WholeFile.write(Array(source.settings.utf8), to: AdoptedSettings.file(in: folder)) else {
            return box.log.note("\(source.words) could not be saved: \(String(cString: strerror(errno)))")
        }
        box.log.note("confirmed by the viewer: \(source.words)")
        plan.provisioning = Provisioning(file: source.settings, applied: nil)
        goOn()
    }

    // MARK: The feed

    private func goOn() {
        lookForDisks()
        guard let address = plan.feed ?? feedOfConfiguration else { return showSetUp() }
        var hosts = configuration.plainHTTPHosts
        // Who writes an address on the command line has let it in.
        if plan.feed != nil, let host = FeedFile.host(of: address) { hosts.insert(host) }
        let keeper = FeedKeeper(
            address: address, headers: plan.feed == nil ? configuration.feedRequestHeaders(serial: serial) : [],
            plainHTTPHosts: hosts, trust: plan.feed == nil ? trust : nil, loader: box.loader,
            clock: clock, log: box.log, folder: plan.stateFolder, seed: seed)
        self.keeper = keeper
        guides = GuideKeeper(of: box, plainHTTPHosts: hosts, folder: plan.stateFolder)
        keeper.onNews = { [weak self] in self?.take($0) }
        keeper.start()
        if !hasFeed { showSetUpSoon() }
    }

    /// A file's name is beside `marquee.toml`.
    private var feedOfConfiguration: String? {
        guard let address = configuration.feedAddress(serial: serial) else { return nil }
        guard configuration.feedURL == nil, !address.hasPrefix("/"), let files = plan.files else { return address }
        return files.firmware + "/" + address
    }

    private static let patience = Duration.seconds(1)

    /// A feed that is there within a moment needs no words.
    private func showSetUpSoon() {
        setUpTimer?.cancel()
        setUpTimer = clock.schedule(after: Self.patience) { [weak self] in self?.showSetUp() }
    }

    private func take(_ news: FeedKeeper.News) {
        switch news {
        case .failed(let code):
            trouble = .unreachable(code)
            troubleCode = code.rawValue
        case .refused(let code):
            trouble = .refused(code)
            troubleCode = code
        case .feed(let feed):
            troubleCode = nil
            settled = feed
            offer()
        }
    }

    private var trust: FeedTrust? { FeedTrust(configuration.publicKeys, allowsRollback: configuration.allowsRollback) }

    /// A disk's feed is taken beside the settings' own only where they say so, and only when a pinned key has signed it.
    private func lookForDisks() {
        guard sticks == nil, plan.feed == nil, configuration.allowsUSB, configuration.namesFeed else { return }
        guard let trust else {
            return box.log.note(
                "feed.allow_usb: disks are not searched, because [feed] public_keys lists no key that could verify a feed")
        }
        let sticks = StickFeeds(trust: trust, clock: clock, log: box.log, folder: plan.stateFolder, media: plan.media)
        self.sticks = sticks
        sticks.onFeed = { [weak self] in
            self?.carried = $0
            self?.offer()
        }
        sticks.start()
    }

    /// Takes the feed that goes before the others into use.
    private func offer() {
        guard let feed = feedInUse else { return }
        let isFirst = !hasFeed
        hasFeed = true
        if resetTimer == nil { box.appliance.showSetUp(nil) }
        box.applyMetered(feed.policy.metered)
        box.appliance.apply(feed)
        guides?.take(feed)
        if isFirst { begin(feed) }
    }

    /// What is on when the box has its channels: what was on when it was killed, else what the operator wants.
    private func begin(_ feed: Feed) {
        if let session {
            self.session = nil
            box.log.note("resuming \(session.id)")
            if box.appliance.resume(session) { return }
        }
        if let start = feed.start {
            box.appliance.open(id: start.id)
        } else if configuration.isKiosk, feed.channels.count == 1 {
            box.appliance.open(id: feed.channels[0].id)
        }
    }
}

/// The settings that somebody took into use on the screen of a box that was never provisioned.
enum AdoptedSettings {
    static func file(in folder: String) -> String { folder + "/adopted.toml" }

    /// These settings where the box's own name no feed; a file on the firmware partition that does outranks them.
    static func standing(for provisioning: Provisioning, in folder: String?) -> Provisioning {
        guard provisioning.problem == nil, !provisioning.configuration.namesFeed,
            let bytes = folder.flatMap({ WholeFile.read(file(in: $0)) })
        else { return provisioning }
        let adopted = Provisioning(file: String(decoding: bytes, as: UTF8.self), applied: nil)
        return adopted.configuration.namesFeed ? adopted : provisioning
    }
}
