import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// What plays and what comes after it: programmes of the feed are opened, their streams tried in order, queues gone on with, sessions taken up again. Main
/// loop only.
@MainActor
final class ProgrammePlayer {
    private(set) var playing: PlayingItem? {
        didSet { if programme?.id != oldValue?.programme.id { events.send(.programmeChanged(programme?.id)) } }
    }
    /// The first error of the run that was given up for.
    private(set) var firstFailure: MediaError?
    private let parts: ApplianceParts
    private let driver: InterfaceDriver
    private let catalogue: Catalogue
    private let viewer: ViewerKeeping
    private let choices: MediaChoices
    private let sound: SoundKeeping
    private let events: EventSource<Appliance.Event>
    private let coming: ComingItems
    private var lock: ParentalLock
    /// What is being gone on with, until it is seen.
    private var resuming: Session?

    init(
        _ parts: ApplianceParts, driver: InterfaceDriver, catalogue: Catalogue, viewer: ViewerKeeping, choices: MediaChoices,
        sound: SoundKeeping, events: EventSource<Appliance.Event>
    ) {
        self.parts = parts
        self.driver = driver
        self.catalogue = catalogue
        self.viewer = viewer
        self.choices = choices
        self.sound = sound
        self.events = events
        coming = ComingItems(parts)
        lock = ParentalLock(digest: parts.viewer.pinDigest)
    }

    var programme: Programme? { playing?.programme }

    /// Under which what the viewer chooses now is remembered.
    var selectionKey: String { catalogue.selectionKey(of: programme) }

    /// Whether an item that cannot be played gives way to the next of the feed by itself, as in a queue.
    var movesOnAfterFailure: Bool {
        get { coming.movesOnAfterFailure }
        set { coming.movesOnAfterFailure = newValue }
    }

    /// These ids are not played from now on, because they have stopped the box too often.
    func leaveOut(_ ids: [String]) { coming.leaveOut(ids) }

    /// Another feed is in use. What plays goes on; what follows is that feed's.
    func feedChanged(to feed: Feed) {
        if let programme { playing?.programme = programme.renewed(in: feed) }
    }

    // MARK: Opening

    /// Plays what an id of the feed stands for.
    ///
    /// - Returns: false when there is no such thing, or nothing to play under it now.
    func open(id: String) -> Bool {
        guard let programme = catalogue.programme(of: id) else { return false }
        open(programme)
        return true
    }

    /// Plays a programme from where it was left, or from its beginning.
    func open(_ programme: Programme) {
        guard !passes(over: programme), !asksPIN(for: programme) else { return }
        if resuming?.id != programme.id { resuming = nil }
        coming.startAfresh()
        sound.leave(self.programme?.channelID)
        begin(PlayingItem(programme: programme))
        // The machine hears of the item before it hears of the player: what the player tells of the old item's end would be taken for a
        // place to be kept. It seeks to where the item begins (a resume place, an ad that is owed) once there is something that can be sought.
        driver.collect {
            driver.send(.itemChanged(present(programme, source: nil)))
            parts.player.replaceCurrentItem(with: nil)
            sound.apply(viewer.settings, channel: programme.channelID)
            load(at: nil)
        }
    }

    private func begin(_ item: PlayingItem) {
        playing = item
        parts.log.note("open \(item.programme.id)")
        parts.dump?.note("open", item.programme.dumpName)
        catalogue.closePictures()
    }

    /// Goes past a programme that is left out, to what comes after it in its queue, and says so.
    ///
    /// - Returns: false when it is not left out.
    private func passes(over programme: Programme) -> Bool {
        guard coming.isLeftOut(programme) else { return false }
        parts.log.note("skipped: \(programme.id) has crashed the box too often")
        let following = catalogue.feed.flatMap { coming.nextNotLeftOut(after: programme, in: $0) }
        if let following { open(following) } else if playing != nil { leave() }
        driver.send(.toast(driver.strings.text(.boxLeftOut, programme.title(in: parts.languages))))
        return true
    }

    private func load(at place: MediaTime?) {
        guard let playing, playing.stream < playing.programme.urls.count else { return }
        let item = makeItem(of: playing.programme, stream: playing.stream, at: place)
        item.owedInterstitial =
            (resuming?.place ?? catalogue.presentations.presentation(of: playing.programme, source: nil).resume)?.debt
        parts.player.replaceCurrentItem(with: item)
        // What an error card tells a viewer to read out: the log of this playback is found by it.
        let session = parts.player.currentItem?.log.map { String($0.sessionID.prefix(8)) }
        driver.changePolicy { $0.session = session }
        parts.player.play()
    }

