import Glibc
import LinuxSupport
import MediaModel
import MediaTime

/// The display's thread: asks the source, commits, handles flips. It waits in its own epoll and never for another thread.
///
/// One commit is pending at a time and contains the whole change. After each flip the source is asked for the scene of the next
/// blank that can still be met. Whatever misses its deadline is recovered by setting the mode again.
final class KMSLoop {
    private struct Tag {
        static let bell: UInt64 = 0, card: UInt64 = 1, fence: UInt64 = 2, hotPlug: UInt64 = 3
    }

    private let screen: any ScanOutScreen
    private let link: KMSLink
    private let clock: RealClock
    private let poller: Poller
    private let hotPlug = HotPlugMonitor()
    private let reader: ScreenReader

    private weak var source: (any PresentationSource)?
    private var phase = ScreenPhase.idle
    private var ahead = FrameAhead.notAsked
    private var plan = OpportunityPlan()
    private var onScreen: OnScreen
    private var blanks = BlankTimeline()
    private var preparation: ScenePreparation
    /// That of the newest commit.
    private var token: UInt64 = 0
    /// The screen was switched off: it does not come back automatically.
    private var isOff = false
    private var setting: ScreenSetting
    /// How often the mode was set again since the last flip.
    private var recoveries = 0
    private var returnPace = ReturnPace()
    /// When the connectors are read again, after they could not be read.
    private var nextLook: HostTime?

    init(
        screen: any ScanOutScreen, link: KMSLink, clock: RealClock, composeThread: WorkerThread, memory: DisplayMemory,
        options: KMSDisplay.Options
    ) throws(SystemError) {
        self.screen = screen
        self.link = link
        self.clock = clock
        setting = ScreenSetting(options.mode, link: link)
        onScreen = OnScreen(time: clock.now)
        poller = try Poller()
        let compositor = Compositor()
        preparation = ScenePreparation(
            link: link, clock: clock, composeThread: composeThread, compositor: compositor, memory: memory,
            rungs: options.rungs, converter: options.converter)
        reader = ScreenReader(
            link: link, clock: clock, composeThread: composeThread, compositor: compositor, allocator: memory.readBack,
            converter: options.converter, poller: poller, fenceTag: Tag.fence, rotation: screen.rotation)
        try poller.watch(link.bell.number, tag: Tag.bell)
        try poller.watch(screen.eventDescriptor, tag: Tag.card)
        if let descriptor = hotPlug.descriptor { try poller.watch(descriptor.number, tag: Tag.hotPlug) }
    }

    /// The time from one blank to the next.
    private var interval: Duration {
        let refresh = screen.displayMode.refresh
        return .nanoseconds(Int64(Int128(refresh.denominator) * 1_000_000_000 / Int128(refresh.numerator)))
    }

    /// A screen that shows nothing after its mode was set again this often is lost: it is tried again at intervals.
    private static let mostRecoveries = 5
    /// How long a still picture for which there is no memory waits.
    private static let memoryPause = Duration.milliseconds(500)

    /// How long a flip may take before recovery: three blanks, but at least 100 ms.
    private var patience: Duration { max(interval * 3, .milliseconds(100)) }

