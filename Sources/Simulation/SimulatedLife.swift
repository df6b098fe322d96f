import Appliance
import BoxModel
import ChannelFeed
import Glibc
import LinuxSupport
import MediaTime
import SegmentStore
import Shell
import Sound

/// The life of one box in its world: it starts the box, lets the faults happen, restarts it after crashes and power cuts, and checks the invariants
/// every second.
@MainActor
package final class SimulatedLife {
    /// How a life ended.
    package struct Outcome: Sendable {
        /// The first breach of an invariant; nil if all held.
        package var breach: Breach?
        /// How much of the world's time has passed.
        package var length: Duration
        /// A digest of everything that the box did, the same for the same world.
        package var digest: UInt64
        /// Pictures seen, starts of the process, and keys pressed.
        package var pictures = 0
        package var starts = 0
        package var keys = 0
        /// How often a saved film was compared with the server.
        package var comparisons = 0
    }

    /// A breach of an invariant.
    package struct Breach: Sendable {
        /// From the start of the simulation.
        package var time: Duration
        package var sentence: String
        /// The last lines of the box's log.
        package var log: [String]
    }

    private let world: World
    private let faults: [Fault]
    private let makeBox: SimulatedBoxMaker
    private let folder: SimulatedDisk
    private let loop: MainLoop
    private let loader: SimulatedLoader
    private let machine: SimulatedMachine
    private var running: Running?
    private var invariants: Invariants
    private var content = ContentRules()
    private var hearing = SoundRule()
    private var offer: OfferWatch
    private var schedule = ScheduleWatch()
    private var memory: MemoryRule
    private var resources = ResourceWatch()
    private var saved: SavedRule
    /// The saved film that plays, and since when it is both.
    private var playsSaved: (id: String, since: Duration)?
    /// The disk of the saved films; nil if none are saved.
    private var disk: MemoryDisk?
    private var outcome: Outcome
    private var lastKey: Duration?
    private var filmWithdrawnSince: Duration?
    /// What the next start resumes.
    private var resumed: Session?
    private var failure: (any Error)?

    /// A started box.
    private struct Running {
        var box: any SimulatedBox
        var screen: WatchedScreen
        var codecs: SyntheticCodecs
        var picture: WatchedScreen.Picture?
    }

    private static let savedFolder = "/saved"
    private static let step = Duration.seconds(1)
    /// A process that has ended by itself starts again after this time.
    private static let restartPause = Duration.seconds(2)

    /// - Parameters:
    ///   - faults: those of the world's that happen.
    ///   - folder: an empty folder for the box's state.
    /// - Throws: `SystemError` when the kernel has no descriptor left.
    package init(_ world: World, faults: [Fault], folder: String, makeBox: @escaping SimulatedBoxMaker) throws {
        self.world = world
        self.faults = faults
        self.folder = SimulatedDisk(path: folder)
        self.makeBox = makeBox
        loop = try MainLoop(time: .simulated)
        let server = SimulatedServer(world: world, faults: faults)
        loader = SimulatedLoader(clock: loop.clock, server: server, began: loop.clock.now)
        machine = SimulatedMachine(clock: loop.clock, faults: faults)
        saved = SavedRule(server: server)
        disk = world.saving.map { MemoryDisk(capacity: $0.room) }
        offer = OfferWatch(window: world.window)
        memory = MemoryRule(
            places: world.filmSegments.map {
                PlaceRule(
                    film: .seconds(Int64($0 * SimulatedServer.filmSegment)), advertisement: SimulatedServer.advertisement)
            })
        invariants = Invariants(isKiosk: world.isKiosk)
        outcome = Outcome(breach: nil, length: .zero, digest: Digest.start)
    }

    /// Lives until the end of the world's time, or until the first breach.
    ///
    /// - Parameter progress: called once for each simulated hour.
    /// - Throws: the error with which a box could not be made.
    package func live(progress: @MainActor (Duration) -> Void = { _ in }) throws -> Outcome {
        for fault in faults { arm(fault) }
        start(resuming: nil)
        look()
        var hour = Duration.zero
        loop.run(until: {
            if now - hour >= .seconds(3600) {
                hour += .seconds(3600)
                progress(hour)
            }
            return failure != nil || outcome.breach != nil || now >= world.length
        })
        stop()
        FileWriting.isRefused = false
        if let failure { throw failure }
        outcome.length = now
        outcome.comparisons = saved.comparisons
        return outcome
    }

    private var now: Duration { loop.clock.now - .zero }

    // MARK: Faults

    private func arm(_ fault: Fault) {
        let begin: @MainActor @Sendable () -> Void = { [weak self] in self?.begin(fault) }
        loop.clock.schedule(at: .zero + fault.start, rank: .input, begin)
        guard fault.length > .zero else { return }
        loop.clock.schedule(at: .zero + fault.end, rank: .input) { [weak self] in self?.end(fault) }
    }

    private func begin(_ fault: Fault) {
        machine.begin(fault)
        switch fault.kind {
        case .otherInput: running?.box.appliance.holds.set(.otherInput, true)
        case .crash: crash()
        case .powerCut, .damagingCut: cutPower(fault)
        case .key(let key): press(key)
        case .open(let film):
            lastKey = now
            _ = running?.box.appliance.open(id: SimulatedServer.savedID(film))
        case .fullDisk: disk?.refuseChanges(ENOSPC)
        default: break
        }
    }

    private func end(_ fault: Fault) {
        machine.end(fault)
        switch fault.kind {
        case .otherInput:
            if !machine.lasts({ $0 == .otherInput }) { running?.box.appliance.holds.set(.otherInput, false) }
        case .crash, .powerCut, .damagingCut: startAgain()
        case .fullDisk: if !isDiskFull { disk?.refuseChanges(nil) }
        default: break
        }
    }

    private func press(_ key: RemoteKey) {
        guard let running else { return }
        lastKey = now
        outcome.keys += 1
        _ = running.box.appliance.handle(RemoteEvent(key: key, phase: .press, time: loop.clock.now, device: "simulated"))
        loop.clock.schedule(after: .milliseconds(90), rank: .input) { [weak self] in
            guard let self, let box = self.running?.box else { return }
            _ = box.appliance.handle(RemoteEvent(key: key, phase: .release, time: self.loop.clock.now, device: "simulated"))
        }
    }

    // MARK: The process

    private func start(resuming session: Session?) {
        guard running == nil else { return }
        outcome.starts += 1
        let screen = machine.makeScreen()
        let codecs = SyntheticCodecs(clock: loop.clock, faults: faults, began: .zero)
        if isDiskFull { disk?.refuseChanges(ENOSPC) }
        saved.started(files: savedFiles)
        let engines = SimulatedEngines(
            loop: loop, loader: loader, codecs: codecs, display: screen,
            sink: world.hasSound ? machine.sound.makeSink() : NullSink(clock: loop.clock), date: { [machine] in machine.date })
        do {
            let box = try makeBox(
                SimulatedStart(
                    engines: engines, feed: SimulatedServer.feed, isKiosk: world.isKiosk, stateFolder: folder.path,
                    saving: savingPlace,
                    session: session, dump: { [weak self] in self?.take($0) }, restart: { [weak self] in self?.restart() }))
            running = Running(box: box, screen: screen, codecs: codecs)
            if let breach = memory.started(settings: box.settings, place: box.place(of: "film")) { fail(breach) }
        } catch {
            failure = error
        }
    }

    private var savingPlace: SavingPlace? {
        disk.map { SavingPlace(disk: $0, folder: Self.savedFolder, window: world.saving?.window) }
    }

    private var savedFiles: [String] { disk?.names(Self.savedFolder + "/bodies") ?? [] }

    private var isDiskFull: Bool { machine.lasts { $0 == .fullDisk } }

    /// The disk as it is at this instant; what the process writes from now on is lost.
    private func keepDisk(_ contents: MemoryDisk.Contents?) {
        guard let contents, let room = world.saving?.room else { return }
        disk = MemoryDisk(contents, capacity: room)
    }

    private func stop() {
        // The kernel ends a call that hangs with its process; the box would wait for one that has not lasted long enough to be given up.
        running?.codecs.end()
        running?.box.close()
        running = nil
    }

    /// The process ends, and the next one resumes what plays.
    private func crash() {
        let session = running?.box.appliance.session(boot: "simulated")
        let contents = disk?.contents
        stop()
        keepDisk(contents)
        resumed = session
    }

    private func cutPower(_ fault: Fault) {
        let settledSince = now - MemoryRule.settled
        let isStored = !faults.contains { $0.kind == .fullDisk && $0.start <= now && $0.end > settledSince }
        let isSettled = (lastKey ?? .zero) < settledSince
        let isDamaged = fault.kind == .damagingCut
        memory.powerIsCut(
            isStored && isSettled && !isDamaged ? running.map { .init(settings: $0.box.settings, picture: filmPicture) } : nil)
        let contents = folder.contents()
        var random = SeededGenerator(seed: world.seed ^ UInt64(fault.number))
        let left = disk?.afterPowerCut(&random)
        stop()
        keepDisk(left)
        resumed = nil
        let isRefused = FileWriting.isRefused
        FileWriting.isRefused = false
        var dice = Dice(seed: world.seed ^ UInt64(fault.number))
        folder.cutPower(contents, &dice)
        if isDamaged { folder.damage(&dice) }
        FileWriting.isRefused = isRefused
    }

    /// The film's picture on the screen, if it plays, and since when it is there.
    private var filmPicture: (time: MediaTime, age: Duration)? {
        guard let running, running.box.appliance.nowPlaying.state == .playing, running.box.appliance.nowPlaying.id == "film",
            let picture = running.screen.picture, picture.stream == SimulatedServer.film
        else { return nil }
        return (picture.time, now - (picture.since - .zero))
    }

    /// The process ends as it wished, and the service manager starts it again.
    private func restart() {
        loop.clock.schedule(at: loop.clock.now, rank: .input) { [weak self] in self?.crash() }
        loop.clock.schedule(after: Self.restartPause, rank: .input) { [weak self] in self?.startAgain() }
    }

    /// Starts a process, unless the box has no power or has just crashed.
    private func startAgain() {
        if !machine.lasts({ $0 == .crash || $0 == .powerCut || $0 == .damagingCut }) { start(resuming: resumed) }
    }

    private func take(_ line: DumpLine) { Digest.add(line.description, to: &outcome.digest) }

    // MARK: The invariants

    private func look() {
        loop.clock.schedule(after: Self.step, rank: .display) { [weak self] in self?.look() }
        noteWithdrawal()
        noteOffer()
        noteSchedule()
        noteSavedPlay()
        noteCoveredPlay()
        let breach =
            checkPicture() ?? checkSound() ?? invariants.check(sight) ?? resources.check(at: now)
            ?? saved.check(running?.box.saved, files: { savedFiles }, canBeTidied: !isDiskFull, at: now)
        if let breach { fail(breach) }
    }

    /// Looks at the newest picture, if it is new. Pictures are two seconds apart, so that none is missed.
    private func checkPicture() -> String? {
        guard let picture = running?.screen.picture, picture.since != running?.picture?.since else { return nil }
        running?.picture = picture
        outcome.pictures += 1
        let playing = running?.box.appliance.nowPlaying
        return content.check(
            ContentRules.Sight(
                now: picture.since - .zero, stream: picture.stream, time: picture.time, filmWithdrawnSince: filmWithdrawnSince,
                isPlayed: playing?.state == .playing && playing?.rate == .one, isOffered: offer.mayBeShown(at: now),
                isScheduled: isScheduled(picture.stream), healthySince: healthySince))
    }

    private func checkSound() -> String? {
        guard world.hasSound else { return nil }
        let playing = running?.box.appliance.nowPlaying
        let isWanted = playing?.state == .playing && playing?.rate == .one && running?.box.appliance.isSoundOff == false
        let isDue = isWanted && !machine.lasts { $0 == .soundLost }
        return hearing.check(
            SoundRule.Sight(now: now, isHeard: machine.sound.isHeard, isDue: isDue && healthySince != nil))
    }

    private func noteOffer() {
        guard world.window != nil, let running else { return offer.note(at: now, date: nil, isPlaying: false) }
        offer.note(at: now, date: trustedDate(running), isPlaying: running.box.appliance.nowPlaying.id == "live0")
    }

    /// The date of a box. Whatever the box makes of it: 1970 is no date.
    private func trustedDate(_ running: Running) -> FeedDate? {
        machine.lasts { $0 == .noDate } ? nil : running.box.date
    }

    /// Whether the box shows programmes only by the schedule. A viewer may open them at any time.
    private var goesBySchedule: Bool { world.isKiosk && world.schedule != nil }

    private func noteSchedule() {
        guard goesBySchedule, let running else { return }
        let due = trustedDate(running).flatMap { running.box.feed?.channel(SimulatedServer.schedule)?.entry(at: $0) }
        let playing = running.box.appliance.nowPlaying
        schedule.note(at: now, due: due?.item, playing: playing.id, isOver: playing.state == .ended)
    }

    private func isScheduled(_ stream: UInt32) -> Bool {
        guard goesBySchedule, stream >= SimulatedServer.firstScheduled else { return true }
        return schedule.mayBeShown(SimulatedServer.scheduledID(Int(stream - SimulatedServer.firstScheduled)), at: now)
    }

    /// Since when the box may be expected to play; nil while it has nothing to play by itself.
    private var dueSince: Duration? { goesBySchedule ? schedule.since : offer.since }

    private var sight: Invariants.Sight {
        let appliance = running?.box.appliance
        let picture = running?.screen.picture
        return Invariants.Sight(
            now: now, isRunning: appliance != nil,
            canBeSeen: running.map { $0.screen.isConnected && $0.screen.isPowered } ?? false,
            hasWords: { appliance?.shown.hasWords ?? false }, isCovered: { appliance?.shown.coversPicture ?? false },
            state: { appliance?.nowPlaying.state ?? .home }, position: { appliance?.nowPlaying.assetTime },
            picture: picture.map { $0.since - .zero },
            healthySince: healthySince.flatMap { since in dueSince.map { max(since, $0) } }, lastKey: lastKey)
    }

    /// An address that changes with each token is not found again, so that such a film may be streamed although it is saved.
    private func noteSavedPlay() {
        guard world.saving != nil, world.origin.tokenLife == nil, let id = running?.box.appliance.nowPlaying.id,
            running?.box.saved?.items.contains(id) == true
        else { return playsSaved = nil }
        if playsSaved?.id != id { playsSaved = (id, now) }
    }

    private func noteCoveredPlay() {
        guard let appliance = running?.box.appliance, appliance.shown.coversPicture else { return }
        let playing = appliance.nowPlaying
        guard playing.id == "film", playing.state == .playing, playing.rate == .one, let position = playing.assetTime else {
            return
        }
        content.playsCovered(at: position)
    }

    /// Since when no fault lasts that disturbs playback; nil while one does. What is saved plays without a network.
    private var healthySince: Duration? {
        var since = playsSaved?.since ?? .zero
        for fault in faults where fault.disturbsPlayback && !(playsSaved != nil && fault.concernsNetworkOnly) {
            if fault.start > now { break }
            if fault.effectEnd > now { return nil }
            since = max(since, fault.effectEnd)
        }
        return since
    }

    private func noteWithdrawal() {
        let isWithdrawn = running?.box.feed?.items.first { $0.id == "film" }?.withdrawn ?? false
        filmWithdrawnSince = isWithdrawn ? filmWithdrawnSince ?? now : nil
    }

    private func fail(_ sentence: String) {
        guard outcome.breach == nil else { return }
        outcome.breach = Breach(time: now, sentence: sentence, log: running?.box.log(12) ?? [])
    }
}

/// A digest of text: FNV-1a with 64 bits.
enum Digest {
    static let start: UInt64 = 0xcbf2_9ce4_8422_2325

    static func add(_ text: String, to digest: inout UInt64) {
        for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
}
