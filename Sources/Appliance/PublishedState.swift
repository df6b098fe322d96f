import ChannelFeed
import LinuxSupport
import MediaTime
import Playback
import Screens
import Shell
import StatusModel
import URLReferences

/// Reads the current playback and the library for the local page, reports and supervision. Main loop only.
@MainActor
package struct PublishedState {
    private let clock: any HostClock
    private let player: Player
    private let driver: InterfaceDriver
    private let catalogue: Catalogue
    private let programmes: ProgrammePlayer
    private let snapshots: PlaybackSnapshots

    init(
        _ parts: ApplianceParts, driver: InterfaceDriver, catalogue: Catalogue, programmes: ProgrammePlayer,
        snapshots: PlaybackSnapshots
    ) {
        clock = parts.clock
        player = parts.player
        self.driver = driver
        self.catalogue = catalogue
        self.programmes = programmes
        self.snapshots = snapshots
    }

    var nowPlaying: NowPlaying {
        guard let playing = programmes.playing else { return NowPlaying(state: .home, hostTime: clock.now) }
        let presentation = catalogue.presentations.presentation(
            of: playing.programme, source: player.currentItem?.description)
        let asset = playing.position.map { _ in player.currentTime }
        let duration = player.currentItem?.duration?.time ?? presentation.duration
        let mode = NowPlaying.State(snapshots.make(of: playing).state)
        var now = NowPlaying(state: mode, hostTime: clock.now)
        (now.id, now.title) = (presentation.id, presentation.title)
        now.subtitle = catalogue.presentedLine ?? presentation.subtitle
        now.elapsed = asset.map { presentation.timeline.contentTime(at: $0) }
        now.duration = duration.map { presentation.timeline.contentTime(at: $0) }
        now.assetTime = asset
        now.artworkURL = Self.published(presentation.artwork)
        now.isLive = presentation.isLive
        now.date = asset.flatMap { position in player.currentItem?.liveStatus?.date(at: position) }
        now.session = player.currentItem?.log?.sessionID
        now.selections = player.currentItem.map { Self.selections($0.selection) } ?? []
        if mode == .playing { now.rate = player.state.rate }
        now.interstitialLabel = driver.machine.state.interstitialLabel
        now.requiresLinearPlayback = driver.machine.requiresLinearPlayback
        now.error = playing.error
        return now
    }

    /// A part of what can be opened now.
    package func library(_ query: LibraryQuery) -> LibraryPage {
        let presentations = catalogue.presentations
        guard let feed = presentations.feed else { return LibraryPage() }
        func page(_ count: Int, _ reference: (Int) -> Reference) -> LibraryPage {
            let first = min(query.offset, count)
            let indices = first..<first + min(query.limit, count - first)
            return LibraryPage(total: count, entries: indices.compactMap { entry(reference($0), feed, presentations) })
        }
        switch (query.kind, query.series) {
        case (.channels, _): return page(feed.channels.count) { .channel(feed.channels[$0].id) }
        case (.series, _): return page(feed.series.count) { .series(feed.series[$0].id) }
        case (.items, nil): return page(feed.items.count) { .item(feed.items[$0].id) }
        case (.items, let id?):
            let episodes = feed.series(id)?.seasons.flatMap(\.episodes) ?? []
            return page(episodes.count) { .item(episodes[$0]) }
        }
    }

    private func entry(_ reference: Reference, _ feed: Feed, _ presentations: Presentations) -> LibraryPage.Entry? {
        guard let shown = presentations.entry(reference) else { return nil }
        var entry = Self.published(shown)
        if case .item(let id) = reference { entry.duration = feed.item(id)?.duration }
        return entry
    }

    /// The rows of Home, each in part.
    package func home(_ query: HomeQuery) -> [HomeRow] {
        catalogue.home.rows.filter { query.row == nil || $0.id == query.row }.map { row in
            HomeRow(
                id: row.id, title: row.title, total: row.entries.count,
                entries: row.entries.dropFirst(query.offset).prefix(query.limit).map(Self.published))
        }
    }

    /// Finds what Search on the screen finds.
    package var librarySearch: LibrarySearch {
        let (entries, strings) = (catalogue.home.searchable, driver.strings)
        let (guide, time) = (catalogue.shownGuide, catalogue.guideTime)
        return LibrarySearch { text in
            let programmes = time.map { LetterSearch(text).find(in: ProgrammeTitles(guide), at: $0) } ?? []
            let shown = programmes.map { found in
                let channel =
                    entries.first { $0.id == found.channel.id } ?? .init(id: found.channel.id, title: found.channel.title)
                return found.shown(as: channel, in: strings)
            }
            return (LetterSearch.find(text, in: entries) + shown).map(Self.published)
        }
    }

    /// The reference of the picture of an item, channel or series; nil if there is none, or if it would reveal what the PIN protects.
    package func artwork(of id: String) -> String? {
        let presentations = catalogue.presentations
        let references: [Reference] = [.item(id), .channel(id), .series(id)]
        guard let entry = references.lazy.compactMap({ presentations.entry($0) }).first, !entry.isLocked else { return nil }
        return entry.artwork
    }

    private nonisolated static func published(_ shown: HomeContent.Entry) -> LibraryPage.Entry {
        var entry = LibraryPage.Entry(id: shown.id, title: shown.title)
        entry.subtitle = shown.subtitle
        entry.number = shown.number
        entry.artworkURL = published(shown.artwork)
        entry.hasPicture = shown.artwork != nil && !shown.isLocked
        entry.watchedPercent = shown.watchedPercent
        entry.isLocked = shown.isLocked
        return entry
    }

    /// The address of a picture for other machines, without secrets; nil for one that only the box can read.
    private nonisolated static func published(_ artwork: String?) -> String? {
        guard let artwork, artwork.hasPrefix("http://") || artwork.hasPrefix("https://") else { return nil }
        return Redaction.withoutSecrets(artwork)
    }

    private static func selections(_ selection: MediaSelection) -> [NowPlaying.Selection] {
        selection.groups.map { group in
            NowPlaying.Selection(
                characteristic: group.characteristic.rawValue,
                options: group.options.map { .init(id: $0.id, language: $0.extendedLanguageTag, name: $0.displayName) },
                selected: selection.selectedOption(group.characteristic)?.id)
        }
    }
}

extension NowPlaying.State {
    init(_ state: PlaybackSnapshot.State) {
        self =
            switch state {
            case .loading: .loading
            case .ready, .paused: .paused
            case .playing: .playing
            case .waiting: .buffering
            case .ended: .ended
            case .failed: .failed
            }
    }
}
