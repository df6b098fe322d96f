import Configuration
import Glibc
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Signatures
import StatusModel
import Updates
import WireFormats

/// Updates the system of the box: asks for the operator's notice, and passes what `UpdateMachine` decides to the installer. Main loop only.
@MainActor
package final class UpdateKeeper {
    /// The operator's offer, from the settings.
    package struct Source {
        /// The URL of the notice.
        var address: String
        /// Sent with each request.
        var headers: [String] = []
        /// The keys of which one must have signed the notice.
        var keys: PinnedKeys
        var policy: UpdatePolicy
        /// Differs between boxes.
        var seed: UInt64
        /// Name and serial number.
        var box: String
        var group: String?
    }

    /// What it asks.
    @MainActor
    package struct Surroundings {
        /// Seconds since local midnight, if the clock can be trusted.
        package var timeOfDay: @MainActor () -> Int?
        package var lastKey: @MainActor () -> HostTime?
        package var hasNetwork: @MainActor () -> Bool
        package var isMetered: @MainActor () -> Bool

        package init(
            timeOfDay: @escaping @MainActor () -> Int?, lastKey: @escaping @MainActor () -> HostTime?,
            hasNetwork: @escaping @MainActor () -> Bool, isMetered: @escaping @MainActor () -> Bool
        ) {
            self.timeOfDay = timeOfDay
            self.lastKey = lastKey
            self.hasNetwork = hasNetwork
            self.isMetered = isMetered
        }
    }

    /// The reports of the installer, of which each is taken once.
    private struct InstallerReports {
        private var last: InstallerState?
        /// The requests so far: what was read before the last one does not count.
        private(set) var requests = 0

        /// - Parameter state: what the installer said before anything was asked of it.
        mutating func begin(with state: InstallerState?) { last = state }

        mutating func beginRequest() {
            last = nil
            requests += 1
        }

        /// - Returns: whether it is a new one.
        mutating func take(_ state: InstallerState) -> Bool {
            defer { last = state }
            return state != last
        }
    }

    private let source: Source
    private let surroundings: Surroundings
    private let folder: InstallerFolder
    private let board: String
    private let stateFolder: String?
    private let load: SignedDocumentLoad
    private let clock: any HostClock
    private let log: LogBook
    private let thread: WorkerThread
    private var schedule: UpdateSchedule
    /// Known when the system has said what runs.
    private var slots: SlotFacts?
    private var machine: UpdateMachine?
    private var noticeTrouble: String?
    private var reports = InstallerReports()
    /// Whether somebody else uses the installer: then this keeper asks it for nothing.
    private let isInstallerTaken: @MainActor () -> Bool
    private var sensors = MachineState()
    private var timers: (poll: ScheduledEvent?, look: ScheduledEvent?)
    private var isClosed = false
    /// Whether the next notice is not to wait.
    private var isAsked = false

    /// How often it looks at the surroundings, and at the installer while that works.
    private static let interval = (idle: Duration.seconds(30), busy: Duration.seconds(2))

    /// - Parameters:
    ///   - folder: of the files that are shared with the installer.
    ///   - board: the board of this system.
    ///   - stateFolder: a folder on the data partition.
    ///   - isInstallerTaken: whether an update from a USB stick is being made.
    package init(
        _ source: Source, surroundings: Surroundings, folder: String, board: String, stateFolder: String?,
        loader: any ByteLoading, clock: any HostClock, log: LogBook, isInstallerTaken: @escaping @MainActor () -> Bool = { false }
    ) {
        self.isInstallerTaken = isInstallerTaken
        self.source = source
        self.surroundings = surroundings
        self.folder = InstallerFolder(path: folder)
        self.board = board
        self.stateFolder = stateFolder
        load = SignedDocumentLoad(source.address, headers: source.headers, what: "the notice", loader: loader)
        self.clock = clock
        self.log = log
        schedule = UpdateSchedule(source.policy, seed: source.seed)
        thread = WorkerThread(name: "update", clock: clock)
    }

    package func start() {
        look()
        timers.poll = clock.schedule(after: schedule.first()) { [weak self] in self?.poll() }
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        timers.poll?.cancel()
        timers.look?.cancel()
        load.close()
        thread.stop()
    }

    /// Whether the installer works for this keeper.
    package var isInstalling: Bool { if case .installing = machine?.state { true } else { false } }

    /// For reports, metrics and the page About.
    package var status: UpdateStatus {
        UpdateStatus(machine: machine, slots: slots, noticeTrouble: noticeTrouble)
    }

    /// Asks for the notice now; what it offers does not wait for its hours or for viewers.
    ///
    /// - Returns: false while it is not known what runs, and without a network.
    package func updateNow() -> Bool {
        guard !isClosed, machine != nil, surroundings.hasNetwork() else { return false }
        log.note("updates: asked for on request")
        isAsked = true
        guard !load.isLoading else { return true }
        timers.poll?.cancel()
        poll()
        return true
    }

    // MARK: The notice

    private func poll() {
        guard machine != nil, surroundings.hasNetwork() else { return pollAgain(isGood: false) }
        load.start { [weak self] in self?.take($0) }
    }

    private func take(_ result: Result<SignedDocument, SignedDocumentLoad.Trouble>) {
        guard !isClosed else { return }
        switch result {
        case .failure(let trouble): return refuse(trouble.words)
        case .success(let document):
            do throws(PinnedKeys.Fault) {
                try source.keys.verify(document.bytes, signature: document.signature)
            } catch {
                return refuse("the notice is not the operator's: \(error)")
            }
            take(notice: document.bytes)
        }
    }

    private func take(notice bytes: [UInt8]) {
        do throws(DocumentFault) {
            let notice = try UpdateNotice(bytes, url: source.address)
            noticeTrouble = nil
            run { [isAsked] machine, box in machine.take(notice, isAsked: isAsked, box) }
            isAsked = false
        } catch {
            return refuse("the notice is wrong: \(error)")
        }
        pollAgain(isGood: true)
    }

    /// An offer that was read before stays.
    private func refuse(_ words: String) {
        if words != noticeTrouble { log.note("updates: \(words)") }
        noticeTrouble = words
        pollAgain(isGood: false)
    }

    private func pollAgain(isGood: Bool) {
        let wait = schedule.wait(after: isGood, timeOfDay: surroundings.timeOfDay())
        timers.poll = clock.schedule(after: wait) { [weak self] in self?.poll() }
    }

    // MARK: The installer

    private func look() {
        clock.compute(on: thread, rank: .timer) { [folder, stateFolder] in
            (folder.slots, folder.state, MachineState.read(stateFolder: stateFolder))
        } then: { [weak self, requests = reports.requests] slots, state, sensors in
            self?.take(slots, requests == self?.reports.requests ? state : nil, sensors)
        }
    }

    private func take(_ slots: SlotFacts?, _ state: InstallerState?, _ sensors: MachineState) {
        guard !isClosed else { return }
        self.sensors = sensors
        if machine == nil, let slots { begin(slots, state) }
        if let state, reports.take(state) {
            run { machine, box in machine.take(state.report, of: state.version, box) }
        } else {
            run { machine, box in machine.look(box) }
        }
        let pause = isInstalling ? Self.interval.busy : Self.interval.idle
        timers.look = clock.schedule(after: pause) { [weak self] in self?.look() }
    }

    private func begin(_ slots: SlotFacts, _ state: InstallerState?) {
        self.slots = slots
        for (version, reason) in slots.refused { log.note("updates: \(version) was tried and given up: \(reason)", .warning) }
        let candidate = UpdateCandidate(
            box: source.box, board: board, group: source.group, version: slots.version, refused: slots.refused)
        let written = state.flatMap { $0.report == .installed ? $0.version : nil }
        machine = UpdateMachine(candidate, policy: source.policy, written: written)
        reports.begin(with: state)
        // An installation of the process before this one: the machine begins it again when it is still offered.
        if case .progress = state?.report { carryOut(.cancel) }
    }

    /// Gives the machine an event, and carries out what it decides.
    private func run(_ event: (inout UpdateMachine, UpdateSurroundings) -> [UpdateMachine.Effect]) {
        guard var machine, !isInstallerTaken() else { return }
        let box = UpdateSurroundings(
            now: clock.now, timeOfDay: surroundings.timeOfDay(), lastKey: surroundings.lastKey(),
            hasNetwork: surroundings.hasNetwork(), isMetered: surroundings.isMetered(),
            freeBytes: sensors.freeStorage.map(Int64.init), temperature: sensors.temperature)
        let effects = event(&machine, box)
        self.machine = machine
        for effect in effects { carryOut(effect) }
    }

    private func carryOut(_ effect: UpdateMachine.Effect) {
        switch effect {
        case .note(let text): log.note(text)
        case .install(let version, let bundle):
            reports.beginRequest()
            ask("request", then: { [weak self] failure in self?.requestFailed(failure, of: version) }) {
                $0.request(version: version, bundle: bundle)
            }
        case .cancel: ask("cancel") { $0.cancel() }
        case .restart: ask("restart") { $0.restart() }
        }
    }

    private func requestFailed(_ failure: String, of version: String) {
        run { machine, box in machine.take(.failed(failure), of: version, box) }
    }

    /// - Parameter then: called with a sentence when the file could not be written.
    private func ask(
        _ name: String, then: @escaping @MainActor (String) -> Void = { _ in },
        _ write: @escaping @Sendable (InstallerFolder) -> Int32?
    ) {
        clock.compute(on: thread, rank: .timer) { [folder] in
            write(folder)
        } then: { [weak self] code in
            guard let self, !isClosed, let code else { return }
            let words = "the file \(name) for the installer could not be written: \(String(cString: strerror(code)))"
            log.note("updates: \(words)")
            then(words)
        }
    }
}

extension UpdateKeeper.Source {
    /// The operator's settings.
    ///
    /// - Returns: nil without `[update] url`, or with an address that may not be used; `log` is told why.
    @MainActor
    package init?(_ configuration: Configuration, serial: String?, log: LogBook) {
        guard let address = configuration.updateAddress(serial: serial), let window = DailyWindow(configuration.updateWindow)
        else { return nil }
        guard FeedFile.isLetIn(address, plainHTTPHosts: configuration.plainHTTPHosts) else {
            log.note("updates: none are made, because update.url is plain http and its host is not in [feed] allow_http")
            return nil
        }
        keys = PinnedKeys(configuration.updateKeys)
        guard !keys.isEmpty else {
            log.note(
                "updates: none are made, because the notice must be signed and neither [update] nor [feed] public_keys has a key")
            return nil
        }
        self.address = address
        headers = configuration.feedRequestHeaders(serial: serial)
        seed = BoxLife.seed(configuration, serial: serial)
        box = "\(configuration.name(serial: serial)) \(serial ?? "")"
        group = configuration.group
        policy = UpdatePolicy(window: window, spread: Double(seed % 1000) / 1000)
    }
}
