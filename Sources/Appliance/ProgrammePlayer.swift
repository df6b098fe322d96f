import BoxModel
import ChannelFeed
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Playback
import Screens
import Shell

/// The current programme and its successors: opens programmes of the feed, tries their streams in order, advances queues, resumes sessions. Main loop
/// only.
@MainActor
final class ProgrammePlayer {
    private(set) var playing: PlayingItem? {
        didSet { if programme?.id != oldValue?.programme.id { events.send(.programmeChanged(programme?.id)) } }
    }
    /// The first error that ended an item in this run.
    private(set) var firstFailure: MediaError?
    private let parts: ApplianceParts
    private let driver: InterfaceDriver
    private let catalogue: Catalogue
    private let viewer: ViewerKeeping
    private let choices: MediaChoices
    private let sound: SoundKeeping
    private let events: EventSource<Appliance.Event>
    private let coming: ComingItems
    private let plays: PlayRecorder
    private var lock: ParentalLock
    /// The session that is being resumed, until its first frame.
    private var resuming: Session?
    /// The playback that the interface and the log were told about last.
    private var namedSession: String?

    init(
        _ parts: ApplianceParts, driver: InterfaceDriver, catalogue: Catalogue, viewer: ViewerKeeping, choices: MediaChoices,
        sound: SoundKeeping, plays: PlayRecorder, events: EventSource<Appliance.Event>
    ) {
        self.parts = parts
        self.driver = driver
        self.catalogue = catalogue
        self.viewer = viewer
        self.choices = choices
        self.sound = sound
        self.events = events
        self.plays = plays
        coming = ComingItems(parts)
        lock = ParentalLock(digest: viewer.pinDigest)
    }

    var programme: Programme? { playing?.programme }

    /// The key under which the viewer's choices are stored now.
    var selectionKey: String { catalogue.selectionKey(of: programme) }

    /// Whether an unplayable item is replaced by the next of the feed, as in a queue.
    var movesOnAfterFailure: Bool {
        get { coming.movesOnAfterFailure }
        set { coming.movesOnAfterFailure = newValue }
    }

    /// Excludes these ids, because they have crashed the box too often.
    func leaveOut(_ ids: [String]) { coming.leaveOut(ids) }

    /// Another feed was applied. The current item continues, and the new feed decides what follows.
    func feedChanged(to feed: Feed) {
        guard let programme else { return }
        if catalogue.isWithdrawn(programme) { return withdrawn(programme) }
        playing?.programme = programme.renewed(in: feed)
    }

    /// The operator withdrew the current programme: the next of its queue follows, otherwise Home.
    private func withdrawn(_ programme: Programme) {
        parts.log.note("left: \(programme.id) was withdrawn")
        let following = catalogue.feed.flatMap { programme.renewed(in: $0).next(in: $0) }
        if let following { open(following, by: .queue) } else { leave() }
        driver.send(.notify(.sourceMissing))
    }

    // MARK: Opening

    /// Plays the item or channel with an id.
    ///
    /// - Returns: false if there is nothing playable with this id now.
    func open(id: String, by starter: Play.Starter) -> Bool {
        guard let programme = find(id) else { return false }
        open(programme, by: starter)
        return true
    }

    /// Plays what the viewer has chosen, or says that it is not there any more.
    ///
    /// - Parameter fromBeginning: whether a saved position does not count.
    func choose(_ id: String, fromBeginning: Bool) {
        guard let programme = find(id) else {
            driver.send(.itemChanged(nil))
            let waits = parts.wallClock() == nil && catalogue.feed?.channel(id)?.kind == .schedule
            return driver.send(.notify(waits ? .clockUntrusted : .sourceMissing))
        }
        if fromBeginning {
            // As a session at the beginning: it is kept while the PIN is asked for, and the saved position until something is played.
            let start = catalogue.presentations.presentation(of: programme, source: nil).trimStart
            resuming = Session(id: programme.id, place: SavedPlace(time: start), boot: "")
        }
        open(programme, by: .viewer)
    }

