import BoxModel
import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import ProgrammeGuide
import Screens
import Shell
import Viewing

/// The box as viewers see it: the feed, what plays, and what is on the screen.
///
/// It connects the interface's state machine and the player: it passes events in and carries out effects, in order. Each concern has a type with its
/// own state; this type joins them. It lives on the main loop. All requests to the box come through its `CommandDoor` conformance.
@MainActor
package final class Appliance: CommandDoor {
    /// The reference of the picture inside a stream.
    package static let embeddedArtwork = "embedded:artwork"

    package let events = EventSource<Event>()
    let parts: ApplianceParts
    let driver: InterfaceDriver
    let screen: Screen
    let viewer: ViewerKeeping
    let catalogue: Catalogue
    private let programmes: ProgrammePlayer
    private let plays: PlayRecorder
    let choices: MediaChoices
    private let sound: SoundKeeping
    private let pins: PINKeeping
    package let phones: PhoneKeeping
    package let wireless: WirelessAccess
    /// The amplifier on the television's bus.
    package var amplifier: AmplifierDoor { sound.amplifier }
    /// The outputs of sound; nil where there is nothing to choose.
    package var soundRoute: SoundRoute? { sound.outputs.route }
    private let snapshots: PlaybackSnapshots
    package let published: PublishedState
    private let standby: StandbyKeeping
    package let holds: HoldKeeping
    private let times: TimeKeeping
    private let guests: GuestKeeping
    let emergency: EmergencyKeeping
    private let commands: CommandKeeping
    /// What settings change while the box runs.
    package var rules: OperatorRules { OperatorRules(driver: driver, sound: sound, hours: times.hours) }
    let logs: PlaybackLogs
    private let transport: PlaybackCommands
    private var listening: [Subscription] = []

    /// Joins the parts. The screen stays empty until a feed is applied or something is opened.
    package init(parts: ApplianceParts, policy: InterfacePolicy = InterfacePolicy()) {
        self.parts = parts
        driver = InterfaceDriver(policy, clock: parts.clock)
        screen = Screen(parts, driver: driver, events: events)
        viewer = ViewerKeeping(parts)
        choices = MediaChoices(parts)
        sound = SoundKeeping(parts, driver: driver)
        catalogue = Catalogue(parts, driver: driver, viewer: viewer, remembered: choices.remembered)
        plays = PlayRecorder(parts)
        programmes = ProgrammePlayer(
            parts, driver: driver, catalogue: catalogue, viewer: viewer, choices: choices, sound: sound, plays: plays,
            events: events)
        wireless = WirelessAccess(parts, driver: driver)
        pins = PINKeeping(parts, driver: driver, viewer: viewer, programmes: programmes)
        phones = PhoneKeeping(parts, driver: driver)
        snapshots = PlaybackSnapshots(parts, choices: choices)
        published = PublishedState(parts, driver: driver, catalogue: catalogue, programmes: programmes, snapshots: snapshots)
        standby = StandbyKeeping(
            parts, driver: driver, programmes: programmes, catalogue: catalogue, events: events)
        holds = HoldKeeping(parts, isKiosk: policy.isKiosk)
        let hours = HoursKeeping(parts, driver: driver) { [catalogue] in catalogue.feed?.policy.hours }
        times = TimeKeeping(parts, hours: hours)
        guests = GuestKeeping(parts, driver: driver, viewer: viewer, sound: sound, keeps: [EmergencyKeeping.name])
        emergency = EmergencyKeeping(parts, driver: driver, screen: screen, standby: standby, holds: holds)
        commands = CommandKeeping(
            parts, driver: driver, programmes: programmes, sound: sound, holds: holds, guests: guests, emergency: emergency)
        logs = PlaybackLogs(parts)
        transport = PlaybackCommands(parts)
        (driver.delegate, holds.host) = (self, self)
        phones.isCovered = { [screen] in screen.takesKeys }
        commands.soundChanged = { [weak self] in self?.showCaptionsWhenMuted() }
        guests.onCheckOut = { [weak self] settings in
            self?.pins.save(nil)
            self?.phones.forget()
            self?.take(settings)
            self?.catalogue.tellHome()
        }
        hours.onOpening = { [weak self] in self?.opens() }
        catalogue.documents.onChange = { [weak self] in self?.programmes.tellPresentation() }
        plays.isScreenOff = { [weak self] in self?.isScreenOff ?? false }
        listening.append(parts.player.events.listen { [weak self] in self?.take($0) })
        listening.append(parts.services.sink.deviceChanges.listen { [weak self] in self?.soundDeviceChanged($0) })
        listening.append(events.listen { [weak self] in if case .programmeChanged = $0 { self?.armSchedule() } })
        restoreViewer()
        screen.show()
        emergency.restore()
    }

    /// Applies the viewer's stored settings.
    private func restoreViewer() {
        let (parts, viewer) = (parts, viewer)
        driver.changePolicy { policy in
            policy.hasPIN = viewer.pinDigest != nil
            policy.setsPIN = !viewer.hasOperatorPIN && !policy.isKiosk
            policy.hasVoice = parts.viewer.voice != nil
            policy.canReset = parts.viewer.canReset
            if policy.languages == ["en"] { policy.languages = parts.languages }
        }
        send(.settingsRestored(viewer.settings))
        sound.tellOutput(driver, viewer.settings)
        if viewer.pinFailures > 0 { send(.pinFailuresRestored(viewer.pinFailures)) }
        if driver.policy.isKiosk { searches.queries = [] }
        send(.searchesRestored(searches.queries))
        sound.apply(viewer.settings, channel: nil)
        viewer.applyOutside()
    }

    // MARK: Playback

    /// The first error that ended an item in this run.
    package var firstFailure: MediaError? { programmes.firstFailure }

    /// Whether an unplayable item is replaced by the next of the feed, as in a queue.
    package var movesOnAfterFailure: Bool {
        get { programmes.movesOnAfterFailure }
        set { programmes.movesOnAfterFailure = newValue }
    }

    /// Applies a feed, which Home shows from now on. The current item continues.
    package func apply(_ feed: Feed) {
        let isFirst = catalogue.feed == nil
        defer { if isFirst { guests.greet() } }
        catalogue.take(feed)
        parts.log.note("feed \(feed.id ?? "without id"): \(feed.channels.count) channels, \(feed.items.count) items")
        offerChanged()
        followTime()
    }

    /// Windows open and close, and schedules go on, with the time. A kiosk where nothing plays begins: its programme may be available now, or has ended.
    private func timePassed() {
        if catalogue.updateAvailability() { offerChanged() }
        let state = driver.machine.state
        let isOver = programmes.programme == nil || state.card?.kind == .end
        if isOver, state.screen != .standby, state.page == nil, state.pin == nil { startKiosk() }
    }

    /// The date, the feed or the hours have changed, or something else is due.
    private func followTime() {
        times.hours.follow()
        armSchedule()
        programmes.followSchedule(isPaused: isPausedByViewer)
    }

    private func armSchedule() {
        let awaited = driver.policy.isKiosk && programmes.programme == nil ? startsByItself : nil
        let id = programmes.programme?.schedule ?? awaited
        times.arm(id.flatMap { catalogue.feed?.channel($0) }) { [weak self] in
            if self?.programmes.programme == nil { self?.timePassed() }
            self?.followTime()
        }
    }

    /// The opening hours have begun, and the box was in standby.
    private func opens() {
        if programmes.programme == nil, let start = startsByItself { _ = programmes.open(id: start, by: .start) }
    }

    private func startKiosk() {
        if driver.policy.isKiosk, let start = startsByItself { open(id: start) }
    }

    /// Something else is available than before: a new feed, or a window that opened or closed.
    private func offerChanged() {
        guard let feed = catalogue.feed else { return }
        let wasPlaying = programmes.programme != nil
        programmes.feedChanged(to: feed)
        programmes.tellPresentation()
        let hasStart = startsByItself != nil
        driver.changePolicy { $0.follow(feed.policy, hasStart: hasStart, limit: parts.viewer.parentalLimit) }
        catalogue.tellHome()
        programmes.updateComing()
        // What played was withdrawn.
        if wasPlaying, programmes.programme == nil { startKiosk() }
    }

    /// Plays the item or channel with an id.
    ///
    /// - Returns: false if there is nothing playable with this id now.
    @discardableResult
    package func open(id: String) -> Bool { times.hours.keepsDark || programmes.open(id: id, by: .start) }

    /// Plays a programme from its saved position, or from its beginning.
    package func open(_ programme: Programme) { programmes.open(programme, by: .start) }

    /// Excludes these ids from playback, because they have crashed the box too often.
    package func leaveOut(_ ids: [String]) { programmes.leaveOut(ids) }

    /// Plays what needs no choice: the feed's start, or the only channel of a kiosk.
    package var startsByItself: String? {
        guard let feed = catalogue.feed else { return nil }
        return catalogue.start ?? (driver.policy.isKiosk && feed.channels.count == 1 ? feed.channels[0].id : nil)
    }

    /// The current playback as a session; nil if a restarted player could not find it in the feed. It is paused only if the viewer has paused it: what
    /// held playback when the player stopped may be over when it starts again.
    package func session(boot: String) -> Session? { programmes.session(boot: boot, isPaused: isPausedByViewer) }

    private var searches: RecentSearches { RecentSearches(parts.viewer.choices) }
    private var isPausedByViewer: Bool { driver.machine.isPausedByViewer && !holds.isHolding }

    /// Resumes a session. A paused session stays paused at its position.
    ///
    /// - Returns: false if the feed no longer contains it.
    @discardableResult
    package func resume(_ session: Session) -> Bool { times.hours.keepsDark || programmes.resume(session) }

    // MARK: Reports to the box

    /// A guide was read. It replaces an earlier one of the same address.
    package func takeGuide(_ listings: GuideListings, from address: String) { catalogue.take(listings, from: address) }

    /// Sets the time of day: seconds since local midnight, nil while it is unknown, and the changes of clocks around it. Without it the interface shows no clock times.
    package func tellWallClock(secondsSinceMidnight: Int?, changes: ClockChanges = ClockChanges()) {
        if let secondsSinceMidnight {
            send(.wallClock(secondsSinceMidnight: secondsSinceMidnight, changes: changes, day: parts.today))
        }
        timePassed()
        followTime()
        if let secondsSinceMidnight, catalogue.timeIs(secondsSinceMidnight: secondsSinceMidnight) {
            programmes.tellPresentation()
        }
    }

    /// What may be loaded over the network has changed. A stream goes on under the new rule from its place, also one that had to stop.
    package func networkRuleChanged() { programmes.reopenStream(isPaused: isPausedByViewer) }

    /// The machine has a network again, so that what waits for another try is tried now, or has none any more.
    package func networkChanged(isConnected: Bool) {
        parts.log.note(isConnected ? "the network is back" : "there is no network")
        send(.connectionChanged(isConnected: isConnected))
    }

    // MARK: The screen

    /// Whether nothing of the box can be seen: in standby, without a television, or while it shows another input.
    package var isScreenOff: Bool { isInStandby && !emergency.isOn || screen.isLost || holds.interruptions.contains(.otherInput) }
    package var isInStandby: Bool { standby.isOn }
    package var isScreenLost: Bool { screen.isLost }

    /// Shows a screen of the box instead of all others, or removes it with nil. While it is shown, only it receives keys.
    ///
    /// - Parameters:
    ///   - onSelect, onBack: called when OK, or Back, was pressed.
    package func showSetUp(
        _ view: SetUpView?, onSelect: (@MainActor () -> Void)? = nil, onBack: (@MainActor () -> Void)? = nil
    ) {
        if screen.setSetUp(view, actions: [.ok: onSelect, .back: onBack].compactMapValues { $0 }) { screen.show() }
    }

    /// Shows the errors in the box's settings over everything, or removes them with nil.
    package func showVerdict(_ view: VerdictView?) { if screen.setVerdict(view) { screen.show() } }
    /// Leads the viewer through the first run with these facts, or shows it with others.
    package func showFirstRun(_ facts: FirstRunFacts) { send(.firstRunChanged(facts)) }

    // MARK: Commands

    package func handle(_ event: RemoteEvent) -> CommandResult {
        parts.dump?.note(.key(event.key, event.phase, device: event.device))
        if emergency.isOn, event.phase != .release { return .failed(.emergency) }
        holds.keyChanged(event)
        programmes.keyChanged(event)
        // A key that was pressed before the screen appeared must still be released.
        if screen.takesKeys, event.phase != .release {
            driver.send(.viewerIsActive)
            let result = screen.handle(event, isRightToLeft: strings.isRightToLeft) { events.send(.asked(.saveReport)) }
            if result == .success, screen.takesKeys { screen.show() }
            return result
        }
        return screen.answering(event, number: { driver.machine.presentation.number }, with: { commands.ask(.key(event)) })
    }

    package func perform(_ command: RemoteCommand, from origin: String) -> CommandResult {
        perform(command, by: .viewer(device: origin))
    }

    // MARK: Events in

    private func take(_ event: PlayerEvent) {
        events.send(.player(event))
        parts.dump?.note(event: event)
        plays.willTake(event)
        defer { plays.didTake(event) }
        switch event {
        case .state(let state): stateChanged(state)
        case .frame(let record):
            logs.take(event)
            programmes.moved(to: record.time)
            send(.playback(snapshots.makeOfFrame(programmes.playing)))
            resumed()
        case .position(let time):
            programmes.moved(to: time)
            tellSnapshot()
            resumed()
        case .reachedBoundary(let time): send(.reachedBoundary(time))
        case .didPlayToEnd: programmes.ended()
        case .soundChangeFailed: send(.toast(strings.text(.audioUnavailable)))
        case .playsWithoutSound(let error): send(.toast(strings.text(.withoutSound(after: error))))
        case .captions(let cues): choices.show(cues)
        case .captionsFailed: send(.toast(strings.text(.noSubtitles)))
        case .newErrorLogEntry, .sessionEnded: logs.take(event)
        case .currentItem(let item): programmes.currentItemChanged(to: item)
        case .itemSkipped(let item, let error): programmes.skipped(item, error)
        case .display(let mode): displayChanged(mode)
        case .interstitial(let change): take(change)
        case .metadata(.passed(let passages)): passages.forEach { events.send(.viewing(.cue(StreamCue($0)))) }
        case .metadata: programmes.tellPresentation()
        case .audioRun, .seekCompleted, .newAccessLogEntry, .metric, .restartNeeded, .interstitialFrame: break  // Only recorded, or for other listeners.
        }
    }

    private func tellSnapshot() { send(.playback(snapshots.make(of: programmes.playing))) }

    /// Passes the player's state to the interface while there is an item.
    private func tellPlayback() { if programmes.playing != nil { tellSnapshot() } }

    private func resumed() { if let session = programmes.resumed() { holds.resumed(session) } }

    private func stateChanged(_ state: PlayerState) {
        sound.tellOutput(driver, viewer.settings)
        switch state.itemStatus {
        case .readyToPlay: isReady(state)
        case .failed(let error): if programmes.failed(error) { return }
        case .unknown, nil: break
        }
        tellSnapshot()
        emergency.playerChanged()
        if case .readyToPlay = state.itemStatus { programmes.updateComing() }
    }

    private func isReady(_ state: PlayerState) {
        guard let playing = programmes.playing, let source = parts.player.currentItem?.description else { return }
        let tell: @MainActor @Sendable () -> Void = { [weak programmes] in programmes?.tellPresentation() }
        catalogue.openPictures(of: playing.programme, source, whenKnown: tell)
        programmes.streamIsOpen()
        showCaptionsWhenMuted()
        // The possible speeds are known only when the item is ready.
        if playing.speed != .one, state.rate == .one { transport.play(at: playing.speed) }
        if state.isReadyForDisplay || parts.player.currentItem?.videoTrack == nil { catalogue.readMetadata(whenKnown: tell) }
    }

    private func take(_ change: InterstitialChange) {
        if case .ended(let interstitial, let outcome) = change { send(.interstitialEnded(id: interstitial.id, how: outcome)) }
        tellPlayback()
    }

    /// The screen was lost (nil) or returned with a mode. Audio-only playback continues without a screen.
    private func displayChanged(_ mode: DisplayMode?) {
        screen.isLost = mode == nil
        guard let mode else {
            parts.log.note("screen lost", .warning)
            if parts.player.currentItem?.videoTrack != nil { holds.lost(.display) }
            return
        }
        parts.log.note("screen: \(mode)" + ScreenWords.range(parts.player.services.display.range))
        parts.drawing.displayChanged(mode)
        screen.show()
        holds.found(.display)
    }

    /// The loss of a sound device that was heard pauses playback, as when headphones are unplugged; the viewer resumes it. A kiosk has no viewer who
    /// would, and plays on, and so does what cannot be paused; the device, which would hold that, is closed. Without one from the start pictures play.
    private func soundDeviceChanged(_ change: AudioDeviceChange) {
        switch change {
        case .returned, .found:
            sound.tellOutput(driver, viewer.settings)
            return parts.log.note("sound is back")
        case .lost:
            parts.log.note("AUDIO-LOST: the sound device was disconnected", .warning)
            if !driver.policy.isKiosk { holds.lost(.sound) }
            parts.player.changeSoundDevice()
        case .absent: parts.log.note("AUDIO-LOST: no sound device could be opened; playback continues without sound", .error)
        }
        send(.notify(.soundLost))
    }

    // MARK: Effects out

    private func tellFacts(after change: () -> Void) {
        change()
        factsChanged()
    }

    private func take(_ settings: ViewerSettings) {
        let changesHome = viewer.take(settings)
        sound.apply(settings, channel: programmes.programme?.channelID)
        viewer.applyOutside()
        choices.apply(viewer.selectionCriteria)
        showCaptionsWhenMuted()
        parts.dump?.note(.settings(settings.entries.map { .init(name: $0.name, value: $0.value) }))
        if changesHome { catalogue.tellHome() }
    }

    private func showCaptionsWhenMuted() {
        let isSilent = sound.isMuted || choices.isSoundOff
        choices.showCaptionsWhenMuted(isSilent && viewer.settings[.captionsWhenMuted], language: viewer.languages.first)
    }

    private func setSpeed(_ speed: Ratio) {
        programmes.setSpeed(speed)
        choices.remembered.speed[programmes.selectionKey] = driver.machine.chosenSpeed
        if parts.player.state.rate > .zero { transport.play(at: speed) }
    }
}

