import Captions
import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// Draws the interface: what `Drawing` gives to the box.
@MainActor
package protocol InterfaceDrawing: AnyObject {
    /// Draws a state and hands its layers over, on the main loop. A newer state may take the place of one that waits.
    func update(_ state: PresentationState, _ then: @escaping @MainActor @Sendable ([InterfaceLayer]) -> Void)
    /// What lies behind everything in a state.
    func background(for state: PresentationState) -> OpaqueColour
    /// The screen has another mode.
    func displayChanged(_ mode: DisplayMode)
    /// The picture that came with the stream itself, or none.
    func setEmbeddedArtwork(_ bytes: [UInt8]?)
    /// Draws these captions from now on, in a layer of their own.
    func showCaptions(_ cues: [CaptionCue], language: String?)
    /// How the viewer wants captions to look.
    func setCaptionStyle(_ style: CaptionStyle)
    /// Brings the small pictures of what plays, whose references `Appliance.thumbnailTime` understands; nil: there are none.
    func setThumbnails(_ provider: (any ThumbnailProviding)?)
}

extension InterfaceDrawing {
    package func showCaptions(_ cues: [CaptionCue], language: String?) {}
    package func setCaptionStyle(_ style: CaptionStyle) {}
}

/// The parts that the box is joined from.
@MainActor
package struct ApplianceParts {
    /// Time.
    package var clock: any HostClock
    /// Plays.
    package var player: Player
    /// The engines, for assets.
    package var services: PlaybackServices
    /// Draws the interface.
    package var drawing: any InterfaceDrawing
    /// Where viewers left things.
    package var places: any PlaceStore
    /// The log.
    package var log: LogBook
    /// The account of the run, where one is wanted.
    package var dump: EventDump?
    /// The viewer's languages, best first (BCP 47).
    package var languages: [String]
    /// The wall clock where it can be trusted.
    package var wallClock: @MainActor () -> FeedDate?
    /// What the box is given for its viewers.
    package var viewer = ViewerParts()
    /// Keeps the logs of playbacks, where somebody does.
    package var sessionLogs: (any SessionLogStore)?
    /// Makes who brings small pictures of an item: from the BIF file that its feed names, else from its stream.
    package var makeThumbnails: (@MainActor (_ bif: String?, _ url: String, _ duration: MediaTime) -> (any ThumbnailProviding)?)?

    /// Joins the parts.
    package init(
        clock: any HostClock, player: Player, services: PlaybackServices, drawing: any InterfaceDrawing, places: any PlaceStore,
        log: LogBook, dump: EventDump? = nil, languages: [String] = ["en"],
        wallClock: @escaping @MainActor () -> FeedDate? = { nil }
    ) {
        self.clock = clock
        self.player = player
        self.services = services
        self.drawing = drawing
        self.places = places
        self.log = log
        self.dump = dump
        self.languages = languages
        self.wallClock = wallClock
    }
}