    /// What plays for an id now. The film of the lip-sync test is in no feed.
    private func find(_ id: String) -> Programme? {
        id == LipSyncFilm.address ? Programme(.url(id)) : catalogue.programme(of: id)
    }

    /// Plays a programme from its saved position, or from its beginning.
    func open(_ programme: Programme, by starter: Play.Starter) {
        guard !passes(over: programme), !asksPIN(for: programme) else { return }
        if resuming?.id != programme.id { resuming = nil }
        coming.startAfresh()
        sound.leave(self.programme?.channelID)
        begin(PlayingItem(programme: programme), by: starter)
        // The machine gets the item before the player does; otherwise the end of the old item would be saved as a position of the new one. The
        // machine seeks to the start position (a saved one, or an owed interstitial) when the item is seekable.
        driver.collect {
            driver.send(.itemChanged(present(programme, source: nil)))
            parts.player.replaceCurrentItem(with: nil)
            sound.apply(viewer.settings, channel: programme.channelID)
            load(at: nil)
        }
    }

    /// Plays what was proposed, the id of an item or an address, with the viewer's choices for the current one. An item of the same queue stays in it.
    ///
    /// - Parameter isAutomatic: whether it begins without a key of the viewer.
    func playNext(_ id: String, isAutomatic: Bool) {
        let (key, starter) = (selectionKey, isAutomatic ? Play.Starter.queue : .viewer)
        if let following = programme?.next(in: catalogue.feed, where: { $0.id == id }) {
            open(following, by: starter)
        } else if !open(id: id, by: starter) {
            open(Programme(.url(id)), by: starter)
        }
        choices.carry(from: key, to: selectionKey, speed: driver.machine.chosenSpeed)
    }

    private func begin(_ item: PlayingItem, by starter: Play.Starter) {
        plays.opened(item.programme, by: starter)
        playing = item
        catalogue.progress?.note(item.programme)
        parts.log.note("open \(item.programme.id)")
        parts.dump?.note(.open(id: item.programme.dumpName))
        catalogue.closePictures()
    }

    /// Skips an excluded programme, continues with the next of its queue, and shows a message.
    ///
    /// - Returns: false if it is not excluded.
    private func passes(over programme: Programme) -> Bool {
        guard coming.isLeftOut(programme) else { return false }
        parts.log.note("skipped: \(programme.id) has crashed the box too often")
        let following = catalogue.feed.flatMap { coming.nextNotLeftOut(after: programme, in: $0) }
        if let following { open(following, by: .queue) } else if playing != nil { leave() }
        driver.send(.toast(driver.strings.text(.boxLeftOut, programme.title(in: parts.languages))))
        return true
    }

    private func load(at position: MediaTime?) {
        guard let playing, playing.stream < playing.programme.streams.count else { return }
        let item = makeItem(of: playing.programme, stream: playing.stream, at: position)
        item.owedInterstitial =
            (resuming?.place ?? catalogue.presentations.presentation(of: playing.programme, source: nil).resume)?.owedInterstitial
        parts.player.replaceCurrentItem(with: item)
        nameSession()
        parts.player.play()
    }

    /// Tells the interface which playback its error cards name, and the log where the lines of that playback begin. Without an
    /// item the last one stays, so that the About page can still name it.
    private func nameSession() {
        guard let id = parts.player.currentItem?.log?.sessionID, id != namedSession else { return }
        namedSession = id
        parts.log.note("session \(id) begins")
        driver.changePolicy { $0.session = SessionID.short(id) }
    }

    /// A player item for one of a programme's streams.
    private func makeItem(of programme: Programme, stream: Int, at position: MediaTime?) -> PlayerItem {
        let presentation = catalogue.presentations.presentation(of: programme, source: nil)
        let item = PlayerItem(
            asset: Asset(programme, stream: stream, stillDuration: presentation.duration, services: parts.services))
        choices.prepare(
            item, for: programme, key: catalogue.selectionKey(of: programme), criteria: viewer.selectionCriteria)
        item.forwardPlaybackEndTime = presentation.trimEnd
        item.reversePlaybackEndTime = presentation.trimStart
        item.startTime = position ?? (presentation.trimStart > .zero ? presentation.trimStart : nil)
        return item
    }

