import ChannelFeed
import Configuration
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import StatusModel
import URLReferences
import Updates

/// Settings from afar: asks for the operator's document, and carries out what `SettingsMachine` decides about it. Main loop only.
@MainActor
package final class SettingsKeeper {
    /// What it asks, and what it can do.
    @MainActor
    package struct Surroundings {
        package var hasNetwork: @MainActor () -> Bool
        /// Whether a viewer may be disturbed by a restart.
        package var isWatched: @MainActor () -> Bool
        /// Whether the system is on trial or is being written.
        package var isUpdating: @MainActor () -> Bool
        /// Nil while the clock cannot be believed.
        package var date: @MainActor () -> FeedDate?
        /// Whether the configured feed was loaded since the start and accepted.
        package var isFeedReached: @MainActor () -> Bool = { false }
        package var isBrokerReached: @MainActor () -> Bool = { false }
        /// Asks for the feed now.
        package var refreshFeed: @MainActor () -> Void = {}
        /// The feed of the settings that were on trial takes the place of that before on the disk.
        package var keepFeed: @MainActor () -> Void = {}
        /// Starts the player or the machine again, and returns whether it will.
        package var restart: @MainActor (SettingsRecord.Way) -> Bool = { _ in false }

        package init(
            hasNetwork: @escaping @MainActor () -> Bool, isWatched: @escaping @MainActor () -> Bool,
            isUpdating: @escaping @MainActor () -> Bool, date: @escaping @MainActor () -> FeedDate?
        ) {
            self.hasNetwork = hasNetwork
            self.isWatched = isWatched
            self.isUpdating = isUpdating
            self.date = date
        }
    }

    package var surroundings: Surroundings
    /// Sent when `status` may be different.
    package let changes = EventSource<Void>()
    private let judge: SettingsJudge
    private let file: SettingsFile
    /// Nil where documents come over the broker or the API only.
    private let load: SignedDocumentLoad?
    private let clock: any HostClock
    private let log: LogBook
    private let thread: WorkerThread
    private var machine: SettingsMachine
    private var schedule: FeedSchedule
    /// Why the last document was refused, or could not be loaded.
    private var refusal: String?
    /// What was damaged on the disk when the player started.
    private let damage: String?
    private var refusals = 0
    /// The document of the server that was refused last: it counts once, however often it is asked for.
    private var refused: SignedDocument?
    private var timers: (poll: ScheduledEvent?, look: ScheduledEvent?, trial: ScheduledEvent?, retry: ScheduledEvent?)
    private var started: HostTime?
    private var isClosed = false
    /// Whether it was told that nothing starts the box again.
    private var isStuck = false

    /// How often the surroundings are looked at while something waits for them; on trial the server is asked as often.
    private static let interval = Duration.seconds(30)
    /// The time between two requests.
    private static let pollInterval = Duration.seconds(900)

    /// - Parameters:
    ///   - remote: the settings from afar at this start.
    ///   - seed: differs between boxes.
    ///   - canRestartMachine: whether `surroundings.restart` can.
    package init(
        _ remote: RemoteSettings, surroundings: Surroundings, serial: String?, seed: UInt64, canRestartMachine: Bool,
        loader: any ByteLoading, clock: any HostClock, log: LogBook
    ) {
        self.surroundings = surroundings
        self.clock = clock
        self.log = log
        file = remote.file
        judge = SettingsJudge(serial: serial, card: remote.card, canRestartMachine: canRestartMachine, boot: remote.boot)
        schedule = FeedSchedule(seed: seed)
        damage = remote.damage
        thread = WorkerThread(name: "settings", clock: clock)
        let configuration = remote.provisioning.configuration
        var needed: Set<SettingsProof> = [.network]
        if configuration.namesFeed { needed.insert(.feed) }
        if configuration.broker != nil { needed.insert(.broker) }
        let address = configuration.settingsAddress(serial: serial)
        if let address, FeedFile.isLetIn(address, plainHTTPHosts: configuration.plainHTTPHosts) {
            needed.insert(.settings)
            load = SignedDocumentLoad(
                address, headers: configuration.feedRequestHeaders(serial: serial), what: "the document", loader: loader)
        } else {
            load = nil
            if address != nil {
                log.note(
                    "settings: none are asked for, because settings.url is plain http and its host is not in [feed] allow_http")
            }
        }
        machine = SettingsMachine(remote.record, boot: remote.boot, needed: needed, length: remote.trialLength)
    }

    package func start() {
        if let damage { log.note("settings: \(damage)", .error) }
        started = clock.now
        carryOut(machine.start())
        look()
        timers.poll = clock.schedule(after: machine.tried == nil ? schedule.first(interval: Self.pollInterval) : .zero) {
            [weak self] in self?.poll()
        }
    }

    /// The player ends in order, which uses no start of a trial up. Blocks on the disk.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        for timer in [timers.poll, timers.look, timers.trial, timers.retry] { timer?.cancel() }
        load?.close()
        thread.stop()
        guard let started, let next = machine.ending(after: clock.now - started), !file.write(next) else { return }
        log.note("settings: it could not be stored that the player ends in order; the next start counts as one after a crash")
    }

    /// Asks for the document now.
    package func refresh() {
        guard !isClosed, let load, !load.isLoading else { return }
        timers.poll?.cancel()
        poll()
    }

    /// For the page, reports and the broker.
    package var status: BoxDescription.Settings {
        let record = machine.record
        let state: BoxDescription.Settings.State =
            switch machine.standing {
            case .settled: .settled
            case .waiting: .waiting
            case .trying: .trying
            }
        var status = BoxDescription.Settings(state: state)
        status.revision = record.revision
        status.offered = record.trial?.revision
        status.waitsFor = machine.missing.map(\.rawValue) + (machine.hindrance.map { [$0.rawValue] } ?? [])
        var troubles: [String] = []
        // What is told of the revision before belongs to that one.
        if record.trial == nil, let verdict = record.verdict, !verdict.isKept {
            status.givenUp = verdict.revision
            troubles.append(verdict.words)
        }
        if let damage { troubles.append(damage) }
        status.trouble = troubles.isEmpty ? nil : troubles.joined(separator: "; ")
        status.refusal = refusal
        status.refusals = refusals
        return status
    }

    // MARK: Documents

    /// A document that came over the broker or the API.
    ///
    /// - Returns: why it changes nothing, as one sentence; nil if it was taken, or was taken before.
    package func take(_ document: [UInt8], signature: [UInt8]) -> String? {
        guard !isClosed else { return "The box is being switched off." }
        return take(SignedDocument(bytes: document, signature: signature), isLoaded: false)
    }

    private func poll() {
        guard let load, surroundings.hasNetwork() else { return pollAgain(.failed) }
        load.start { [weak self] in self?.take($0) }
    }

    private func take(_ result: Result<SignedDocument, SignedDocumentLoad.Trouble>) {
        switch result {
        case .failure(let trouble):
            tell("the document could not be loaded: \(trouble.words)")
            pollAgain(.failed)
        case .success(let document):
            pollAgain(take(document, isLoaded: true) == nil ? .good : .refused)
        }
    }

    /// - Parameter isLoaded: whether it comes from the server of the settings, which is proof that this can be reached, whatever the document says.
    /// - Returns: why it changes nothing, as one sentence.
    private func take(_ document: SignedDocument, isLoaded: Bool) -> String? {
        let isOnTrial = !machine.takesDocuments
        do throws(SettingsJudge.Refusal) {
            let next = try judge.take(document, machine.record, at: surroundings.date())
            if isLoaded { carryOut(machine.handle(.reached(.settings))) }
            refusal = nil
            guard let next else { return nil }
            guard machine.takesDocuments else {
                return machine.hindrance == .restart
                    ? "The box has given settings up and waits for its restart; send it again after that."
                    : "Settings of another revision are on trial; send it again after the verdict."
            }
            carryOut(machine.take(next))
            look()
            return nil
        } catch {
            if isLoaded, error.isSigned { carryOut(machine.handle(.reached(.settings))) }
            // During a trial one that the operator has signed is proof and no more: it may be older than that on trial.
            if isLoaded, error.isSigned, isOnTrial { return error.sentence }
            if !isLoaded || document != refused { refusals += 1 }
            if isLoaded { refused = document }
            tell(error.words)
            return error.sentence
        }
    }

    /// Told once.
    private func tell(_ words: String) {
        if words != refusal { log.note("settings: \(words)", .warning) }
        refusal = words
        changes.send(())
    }

    private func pollAgain(_ outcome: FeedSchedule.Outcome) {
        guard load != nil else { return }
        let wait = schedule.wait(after: outcome, interval: Self.pollInterval, jitterPercent: 20, hasFeed: true)
        timers.poll?.cancel()
        timers.poll = clock.schedule(after: machine.missing.contains(.settings) ? min(wait, Self.interval) : wait) {
            [weak self] in self?.poll()
        }
    }

    // MARK: The machine

    private func look() {
        guard !isClosed else { return }
        if machine.waiting != nil {
            let hindrance: SettingsHindrance? =
                surroundings.isUpdating() ? .updating : surroundings.isWatched() && !machine.isCritical ? .watched : nil
            carryOut(machine.handle(.looked(hindrance)))
        }
        if machine.tried != nil {
            if surroundings.hasNetwork() { carryOut(machine.handle(.reached(.network))) }
            if surroundings.isBrokerReached() { carryOut(machine.handle(.reached(.broker))) }
            if surroundings.isFeedReached() {
                carryOut(machine.handle(.reached(.feed)))
            } else if machine.missing.contains(.feed) {
                surroundings.refreshFeed()
            }
        }
        changes.send(())
        lookLater()
    }

    private func lookLater() {
        timers.look?.cancel()
        guard machine.waiting != nil || machine.tried != nil else { return }
        timers.look = clock.schedule(after: Self.interval) { [weak self] in self?.look() }
    }

    private func carryOut(_ effects: [SettingsMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .note(let text): log.note(text)
            case .store(let record):
                clock.compute(on: thread, rank: .timer) { [file] in
                    file.write(record)
                } then: { [weak self] isStored in
                    guard let self, !isClosed else { return }
                    carryOut(machine.handle(isStored ? .stored : .notStored))
                    // A disk that refuses is not asked again at once.
                    if isStored { look() } else { lookLater() }
                }
            case .restart(let way):
                let isStuck = !surroundings.restart(way)
                if isStuck, !self.isStuck {
                    log.note(
                        "settings: nothing starts the \(way == .restartMachine ? "machine" : "player") again, which a service manager would; it is tried each minute",
                        .warning)
                }
                self.isStuck = isStuck
            case .arm(let timer, let length):
                cancel(timer)
                let event = clock.schedule(after: length) { [weak self] in
                    guard let self, !isClosed else { return }
                    carryOut(machine.handle(.timerFired(timer)))
                }
                if timer == .trial { timers.trial = event } else { timers.retry = event }
            case .cancel(let timer): cancel(timer)
            case .keepFeed: surroundings.keepFeed()
            }
        }
    }

    private func cancel(_ timer: SettingsMachine.Timer) {
        switch timer {
        case .trial: timers.trial?.cancel()
        case .retry: timers.retry?.cancel()
        }
    }
}
