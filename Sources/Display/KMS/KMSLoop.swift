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
    private enum Phase {
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
    private struct Tag {
        static let bell: UInt64 = 0, card: UInt64 = 1, fence: UInt64 = 2, hotPlug: UInt64 = 3
    }

    /// What the screen shows.
    struct OnScreen {
        /// Its memory is held until the flip that replaces it; nil: nothing of ours.
        var frame: Frame?
        /// When it was first shown.
        var time: HostTime
        /// Counts the scenes that were shown.
        var serial: UInt64 = 0
    }

    private let screen: KMSScreen
    private let link: KMSLink
    private let clock: RealClock
    private let composeThread: WorkerThread
    private let compositor: Compositor
    private let allocators: ChosenAllocators
    private let options: KMSDisplay.Options
    private let poller: Poller
    private let hotPlug = HotPlugMonitor()
    private let reader: ScreenReader

    private weak var source: (any PresentationSource)?
    private var phase = Phase.idle
    private var wantsOpportunity = false
    private var onScreen: OnScreen
    private var lastFlip: (time: HostTime, sequence: UInt64)?
    private var token: UInt64 = 0
    /// The screen was switched off: it does not come back automatically.
    private var isOff = false
    /// The mode requested since the screen was opened; nil: that of the options.
    private var asked: DisplayMode?
    /// See `KMSDisplay.Options`.
    private var lostFlips: Int
    /// How long the CPU takes to prepare a frame.
    private var preparing = Duration.zero
    private var arrangements = ArrangementCache()

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
        onScreen = OnScreen(time: clock.now)
        poller = try Poller()
        reader = ScreenReader(
            link: link, clock: clock, composeThread: composeThread, compositor: compositor, allocator: allocators.readBack,
            poller: poller, fenceTag: Tag.fence)
        try poller.watch(link.bell.number, tag: Tag.bell)
        try poller.watch(screen.device.number, tag: Tag.card)
        if let descriptor = hotPlug.descriptor { try poller.watch(descriptor.number, tag: Tag.hotPlug) }
    }

    /// The time from one blank to the next.
    private var interval: Duration {
        let refresh = screen.mode.mode.refresh
        return .nanoseconds(Int64(Int128(refresh.denominator) * 1_000_000_000 / Int128(refresh.numerator)))
    }

    /// How long a flip may take before recovery: three blanks, but at least 100 ms.
    private var patience: Duration { max(interval * 3, .milliseconds(100)) }

    private var preparer: FramePreparer {
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
                case Tag.fence: reader.fenceSignalled(onScreen)
                case Tag.hotPlug: if hotPlug.readConcernsCards() { connectorsChanged() }
                default: break
                }
            }
        }
        reader.fail()
        phase = .idle
        screen.restore()
        onScreen.frame = nil
        source = nil
    }

    private func take(_ mail: KMSLink.Mail) {
        if let box = mail.source { source = box.source }
        if mail.isAwake { wantsOpportunity = true }
        reader.add(mail.reads)
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
        guard let other = reader.deadline else { return own }
        return own.map { min($0, other) } ?? other
    }

    /// Performs one pending step.
    ///
    /// - Returns: false when there is nothing to do but wait.
    private func step() -> Bool {
        reader.expire()
        if reader.isReadingBack {
            guard case .flipping = phase else { return false }
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
            reader.answer(nil)
            guard clock.now >= retry, !isOff else { return false }
            comeBack()
            return true
        }
    }

    /// Starts to serve those who read the screen.
    ///
    /// - Returns: whether there were any.
    private func beginReading() -> Bool {
        switch reader.begin(onScreen, on: screen) {
        case .none: return false
        case .served: return true
        case .commit:
            let mode = screen.mode.mode
            var frame =
                onScreen.frame
                ?? Frame(
                    scene: VisibleScene(Scene(wantedTime: clock.now), width: mode.width, height: mode.height, on: screen.device),
                    target: clock.now)
            frame.isRepeat = true
            commit(frame)
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
        let known = onScreen.frame?.preparedLayers ?? [:]
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

    private func arrangement(for scene: VisibleScene) -> Arrangement {
        arrangements.arrangement(for: scene, on: screen, preparer: preparer, rungs: options.rungs)
    }

    /// Tries a scene again after `descend`.
    private func retry(_ frame: Frame) {
        prepare(Frame(scene: frame.scene, target: frame.target, isRepeat: frame.isRepeat))
    }

    // MARK: Flips

    /// Commits a frame to the kernel.
    private func commit(_ frame: Frame) {
        var frame = frame
        token += 1
        let readInto = reader.makeBuffer(for: screen)
        let verdict: KMSScreen.Verdict
        let fence: FileDescriptor?
        do {
            (verdict, fence) = try screen.commit(
                frame.pictures, background: frame.scene.scene.background, token: token, readInto: readInto)
        } catch {
            (verdict, fence) = (.refused(error.code), nil)
        }
        let now = clock.now
        switch verdict {
        case .accepted:
            if !frame.isRepeat { link.note { $0.counters.commits += 1 } }
            if let readInto { reader.start(readInto, fence) }
            let planes = frame.pictures.count
            link.note { $0.attachedPlanes = planes }
            phase = .flipping(frame, deadline: now + patience)
        case .busy:
            let giveUp = frame.giveUp ?? now + patience
            frame.giveUp = giveUp
            if now >= giveUp { escape() } else { phase = .holding(frame, until: now + interval / 4) }
        case .refused where frame.isRepeat || readInto != nil:
            // A failed read-back must not cost the screen.
            reader.answer(nil)
            phase = frame.isRepeat ? .idle : .holding(frame, until: now)
        case .refused:
            if arrangements.descend(from: frame.scene) { retry(frame) } else { escape() }
        }
    }

    /// Reads the kernel's events: flips that have happened.
    private func readEvents() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(screen.device.number, &buffer, buffer.count)
        guard count > 0 else { return }
        buffer.withUnsafeBytes { bytes in
            var offset = 0
            while offset + MemoryLayout<drm_event>.size <= count {
                let head = bytes.loadUnaligned(fromByteOffset: offset, as: drm_event.self)
                guard head.length >= UInt32(MemoryLayout<drm_event>.size) else { break }
                if head.type == UInt32(DRM_EVENT_FLIP_COMPLETE), offset + MemoryLayout<drm_event_vblank>.size <= count {
                    let event = bytes.loadUnaligned(fromByteOffset: offset, as: drm_event_vblank.self)
                    let nanoseconds = Int64(event.tv_sec) * 1_000_000_000 + Int64(event.tv_usec) * 1000
                    flipped(token: event.user_data, at: clock.instant(ofMonotonic: nanoseconds), sequence: event.sequence)
                }
                offset += Int(head.length)
            }
        }
    }

    private func flipped(token: UInt64, at time: HostTime, sequence: UInt32) {
        // The event of an abandoned commit carries an old token.
        guard token == self.token, case .flipping(let frame, _) = phase else { return }
        if lostFlips > 0 {
            lostFlips -= 1
            return
        }
        let last = lastFlip?.sequence ?? UInt64(sequence)
        // The event holds the lower 32 bits of a counter.
        let number = UInt64(Int64(last) + Int64(Int32(bitPattern: sequence &- UInt32(truncatingIfNeeded: last))))
        lastFlip = (time, number)
        onScreen.frame = frame
        phase = .idle
        if !frame.isRepeat {
            onScreen.serial += 1
            onScreen.time = time
            reader.forgetPicture()
            link.note { $0.counters.flips += 1 }
            source?.didPresent(
                Flip(
                    time: time, sequence: number, wantedTime: frame.scene.scene.wantedTime,
                    frameTime: frame.scene.scene.video?.frame.time))
            // A card without real blanks reports flips at once: do not ask for the next scene before its time.
            if wantsOpportunity, time < frame.target - interval / 2 { phase = .waiting(until: frame.target) }
        }
        reader.flipped(onScreen)
    }

    /// A flip did not come, or the kernel refuses everything: drops all pending work and sets the mode again.
    private func escape() {
        link.note { $0.counters.timeouts += 1 }
        reader.abandon()
        guard screen.output.isConnected else { return lose() }
        do {
            try screen.reset(wanted: asked ?? options.mode)
        } catch {
            return lose()
        }
        screenIsNew()
    }

    /// Off: disables the output. On: restores it, as after a lost screen.
    private func setPower(_ isOn: Bool) {
        guard isOff == isOn else { return }
        isOff = !isOn
        if isOn { return comeBack() }
        reader.fail()
        token += 1
        screen.switchOff()
        onScreen.frame = nil
        reader.forgetPicture()
        lastFlip = nil
        phase = .lost(retry: clock.now)
    }

    /// A cable may have been plugged or unplugged: checks the connectors.
    private func connectorsChanged() {
        if isOff { return }
        if case .lost = phase { return comeBack() }
        if !screen.output.isConnected { lose() }
    }

    /// The screen was lost. Disables the planes so that their memory can be freed.
    private func lose() {
        reader.fail()
        token += 1
        _ = try? screen.commit([], background: .black, token: token, readInto: nil)
        onScreen.frame = nil
        reader.forgetPicture()
        lastFlip = nil
        // Hot-plug events may be lost too (a receiver that was switched through), so look again from time to time.
        phase = .lost(retry: clock.now + .seconds(2))
        source?.displayDidChange(nil)
    }

    /// Tries to show pictures again after the screen was lost.
    private func comeBack() {
        do {
            try screen.reset(wanted: asked ?? options.mode)
        } catch {
            phase = .lost(retry: clock.now + .seconds(2))
            return
        }
        screenIsNew()
        source?.displayDidChange(screen.mode.mode)
    }

    private func screenIsNew() {
        arrangements = ArrangementCache()
        onScreen.frame = nil
        reader.forgetPicture()
        lastFlip = nil
        token += 1
        let mode = screen.mode.mode
        let rates = screen.refreshRates
        link.note {
            $0.mode = mode
            $0.refreshRates = rates
        }
        wantsOpportunity = true
        phase = .idle
    }

    // MARK: The screen

    /// Sets another refresh rate, or with nil the initial one. A screen that is off or lost gets it when it comes back.
    private func setRefresh(_ rate: Ratio?) {
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
        reader.fail()
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