    /// Tries all streams again, from a position.
    func retry(at position: MediaTime?) {
        playing?.stream = 0
        playing?.error = nil
        playing?.awaitsLive = playing?.wasLive == true
        load(at: playing?.awaitsLive == true ? nil : position)
    }

    /// Removes the item from the player.
    func leave() {
        plays.left()
        resuming = nil
        coming.forget()
        sound.leave(programme?.channelID)
        let error = playing?.error
        playing = nil
        parts.player.replaceCurrentItem(with: nil)
        parts.player.endScreenMatching()
        driver.send(.itemChanged(nil))
        catalogue.leave()
        letGoOfSound()
        events.send(.outcome(error.map { .failed($0) } ?? .left))
    }

    /// Releases the sound device after a while, unless something plays then.
    func letGoOfSound(after length: Duration = SoundKeeping.keepsDevice) {
        sound.letGo(after: length) { [weak self] in
            self?.playing != nil
        } released: { [weak self] in
            self?.parts.dump?.note(.soundReleased)
        }
    }

    /// Plays a sound of the interface, unless the viewer has turned the sound off. A device that it alone has opened is released after a while.
    func play(_ sound: NavigationSound, asked: HostTime) {
        guard !choices.isSoundOff else { return }
        let isSpoken = viewer.settings[.spokenFocus] && parts.viewer.voice != nil
        let isAlone = playing == nil
        if self.sound.play(sound, asked: asked, isAlone: isAlone, isSpoken: isSpoken), isAlone { letGoOfSound() }
    }

    // MARK: Parental control

    /// The PIN has unlocked an item or a channel.
    func unlock(_ id: String) { lock.unlock(id) }

    /// Locks everything that the PIN has unlocked.
    func lockAll() { lock.lockAll() }

    /// The viewer has set another PIN, or none.
    func setPIN(digest: String?) { lock.setPIN(digest: digest) }

    /// Whether digits are the PIN.
    func isRightPIN(_ digits: String) -> Bool { lock.isRight(digits) }

    /// Whether a programme needs the PIN, which is then requested; the programme may not be opened.
    private func asksPIN(for programme: Programme) -> Bool {
        let presentations = catalogue.presentations
        guard lock.isLocked(programme, by: presentations) else { return false }
        let title = presentations.presentation(of: programme, source: nil).title
        parts.log.note("\(programme.id) needs the PIN")
        driver.send(.locked(HomeContent.Entry(id: programme.id, title: title ?? ""), rating: programme.rating?.value))
        return true
    }

    // MARK: What follows

    /// The programme that follows automatically.
    var next: Programme? { playing.flatMap { coming.next(after: $0, in: catalogue.feed) } }

    /// What the schedule of the programme shows now in its place; nil if it goes on.
    var dueInstead: Programme? {
        guard let programme, let due = programme.schedule.flatMap({ catalogue.programme(of: $0) }) else { return nil }
        return programme.goingOn(in: due) == nil ? due : nil
    }

    /// Follows the schedule of the programme.
    ///
    /// - Parameter isPaused: whether a viewer has paused it: who does sees the rest of it first.
    func followSchedule(isPaused: Bool) {
        guard let programme, let id = programme.schedule, catalogue.feed?.channel(id)?.recurs == true else { return }
        guard let due = catalogue.programme(of: id) else {
            guard !isPaused else { return }
            parts.log.note("\(id) shows nothing now")
            leave()
            return driver.send(.notify(.sourceMissing))
        }
        if let staying = programme.goingOn(in: due) {
            guard staying.queue?.channel.items != programme.queue?.channel.items else { return }
            playing?.programme = staying
            updateComing()
        } else if !isPaused {
            parts.log.note("\(id) shows \(due.id) now")
            driver.send(.queueAdvances)
        }
    }

