import LinuxSupport
import MediaModel
import MediaTime

/// The window's thread: takes its events, asks the source, uploads, draws. It waits in the desktop's events, and in the call that shows a picture where that
/// waits for the screen.
///
/// After each picture the source is asked for that of the next blank which can still be met. A picture is shown just behind the blank before its own where the
/// desktop waits for the screen, and at its own blank where nothing waits.
final class WindowLoop {
    /// What the loop tells others. The window's thread.
    struct Listener: Sendable {
        var input: @Sendable (WindowInput) -> Void
        /// The viewer closes the window.
        var close: @Sendable () -> Void
    }
    private struct Frame {
        let scene: Scene
        let prepared: WindowPainter.Prepared
        let target: HostTime
        /// The size for which it was made.
        let mode: DisplayMode
    }
    private enum Phase {
        /// The source has nothing new.
        case idle
        /// Until the source is asked: `ifWoken` if it has been woken.
        case waiting(until: HostTime, ifWoken: HostTime)
        /// Until a picture is shown.
        case holding(Frame, until: HostTime)
        /// The screen is switched off.
        case off
    }
    /// A window that is being resized keeps its size this long before pictures are made for it.
    private static let settling = Duration.milliseconds(150)
    /// The pointer is hidden when it has rested so long.
    private static let pointerRest = Duration.seconds(1)
    /// How long a picture for which there is no memory waits.
    private static let memoryPause = Duration.milliseconds(500)

    private let port: any WindowPort
    private let link: WindowLink
    private let clock: RealClock
    private let listener: Listener
    private let painter: WindowPainter
    private weak var source: (any PresentationSource)?
    private var phase = Phase.idle
    private var plan = OpportunityPlan()
    private var blanks = WindowBlanks()
    private var mode: DisplayMode
    private var shown: Frame?
    private var serial: UInt64 = 0
    /// How long the last pictures took to prepare.
    private var preparing = Duration.zero
    /// When the size of the window becomes that of the screen.
    private var settles: HostTime?
    private var pointerHides: HostTime?
    private var isVisible = true
    private var needsRedraw = false

    init(_ port: any WindowPort, link: WindowLink, clock: RealClock, listener: Listener) {
        self.port = port
        self.link = link
        self.clock = clock
        self.listener = listener
        painter = WindowPainter(port)
        mode = Self.mode(of: port)
        link.note { [mode, now = clock.now, facts = port.facts] board in
            board.mode = mode
            board.facts = facts
            board.shown = SceneCapture.Shown(scene: Scene(wantedTime: .zero), time: now, serial: 0)
        }
        link.listen(port.ring)
    }

    private static func mode(of port: any WindowPort) -> DisplayMode {
        let size = port.size
        return DisplayMode(width: max(size.width, 16), height: max(size.height, 16), refresh: port.refresh)
    }

    private var interval: Duration {
        .nanoseconds(Int64(Int128(mode.refresh.denominator) * 1_000_000_000 / Int128(mode.refresh.numerator)))
    }

    /// How long showing a picture may take: three blanks, but at least 100 ms.
    private var patience: Duration { max(interval * 3, .milliseconds(100)) }

    /// Runs until the display is stopped, then closes the window.
    func run() {
        while true {
            let mail = link.collect()
            if mail.isStopped { break }
            take(mail)
            while step() {}
            var event = port.nextEvent(within: deadline.map { max($0 - clock.now, .zero) })
            while let next = event {
                take(next)
                event = port.nextEvent(within: .zero)
            }
        }
        source = nil
        shown = nil
        phase = .off
        link.note { $0.shown = nil }
        link.listen(nil)
        port.close()
    }

    // MARK: What comes in

    private func take(_ mail: WindowLink.Mail) {
        if let box = mail.source {
            source = box.source
            blanks = WindowBlanks(port.show(), interval: interval)
            link.note { [facts = port.facts] in $0.facts = facts }
            // A desktop may give a window another size than it asks for.
            sizeMayHaveChanged()
        }
        if mail.isAwake { plan.wake() }
        if let isPowered = mail.isPowered { setPower(isPowered) }
    }

    private func take(_ event: WindowEvent) {
        switch event {
        case .input(let input):
            if case .motion = input {
                if pointerHides == nil { port.showPointer(true) }
                pointerHides = clock.now + Self.pointerRest
            }
            listener.input(input)
        case .close: listener.close()
        case .toggleFullScreen: port.toggleFullScreen()
        case .resized: sizeMayHaveChanged()
        case .exposed: needsRedraw = true
        case .texturesLost:
            painter.forgetTextures()
            startAnew()
        case .visible(let isSeen):
            isVisible = isSeen
            needsRedraw = isSeen
        case .bell: break
        }
    }

    /// The screen is another one, or what was on it is lost: the source must give a scene.
    private func startAnew() {
        shown = nil
        plan.demandScene()
        if case .off = phase { return }
        phase = .idle
    }

    private func setPower(_ isOn: Bool) {
        if case .off = phase {
            guard isOn else { return }
            port.allowSleep(false)
            phase = .idle
            startAnew()
            link.note { [now = clock.now, serial] in
                $0.shown = SceneCapture.Shown(scene: Scene(wantedTime: now), time: now, serial: serial)
            }
            source?.displayDidChange(mode)
        } else {
            guard !isOn else { return }
            phase = .off
            shown = nil
            serial += 1
            link.note { $0.shown = nil }
            painter.show(nil, fit: fit(of: mode))
            painter.forgetTextures()
            port.allowSleep(true)
            source?.displayDidChange(nil)
        }
    }

