import CDRM
import Glibc
import LinuxSupport
import MediaModel
import MediaTime

/// The display's thread: asks the source, commits, handles flips. It waits in its own epoll and never for another thread.
///
/// One commit is pending at a time and contains the whole change. After each flip the source is asked for the scene of the next
/// blank that can still be met. Whatever misses its deadline is recovered by setting the mode again.
final class KMSLoop {
    /// A scene on its way to the screen.
    struct Frame {
        var scene: VisibleScene
        var target: HostTime
        var pictures: [PlanePicture] = []
        var preparedLayers: FramePreparer.PreparedLayers = [:]
        /// Commits the same scene again, only to read back the screen.
        var isRepeat = false
        /// When to stop retrying a busy commit.
        var giveUp: HostTime?
    }
    enum Phase {
        case idle
        /// The source is asked again at this time.
        case waiting(until: HostTime)
        /// The CPU is preparing it.
        case preparing(Frame, job: UInt64)
        /// Ready; committed when it is due.
        case holding(Frame, until: HostTime)
        /// Committed; visible with the next flip.
        case flipping(Frame, deadline: HostTime)
        /// No screen.
        case lost(retry: HostTime)
    }
    struct Tag {
        static let bell: UInt64 = 0, card: UInt64 = 1, fence: UInt64 = 2, hotPlug: UInt64 = 3
    }

    let screen: KMSScreen
    let link: KMSLink
    let clock: RealClock
    let composeThread: WorkerThread
    let compositor: Compositor
    let allocators: ChosenAllocators
    let options: KMSDisplay.Options
    let poller: Poller
    private let hotPlug: FileDescriptor?

    weak var source: (any PresentationSource)?
    var phase = Phase.idle
    var wantsOpportunity = false
    /// The frame on the screen; its memory is held until the flip that replaces it.
    var shown: Frame?
    var shownTime = HostTime.zero
    var serial: UInt64 = 0
    var lastFlip: (time: HostTime, sequence: UInt64)?
    var token: UInt64 = 0
    var reads: [@Sendable (ScreenPicture?) -> Void] = []
    var readBack: ReadBack?
    var lastPicture: ScreenPicture?
    /// The screen was switched off: it does not come back automatically.
    var isOff = false
    /// The mode requested since the screen was opened; nil: that of the options.
    var asked: DisplayMode?
    /// See `KMSDisplay.Options`.
    var lostFlips: Int
    /// How long the CPU takes to prepare a frame.
    var preparing = Duration.zero
    /// The arrangements for scenes of a shape, starting at the first that was not refused.
    var verdicts: [SceneShape: ArraySlice<Arrangement>] = [:]

    init(
        screen: KMSScreen, link: KMSLink, clock: RealClock, composeThread: WorkerThread, compositor: Compositor,
        allocators: ChosenAllocators, options: KMSDisplay.Options
    ) throws(SystemError) {
        self.screen = screen
        self.link = link
        self.clock = clock
        self.composeThread = composeThread
        self.compositor = compositor
        self.allocators = allocators
        self.options = options
        lostFlips = options.lostFlips
        shownTime = clock.now
        poller = try Poller()
        try poller.watch(link.bell.number, tag: Tag.bell)
        try poller.watch(screen.device.number, tag: Tag.card)
        let number = marquee_open_uevents()
        hotPlug = number >= 0 ? FileDescriptor(adopting: number) : nil
        if let hotPlug { try poller.watch(hotPlug.number, tag: Tag.hotPlug) }
    }

    /// The time from one blank to the next.
    var interval: Duration {
        let refresh = screen.mode.mode.refresh
        return .nanoseconds(Int64(Int128(refresh.denominator) * 1_000_000_000 / Int128(refresh.numerator)))
    }

    /// How long a flip may take before recovery: three blanks, but at least 100 ms.
    var flipTimeout: Duration { max(interval * 3, .milliseconds(100)) }

    var preparer: FramePreparer {
        FramePreparer(
            width: screen.mode.mode.width, height: screen.mode.mode.height, compositor: compositor,
            videoAllocator: allocators.video,
            interfaceAllocator: allocators.interface)
    }

