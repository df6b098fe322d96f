import BoxModel
import ChannelFeed
import LinuxSupport
import MediaSources
import MediaTime
import Playback
import ProgrammeGuide
import Screens

/// Combines feed, guides and stream metadata into what the interface shows. Main loop only.
@MainActor
final class Catalogue {
    /// What is available of the feed now.
    private(set) var feed: Feed?
    private var whole: Feed?
    /// What Home shows.
    private(set) var home = HomeContent()
    /// The schedule that the interface has.
    private(set) var shownGuide = GuideContent()
    private var guideBook = GuideBook()
    /// The last programme whose stream said how long it is.
    private var opened: (id: String, length: MediaTime)?
    /// Made when a page first needs it; nil after each change of the feed.
    private var moreLikeThis: MoreLikeThis?
    private let parts: ApplianceParts
    private let driver: InterfaceDriver
    private let viewer: ViewerKeeping
    private let remembered: RememberedChoices
    private let thumbnails: ItemThumbnails
    /// The documents that overlays of the programme show.
    let documents: OverlayDocuments

    init(_ parts: ApplianceParts, driver: InterfaceDriver, viewer: ViewerKeeping, remembered: RememberedChoices) {
        self.parts = parts
        self.driver = driver
        self.viewer = viewer
        self.remembered = remembered
        thumbnails = ItemThumbnails(parts)
        documents = OverlayDocuments(parts)
        parts.viewer.saved.onChange = { [weak self] in self?.tellHome() }
    }

    /// Applies a feed. `tellHome` passes it to the interface.
    func take(_ feed: Feed) {
        whole = feed
        self.feed = feed.available(clock: clock, in: parts.zone)
        moreLikeThis = nil
    }

    /// Windows open and close.
    ///
    /// - Returns: whether something else is available now than before.
    func updateAvailability() -> Bool {
        guard let now = whole?.available(clock: clock, in: parts.zone), let old = feed else { return false }
        // Only what is available changes, never what it is.
        guard now.items.map(\.id) != old.items.map(\.id) || now.channels.map(\.id) != old.channels.map(\.id) else { return false }
        feed = now
        moreLikeThis = nil
        return true
    }

    /// Whether the operator withdrew a programme; the only reason to interrupt it.
    func isWithdrawn(_ programme: Programme) -> Bool {
        switch programme.subject {
        case .item(let item): whole?.item(item.id)?.withdrawn == true
        case .channel(let channel): whole?.channel(channel.id)?.withdrawn == true
        case .url: false
        }
    }

    private var lengths: LearnedLengths { LearnedLengths(parts.viewer.choices) }

    private var clock: FeedClock { parts.wallClock().map { .trusted($0) } ?? .untrusted }

    // MARK: Feed and guide

    var presentations: Presentations {
        Presentations(
            feed: feed, whole: whole, languages: viewer.languages, places: parts.places, strings: driver.strings,
            listings: guideBook.listings, limit: viewer.limit, saving: { [saved = parts.viewer.saved] in saved[$0] },
            list: MyList(parts.viewer.choices).ids, storageTrouble: parts.viewer.saved.trouble, lengths: lengths,
            remembered: remembered, zone: parts.zone, documentLines: documents.lines)
    }

    /// The schedule.
    var guide: GuideContent {
        presentations.guide(midnight: guideBook.midnight, reminders: Reminders(parts.viewer.choices).marks)
    }

    /// What plays at the start: the operator's choice for this box if the feed has it, otherwise the feed's.
    var start: String? {
        parts.viewer.start.flatMap { programme(of: $0) == nil ? nil : $0 } ?? feed?.start?.id
    }

    /// The viewers' progress in the series and channels of the feed.
    var progress: FeedProgress? { presentations.upNext.map { FeedProgress(upNext: $0, remembered: remembered) } }

    /// The programme for an id of the feed now.
    func programme(of id: String) -> Programme? { progress?.programme(of: id, at: parts.wallClock(), in: parts.zone) }

    /// The key under which choices are stored: the series in which the viewer is, else the item.
    func selectionKey(of programme: Programme?) -> String { programme.map { series(of: $0.id) ?? $0.id } ?? "" }

    private func series(of id: String) -> String? { presentations.upNext?.series(of: id)?.id }

    /// Passes Home's contents and the schedule to the interface.
    func tellHome() {
        if feed != nil {
            home = presentations.home()
            driver.send(.homeChanged(home))
        }
        tellGuide()
    }

    /// Tells the interface what it asked for the page of an item or of a series.
    func describe(_ id: String) {
        var presentations = presentations
        moreLikeThis = moreLikeThis ?? feed.map { MoreLikeThis($0) }
        presentations.moreLikeThis = moreLikeThis
        driver.send(.described(id: id, presentations.details(of: id)))
    }

    /// Puts an item or a series into the viewer's list, or takes it out.
    func setInList(_ id: String, _ isIn: Bool) {
        MyList(parts.viewer.choices).set(isIn, id)
        tellHome()
    }