    /// Runs until the display is stopped, then restores the screen as it was found.
    func run() {
        var hasMail = true
        while true {
            if hasMail {
                let mail = link.collect()
                if mail.isStopped { break }
                take(mail)
                hasMail = false
            }
            while step() {}
            for tag in poller.wait(timeout: deadline.map { max($0 - clock.now, .zero) }) {
                switch tag {
                case Tag.bell: hasMail = true
                case Tag.card: screen.readFlips { flipped($0) }
                case Tag.fence: reader.fenceSignalled(onScreen)
                case Tag.hotPlug: if hotPlug.readConcernsCards() { connectorsReported() }
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
        if mail.isAwake { plan.wake() }
        reader.add(mail.reads)
        if mail.connectorsChanged { connectorsReported() }
        if let isPowered = mail.isPowered { setPower(isPowered) }
        if let signal = mail.signal { setSignal(signal) }
        for prepared in mail.prepared { take(prepared) }
    }

    /// When the loop must wake even without an event.
    private var deadline: HostTime? {
        let own = isOff ? nil : phase.deadline(isWoken: plan.isWoken)
        return [own, reader.deadline, nextLook].compactMap(\.self).min()
    }

    /// Performs one pending step.
    ///
    /// - Returns: false when there is nothing to do but wait.
    private func step() -> Bool {
        reader.expire()
        if let nextLook, clock.now >= nextLook { checkConnectors() }
        if reader.isReadingBack {
            guard case .flipping = phase else { return false }
        }
        switch phase {
        case .idle:
            guard plan.isWanted, source != nil else { return beginReading() }
            waitToAsk(from: clock.now)
            return true
        case .waiting(let until, let ifWoken):
            // Before the question: a source with a scene for each blank must not keep readers waiting.
            if beginReading() { return true }
            guard clock.now >= (plan.isWoken ? ifWoken : until) else { return false }
            ask()
            return true
        case .preparing: return false
        case .holding(let frame, let until):
            guard clock.now >= until else { return false }
            commit(frame)
            return true
        case .flipping(let frame, let deadline):
            guard clock.now >= deadline else { return askAhead(behind: frame) }
            // This thread may have been late itself: look for the event first.
            screen.readFlips { flipped($0) }
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
            var frame =
                onScreen.frame
                ?? SceneFrame(preparation.visible(Scene(wantedTime: clock.now), on: screen), target: clock.now)
            frame.isRepeat = true
            commit(frame)
            return true
        }
    }

    /// Waits until the source is asked: in time for the first blank for which it may have something.
    ///
    /// - Parameter earliest: it is not asked before.
    private func waitToAsk(from earliest: HostTime) {
        let question = plan.nextQuestion(at: earliest, blanks: blanks, interval: interval, preparing: preparation.estimate)
        phase = .waiting(until: question, ifWoken: earliest)
    }

    /// Asks the source for the scene of the next blank that can still be met.
    private func ask() {
        guard let source, plan.isWanted else { return phase = .idle }
        let (now, interval) = (clock.now, interval)
        let last = lastBlank(now)
        let count = OpportunityPlan.blanksNeeded(after: now - last.time, interval: interval, preparing: preparation.estimate)
        let (scene, target) = answer(of: source, count, after: last)
        if let scene {
            // Another signal makes the screen new: the source is asked again.
            if !changesSignal(for: scene) { prepare(SceneFrame(preparation.visible(scene, on: screen), target: target)) }
        } else if plan.isWanted {
            waitToAsk(from: target + OpportunityPlan.margin)
        } else {
            phase = .idle
        }
    }

    /// The source's scene for a blank that is counted from the last one, if it has something new, and when that blank is.
    private func answer(
        of source: any PresentationSource, _ count: Int64, after last: (time: HostTime, sequence: UInt64)
    ) -> (scene: Scene?, target: HostTime) {
        let opportunity = plan.opportunity(count, after: last, interval: interval)
        plan.beginAsking()
        let answer = source.answer(to: opportunity)
        plan.take(answer)
        return (answer.scene, opportunity.targetTime)
    }

    /// Asks the source for the scene behind one that waits for its flip, if the CPU takes long to prepare it.
    ///
    /// - Returns: whether it was asked.
    private func askAhead(behind frame: SceneFrame) -> Bool {
        guard case .notAsked = ahead, preparation.isSlow(interval), plan.isWanted, let source, !frame.isRepeat,
            !reader.hasRequests, !setting.awaitsPicture
        else { return false }
        let now = clock.now
        let last = lastBlank(now)
        let count = plan.countAhead(
            of: frame.target, at: now, after: last.time, interval: interval, preparing: preparation.estimate)
        guard let count else { return false }
        ahead = .nothing
        let (scene, target) = answer(of: source, count, after: last)
        guard let scene else { return true }
        let next = SceneFrame(preparation.visible(scene, on: screen), target: target)
        ahead = FrameAhead(preparation.start(next.scene, on: screen, known: frame.preparedLayers), of: next)
        return true
    }

    /// Goes on with the scene behind the one that was flipped.
    private func takeAhead() {
        switch ahead {
        case .notAsked, .nothing: break
        case .preparing(let frame, let job): phase = .preparing(frame, job: job)
        case .ready(let frame): commitWhenDue(frame)
        case .failed: skip()
        }
        ahead = .notAsked
    }

    /// The last vertical blank: from the kernel, or extrapolated from the last flip.
    private func lastBlank(_ now: HostTime) -> (time: HostTime, sequence: UInt64) {
        if let (nanoseconds, sequence) = screen.lastBlank() { return (clock.instant(ofMonotonic: nanoseconds), sequence) }
        return blanks.lastBlank(at: now, interval: interval)
    }

    private func prepare(_ frame: SceneFrame) {
        switch preparation.start(frame.scene, on: screen, known: onScreen.frame?.preparedLayers ?? [:]) {
        case .ready(let pictures, let layers): commitWhenDue(frame.with(pictures, layers))
        case .pending(let job): phase = .preparing(frame, job: job)
        case .failed: skip()
        case .unfit:
            setting.planesFailed()
            setModeAgain()
        }
    }

    private func take(_ prepared: KMSLink.Prepared) {
        if ahead.take(prepared) { return preparation.took(prepared.took) }
        guard case .preparing(let frame, prepared.job) = phase else { return }
        preparation.took(prepared.took)
        guard case .success(let (pictures, layers)) = prepared.result else { return skip() }
        commitWhenDue(frame.with(pictures, layers))
    }

    /// There was no memory for a frame: the current picture stays for one more blank, then the source is asked again.
    private func skip() {
        let next = clock.now + (plan.isWanted ? interval : Self.memoryPause)
        plan.demandScene()
        phase = .waiting(until: next, ifWoken: next)
    }

    /// Holds back a frame that is ready before the blank in front of its own, so that it is not shown early. A driver without blanks shows it at once.
    private func commitWhenDue(_ frame: SceneFrame) {
        let earliest = (blanks.hasBlanks ? frame.target - interval : frame.target) + OpportunityPlan.margin
        phase = .holding(frame, until: max(clock.now, earliest))
    }

    // MARK: Flips

    /// Commits a frame to the kernel.
    private func commit(_ frame: SceneFrame) {
        var frame = frame
        token += 1
        let readInto = reader.makeBuffer(for: screen)
        let verdict: CommitVerdict
        let fence: FileDescriptor?
        do {
            (verdict, fence) = try screen.commit(
                frame.pictures, background: frame.scene.background, token: token, readInto: readInto)
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
        case .refused(EACCES), .refused(EPERM):
            // Another program has taken the card: the arrangement is not to blame.
            escape()
        case .refused:
            guard preparation.descend(from: frame.scene) else { return escape() }
            prepare(SceneFrame(frame.scene, target: frame.target, isRepeat: frame.isRepeat))
        }
    }

    private func flipped(_ flip: CompletedFlip) {
        // The event of an abandoned commit carries an old token.
        guard flip.token == token, case .flipping(let frame, _) = phase else { return }
        recoveries = 0
        setting.flipped()
        let time = clock.instant(ofMonotonic: flip.nanoseconds)
        let number = blanks.flipped(at: time, sequence: flip.sequence, interval: interval)
        onScreen.frame = frame
        phase = .idle
        if !frame.isRepeat {
            plan.sceneWasShown()
            onScreen.serial += 1
            onScreen.time = time
            reader.forgetPicture()
            link.note { $0.counters.flips += 1 }
            source?.didPresent(
                Flip(
                    time: time, sequence: number, wantedTime: frame.scene.scene.wantedTime,
                    frameTime: frame.scene.scene.video?.frame.time))
            // The first flip of a driver without blanks comes before its time: do not ask for the next scene before that.
            if plan.isWanted, time < frame.target - interval / 2 { waitToAsk(from: frame.target) }
        }
        reader.flipped(onScreen)
        takeAhead()
    }

    /// A flip did not come, or the kernel refuses everything: drops all pending work and sets the mode again.
    private func escape() {
        link.note { $0.counters.timeouts += 1 }
        reader.abandon()
        recoveries += 1
        guard screen.condition != .absent else { return lose(retry: clock.now) }
        if setting.flipFailed(at: clock.now, recoveries: recoveries) { recoveries = 0 }
        guard recoveries <= Self.mostRecoveries else { return lose(retry: clock.now + ReturnPace.longest) }
        setModeAgain()
    }

    /// Sets the mode of a screen that is there, and shows the picture again.
    private func setModeAgain() {
        let (mode, signal) = (screen.displayMode, screen.signal)
        do {
            try setting.apply(to: screen, at: clock.now)
        } catch {
            return lose(retry: clock.now + returnPace.pause())
        }
        screenIsNew()
        if screen.displayMode != mode || screen.signal != signal { source?.displayDidChange(screen.sceneMode) }
    }

    /// Off: disables the output. On: restores it, as after a lost screen.
    private func setPower(_ isOn: Bool) {
        guard isOff == isOn else { return }
        isOff = !isOn
        if isOn { return comeBack() }
        reader.fail()
        token += 1
        screen.switchOff()
        blackOut(retry: clock.now)
    }

    /// A cable may have been plugged or unplugged.
    private func connectorsReported() {
        returnPace.hurry()
        checkConnectors()
    }

    /// Reads the connectors, and does what follows.
    private func checkConnectors() {
        nextLook = nil
        if isOff { return }
        if case .lost = phase { return comeBack() }
        switch screen.condition {
        case .same: break
        case .changed:
            setting.screenChanges()
            reader.abandon()
            setModeAgain()
        // There may be a screen on another connector.
        case .absent: lose(retry: clock.now)
        // No reason to take the picture away, but the event must not be forgotten.
        case .unknown: nextLook = clock.now + returnPace.pause()
        }
    }

    /// The screen was lost. Disables the planes so that their memory can be freed.
    private func lose(retry: HostTime) {
        reader.fail()
        setting.screenChanges()
        token += 1
        _ = try? screen.commit([], background: .black, token: token, readInto: nil)
        blackOut(retry: retry)
    }

    /// From now on nothing of ours is on the screen, and the source knows it.
    private func blackOut(retry: HostTime) {
        onScreen.frame = nil
        ahead = .notAsked
        reader.forgetPicture()
        blanks = BlankTimeline()
        let wasLost = if case .lost = phase { true } else { false }
        phase = .lost(retry: retry)
        if !wasLost { source?.displayDidChange(nil) }
    }

    /// Tries to show pictures again after the screen was lost.
    private func comeBack() {
        do {
            try setting.apply(to: screen, at: clock.now)
        } catch {
            // Its planes are disabled again: a flip that was pending at the loss was in the way.
            return lose(retry: clock.now + returnPace.pause())
        }
        returnPace.hurry()
        screenIsNew()
        source?.displayDidChange(screen.sceneMode)
    }

    private func screenIsNew() {
        preparation.forget()
        onScreen.frame = nil
        ahead = .notAsked
        reader.forgetPicture()
        blanks = BlankTimeline()
        token += 1
        let mode = screen.sceneMode
        let rates = setting.usable(of: screen.refreshRates)
        let (offered, current) = (setting.usable(of: preparation.ranges(of: screen)), screen.signal?.range)
        link.note {
            $0.mode = mode
            $0.refreshRates = rates
            ($0.range.offered, $0.range.current) = (offered, current)
        }
        plan.demandScene()
        phase = .idle
    }

    // MARK: The screen

    /// Takes another refresh rate and another range. A screen that is off or lost gets them when it comes back.
    private func setSignal(_ mail: KMSLink.Signal) {
        let isNow = setting.take(mail, mode: screen.displayMode)
        if isOff { return }
        if case .lost = phase { return }
        if isNow { _ = setWantedSignal() }
    }

    /// The first picture of an item in a high range brings the signal with it.
    ///
    /// - Returns: whether the screen is another one now.
    private func changesSignal(for scene: Scene) -> Bool {
        guard let frame = scene.video?.frame else { return false }
        // In the same range the last picture of the item before may still be shown.
        let isShown = screen.signal != nil && frame.pixels === onScreen.frame?.scene.scene.video?.frame.pixels
        if isShown { return false }
        let wanted = setting.mode
        guard setting.arrives(frame, shows: { preparation.shows(scene, in: $0, wanted: wanted, on: screen) }) else {
            return false
        }
        if setWantedSignal() { return true }
        if link.notice.range.refusal != nil { source?.displayDidChange(screen.sceneMode) }
        return false
    }

    /// Sets the mode and the range that are wanted, unless they are set.
    ///
    /// - Returns: whether the screen is another one now, or lost.
    private func setWantedSignal() -> Bool {
        if setting.isInForce(on: screen) { return false }
        reader.fail()
        do {
            try setting.apply(to: screen, at: clock.now)
        } catch {
            lose(retry: clock.now + returnPace.pause())
            return true
        }
        screenIsNew()
        source?.displayDidChange(screen.sceneMode)
        return true
    }
}
