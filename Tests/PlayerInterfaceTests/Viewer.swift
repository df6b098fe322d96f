import BoxModel
import LinuxSupport
import MediaModel
import MediaTime

@testable import Screens
@testable import Shell
@testable import Viewing

/// A machine, a tiny player that does what the machine requests, and a clock: a simulated viewer at a box.
///
/// The player shows 25 frames a second, takes `seekLatency` for a seek, stops at the boundary, and reports all of it to the machine.
struct Viewer {
    var machine: InterfaceMachine
    var now = HostTime(nanoseconds: 1_000_000_000)
    var timers: [InterfaceTimer: HostTime] = [:]
    /// Every effect, in order.
    var effects: [InterfaceEffect] = []
    /// Asset time of each shown frame, and whether playback was linear.
    var shown: [(position: MediaTime, isLinear: Bool)] = []

    /// Asset time of the last frame that was shown or sought.
    var lastShown = MediaTime.zero

    // The player.
    var duration: MediaTime?
    var position: MediaTime?
    var isPlaying = false
    var isStalled = false
    var failure: MediaError?
    /// A failure that a retry does not end.
    var failsAlways = false
    var hasEnded = false
    var boundary: MediaTime?
    var isHeld = false
    var seek: (id: SeekID, target: MediaTime, tolerance: SeekTolerance, done: HostTime)?
    var seekLatency = Duration.milliseconds(80)
    var seekable: [TimeRange] = []
    var options = MediaOptions()
    var speeds: [Ratio] = [.one]
    var hasVideo = true
    /// Separately fetched interstitials, and the player's state for its position.
    var beside: [Interstitial] = []
    var besideAds: [InterstitialStatus] = []
    var presented: InterstitialStatus?
    var canPlayFast = false
    var canPlayBackward = false
    /// It is one picture.
    var isStill = false
    /// The rate of the scan in progress.
    var scanRate: Ratio?
    /// Time passes, but no pictures arrive.
    var showsNothing = false
    /// What the PIN protects.
    var locked: Set<String> = []
    /// The PIN in force if there is one.
    var pin = Self.rightPIN
    /// What the box knows about programmes; of others as much as their posters.
    var details: [String: Details] = [:]
    static let rightPIN = "2468"
    /// The wireless networks; nil: what happens to them is told by the test.
    var wireless: WirelessStatus?
    static let rightPassphrase = Passphrase("12345678")

    /// What the machine was last told of the player.
    private var told: PlaybackSnapshot?

    static let frame = MediaTime(1, 25)
    static let step = Duration.milliseconds(40)

    init(policy: InterfacePolicy = InterfacePolicy()) {
        machine = InterfaceMachine(policy: policy)
    }

    /// A viewer some way into an item that plays, idle for long enough that no transient state is left.
    init(watching item: ItemPresentation, at start: Int64 = 0, policy: InterfacePolicy = InterfacePolicy()) {
        self.init(policy: policy)
        open(item)
        run(.milliseconds(200))
        press(.ok)  // pause …
        press(.ok)  // … and resume: most tests do not test the idle rule of the first key
        run(.seconds(6))
        if start > 0 { place(.seconds(start)) }
        effects = []
        shown = []
    }

    /// A programmatic seek, completed at once.
    mutating func place(_ time: MediaTime) {
        position = time
        lastShown = time
        isHeld = false
        hasEnded = false
        send(.seekCompleted(.programmatic, landed: time, finished: true))
        tell()
        effects = []
    }

    var state: PresentationState { machine.state }

    // MARK: Reports to the machine

    @discardableResult
    mutating func send(_ event: InterfaceEvent) -> [InterfaceEffect] {
        let new = QuietCheck.handle(event, at: now, by: &machine)
        effects += new
        for effect in new { carryOut(effect) }
        return new
    }

    mutating func open(_ item: ItemPresentation) {
        duration = item.duration
        position = nil
        hasEnded = false
        failure = nil
        isHeld = false
        seek = nil
        send(.itemChanged(item))
    }

    mutating func changePolicy(_ change: (inout InterfacePolicy) -> Void) {
        var policy = machine.policy
        change(&policy)
        send(.policyChanged(policy))
    }

    mutating func tell() {
        let snapshot = snapshot
        told = snapshot
        send(.playback(snapshot))
    }

    /// Tells what has changed at a tick, and what has not changed five times a second.
    private mutating func tellTick() {
        if snapshot != told || now.nanoseconds % 200_000_000 == 0 { tell() }
    }