    /// Runs until the display is stopped, then restores the screen as it was found.
    func run() {
        while true {
            let mail = link.collect()
            if mail.isStopped { break }
            take(mail)
            while step() {}
            for tag in poller.wait(timeout: deadline.map { max($0 - clock.now, .zero) }) {
                switch tag {
                case Tag.card: readEvents()
                case Tag.fence: fenceSignalled()
                case Tag.hotPlug: if hotPlugConcernsCards() { connectorsChanged() }
                default: break
                }
            }
        }
        abandonReadBack()
        answerReads(nil)
        phase = .idle
        screen.restore()
        shown = nil
        source = nil
    }

    private func take(_ mail: KMSLink.Mail) {
        if let box = mail.source { source = box.source }
        if mail.isAwake { wantsOpportunity = true }
        reads += mail.reads
        if mail.connectorsChanged { connectorsChanged() }
        if let isPowered = mail.isPowered { setPower(isPowered) }
        if let refresh = mail.refresh { setRefresh(refresh.rate) }
        for prepared in mail.prepared { take(prepared) }
    }

    /// When the loop must wake even without an event.
    private var deadline: HostTime? {
        let own: HostTime? =
            switch phase {
            case .idle, .preparing: nil
            case .waiting(let until): until
            case .holding(_, let until): until
            case .flipping(_, let deadline): deadline
            case .lost(let retry): isOff ? nil : retry
            }
        guard let other = readBack?.deadline else { return own }
        return own.map { min($0, other) } ?? other
    }

    /// Performs one pending step.
    ///
    /// - Returns: false when there is nothing to do but wait.
    private func step() -> Bool {
        if let readBack {
            if clock.now >= readBack.deadline { abandonReadBack() }
            // Nothing is committed during a read-back: drivers drop a read-back that has not started.
            if case .flipping = phase {} else if self.readBack != nil { return false }
        }
        switch phase {
        case .idle:
            if wantsOpportunity, source != nil {
                ask()
                return true
            }
            return beginReading()
        case .waiting(let until):
            if beginReading() { return true }
            guard clock.now >= until else { return false }
            phase = .idle
            return true
        case .preparing: return false
        case .holding(let frame, let until):
            guard clock.now >= until else { return false }
            commit(frame)
            return true
        case .flipping(_, let deadline):
            guard clock.now >= deadline else { return false }
            // This thread may have been late itself: look for the event first.
            readEvents()
            if case .flipping = phase { escape() }
            return true
        case .lost(let retry):
            if !reads.isEmpty { answerReads(nil) }
            guard clock.now >= retry, !isOff else { return false }
            comeBack()
            return true
        }
    }

    /// Asks the source for the scene of the next blank that can still be met.
    private func ask() {
        let now = clock.now
        let (time, sequence) = lastBlank(now)
        // One slow frame must not push all later ones into the future: beyond two blanks, a frame is late instead.
        let needed = now + .milliseconds(1) + min(preparing, interval * 2)
        let blanks = max(1, ((needed - time).wholeNanoseconds + interval.wholeNanoseconds - 1) / interval.wholeNanoseconds)
        let target = time + interval * Int(blanks)
        wantsOpportunity = false
        guard let source else { return phase = .idle }
        let answer = source.answer(
            to: PresentationOpportunity(targetTime: target, interval: interval, sequence: sequence + UInt64(blanks)))
        wantsOpportunity = answer.wantsNext || wantsOpportunity
        if let scene = answer.scene {
            let mode = screen.mode.mode
            prepare(Frame(scene: VisibleScene(scene, width: mode.width, height: mode.height, on: screen.device), target: target))
        } else {
            phase = wantsOpportunity ? .waiting(until: target + .microseconds(200)) : .idle
        }
    }

    /// The last vertical blank: from the kernel, or extrapolated from the last flip.
    private func lastBlank(_ now: HostTime) -> (HostTime, UInt64) {
        if let (nanoseconds, sequence) = screen.lastBlank() { return (clock.instant(ofMonotonic: nanoseconds), sequence) }
        guard let lastFlip else { return (now, 0) }
        let passed = max(0, (now - lastFlip.time).wholeNanoseconds / interval.wholeNanoseconds)
        return (lastFlip.time + interval * Int(passed), lastFlip.sequence + UInt64(passed))
    }