/// The box as a whole: the feed, what plays, what the viewer sees and may do.
///
/// It owns the interface's state machine and stands between it and the player: events in, effects carried out, in
/// order. It lives on the main loop, and everything that asks something of the box comes in at its one door (`CommandDoor`).
@MainActor
package final class Appliance: CommandDoor, StatusPublishing {
    /// How a programme that nothing follows ended.
    package enum Outcome: Sendable, Equatable {
        /// It was played to its end.
        case ended
        /// It could not be played.
        case failed(MediaError)
        /// The viewer left it.
        case left
    }

    /// The reference under which the picture inside a stream is drawn.
    package static let embeddedArtwork = "embedded:artwork"

    /// Told when a programme is over and nothing follows by itself.
    package var onOutcome: (@MainActor (Outcome) -> Void)?
    /// Told of each change of what is on the screen besides video.
    package var onInterfaceChanged: (@MainActor () -> Void)?
    /// Whether an item that cannot be played gives way to the next of the feed by itself, as in a queue.
    package var movesOnAfterFailure = false
    /// The first error of the run that was given up for.
    package internal(set) var firstFailure: MediaError?
    let parts: ApplianceParts
    let sessionLogs = SessionLogs()
    let thumbnails = ItemThumbnails()
    var machine: InterfaceMachine
    private(set) var feed: Feed?
    var programme: Programme? {
        didSet { if programme?.id != oldValue?.id { onProgrammeChanged?(programme?.id) } }
    }
    /// Told of the id of what is played from now on; nil: nothing.
    package var onProgrammeChanged: (@MainActor (String?) -> Void)?
    /// See `Appliance+BoxScreens`.
    var boxScreens = BoxScreens()
    var setUpActions: [RemoteKey: @MainActor () -> Void] = [:]
    var leftOut: Set<String> = []
    /// What is being gone on with, until it is seen; see `resume`.
    var resuming: Session?
    let choices: RememberedChoices
    var memory = ViewerMemory()
    var streamIndex = 0
    var lastError: MediaError?
    var position: MediaTime?
    /// See `Appliance+Snapshot`.
    var offered: OfferedChoices?
    /// Pictures are wanted again, and none is on the screen yet.
    var awaitsPicture = false
    /// What the player was given to go on with.
    var following: FollowingProgramme?
    /// What could not be opened when its turn was about to come.
    var unplayable: Set<String> = []
    var soundRelease: ScheduledEvent?
    /// How loud channels were when they were left, in LUFS.
    var channelLoudness: [String: Double] = [:]
    /// What the box makes room for.
    var interruption = Interruption()
    private var timers: [InterfaceTimer: ScheduledEvent] = [:]
    private var waiting: [InterfaceEvent] = []
    private var isHandling = false
    /// The machine's state when it was shown last.
    private var lastState: PresentationState
    /// Events are collected and not handled: several are one.
    private var isHolding = false
    private var answer: CommandResult?
    /// What the operator and the box have set of the interface.
    var policy: InterfacePolicy { didSet { send(.policyChanged(policy)) } }
    /// Why the box has paused what plays; forgotten once the viewer presses anything.
    var holdCause: HoldCause?

    /// Puts the box together. Nothing is on the screen until a feed is applied or something is opened.
    package init(parts: ApplianceParts, policy: InterfacePolicy = InterfacePolicy()) {
        self.parts = parts
        choices = RememberedChoices(parts.viewer.choices)
        self.policy = policy
        machine = InterfaceMachine(policy: policy)
        lastState = machine.state
        parts.player.onEvent = { [weak self] in self?.take($0) }
        followCaptions()
        followInterstitials()
        followMetadata()
        parts.services.sink.onDeviceChange = { [weak self] in self?.soundDeviceChanged(isPresent: $0) }
        restoreViewer()
        show()
    }

    // MARK: What plays

    /// Takes a feed into use: Home offers it from now on. What is playing goes on.
    package func apply(_ feed: Feed) {
        self.feed = feed
        programme = programme?.renewed(in: feed)
        var policy = policy
        policy.snapBack = SnapBack(rawValue: feed.policy.snapBack.rawValue) ?? .first
        policy.canSkipInterstitials = feed.policy.skippableAds
        policy.navigation = StandardNavigationPolicy(snapBack: policy.snapBack, canSkipInterstitials: feed.policy.skippableAds)
        parts.log.note("feed \(feed.id ?? "without id"): \(feed.channels.count) channels, \(feed.items.count) items")
        policy.asksAfter = feed.policy.idleAskAfterHours.map { .nanoseconds($0.nanoseconds * 3600) }
        policy.hasHome = !policy.isKiosk || startsByItself == nil
        self.policy = policy
        tellHome()
        updateFollowing()
    }

    /// Plays what an id of the feed stands for.
    ///
    /// - Returns: false when there is no such thing, or nothing to play under it now.
    @discardableResult
    package func open(id: String) -> Bool {
        guard let programme = programme(of: id) else { return false }
        open(programme)
        return true
    }

    /// Plays a programme from where it was left, or from its beginning.
    package func open(_ programme: Programme) {
        guard !passes(over: programme), !asksPIN(for: programme) else { return }
        if resuming?.id != programme.id { resuming = nil }
        forgetFollowing()
        unplayable = []
        rememberLoudness()
        self.programme = programme
        streamIndex = 0
        lastError = nil
        position = nil
        memory.speed = .one
        parts.log.note("open \(programme.id)")
        parts.dump?.note("open", isURL(programme) ? "url" : programme.id)
        parts.drawing.setEmbeddedArtwork(nil)
        thumbnails.close(parts.drawing)
        // The machine hears of the item before it hears of the player: what the player tells of the old item's end would be taken for a
        // place to be kept. It seeks to where the item begins (a resume place, an ad that is owed) once there is something that can be sought.
        isHolding = true
        send(.itemChanged(present(programme, source: nil)))
        parts.player.replaceCurrentItem(with: nil)
        applySound(memory.settings)
        load(at: nil)
        isHolding = false
        handleWaiting()
    }

    func present(_ programme: Programme, source: SourceDescription?) -> ItemPresentation {
        var presentation = presentations.presentation(
            of: programme, source: source, metadata: source == nil ? nil : currentMetadata)
        if let place = resuming?.place { presentation.resume = place }
        if source != nil, let line = presentedLine { presentation.subtitle = line }
        addChoices(to: &presentation)
        thumbnails.add(to: &presentation)
        // The interface moves on by itself where there is something to move on to.
        if movesOnAfterFailure, let feed, programme.following(in: feed) != nil { presentation.isInQueue = true }
        return presentation
    }

    /// More is known of what plays.
    func streamIsKnownBetter() {
        guard let programme, let source = parts.player.currentItem?.description else { return }
        send(.itemUpdated(present(programme, source: source)))
    }

    private func load(at place: MediaTime?) {
        guard let programme, streamIndex < programme.urls.count else { return }
        let item = makeItem(of: programme, stream: streamIndex, at: place)
        item.owedInterstitial = (resuming?.place ?? presentations.presentation(of: programme, source: nil).resume)?.debt
        parts.player.replaceCurrentItem(with: item)
        // What an error card tells a viewer to read out: the log of this playback is found by it.
        policy.session = currentLog.map { String($0.sessionID.prefix(8)) }
        parts.player.play()
    }

    /// Leaves the player: nothing plays any more.
    func leave() {
        resuming = nil
        forgetFollowing()
        rememberLoudness()
        programme = nil
        position = nil
        parts.player.replaceCurrentItem(with: nil)
        parts.player.endRefreshMatching()
        send(.itemChanged(nil))
        tellHome()
        letGoOfSound()
        onOutcome?(lastError.map { .failed($0) } ?? .left)
    }

    var presentations: Presentations {
        let limit = memory.settings.parentalAge.map { ParentalLimit(age: $0) } ?? parts.viewer.parentalLimit
        return Presentations(
            feed: feed, languages: languages, places: parts.places, strings: machine.policy.strings, listings: memory.listings,
            limit: limit)
    }

    // MARK: The door

    package func handle(_ event: RemoteEvent) -> CommandResult {
        parts.dump?.note("key", "\(event.key.rawValue) \(event.phase.rawValue) \(event.device)")
        holdCause = nil
        resuming?.isPaused = false
        if event.phase == .press { viewerPressed(event.key) }
        // What was pressed before the screen came is let go of all the same.
        if boxScreens.setUp != nil, event.phase != .release { return handleSetUp(event) }
        return ask(.key(event))
    }

    package func perform(_ command: RemoteCommand, from origin: String) -> CommandResult {
        parts.dump?.note("command", "\(command) from \(origin)")
        if case .open(let id) = command {
            let result: CommandResult = open(id: id) ? .success : .failed(.unknownID)
            parts.dump?.note("answer", result.description)
            return result
        }
        if let result = announce(command) { return result }
        viewerAsked(command, from: origin)
        return ask(.command(command, origin: origin))
    }

    private func ask(_ event: InterfaceEvent) -> CommandResult {
        answer = nil
        send(event)
        let result = answer ?? .failed(.notSupported)
        parts.dump?.note("answer", result.description)
        if case .failed(let reason) = result { parts.log.note("refused: \(reason.rawValue)") }
        return result
    }

    // MARK: Published state

    package var nowPlaying: NowPlaying {
        let state = machine.state
        let presentation = programme.map { presentations.presentation(of: $0, source: parts.player.currentItem?.description) }
        guard let presentation else { return NowPlaying(state: .home, hostTime: parts.clock.now) }
        let asset = position.map { _ in parts.player.currentTime }
        let duration = parts.player.currentItem?.duration?.time ?? presentation.duration
        let mode: NowPlaying.State =
            switch snapshot.state {
            case .loading: .loading
            case .ready, .paused: .paused
            case .playing: .playing
            case .waiting: .buffering
            case .ended: .ended
            case .failed: .failed
            }
        return NowPlaying(
            state: mode, id: presentation.id, title: presentation.title, subtitle: presentedLine ?? presentation.subtitle,
            elapsed: asset.map { presentation.timeline.contentTime(at: $0) },
            duration: duration.map { presentation.timeline.contentTime(at: $0) }, assetTime: asset,
            rate: mode == .playing ? parts.player.state.rate : .zero, interstitialLabel: state.interstitialLabel,
            requiresLinearPlayback: machine.requiresLinearPlayback, error: lastError, hostTime: parts.clock.now)
    }

    // MARK: Events in

    /// Hands an event to the machine, and carries out its effects before the next is handed in.
    func send(_ event: InterfaceEvent) {
        waiting.append(event)
        if !isHolding { handleWaiting() }
    }

    private func handleWaiting() {
        guard !isHandling else { return }
        isHandling = true
        let before = machine.stateNumber
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            for effect in machine.handle(next, at: parts.clock.now) { carryOut(effect) }
        }
        isHandling = false
        // What has changed and changed back is as it was.
        if machine.stateNumber != before, machine.state != lastState {
            lastState = machine.state
            show()
            updateFollowing()
        }
    }

    func show() {
        let state = boxScreens.over(machine.state)
        parts.dump?.note(state)
        let mode = parts.services.display.mode
        let frame = state.video.frame
        let video = frame.isEmpty ? nil : Self.scale(frame, to: mode)
        let background = parts.drawing.background(for: state)
        parts.drawing.update(state) { [weak self] layers in
            self?.parts.player.scheduler.setInterface(layers, video: video, background: background)
        }
        onInterfaceChanged?()
    }

    private static func scale(_ rect: PixelRect, to mode: DisplayMode) -> PixelRect {
        let screen = Metrics.screen
        return PixelRect(
            x: rect.x * mode.width / screen.width, y: rect.y * mode.height / screen.height,
            width: rect.width * mode.width / screen.width, height: rect.height * mode.height / screen.height)
    }

    private func take(_ event: PlayerEvent) {
        switch event {
        case .state(let state):
            parts.dump?.note("state", EventDump.text(of: state))
            stateChanged(state)
        case .frame(let record):
            parts.dump?.note(record)
            position = record.time
            awaitsPicture = false
            send(.playback(snapshotOfFrame))
            resumed()
        case .position(let time):
            position = time
            send(.playback(snapshot))
            resumed()
        case .audioRun(let time): parts.dump?.note("audio", "asset=\(time)")
        case .seekCompleted(let landed, let finished):
            parts.dump?.note("seek-completed", "landed=\(landed) finished=\(finished)")
        case .reachedBoundary(let time):
            parts.dump?.note("boundary", "asset=\(time)")
            send(.reachedBoundary(time))
        case .didPlayToEnd:
            parts.dump?.note("end")
            parts.log.note("played to the end")
            // The machine has heard of the end by the state; what it offers now decides whether something follows by itself.
            // A queue tells its end itself; and where something was opened at the end, that is what plays now.
            let isOver = parts.player.state.isAtEnd && programme?.queue == nil
            if isOver, machine.state.proposal?.countdown == nil, next == nil { onOutcome?(.ended) }
        case .soundChangeFailed: send(.toast(machine.policy.strings.text(.audioUnavailable)))
        case .captionsFailed: send(.toast(machine.policy.strings.text(.noSubtitles)))
        case .newAccessLogEntry, .newErrorLogEntry, .sessionEnded: take(log: event)
        case .currentItem, .itemSkipped: take(queue: event)
        case .display(let mode): displayChanged(mode)
        }
    }

    func stateChanged(_ state: PlayerState) {
        switch state.itemStatus {
        case .readyToPlay:
            if let programme, let source = parts.player.currentItem?.description {
                parts.drawing.setEmbeddedArtwork(source.artwork.first)
                openThumbnails(of: programme, source: source)
                send(.itemUpdated(present(programme, source: source)))
                // Before it was ready nobody knew whether it can be played at another speed.
                if memory.speed != .one, state.rate == .one { playAtSpeed() }
                if state.isReadyForDisplay || parts.player.currentItem?.videoTrack == nil { readMetadata() }
            }
        case .failed(let error):
            parts.log.note(error.description)
            forgetFollowing()
            // Several streams are fail-over in order, not qualities.
            if let programme, streamIndex + 1 < programme.urls.count {
                streamIndex += 1
                parts.log.note("trying stream \(streamIndex + 1) of \(programme.urls.count)")
                return load(at: position)
            }
            lastError = error
            firstFailure = firstFailure ?? error
            if next == nil { onOutcome?(.failed(error)) }
        case .unknown, nil: break
        }
        send(.playback(snapshot))
        if case .readyToPlay = state.itemStatus { updateFollowing() }
    }

    /// Tells the interface how the player stands, while there is something that plays.
    func tellPlayback() { if programme != nil { send(.playback(snapshot)) } }

    /// What was watched of the interstitials of what plays, on other days too.
    var watchedInterstitials: Set<String> { programme.map { Set(parts.places.watchedInterstitials(of: $0.id)) } ?? [] }

    // MARK: Effects out

    private func carryOut(_ effect: InterfaceEffect) {
        let player = parts.player
        switch effect {
        case .answer(let result): answer = result
        case .seek(let id, let time, let tolerance): seek(id, to: time, tolerance)
        case .play: playAtSpeed()
        case .pause: player.pause()
        case .scan(let rate): scan(at: rate)
        case .setForwardBoundary(let time): player.setForwardBoundary(time)
        case .skipInterstitial: player.skipInterstitial()
        case .open(let id):
            guard !open(id: id) else { return }
            send(.itemChanged(nil))
            send(.notify(.sourceMissing))
        case .leavePlayer: leave()
        case .playNext(let id, let isAutomatic):
            parts.dump?.note("next", "\(id) automatic=\(isAutomatic)")
            let key = selectionKey
            if !open(id: id) { open(Programme(.url(id))) }
            carrySelection(from: key)
        case .playNextInQueue: playNextInQueue()
        case .retry(let time):
            streamIndex = 0
            lastError = nil
            load(at: time)
        case .arm(let timer, let instant):
            timers[timer]?.cancel()
            timers[timer] = parts.clock.schedule(at: instant, rank: .timer) { [weak self] in
                self?.timers[timer] = nil
                self?.send(.timer(timer))
            }
        case .cancel(let timer): timers.removeValue(forKey: timer)?.cancel()
        case .willPresent(let range): parts.dump?.note("will-present", range.id)
        case .didPresent(let range, let how): parts.dump?.note("did-present", "\(range.id) \(how.rawValue)")
        case .watched(let interstitial):
            if let programme { parts.places.markWatched(interstitial: interstitial, of: programme.id) }
        case .savePlace(let id, let place):
            parts.dump?.note("place", "\(place.map { EventDump.text(of: $0) } ?? "none")")
            parts.places.save(place, of: id)
            noteEpisode(id, place: place)
        case .selectAudio, .selectSubtitles, .setCaptionStyle: carryOutSelection(effect)
        case .standby, .wake, .changeVolume, .setSpeed, .setVideoFit, .presentVideo, .showCaptionsForReplay, .saveSettings,
            .checkPIN, .savePINFailures, .unlock, .readFacts, .deleteStore, .factoryReset, .speak:
            carryOutViewer(effect)
        }
    }
}