    private var snapshot: PlaybackSnapshot {
        let playState: PlaybackSnapshot.State =
            if let failure {
                .failed(failure)
            } else if position == nil, presented == nil {
                .loading
            } else if hasEnded {
                .ended
            } else if isStalled || seek != nil && isPlaying {
                .waiting
            } else {
                isPlaying ? .playing : .paused
            }
        var snapshot = PlaybackSnapshot(
            state: playState, position: position, rate: playState == .playing ? .one : .zero,
            loadedRanges: position.map { [TimeRange(start: $0, duration: .seconds(20))] } ?? [], seekableRanges: seekable,
            duration: duration.map { .finite($0) }, hasVideo: hasVideo, options: options, speeds: speeds,
            canPlayFast: canPlayFast)
        snapshot.interstitials = beside
        snapshot.frames =
            hasVideo && !isStill ? PlaybackSnapshot.Frames(period: Self.frame, canPlayBackward: canPlayBackward) : nil
        snapshot.presented = presented
        return snapshot
    }

    /// A radio that joins at once: protected networks with one passphrase only.
    private mutating func answer(_ request: WirelessRequest) {
        guard var status = wireless else { return }
        switch request {
        case .watch, .scan: return
        case .giveUp: status.attempt = nil
        case .forget(let id):
            for index in status.networks.indices where status.networks[index].id == id {
                (status.networks[index].isKnown, status.networks[index].isConnected) = (false, false)
            }
        case .join(let id, let passphrase):
            guard let index = status.networks.firstIndex(where: { $0.id == id }) else {
                status.attempt = WirelessAttempt(network: id, name: "", step: .failed(.notFound))
                break
            }
            let network = status.networks[index]
            let isLetIn = network.security == .open || network.isKnown || passphrase == Self.rightPassphrase
            status.attempt = WirelessAttempt(
                network: id, name: network.name,
                step: isLetIn ? .connected : .failed(passphrase == nil ? .passphraseMissing : .passphraseRefused))
            guard isLetIn else { break }
            for other in status.networks.indices { status.networks[other].isConnected = other == index }
            status.networks[index].isKnown = true
        }
        wireless = status
        send(.wirelessChanged(status))
    }

    /// The player has finished a separately fetched interstitial.
    mutating func endPresented(_ how: InterstitialOutcome) {
        guard let over = presented else { return }
        presented = nil
        if let target = over.target { position = target }
        send(.interstitialEnded(id: over.interstitial.id, how: how))
        tell()
    }

    private mutating func carryOut(_ effect: InterfaceEffect) {
        switch effect {
        case .seek(let id, let target, let tolerance):
            if let given = seek {
                seek = nil
                send(.seekCompleted(given.id, landed: position ?? .zero, finished: false))
            }
            seek = (id, target, tolerance, now + seekLatency)
            isHeld = false
        case .play: (isPlaying, scanRate) = (true, nil)
        case .pause: (isPlaying, scanRate) = (false, nil)
        case .scan(let rate): (isPlaying, scanRate) = (rate != nil, rate)
        case .step(let count):
            let target = max(.zero, (position ?? .zero) + Self.frame * count)
            (position, isPlaying) = (target, false)
            show()
            send(.seekCompleted(.programmatic, landed: target, finished: true))
        case .setForwardBoundary(let time):
            boundary = time
            isHeld = false
        case .arm(let timer, let deadline): timers[timer] = deadline
        case .cancel(let timer): timers[timer] = nil
        case .retry(let place):
            if !failsAlways { failure = nil }
            isPlaying = true
            position = nil
            seek = nil
            _ = place
        case .leavePlayer:
            position = nil
            isPlaying = false
        case .skipInterstitial: presented = nil
        case .presentVideo(let isWanted):
            hasVideo = isWanted
            tell()
        case .selectSubtitles(let choice): options.subtitleChoice = choice
        case .selectAudio(let id): options.selectedAudio = id
        case .selectAngle(let id): options.selectedAngle = id
        case .checkPIN(let digits): send(.pinChecked(digits == pin))
        case .savePIN(let digits):
            pin = digits ?? Self.rightPIN
            changePolicy { $0.hasPIN = digits != nil }
        case .open(let id) where id == machine.policy.lipSyncFilm:
            open(ItemPresentation(id: id) { $0.requiresLinearPlayback = true })
        case .open(let id) where locked.contains(id):
            send(.locked(HomeContent.Entry(id: id, title: "Locked"), rating: "R"))
        case .unlock(let id): locked.remove(id)
        case .describe(let id):
            let poster = machine.context.parts.home.entry(id).map { Details.programme(ProgrammeDetails(entry: $0)) }
            send(.described(id: id, details[id] ?? poster))
        case .wireless(let request): answer(request)
        case .openFromBeginning, .forgetPlace, .setInList, .setReminder, .answer, .open, .playNext, .playNextInQueue,
            .tell,
            .watched,
            .savePlace, .standby, .wake,
            .changeVolume, .setSpeed, .setVideoFit, .setCaptionDelay, .showCaptionsForReplay, .saveSettings, .saveSearches,
            .savePINFailures, .readFacts, .readSignal,
            .deleteStore, .carryOut, .firstRun, .playTone, .navigationSound, .speak, .setCaptionStyle, .forgetPhones:
            break
        }
    }