    /// An item of a programme as it is played.
    private func makeItem(of programme: Programme, stream: Int, at place: MediaTime?) -> PlayerItem {
        let presentation = catalogue.presentations.presentation(of: programme, source: nil)
        let item = PlayerItem(asset: Asset(url: programme.urls[stream], services: parts.services))
        choices.prepare(
            item, for: programme, key: catalogue.selectionKey(of: programme), criteria: viewer.selectionCriteria)
        item.forwardPlaybackEndTime = presentation.trimEnd
        item.reversePlaybackEndTime = presentation.trimStart
        item.startTime = place ?? (presentation.trimStart > .zero ? presentation.trimStart : nil)
        return item
    }

    /// Tries all streams again, from a place.
    func retry(at place: MediaTime?) {
        playing?.stream = 0
        playing?.error = nil
        load(at: place)
    }

    /// Leaves the player: nothing plays any more.
    func leave() {
        resuming = nil
        coming.forget()
        sound.leave(programme?.channelID)
        let error = playing?.error
        playing = nil
        parts.player.replaceCurrentItem(with: nil)
        parts.player.endRefreshMatching()
        driver.send(.itemChanged(nil))
        catalogue.tellHome()
        letGoOfSound()
        events.send(.outcome(error.map { .failed($0) } ?? .left))
    }

    /// Lets others have the sound device after a while, unless something plays then.
    func letGoOfSound(after length: Duration = SoundKeeping.keepsDevice) {
        sound.letGo(after: length) { [weak self] in
            self?.playing != nil
        } released: { [weak self] in
            self?.parts.dump?.note("sound-released")
        }
    }

    // MARK: Parental control

    /// The PIN has opened an item or a channel.
    func unlock(_ id: String) { lock.unlock(id) }

    /// What the PIN has opened is locked again.
    func lockAll() { lock.lockAll() }

    /// Whether digits are the PIN.
    func isRightPIN(_ digits: String) -> Bool { lock.isRight(digits) }

    /// Whether the PIN has to be asked for before a programme, which may then not be opened.
    private func asksPIN(for programme: Programme) -> Bool {
        let presentations = catalogue.presentations
        guard lock.isLocked(programme, by: presentations) else { return false }
        let title = presentations.presentation(of: programme, source: nil).title
        parts.log.note("\(programme.id) needs the PIN")
        driver.send(.locked(HomeContent.Entry(id: programme.id, title: title ?? ""), rating: programme.rating?.value))
        return true
    }

    // MARK: What comes after it

    /// What comes after what plays without anybody's wish.
    var next: Programme? { playing.flatMap { coming.next(after: $0, in: catalogue.feed) } }

    /// The queue goes on, or is over.
    ///
    /// - Returns: whether what plays now was open already: then the player's state has not been told of it.
    func playNextInQueue() -> Bool {
        if goesOnWithComing() { return true }
        if let next {
            open(next)
        } else {
            driver.send(.queueIsOver)
            events.send(.outcome(playing?.error.map { .failed($0) } ?? .ended))
        }
        return false
    }

    /// Gives the player what follows by itself, or takes it back where something else does.
    func updateComing() {
        coming.give(comingByItself) { makeItem(of: $0, stream: $1, at: nil) }
    }

    /// What follows without anybody being asked anything.
    private var comingByItself: Programme? {
        let presentations = catalogue.presentations
        guard let programme, programme.isInQueue, driver.machine.goesOnByItself, parts.player.currentItem?.status == .readyToPlay,
            let next = coming.nextOfQueue(after: programme, in: catalogue.feed), !next.urls.isEmpty, !coming.isLeftOut(next),
            !lock.isLocked(next, by: presentations)
        else { return nil }
        let presentation = presentations.presentation(of: next, source: nil)
        guard presentation.resume.map({ $0.time <= presentation.trimStart }) ?? true,
            !presentation.interstitials.contains(where: { $0.range.start <= presentation.trimStart })
        else { return nil }
        return next
    }

    /// The player has gone on by itself to what it was given, or does now: that is what plays from now on.
    ///
    /// - Returns: false when it was given nothing.
    private func goesOnWithComing() -> Bool {
        guard let (programme, stream, hasBegun) = coming.take() else { return false }
        resuming = nil
        begin(PlayingItem(programme: programme, stream: stream, position: hasBegun ? parts.player.currentTime : nil))
        if !hasBegun { coming.advance() }
        driver.send(.itemChanged(present(programme, source: parts.player.currentItem?.description)))
        return true
    }