extension Appliance: HoldHost {
    func send(_ event: InterfaceEvent) { driver.send(event) }

    func perform(_ command: RemoteCommand, by origin: Origin) -> CommandResult { commands.perform(command, by: origin) }
}

extension Appliance: InterfaceDriverDelegate {
    func stateChanged() {
        phones.follow()
        screen.show()
        programmes.updateComing()
    }

    func carryOut(_ effect: InterfaceEffect) {
        let player = parts.player
        parts.dump?.note(effect: effect)
        switch effect {
        case .answer, .arm, .cancel: break  // Handled by the driver.
        case .seek(let id, let time, let tolerance):
            transport.seek(to: time, tolerance) { [weak self] in self?.send(.seekCompleted(id, landed: $0, finished: $1)) }
        case .play: transport.play(at: programmes.playing?.speed ?? .one)
        case .pause: player.pause()
        case .scan(let rate): transport.scan(at: rate)
        case .step(let count):
            transport.step(by: count) { [weak self] in self?.send(.seekCompleted(.programmatic, landed: $0, finished: $1)) }
        case .setForwardBoundary(let time): player.setForwardBoundary(time)
        case .skipInterstitial: player.skipInterstitial()
        case .open(let id): programmes.choose(id, fromBeginning: false)
        case .openFromBeginning(let id): programmes.choose(id, fromBeginning: true)
        case .describe(let id): catalogue.describe(id)
        case .setInList(let id, let isIn): catalogue.setInList(id, isIn)
        case .setReminder(let channel, let start, let isSet): catalogue.setReminder(isSet, channel: channel, start: start)
        case .forgetPlace(let id): catalogue.forgetPlace(of: id)
        case .leavePlayer: programmes.leave()
        case .playNext(let id, let automatic): programmes.playNext(id, isAutomatic: automatic)
        case .playNextInQueue: if programmes.playNextInQueue() { stateChanged(player.state) }
        case .retry(let time): programmes.retry(at: time)
        case .watched(let interstitial):
            if let programme = programmes.programme { parts.places.markWatched(interstitial: interstitial, of: programme.id) }
        case .savePlace(let id, let place): catalogue.savePlace(place, of: id)
        case .selectAudio(let id):
            if let id { choices.selectAudio(id: id, key: programmes.selectionKey) } else { choices.turnSoundOff() }
            showCaptionsWhenMuted()
            tellPlayback()
        case .selectAngle(let id): choices.selectAngle(id: id, key: programmes.selectionKey)
        case .selectSubtitles(let choice): choices.selectSubtitles(choice, key: programmes.selectionKey)
        case .setCaptionStyle(let style): parts.drawing.setCaptionStyle(style)
        case .setSpeed(let rate): setSpeed(rate)
        case .setVideoFit(let fit): player.scheduler.setGravity(VideoGravity(fit))
        case .setCaptionDelay(let delay): player.captionDelay = .milliseconds(Int64(delay))
        case .presentVideo(let isWanted):
            snapshots.presentVideo(isWanted)
            tellPlayback()
        case .showCaptionsForReplay(let isOn): choices.showCaptionsForReplay(isOn, language: viewer.languages.first)
        case .saveSettings(let settings): take(settings)
        case .saveSearches(let queries): searches.queries = queries
        case .checkPIN(let digits): pins.check(digits)
        case .savePIN(let digits): pins.save(digits)
        case .savePINFailures(let count): viewer.pinFailures = count
        case .unlock(let id): programmes.unlock(id)
        case .readFacts: factsChanged()
        case .readSignal: send(.signalChanged(SignalReading(player: player).facts))
        case .deleteStore(let id): tellFacts { parts.viewer.deleteStore(id) }
        case .forgetPhones: tellFacts { phones.forget() }
        case .carryOut(let task): events.send(.asked(task))
        case .tell(let event):
            plays.take(event)
            events.send(.viewing(event))
        case .wireless(let request): wireless.perform(request)
        case .firstRun(let request): events.send(.firstRun(request))
        case .navigationSound(let sound, let asked): programmes.play(sound, asked: asked)
        case .playTone(let side): sound.playTone(side)
        case .speak(let words): parts.viewer.voice?.speak(words, language: driver.machine.state.appearance.language)
        case .standby: standby.begin(staysLit: emergency.isOn)
        case .wake:
            standby.end()
            guests.greet()
            if programmes.programme == nil { startKiosk() }  // It may have been woken because something else is opened.
        case .changeVolume(let steps):
            sound.changeVolume(steps) { [weak self] in self?.send($0) }
            showCaptionsWhenMuted()
        }
    }
}