    /// Stores, or forgets, that the viewer wants to be reminded of a programme of the guide.
    ///
    /// - Parameter start: in the seconds of `GuideContent`.
    func setReminder(_ isSet: Bool, channel: String, start: Int) {
        guard let midnight = guideBook.midnight, let now = parts.wallClock() else { return }
        let mark = Reminders.Mark(channel: channel, midnight: midnight, start: start)
        Reminders(parts.viewer.choices).set(isSet, mark, now: now.milliseconds / 1000)
        tellGuide()
    }

    /// Stores where viewing of an item stopped, or, with nil, that it was watched to its end.
    func savePlace(_ place: SavedPlace?, of id: String) {
        guard id != LipSyncFilm.address else { return }
        parts.places.save(place, of: id)
        if place == nil { parts.places.markWatched(id) }
        if place == nil || feed?.item(id)?.duration != nil {
            lengths.set(nil, of: id)
        } else if let opened, opened.id == id {
            lengths.set(opened.length, of: id)
        }
        presentations.upNext?.note(id, isWatched: place == nil)
    }

    /// Forgets where viewing of an item stopped. It was not watched to its end because of this.
    func forgetPlace(of id: String) {
        if let upNext = presentations.upNext { upNext.forget(id) } else { parts.places.save(nil, of: id) }
        lengths.set(nil, of: id)
        tellHome()
    }

    /// The time in the seconds of `GuideContent`; nil if the date is unknown.
    var guideTime: Int? {
        guard let midnight = guideBook.midnight, let now = parts.wallClock() else { return nil }
        return Int((now.milliseconds - midnight.milliseconds) / 1000)
    }

    private func tellGuide() {
        shownGuide = guide
        driver.send(.guideChanged(shownGuide))
    }

    /// A guide was read.
    func take(_ listings: GuideListings, from address: String) {
        guideBook.take(listings, from: address)
        parts.log.note("guide: \(listings.programmes.count) channels in \(address)")
        tellGuide()
    }

    /// Sets the time of day.
    ///
    /// - Returns: whether clock times change because of this.
    func timeIs(secondsSinceMidnight: Int) -> Bool {
        guard let now = parts.wallClock(), guideBook.timeIs(secondsSinceMidnight: secondsSinceMidnight, now: now) else {
            return false
        }
        tellGuide()
        return true
    }

    // MARK: The current item

    private var stream: KnownMetadata { KnownMetadata(item: parts.player.currentItem, languages: viewer.languages) }

    /// The stream's metadata for the current position, such as the title of a song.
    var presentedLine: String? { stream.presentedLine }

    /// The presentation of a programme that is opened or plays.
    ///
    /// - Parameters:
    ///   - source: the stream's description; nil while it is not open.
    ///   - resume: the position to resume at; nil for the saved one.
    ///   - movesOn: whether it is replaced by the next item of the feed if it cannot be played.
    func present(_ programme: Programme, source: SourceDescription?, resume: SavedPlace?, movesOn: Bool) -> ItemPresentation {
        var presentation = presentations.presentation(
            of: programme, source: source, metadata: source == nil ? nil : stream.metadata)
        if let source { opened = source.duration.time.map { (presentation.id, $0) } }
        if let resume { presentation.resume = resume }
        if source != nil, let line = presentedLine { presentation.subtitle = line }
        presentation.series = series(of: presentation.id)
        presentation.speed = remembered.speed[presentation.series ?? presentation.id]
        if presentation.isLive, let midnight = guideBook.midnight {
            presentation.clockOrigin = parts.player.currentItem?.liveStatus?.clockOrigin(
                at: parts.player.currentTime, midnight: midnight)
        }
        thumbnails.add(to: &presentation)
        documents.follow(presentation.screen.overlays)
        // The interface advances automatically only if there is a next item.
        if movesOn, let feed, programme.following(in: feed) != nil { presentation.isInQueue = true }
        return presentation
    }

    /// Nothing plays any more.
    func leave() {
        documents.follow([])
        tellHome()
    }

    /// Another programme opens: the pictures of the previous one are no longer drawn.
    func closePictures() {
        parts.drawing.setEmbeddedArtwork(nil)
        thumbnails.close()
    }

    /// Shows the pictures of a programme that is open now.
    ///
    /// - Parameter whenKnown: called when thumbnails are available.
    func openPictures(
        of programme: Programme, _ source: SourceDescription, whenKnown: @escaping @MainActor @Sendable () -> Void
    ) {
        parts.drawing.setEmbeddedArtwork(source.artwork.first)
        thumbnails.open(programme, source, whenKnown: whenKnown)
    }

    /// Reads the metadata of a file, once.
    ///
    /// - Parameter whenKnown: called when there are any.
    func readMetadata(whenKnown: @escaping @MainActor @Sendable () -> Void) {
        stream.read { [weak self] item, error in
            guard let self, self.parts.player.currentItem === item else { return }
            if let error { return self.parts.log.note("continued without the metadata of the file: \(error.sentence)") }
            whenKnown()
        }
    }
}

extension LiveStatus {
    /// The local time of day at asset time zero, by the dates of the stream around a position; nil if it has none.
    func clockOrigin(at position: MediaTime, midnight: FeedDate) -> MediaTime? {
        date(at: position).map { .nanoseconds($0 - midnight.milliseconds * 1_000_000) - position }
    }
}