    /// Advances the queue, or ends it.
    ///
    /// - Returns: whether the next item was open already. If so, its state has not been passed to the interface yet.
    func playNextInQueue() -> Bool {
        if let overdue = dueInstead {
            // Its schedule shows something else.
            open(overdue, by: .schedule)
            return false
        }
        if goesOnWithComing() { return true }
        if let next {
            open(next, by: .queue)
        } else {
            if let programme { catalogue.progress?.noteEnd(of: programme) }
            driver.send(.queueIsOver)
            events.send(.outcome(playing?.error.map { .failed($0) } ?? .ended))
        }
        return false
    }

    /// Gives the player the next automatic item, or removes it if another one follows.
    func updateComing() {
        coming.give(comingByItself) { makeItem(of: $0, stream: $1, at: nil) }
    }

    /// The programme that follows without any question.
    private var comingByItself: Programme? {
        let presentations = catalogue.presentations
        guard let programme, programme.isInQueue, driver.machine.goesOnByItself, parts.player.currentItem?.status == .readyToPlay,
            let next = coming.nextOfQueue(after: programme, in: catalogue.feed), !next.streams.isEmpty, !coming.isLeftOut(next),
            !lock.isLocked(next, by: presentations)
        else { return nil }
        let presentation = presentations.presentation(of: next, source: nil)
        guard presentation.resume.map({ $0.time <= presentation.trimStart }) ?? true,
            !presentation.interstitials.contains(where: { $0.range.start <= presentation.trimStart })
        else { return nil }
        return next
    }

    /// The player has advanced by itself to the given item, or does now: it becomes the current one.
    ///
    /// - Returns: false if none was given.
    private func goesOnWithComing() -> Bool {
        guard let (programme, stream, hasBegun) = coming.take() else { return false }
        resuming = nil
        begin(PlayingItem(programme: programme, stream: stream, position: hasBegun ? parts.player.currentTime : nil), by: .queue)
        if !hasBegun { coming.advance() }
        driver.send(.itemChanged(present(programme, source: parts.player.currentItem?.description)))
        return true
    }

    /// The player plays another item.
    func currentItemChanged(to item: PlayerItem?) {
        nameSession()
        guard coming.isGiven(item) else { return }
        // The last picture of the previous item is gone: it has ended.
        driver.send(.playback(driver.machine.endedSnapshot))
        // The item given to the player may follow that end.
        guard coming.isGiven(item) else { return }
        // The end led to another decision, so the given item must not play.
        coming.drop()
        parts.player.replaceCurrentItem(with: nil)
    }

    /// The player has skipped an item that it was given in advance.
    func skipped(_ item: PlayerItem, _ error: MediaError) {
        parts.log.note(error.description, .error)
        guard let programme = coming.skipped(item, make: { makeItem(of: $0, stream: $1, at: nil) }) else { return }
        parts.dump?.note(.skipped(id: programme.dumpName))
        firstFailure = firstFailure ?? error
        updateComing()
    }

    // MARK: Progress

    func moved(to position: MediaTime) { playing?.position = position }

    func setSpeed(_ speed: Ratio) { playing?.speed = speed }

    /// The current item failed.
    ///
    /// - Returns: whether another of its streams is tried.
    func failed(_ error: MediaError) -> Bool {
        parts.log.note(error.description, .error)
        coming.forget()
        if let playing, playing.stream + 1 < playing.programme.streams.count {
            self.playing?.stream += 1
            parts.log.note("trying stream \(playing.stream + 2) of \(playing.programme.streams.count)")
            // Asset time begins anew in each live stream.
            load(at: playing.wasLive || parts.player.currentItem?.isLive == true ? nil : playing.position)
            return true
        }
        plays.failed(error)
        playing?.error = error
        firstFailure = firstFailure ?? error
        if next == nil { events.send(.outcome(.failed(error))) }
        return false
    }

    /// The current item was played to its end.
    func ended() {
        parts.log.note("played to the end")
        if let end = playing?.end(isLive: false, isAtEnd: true) {
            _ = failed(end)
            return
        }
        // The machine has got the end with the state. What it shows now decides whether something follows automatically. A queue reports its end
        // itself, and an item that was opened at the end plays now.
        let isOver = parts.player.state.isAtEnd && programme?.queue == nil
        if isOver, driver.machine.state.proposal?.countdown == nil, next == nil { events.send(.outcome(.ended)) }
    }