    // MARK: Time

    /// Lets time pass: timers and frames in the order of their instants.
    mutating func run(_ length: Duration) {
        let end = now + length
        while true {
            let tick = HostTime(nanoseconds: (now.nanoseconds / 40_000_000 + 1) * 40_000_000)
            let timer = timers.min { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
            let next = min(tick, max(now, timer?.value ?? tick))
            guard next <= end else { break }
            now = next
            if let timer, timer.value <= now {
                timers[timer.key] = nil
                send(.timer(timer.key))
            } else {
                playerTick()
            }
        }
        now = end
    }

    /// Lets a long time pass without frames. Expired timers fire at its end.
    mutating func pass(_ length: Duration) {
        now = now + length
        run(.milliseconds(200))
    }

    private mutating func playerTick() {
        guard machine.stage.viewing.played.item != nil, failure == nil, !isStalled else {
            if machine.stage.viewing.played.item != nil { tellTick() }
            return
        }
        if var now = presented {
            guard isPlaying else { return tellTick() }
            now.elapsed += Self.frame
            now.assetElapsed = now.elapsed
            now.assetDuration = now.duration
            presented = now
            if let duration = now.duration, now.elapsed >= duration { return endPresented(.completed) }
            return tell()
        }
        if let done = seek {
            guard now >= done.done else { return tell() }
            seek = nil
            let last = duration.map { max(.zero, $0 - Self.frame) } ?? done.target
            position = min(done.target, last)
            hasEnded = false
            show()
            send(.seekCompleted(done.id, landed: position ?? .zero, finished: true))
            if duration.map({ done.target >= $0 }) == true, isPlaying { hasEnded = true }
            return tell()
        }
        guard let at = position else {
            position = .zero
            show()
            return tell()
        }
        guard isPlaying, !hasEnded, !isHeld, !showsNothing else { return tellTick() }
        let next = max(.zero, at + (scanRate.map { Self.frame.scaled(by: $0) } ?? Self.frame))
        if let index = besideAds.firstIndex(where: { $0.interstitial.time > at && $0.interstitial.time <= next }) {
            presented = besideAds.remove(at: index)
            return tell()
        }
        if let boundary, at < boundary, next >= boundary {
            isHeld = true
            send(.reachedBoundary(boundary))
            return
        }
        if let duration, next >= duration {
            hasEnded = true
            return tell()
        }
        position = next
        show()
        tell()
    }

    private mutating func show() {
        guard let position else { return }
        shown.append((position, machine.requiresLinearPlayback))
        lastShown = position
    }

    // MARK: Remote control

    /// Presses and releases a key. Returns the answer to the release for Left and Right, otherwise to the press.
    @discardableResult
    mutating func press(_ key: RemoteKey, for length: Duration = .milliseconds(40)) -> CommandResult? {
        let pressed = Self.answer(in: down(key))
        run(length)
        let released = Self.answer(in: up(key))
        return pressed == .success ? released : pressed
    }

    @discardableResult
    mutating func down(_ key: RemoteKey, sendsReleases: Bool = true) -> [InterfaceEffect] {
        send(.key(RemoteEvent(key: key, phase: .press, time: now, device: "test", sendsReleases: sendsReleases)))
    }

    @discardableResult
    mutating func up(_ key: RemoteKey) -> [InterfaceEffect] {
        send(.key(RemoteEvent(key: key, phase: .release, time: now, device: "test")))
    }

    @discardableResult
    mutating func command(_ command: RemoteCommand) -> CommandResult? {
        Self.answer(in: send(.command(command, origin: "web")))
    }

    static func answer(in effects: [InterfaceEffect]) -> CommandResult? {
        for case .answer(let result) in effects { return result }
        return nil
    }

    // MARK: Results

    /// Targets of the exact seeks.
    var exactSeeks: [MediaTime] {
        effects.compactMap { if case .seek(_, let target, .zero) = $0 { target } else { nil } }
    }

    /// The told quarters of interstitials, such as `a1 25`.
    var quarters: [String] {
        effects.compactMap {
            if case .tell(.interstitial(let shown, .reached(let percent))) = $0 { "\(shown.id) \(percent)" } else { nil }
        }
    }

    /// `will a1`, `did a1 completed`, in order.
    var presentations: [String] {
        effects.compactMap { effect in
            switch effect {
            case .tell(.interstitial(let range, .began)): "will \(range.id)"
            case .tell(.interstitial(let range, .ended(let how))): "did \(range.id) \(how.rawValue)"
            default: nil
            }
        }
    }

    /// The last saved position.
    var savedPlace: SavedPlace?? {
        var last: SavedPlace??
        for case .savePlace(_, let place) in effects { last = .some(place) }
        return last
    }
}

extension InterfaceMachine {
    /// The content time of the search for a place, while there is one.
    var searchContent: MediaTime? { stage.viewing.seeking.search?.content }
}

/// Items for tests.
enum Items {
    /// A minute and a half of content with an advertisement of 10 s at 20 s and one at 60 s of asset time.
    static func episode(
        interstitials: [Interstitial]? = nil, watched: Set<String> = [], markers: [NavigationMarker] = chapters,
        proposal: ProposalPresentation? = nil,
        duration: Int64 = 110, resume: SavedPlace? = nil, isInQueue: Bool = false
    ) -> ItemPresentation {
        ItemPresentation(id: "e1") {
            $0.title = "Pilot"
            $0.subtitle = "S1 E1"
            $0.summary = "It begins."
            $0.genre = "Comedy"
            $0.rating = "PG"
            $0.badges = ["HD"]
            $0.artwork = "art"
            $0.duration = .seconds(duration)
            $0.interstitials = interstitials ?? [ad("a1", 20), ad("a2", 60)]
            $0.watchedInterstitials = watched
            $0.markers = markers
            $0.proposal = proposal
            $0.resume = resume
            $0.isInQueue = isInQueue
        }
    }

