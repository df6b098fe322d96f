import Appliance
import Glibc
import LinuxSupport
import MediaModel
import Playback
import Supervision
import SystemServices
import URLReferences

/// Where the running player keeps what only this boot needs: systemd's `RuntimeDirectory=`.
enum RuntimeFolder {
    /// The folder; nil where the program was not given one.
    static var path: String? {
        getenv("RUNTIME_DIRECTORY").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Watches over a running box and tells others how it is: the service manager and its watchdog, the flight recorder, the stamps of the
/// boot, the session that a player that is
/// started again goes on with. Main loop only.
@MainActor
final class Supervisor {
    /// What the crashes of before ask for.
    let decision: CrashPolicy.Decision
    private let notifier: ServiceNotifier
    private let crashes: CrashFolder?
    private let sessionFile: String?
    private let instant: MachineInstant
    private var stamps: BootStamps
    private var pulse = FlipPulse()
    private var answers: UInt64 = 0
    private var isScreenLost = false
    private var lastSession: String?
    private weak var box: Box?
    private var told: Session?
    private var remarks: [String] = []

    /// Reads what crashes have left, and begins to record. Called before the first thread.
    init(stamps: BootStamps, notifier: ServiceNotifier, stateFolder: String?) {
        self.stamps = stamps
        self.notifier = notifier
        instant = .now()
        let runtime = RuntimeFolder.path
        sessionFile = (runtime ?? stateFolder).map { $0 + "/session" }
        let recorder = runtime.map { $0 + "/flight" }
        let folder = stateFolder.map { CrashFolder($0 + "/crash") }
        var recordings: CrashFolder?
        if let folder {
            do {
                try folder.prepare(recorder: recorder)
                FlightRecorder.open(path: recorder)
                try FlightRecorder.catchCrashes(into: folder.path, version: Marquee.version)
                recordings = folder
            } catch {
                remarks.append(error.description)
            }
        }
        crashes = recordings
        let records = recordings?.records ?? []
        let now = instant
        decision = CrashPolicy().decide(
            records.map { .init(item: $0.item, age: now.age(of: $0), build: $0.build) }, build: FlightRecorder.buildID)
        if let last = records.last, now.age(of: last) < .seconds(600) { remarks.append("last run: \(last.summary)") }
    }

    /// One that watches over nothing and knows what it is told: for a desk.
    init(decision: CrashPolicy.Decision, session: Session?) {
        stamps = BootStamps()
        notifier = ServiceNotifier(path: nil)
        instant = .now()
        self.decision = decision
        told = session
        crashes = nil
        sessionFile = nil
    }

    /// Notes a step of the start.
    func reach(_ step: BootStamps.Step) { stamps.reach(step) }

    /// Begins to watch over a box.
    func watch(_ box: Box) {
        self.box = box
        stamps.reach(.joined)
        for remark in remarks { box.log.note(remark) }
        FoundParts.write(of: box)
        let next = box.player.onEvent
        box.player.onEvent = { [weak self] event in
            self?.take(event)
            next?(event)
        }
        box.player.onRestartNeeded = { [weak self] in self?.restart(because: $0) }
        box.appliance.onProgrammeChanged = { [weak self] id in
            // What is played by its address has that for its name.
            FlightRecorder.playing(id.map { $0.contains("://") ? Redaction.withoutSecrets($0) : $0 })
            self?.keepSession()
            self?.tellStatus()
        }
        awaitFirstFlip()
        beat()
        keepSessionRegularly()
    }

    /// Ends in order: nothing of this run is taken for a crash, and the next begins as the operator wants.
    func end() {
        notifier.stopping()
        if let sessionFile { unlink(sessionFile) }
        FlightRecorder.close()
    }

    /// Threads hang in calls that do not return, and only another process is rid of them: it goes on at this one's place.
    private func restart(because sentence: String) {
        box?.log.note(sentence)
        keepSession()
        box?.keepAll()
        SelfRestart.now(because: sentence)
    }

    /// What was on when the player of before ended without being told to, in this boot.
    var session: Session? {
        if let told { return told }
        guard let sessionFile, let bytes = WholeFile.read(sessionFile) else { return nil }
        let session = Session(String(decoding: bytes, as: UTF8.self))
        return session?.boot == instant.boot ? session : nil
    }

    /// Somebody wants the box to go on: crashes of before no longer count.
    func forgive() { crashes?.clear() }

    private func take(_ event: PlayerEvent) {
        switch event {
        case .frame(let record):
            FlightRecorder.presented(
                "\(record.flip) asset=\(record.time) late=\((record.flip - record.scheduled).wholeNanoseconds / 1000)us")
            if stamps.nanoseconds[.frame] == nil {
                stamps.reach(.frame, at: monotonic(record.flip))
                writeStamps()
            }
        case .display(let mode): isScreenLost = mode == nil
        default: break
        }
    }

    // MARK: The service manager

    private static let flipPoll = Duration.milliseconds(10)

    /// The first flip is the end of the start.
    private func awaitFirstFlip() {
        guard let box else { return }
        guard let flip = box.player.scheduler.firstFlip else {
            box.loop.clock.schedule(after: Self.flipPoll) { [weak self] in self?.awaitFirstFlip() }
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
        let title = box?.appliance.nowPlaying.title
        notifier.status(title.map { "Playing \($0)" } ?? "Home")
    }

    /// Feeds the manager's watchdog when a flip came back since the last time, and asks for the next.
    private func beat() {
        guard let box, let watchdog = notifier.watchdog else { return }
        let beat = pulse.beat(flips: box.player.scheduler.flipCount, answers: answers, isScreenLost: isScreenLost)
        if beat.feeds { notifier.feedWatchdog() }
        switch beat.asks {
        case .flip: box.player.scheduler.showAgain()
        case .answer: box.display.readScreen { [weak self] _ in self?.answers += 1 }
        }
        box.loop.clock.schedule(after: FlipPulse.interval(for: watchdog)) { [weak self] in self?.beat() }
    }

    // MARK: The session

    /// No more than this is lost when the player is killed.
    private static let sessionInterval = Duration.seconds(2)

    private func keepSessionRegularly() {
        keepSession()
        box?.loop.clock.schedule(after: Self.sessionInterval) { [weak self] in self?.keepSessionRegularly() }
    }

    /// A few hundred bytes in a memory file system: cheap enough for the main loop. At a desk it is the state folder.
    private func keepSession() {
        guard let sessionFile, let box else { return }
        let text = box.appliance.session(boot: instant.boot)?.text
        guard text != lastSession else { return }
        lastSession = text
        guard let text else {
            unlink(sessionFile)
            return
        }
        WholeFile.write(Array(text.utf8), to: sessionFile, isSynced: false)
    }

    private func monotonic(_ time: HostTime) -> Int64 {
        ((box?.loop.clock as? RealClock)?.origin.nanoseconds ?? 0) + time.nanoseconds
    }
}