    /// Chooses an arrangement for a scene and starts the CPU's part of it.
    private func prepare(_ frame: Frame) {
        let arrangement = arrangement(for: frame.scene)
        link.note { $0.rungs.insert(arrangement.rung) }
        let preparer = self.preparer
        let known = shown?.preparedLayers ?? [:]
        guard preparer.needsWork(frame.scene, arrangement, known: known) else {
            var frame = frame
            guard let (pictures, layers) = try? preparer.prepare(frame.scene, arrangement, known: known) else { return skip() }
            (frame.pictures, frame.preparedLayers) = (pictures, layers)
            return commitWhenDue(frame)
        }
        token += 1
        let job = token
        phase = .preparing(frame, job: job)
        composeThread.perform { [link, clock, scene = frame.scene] in
            let start = clock.now
            let result = Result { () throws(MediaError) in try preparer.prepare(scene, arrangement, known: known) }
            let took = clock.now - start
            link.post { $0.prepared.append(KMSLink.Prepared(job: job, result: result, took: took)) }
        }
    }

    private func take(_ prepared: KMSLink.Prepared) {
        guard case .preparing(var frame, prepared.job) = phase else { return }
        preparing = (preparing + prepared.took) / 2
        guard case .success(let (pictures, layers)) = prepared.result else { return skip() }
        (frame.pictures, frame.preparedLayers) = (pictures, layers)
        commitWhenDue(frame)
    }

    /// There was no memory for a frame: the current picture stays for one more blank.
    private func skip() { phase = wantsOpportunity ? .waiting(until: clock.now + interval) : .idle }

    /// Holds back a frame that is ready before the blank in front of its own, so that it is not shown early.
    private func commitWhenDue(_ frame: Frame) {
        let earliest = frame.target - interval
        phase = .holding(frame, until: clock.now >= earliest - .microseconds(500) ? clock.now : earliest + .microseconds(200))
    }

    /// The arrangement for scenes of this shape, determined by test commits the first time.
    private func arrangement(for scene: VisibleScene) -> Arrangement {
        if let known = verdicts[scene.shape]?.first { return known }
        if verdicts.count >= 256 { verdicts = [:] }
        let ladder = PlaneLadder(
            planes: screen.output.planes.map(\.profile), showsBackground: screen.output.crtc["BACKGROUND_COLOR"] != nil,
            rungs: options.rungs)
        let candidates = ladder.candidates(for: scene.shape)
        let preparer = self.preparer
        let first = candidates.firstIndex { candidate in
            guard let blanks = try? preparer.blanks(scene, candidate) else { return false }
            return screen.accepts(blanks, background: scene.scene.background)
        }
        // The last arrangement, the CPU's, is never dropped: there is none below it.
        let rest = candidates[(first ?? candidates.count - 1)...]
        verdicts[scene.shape] = rest
        return rest[rest.startIndex]
    }

    /// The kernel refused a real commit that had passed the test: uses the next arrangement from now on.
    ///
    /// - Returns: false when there is none.
    func descend(from scene: VisibleScene) -> Bool {
        guard let rest = verdicts[scene.shape], rest.count > 1 else { return false }
        verdicts[scene.shape] = rest.dropFirst()
        return true
    }

    /// Tries a scene again after `descend`.
    func retry(_ frame: Frame) {
        prepare(Frame(scene: frame.scene, target: frame.target, isRepeat: frame.isRepeat))
    }

    private func hotPlugConcernsCards() -> Bool {
        var concerns = false
        var buffer = [UInt8](repeating: 0, count: 8192)
        while let hotPlug {
            let count = read(hotPlug.number, &buffer, buffer.count)
            guard count > 0 else { break }
            if buffer[..<count].split(separator: 0).contains(where: { $0.elementsEqual("SUBSYSTEM=drm".utf8) }) {
                concerns = true
            }
        }
        return concerns
    }

    /// Sets another refresh rate, or with nil the initial one. A screen that is off or lost gets it when it comes back.
    func setRefresh(_ rate: Ratio?) {
        var wanted = screen.mode.mode
        asked = rate.map {
            wanted.refresh = $0
            return wanted
        }
        if isOff { return }
        if case .lost = phase { return }
        guard let next = KMSMode.choose(screen.output.modes, wanted: asked ?? options.mode), next.mode != screen.mode.mode else {
            return
        }
        abandonReadBack()
        answerReads(nil)
        do {
            try screen.reset(wanted: next.mode)
        } catch {
            // The card refuses the mode after all: return to the mode that worked.
            asked = nil
            do { try screen.reset(wanted: options.mode) } catch { return lose() }
        }
        screenIsNew()
        source?.displayDidChange(screen.mode.mode)
    }
}
