import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import PlayerInterface
import ProgrammeGuide

/// What feed, guides and streams say, as the interface is told of it. Main loop only.
@MainActor
final class Catalogue {
    private(set) var feed: Feed?
    private var guideBook = GuideBook()
    private let parts: ApplianceParts
    private let driver: InterfaceDriver
    private let viewer: ViewerKeeping
    private let remembered: RememberedChoices
    private let thumbnails: ItemThumbnails

    init(_ parts: ApplianceParts, driver: InterfaceDriver, viewer: ViewerKeeping, remembered: RememberedChoices) {
        self.parts = parts
        self.driver = driver
        self.viewer = viewer
        self.remembered = remembered
        thumbnails = ItemThumbnails(parts)
    }

    /// A feed is in use from now on. `tellHome` tells the interface.
    func take(_ feed: Feed) { self.feed = feed }

    // MARK: Feed and guide

    var presentations: Presentations {
        Presentations(
            feed: feed, languages: viewer.languages, places: parts.places, strings: driver.strings,
            listings: guideBook.listings, limit: viewer.limit)
    }

    /// What is on when.
    var guide: GuideContent { presentations.guide(midnight: guideBook.midnight) }

    /// Where viewers are in the series of the feed.
    var series: SeriesProgress? { feed.map { SeriesProgress(feed: $0, remembered: remembered) } }

    /// What an id of the feed stands for now.
    func programme(of id: String) -> Programme? { series?.programme(of: id, at: parts.wallClock()) }

    /// Under which what is chosen is remembered: the series; what belongs to none has its own.
    func selectionKey(of programme: Programme?) -> String {
        programme.map { feed?.episode($0.id)?.series.id ?? $0.id } ?? ""
    }

    /// Tells the interface what Home offers now, and when.
    func tellHome() {
        if feed != nil { driver.send(.homeChanged(presentations.home())) }
        tellGuide()
    }

    private func tellGuide() { driver.send(.guideChanged(guide)) }

    /// A guide was read.
    func take(_ listings: GuideListings, from address: String) {
        guideBook.take(listings, from: address)
        parts.log.note("guide: \(listings.programmes.count) channels in \(address)")
        tellGuide()
    }

    /// It is this time of day.
    ///
    /// - Returns: whether hours are told otherwise from now on.
    func timeIs(secondsSinceMidnight: Int) -> Bool {
        guard let now = parts.wallClock(), guideBook.timeIs(secondsSinceMidnight: secondsSinceMidnight, now: now) else {
            return false
        }
        tellGuide()
        return true
    }

    // MARK: What plays

    private var stream: StreamFacts { StreamFacts(item: parts.player.currentItem, languages: viewer.languages) }

    /// What the stream tells of this very moment, such as the title of a song.
    var presentedLine: String? { stream.presentedLine }

    /// What is said of a programme that is opened or plays.
    ///
    /// - Parameters:
    ///   - source: what the stream itself told; nil while it is not open.
    ///   - resume: where it is gone on with; nil: where the viewer left it.
    ///   - movesOn: whether it gives way to the next of the feed when it does not play.
    func present(_ programme: Programme, source: SourceDescription?, resume: SavedPlace?, movesOn: Bool) -> ItemPresentation {
        var presentation = presentations.presentation(
            of: programme, source: source, metadata: source == nil ? nil : stream.metadata)
        if let resume { presentation.resume = resume }
        if source != nil, let line = presentedLine { presentation.subtitle = line }
        presentation.series = feed?.episode(presentation.id)?.series.id
        presentation.speed = remembered.speed[presentation.series ?? presentation.id]
        if presentation.isLive, let midnight = guideBook.midnight {
            presentation.clockOrigin = parts.player.currentItem?.liveStatus?.clockOrigin(
                at: parts.player.currentTime, midnight: midnight)
        }
        thumbnails.add(to: &presentation)
        // The interface moves on by itself where there is something to move on to.
        if movesOn, let feed, programme.following(in: feed) != nil { presentation.isInQueue = true }
        return presentation
    }

    /// Another programme is opened: the pictures of the one before are no longer drawn.
    func closePictures() {
        parts.drawing.setEmbeddedArtwork(nil)
        thumbnails.close()
    }

    /// The pictures of a programme that is open now.
    ///
    /// - Parameter whenKnown: called when there are small pictures of it.
    func openPictures(
        of programme: Programme, _ source: SourceDescription, whenKnown: @escaping @MainActor @Sendable () -> Void
    ) {
        parts.drawing.setEmbeddedArtwork(source.artwork.first)
        thumbnails.open(programme, source, whenKnown: whenKnown)
    }

    /// Reads what a file says of itself, once.
    ///
    /// - Parameter whenKnown: called when it says something.
    func readMetadata(whenKnown: @escaping @MainActor @Sendable () -> Void) {
        stream.read { [weak self] item, error in
            guard let self, self.parts.player.currentItem === item else { return }
            if let error { return self.parts.log.note("continued without the metadata of the file: \(error.sentence)") }
            whenKnown()
        }
    }
}

extension LiveStatus {
    /// The time of day, local, at asset time zero, by the dates of the stream around a place; nil where it has none.
    func clockOrigin(at place: MediaTime, midnight: FeedDate) -> MediaTime? {
        date(at: place).map { .nanoseconds($0 - midnight.milliseconds * 1_000_000) - place }
    }
}