    /// The player plays another item.
    func currentItemChanged(to item: PlayerItem?) {
        guard coming.isGiven(item) else { return }
        // The last picture of the one before is gone: it has ended.
        driver.send(.playback(driver.machine.endedSnapshot))
        // What follows that may have been given to the player already.
        guard coming.isGiven(item) else { return }
        // Something else was decided, against all expectation: nothing plays behind it.
        coming.drop()
        parts.player.replaceCurrentItem(with: nil)
    }

    /// The player has passed over an item that it was given beforehand.
    func skipped(_ item: PlayerItem, _ error: MediaError) {
        parts.log.note(error.description)
        guard let programme = coming.skipped(item, make: { makeItem(of: $0, stream: $1, at: nil) }) else { return }
        parts.dump?.note("skipped", programme.dumpName)
        firstFailure = firstFailure ?? error
        updateComing()
    }

    // MARK: How it is going

    /// It is at a place now.
    func moved(to position: MediaTime) { playing?.position = position }

    /// It is to play at a speed.
    func setSpeed(_ speed: Ratio) { playing?.speed = speed }

    /// It does not play.
    ///
    /// - Returns: whether another of its streams is tried.
    func failed(_ error: MediaError) -> Bool {
        parts.log.note(error.description)
        coming.forget()
        if let playing, playing.stream + 1 < playing.programme.urls.count {
            self.playing?.stream += 1
            parts.log.note("trying stream \(playing.stream + 2) of \(playing.programme.urls.count)")
            load(at: playing.position)
            return true
        }
        playing?.error = error
        firstFailure = firstFailure ?? error
        if next == nil { events.send(.outcome(.failed(error))) }
        return false
    }

    /// It has been played to its end.
    func ended() {
        parts.log.note("played to the end")
        // The machine has heard of the end by the state; what it offers now decides whether something follows by itself.
        // A queue tells its end itself; and where something was opened at the end, that is what plays now.
        let isOver = parts.player.state.isAtEnd && programme?.queue == nil
        if isOver, driver.machine.state.proposal?.countdown == nil, next == nil { events.send(.outcome(.ended)) }
    }

    /// More is known of what plays: its stream is open, or has told something.
    func tellPresentation() {
        guard let programme, let source = parts.player.currentItem?.description else { return }
        driver.send(.itemUpdated(present(programme, source: source)))
    }

    private func present(_ programme: Programme, source: SourceDescription?) -> ItemPresentation {
        catalogue.present(programme, source: source, resume: resuming?.place, movesOn: movesOnAfterFailure)
    }

    // MARK: Sessions

    /// What is on now; nil: nothing that a player that is started again could find in the feed.
    func session(boot: String) -> Session? {
        guard let programme, !programme.isURL else { return nil }
        // Ended again before anything was seen, it is still where it was.
        if var resuming {
            resuming.boot = boot
            return resuming
        }
        return Session(
            id: programme.id, queue: programme.queue.map { .init(channel: $0.channel.id, index: $0.index) },
            place: driver.machine.currentPlace, isPaused: driver.machine.isPausedByViewer, boot: boot)
    }

    /// Resumes a session. A session that was paused stays paused at its place.
    ///
    /// - Returns: false when the feed no longer has it.
    func resume(_ session: Session) -> Bool {
        guard let feed = catalogue.feed else { return false }
        var found: Programme?
        if let queue = session.queue, let channel = feed.channel(queue.channel), queue.index < channel.items.count,
            channel.items[queue.index] == session.id, let item = feed.item(session.id)
        {
            found = Programme(.item(item), queue: (channel, queue.index))
        }
        guard let programme = found ?? Programme.find(session.id, in: feed, at: parts.wallClock()) else { return false }
        // Another of a schedule is on by now.
        resuming = programme.id == session.id ? session : nil
        open(programme)
        return true
    }

    /// The viewer has touched a key: what was paused goes on all the same.
    func keyChanged() { resuming?.isPaused = false }

    /// Something is seen or heard: what was gone on with is there.
    ///
    /// - Returns: whether it is to be paused, as it was.
    func resumed() -> Bool {
        defer { resuming = nil }
        return resuming?.isPaused ?? false
    }
}