    static func ad(
        _ id: String, _ start: Int64, _ length: Int64 = 10, kind: Interstitial.Kind = .ad, linear: Bool? = nil,
        skip: Interstitial.SkipControl? = nil, repetition: Interstitial.Repetition = .once, onResume: Bool = false
    ) -> Interstitial {
        Interstitial(
            id: id, range: TimeRange(start: .seconds(start), duration: .seconds(length)), kind: kind, isLinear: linear,
            skip: skip, repetition: repetition, playsOnResume: onResume)
    }

    /// One beside the stream.
    static func beside(
        _ id: String, _ place: Int64, occupied: Int64 = 0, linear: Bool = true, highlighted: Bool = true,
        skip: Interstitial.SkipControl? = nil
    ) -> Interstitial {
        let event = Interstitial.Event(
            time: .seconds(place), assets: .asset(url: id), timelineOccupancy: occupied > 0 ? .fill : .singlePoint,
            isHighlighted: highlighted, plannedDuration: .seconds(occupied))
        return Interstitial(
            id: id, event: event, restrictions: linear ? .requiresPlaybackAtPreferredRateForAdvancement : [], skip: skip)
    }

    static let chapters = [
        NavigationMarker(kind: .chapter, start: .zero, title: "Opening"), NavigationMarker(kind: .chapter, start: .seconds(40)),
        NavigationMarker(kind: .chapter, start: .seconds(80), title: "The end"),
    ]

    /// The same without advertisements.
    static let plain = episode(interstitials: [])

    static let home = HomeContent(
        title: "Acme",
        rows: [
            .init(
                id: "new", title: "New",
                entries: [.init(id: "e1", title: "Pilot"), .init(id: "e2", title: "Second"), .init(id: "m1", title: "Film")]),
            .init(id: "none", title: "Nothing", entries: []),
            .init(
                id: "live", title: "Channels",
                entries: [.init(id: "c1", title: "News", number: 1), .init(id: "c2", title: "Loop", number: 2)]),
        ])
}
