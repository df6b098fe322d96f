import LinuxSupport
import MediaModel
import Playback
import Shell
import StatusModel
import Supervision
import SystemServices
import URLReferences

/// Watches over a running box and reports its state: to the service manager and its watchdog, the flight recorder, the boot stamps, and the session
/// file with which a restarted player resumes. Main loop only.
@MainActor
package final class Supervisor {
    /// The supervised box.
    @MainActor
    package struct Subject {
        package var player: Player
        package var display: any DisplayOutput
        package var clock: any HostClock
        package var log: LogBook
        package var appliance: any ApplianceDoor
        /// Waits until pending writes are on the disk.
        package var keepAll: @MainActor () -> Void

        package init(
            player: Player, display: any DisplayOutput, clock: any HostClock, log: LogBook, appliance: any ApplianceDoor,
            keepAll: @escaping @MainActor () -> Void
        ) {
            self.player = player
            self.display = display
            self.clock = clock
            self.log = log
            self.appliance = appliance
            self.keepAll = keepAll
        }
    }

    /// The decision about earlier crashes.
    package let decision: CrashPolicy.Decision
    /// The session of the previous process, if it ended unexpectedly in this boot.
    package let session: Session?
    private let notifier: ServiceNotifier
    private let crashes: CrashFolder?
    private let sessionFile: SessionFile
    private let remarks: [String]
    private let restartProcess: @MainActor (String) -> Void
    private var stamps: BootStamps
    private var subject: Subject?
    private var watchdog: Watchdog?

    /// Reads crash records and starts the recorder. Called before the first thread.
    ///
    /// - Parameter version: the program's version for crash records.
    package init(stamps: BootStamps, notifier: ServiceNotifier, stateFolder: String?, version: String) {
        self.stamps = stamps
        self.notifier = notifier
        let now = MachineInstant.now()
        let runtime = RuntimeFolder.path
        restartProcess = { SelfRestart.now(because: $0) }
        sessionFile = SessionFile((runtime ?? stateFolder).map { $0 + "/session" }, boot: now.boot)
        session = sessionFile.read()
        var remarks: [String] = []
        var crashes: CrashFolder?
        if let stateFolder {
            do throws(SupervisionError) {
                crashes = try Self.record(into: stateFolder, recorder: runtime.map { $0 + "/flight" }, version: version)
            } catch {
                remarks.append(error.description)
            }
        }
        self.crashes = crashes
        let records = crashes?.records ?? []
        decision = CrashPolicy().decide(
            records.map { .init(item: $0.item, age: now.age(of: $0), build: $0.build) }, build: FlightRecorder.buildID)
        if let last = records.last, now.age(of: last) < .seconds(600) { remarks.append("last run: \(last.summary)") }
        self.remarks = remarks
    }

    /// A supervisor for tests and simulations, which records nothing and is given its inputs.
    ///
    /// - Parameter restartProcess: replaces the end of the process when only a new one can continue.
    package init(
        decision: CrashPolicy.Decision, session: Session?, notifier: ServiceNotifier = ServiceNotifier(path: nil),
        restartProcess: @escaping @MainActor (String) -> Void = { SelfRestart.now(because: $0) }
    ) {
        stamps = BootStamps()
        self.notifier = notifier
        self.restartProcess = restartProcess
        self.decision = decision
        self.session = session
        crashes = nil
        sessionFile = SessionFile(nil, boot: MachineInstant.now().boot)
        remarks = []
    }

    private static func record(into stateFolder: String, recorder: String?, version: String) throws(SupervisionError)
        -> CrashFolder
    {
        let folder = CrashFolder(stateFolder + "/crash")
        try folder.prepare(recorder: recorder)
        FlightRecorder.open(path: recorder)
        try FlightRecorder.catchCrashes(into: folder.path, version: version)
        return folder
    }

    /// How long each step of the start may take. A starved machine is slow in all of them, and is not restarted for their sum.
    private static let stepTimeout = Duration.seconds(60)

    /// Stores a step of the start.
    package func reach(_ step: BootStamps.Step) {
        stamps.reach(step)
        notifier.extendStart(by: Self.stepTimeout)
    }

    /// Starts to watch over a box. Its player's events are passed to `take`, and the id of the current item to `programmeChanged`.
    package func watch(_ subject: Subject) {
        self.subject = subject
        reach(.joined)
        for remark in remarks { subject.log.note(remark) }
        let (player, display) = (subject.player, subject.display)
        awaitFirstFlip()
        let watchdog = Watchdog(
            notifier,
            display: .init(
                flipCount: { player.scheduler.flipCount }, showAgain: { player.scheduler.showAgain() },
                ask: { answered in display.readScreen { _ in answered() } }), clock: subject.clock,
            isOnTrial: MachineFacts.isSlotOnTrial)
        self.watchdog = watchdog
        watchdog.start()
        keepSessionRegularly()
    }

    /// Whether the process is to end, so that the service manager starts it again.
    package private(set) var isRestartAsked = false
    /// Who asked is answered before the process ends.
    private static let restartDelay = Duration.milliseconds(500)

    /// An operator wants another process, which resumes the current session.
    ///
    /// - Returns: false without a service manager, which would start it.
    func askForRestart() -> Bool {
        guard notifier.hasManager, let subject else { return false }
        subject.log.note("the player is restarted on request")
        subject.clock.schedule(after: Self.restartDelay) { [weak self] in
            self?.keepSession()
            self?.isRestartAsked = true
        }
        return true
    }

    /// Ends in order: this run does not count as a crash, and the next start plays what the operator wants, unless a restart was asked for.
    package func end() {
        notifier.stopping()
        if !isRestartAsked { sessionFile.remove() }
        FlightRecorder.close()
    }

    /// The viewer wants the box to continue, so earlier crashes no longer count.
    func forgive() { crashes?.clear() }

    /// An event of the supervised player.
    package func take(_ event: PlayerEvent) {
        switch event {
        case .frame(let record):
            FlightRecorder.presented(
                "\(record.flip) asset=\(record.time) late=\((record.flip - record.scheduled).wholeNanoseconds / 1000)us")
            if stamps.nanoseconds[.frame] == nil {
                stamps.reach(.frame, at: monotonic(record.flip))
                writeStamps()
            }
        case .display(let mode): watchdog?.isScreenLost = mode == nil
        case .restartNeeded(let sentence): restart(because: sentence)
        default: break
        }
    }

    /// Another programme plays, by its id; nil for none.
    package func programmeChanged(_ id: String?) {
        // An item opened by its address has the address as its id.
        FlightRecorder.playing(id.map { $0.contains("://") ? Redaction.withoutSecrets($0) : $0 })
        keepSession()
        tellStatus()
    }

    /// Threads hang in calls that do not return, and only a new process can replace them. It resumes the current session.
    private func restart(because sentence: String) {
        subject?.log.note(sentence, .error)
        keepSession()
        subject?.keepAll()
        restartProcess(sentence)
    }

    // MARK: The start

    private static let flipPoll = Duration.milliseconds(10)

    /// The first flip completes the start.
    private func awaitFirstFlip() {
        guard let subject else { return }
        guard let flip = subject.player.scheduler.firstFlip else {
            subject.clock.schedule(after: Self.flipPoll) { [weak self] in self?.awaitFirstFlip() }
            return
        }
        stamps.reach(.flip, at: monotonic(flip))
        notifier.ready()
        tellStatus()
        writeStamps()
    }

    private func writeStamps() {
        if let folder = RuntimeFolder.path { stamps.write(to: folder + "/boot") }
    }

    private func tellStatus() {
        let title = subject?.appliance.nowPlaying.title
        let idle = subject?.appliance.nowPlaying.state == .standby ? "Standby" : "Home"
        notifier.status(title.map { "Playing \($0)" } ?? idle)
    }

    private func monotonic(_ time: HostTime) -> Int64 {
        ((subject?.clock as? RealClock)?.origin.nanoseconds ?? 0) + time.nanoseconds
    }

    // MARK: The session

    /// At most this much playback is lost when the player is killed.
    private static let sessionInterval = Duration.seconds(2)

    private func keepSessionRegularly() {
        keepSession()
        subject?.clock.schedule(after: Self.sessionInterval) { [weak self] in self?.keepSessionRegularly() }
    }

    private func keepSession() {
        guard let subject else { return }
        sessionFile.keep { subject.appliance.session(boot: $0) }
    }
}