    /// The current item's stream is open.
    func streamIsOpen() {
        defer { tellPresentation() }
        let isLive = parts.player.currentItem?.isLive == true
        if isLive {
            playing?.wasLive = true
            playing?.awaitsLive = false
        }
        guard playing?.error == nil, let end = playing?.end(isLive: isLive, isAtEnd: false) else { return }
        parts.player.pause()
        _ = failed(end)
    }

    /// More is known about the current item: its stream is open, or has new metadata.
    func tellPresentation() {
        guard let programme, let source = parts.player.currentItem?.description else { return }
        driver.send(.itemUpdated(present(programme, source: source)))
    }

    private func present(_ programme: Programme, source: SourceDescription?) -> ItemPresentation {
        catalogue.present(programme, source: source, resume: resuming?.place, movesOn: movesOnAfterFailure)
    }

    // MARK: Sessions

    /// The current playback as a session; nil if a restarted player could not find it in the feed, and in a kiosk after the end of its programme.
    ///
    /// - Parameter isPaused: whether the viewer has paused it.
    func session(boot: String, isPaused: Bool) -> Session? {
        guard let programme, !programme.isURL else { return nil }
        // A restarted kiosk begins with what is due.
        if driver.policy.isKiosk, driver.machine.state.card?.kind == .end { return nil }
        // If it ends before its first frame, the restored position is still valid.
        if var resuming {
            resuming.boot = boot
            return resuming
        }
        return Session(
            id: programme.id, queue: programme.queue.map { .init(channel: $0.channel.id, index: $0.index) },
            place: driver.machine.currentPlace, isPaused: isPaused, boot: boot)
    }

    /// Resumes a session. A paused session stays paused at its position.
    ///
    /// - Returns: false if the feed no longer contains it.
    func resume(_ session: Session) -> Bool {
        guard let feed = catalogue.feed else { return false }
        var found: Programme?
        if let queue = session.queue, let channel = feed.channel(queue.channel), queue.index < channel.items.count,
            channel.items[queue.index] == session.id, let item = feed.item(session.id)
        {
            found = Programme(.item(item), queue: (channel, queue.index))
        }
        if let queue = session.queue, feed.channel(queue.channel)?.recurs == true,
            let due = catalogue.programme(of: queue.channel)
        {
            // The item goes on if its schedule shows it now.
            let items = due.queue?.channel.items ?? []
            found =
                feed.item(session.id).map { item in
                    Programme(.item(item), queue: due.queue.map { ($0.channel, min(queue.index, items.count - 1)) })
                }.flatMap { $0.goingOn(in: due) } ?? due
            found?.schedule = due.schedule
        }
        guard let programme = found ?? Programme.find(session.id, in: feed, at: parts.wallClock(), zone: parts.zone) else {
            return false
        }
        // A schedule has moved on to another item.
        resuming = programme.id == session.id ? session : nil
        open(programme, by: .session)
        return true
    }

    /// Opens a stream again at its place, so that it is loaded under the rules of now. A file is only opened again if the rule had ended it.
    ///
    /// - Parameter isPaused: whether the viewer has paused it.
    func reopenStream(isPaused: Bool) {
        let isStopped = playing?.error?.code == .networkMetered
        guard isStopped || parts.player.currentItem?.description?.kind == "hls",
            let session = session(boot: "", isPaused: isPaused)
        else { return }
        parts.log.note("open \(session.id) again: what may be loaded has changed")
        _ = resume(session)
    }

    /// The viewer pressed a key, so the resumed session plays.
    func keyChanged(_ event: RemoteEvent) { if event.phase != .motion { resuming?.isPaused = false } }

    /// A frame or sound was shown.
    ///
    /// - Returns: the resumed session if it was its first; nil otherwise.
    func resumed() -> Session? {
        defer { resuming = nil }
        return resuming
    }
}