    // MARK: The size

    private func sizeMayHaveChanged() {
        needsRedraw = true
        settles = Self.mode(of: port) == mode ? nil : clock.now + Self.settling
    }

    /// The size has not changed for a while: pictures are made for it.
    private func settle() {
        settles = nil
        let new = Self.mode(of: port)
        guard new != mode else { return }
        if new.refresh != mode.refresh { blanks = WindowBlanks() }
        mode = new
        link.note { $0.mode = new }
        // Until it comes, the last scene is shown in the new size.
        plan.demandScene()
        if case .off = phase { return }
        phase = .idle
        source?.displayDidChange(new)
    }

    private func fit(of mode: DisplayMode) -> CanvasFit {
        let size = port.size
        return CanvasFit(width: mode.width, height: mode.height, windowWidth: size.width, windowHeight: size.height)
    }

    // MARK: Pictures

    /// When the loop must wake even without an event.
    private var deadline: HostTime? {
        let own: HostTime? =
            switch phase {
            case .idle, .off: nil
            case .waiting(let until, let ifWoken): plan.isWoken ? ifWoken : until
            case .holding(_, let until): until
            }
        return [own, settles, pointerHides].compactMap(\.self).min()
    }

    /// Performs one pending step.
    ///
    /// - Returns: false when there is nothing to do but wait, and after each picture, so that events are taken between two.
    private func step() -> Bool {
        let now = clock.now
        if let settles, now >= settles { settle() }
        if let pointerHides, now >= pointerHides {
            self.pointerHides = nil
            port.showPointer(false)
        }
        switch phase {
        case .off:
            redraw()
            return false
        case .idle:
            redraw()
            guard plan.isWanted, source != nil else { return false }
            waitToAsk(from: now)
            return true
        case .waiting(let until, let ifWoken):
            redraw()
            guard now >= (plan.isWoken ? ifWoken : until) else { return false }
            ask()
            return true
        case .holding(let frame, let until):
            guard now >= until else { return false }
            show(frame)
            return false
        }
    }

    /// Shows the picture again in a window whose content was lost or whose size has changed. A picture that is held will do so itself.
    private func redraw() {
        guard needsRedraw else { return }
        needsRedraw = false
        if isVisible { painter.show(shown?.prepared, fit: fit(of: shown?.mode ?? mode)) }
    }

    private func waitToAsk(from earliest: HostTime) {
        let question = plan.nextQuestion(at: earliest, blanks: blanks.timeline, interval: interval, preparing: preparing)
        phase = .waiting(until: question, ifWoken: earliest)
    }

    /// Asks the source for the scene of the next blank that can still be met.
    private func ask() {
        guard let source, plan.isWanted else { return phase = .idle }
        let (now, interval) = (clock.now, interval)
        let last = blanks.timeline.lastBlank(at: now, interval: interval)
        let count = OpportunityPlan.blanksNeeded(after: now - last.time, interval: interval, preparing: preparing)
        let opportunity = plan.opportunity(count, after: last, interval: interval)
        plan.beginAsking()
        let answer = source.answer(to: opportunity)
        plan.take(answer)
        if let scene = answer.scene {
            prepare(scene, for: opportunity.targetTime)
        } else if plan.isWanted {
            waitToAsk(from: opportunity.targetTime + OpportunityPlan.margin)
        } else {
            phase = .idle
        }
    }

    private func prepare(_ scene: Scene, for target: HostTime) {
        let start = clock.now
        do throws(MediaError) {
            let prepared = try painter.prepare(scene, width: mode.width, height: mode.height)
            preparing = max(clock.now - start, preparing * 7 / 8)
            link.note { $0.counters.commits += 1 }
            let isAhead = port.waitsForScreen && isVisible
            phase = .holding(
                Frame(scene: scene, prepared: prepared, target: target, mode: mode),
                until: isAhead ? target - interval + OpportunityPlan.margin : target)
        } catch {
            // There is no memory: the last picture stays.
            plan.demandScene()
            let next = clock.now + Self.memoryPause
            phase = .waiting(until: next, ifWoken: next)
        }
    }

    private func show(_ frame: Frame) {
        let start = clock.now
        if isVisible { painter.show(frame.prepared, fit: fit(of: frame.mode)) }
        needsRedraw = false
        let now = clock.now
        let waited = port.waitsForScreen && isVisible && now - start > interval / 8
        let blank = blanks.shown(for: frame.target, at: now, waited: waited, interval: interval)
        plan.sceneWasShown()
        shown = frame
        serial += 1
        let isLate = now - start > patience
        link.note { [serial] board in
            board.counters.flips += 1
            if isLate { board.counters.timeouts += 1 }
            board.shown = SceneCapture.Shown(scene: frame.scene, time: blank.time, serial: serial)
        }
        phase = .idle
        source?.didPresent(
            Flip(
                time: blank.time, sequence: blank.number, wantedTime: frame.scene.wantedTime,
                frameTime: frame.scene.video?.frame.time))
        if plan.isWanted { waitToAsk(from: max(now, blank.time + OpportunityPlan.margin)) }
    }
}
