import BoxModel
import ChannelFeed
import CivilTime
import MediaModel
import MediaSources
import MediaTime
import Metadata
import Playback
import ProgrammeGuide
import Screens
import URLReferences

/// Feed items and streams as plain values in the viewer's languages, for the interface.
@MainActor
struct Presentations {
    /// What is available now.
    var feed: Feed?
    /// The feed with what is not available now; the guide shows that at its time. Nil: there is nothing else.
    var whole: Feed?
    var languages: [String]
    var places: any PlaceStore
    /// The interface's texts, for rows without a title in the feed.
    var strings = StringCatalogue.english
    /// The programmes of guides, by their addresses.
    var listings: [String: GuideListings] = [:]
    /// The viewer's rating limit, or the box's; nil for the feed's.
    var limit: ParentalLimit?
    /// How much of an item is saved on the box, by its id; nil if it is not to be saved.
    var saving: @MainActor (String) -> HomeContent.Saving? = { _ in nil }
    /// The ids of the viewer's list, the newest first.
    var list: [String] = []
    /// Why programmes cannot be saved; nil if they can.
    var storageTrouble: StorageTrouble?
    /// The lengths of begun items that the player has learned; nil: none.
    var lengths: LearnedLengths?
    /// What is stored of how far viewers are in series.
    var remembered = RememberedChoices(MemoryChoiceStore())
    /// The clocks of the box's place.
    var zone = CivilZone.utc
    /// The lines of documents that overlays show, by their addresses.
    var documentLines: [String: [LocalizedText]] = [:]
    /// What is like what in `feed`; nil if no page is described.
    var moreLikeThis: MoreLikeThis?

    var viewed: ViewedParts { ViewedParts(places: places, lengths: lengths) }

    /// What is next in the feed's series; nil without a feed.
    var upNext: UpNext? { feed.map { UpNext(feed: $0, whole: whole ?? $0, viewed: viewed, remembered: remembered) } }

    /// The presentation of a programme.
    ///
    /// - Parameters:
    ///   - source: the stream's description; nil while it is not open. The feed's values take precedence.
    ///   - metadata: the file's metadata in all languages; nil while it has not been read.
    func presentation(of programme: Programme, source: SourceDescription?, metadata: MediaMetadata? = nil) -> ItemPresentation {
        let tags = texts(source, metadata)
        var presentation: ItemPresentation
        switch programme.subject {
        case .item(let item): presentation = present(item, programme, tags)
        case .channel(let channel): presentation = present(channel, programme)
        case .url(LipSyncFilm.address):
            presentation = ItemPresentation(id: LipSyncFilm.address) {
                $0.title = strings.text(.lipSyncTest)
                $0.requiresLinearPlayback = true
            }
        case .url(let url):
            presentation = ItemPresentation(id: url) {
                $0.title = tags["title"] ?? Self.name(of: url)
                $0.isInQueue = programme.isInQueue
            }
            presentation.subtitle = tags["artist"] ?? tags["album"]
            presentation.summary = tags["description"] ?? tags["comment"]
            presentation.genre = tags["genre"]
            presentation.rating = tags["rating"]
        }
        presentation.watchedInterstitials = places.watchedInterstitials(of: programme.id)
        if let source {
            presentation.duration = source.duration.time ?? presentation.duration
            presentation.isLive = source.duration == .live
            if !presentation.markers.contains(where: { $0.kind == .chapter }) {
                presentation.markers += chapters(source, metadata)
            }
            presentation.badges = badges(source)
            if presentation.artwork == nil, !source.artwork.isEmpty { presentation.artwork = Appliance.embeddedArtwork }
        }
        return presentation
    }

    /// The contents of Home.
    func home() -> HomeContent {
        guard let feed else { return HomeContent() }
        var rows: [HomeContent.Row] = []
        let begun = continueWatching()
        if !begun.isEmpty {
            rows.append(HomeContent.Row(id: "continue", title: strings.text(.continueWatching), entries: begun))
        }
        if !feed.channels.isEmpty {
            rows.append(
                HomeContent.Row(
                    id: "channels", title: strings.text(.channels),
                    entries: feed.channels.sorted { $0.number < $1.number }.compactMap { entry(.channel($0.id)) },
                    style: .channels))
        }
        let kept = list.compactMap { entry(.item($0)) ?? entry(.series($0)) }
        if !kept.isEmpty { rows.append(HomeContent.Row(id: "list", title: strings.text(.myList), entries: kept)) }
        let saved = feed.items.filter { saving($0.id) == .saved }.compactMap { entry(.item($0.id)) }
        if !saved.isEmpty { rows.append(HomeContent.Row(id: "saved", title: strings.text(.saved), entries: saved)) }
        for (number, row) in feed.rows.enumerated() {
            let entries = feed.contents(of: row).compactMap { entry($0) }
            guard !entries.isEmpty else { continue }
            rows.append(HomeContent.Row(id: "row-\(number)", title: row.title.best(for: languages) ?? "", entries: entries))
        }
        if feed.rows.isEmpty, !feed.items.isEmpty {
            rows.append(
                HomeContent.Row(
                    id: "items", title: strings.text(.programmes), entries: feed.items.compactMap { entry(.item($0.id)) }))
        }
        var content = HomeContent(title: feed.provider?.name?.best(for: languages), rows: rows, searchable: searchable())
        content.storageTrouble = storageTrouble
        return content
    }

    /// - Parameter hasDetails: whether it has facts and summary, which only Home shows.
    func entry(_ reference: Reference, hasDetails: Bool = true) -> HomeContent.Entry? {
        switch reference {
        case .item(let id):
            guard let item = feed?.item(id) else { return nil }
            let isLocked = isLocked(item.rating)
            return HomeContent.Entry(
                id: id, title: item.title?.best(for: languages) ?? id, subtitle: secondLine(of: item),
                facts: hasDetails ? facts(item) : [],
                summary: hasDetails && !isLocked ? item.description?.best(for: languages) : nil, artwork: item.artwork?.preferred,
                backdrop: isLocked ? nil : item.artwork?.wide,
                watchedPercent: viewed.percent(of: item), isWatched: isWatched(reference),
                isLocked: isLocked,
                saving: saving(id), playsOffline: playsOffline(item))
        case .channel(let id):
            guard let channel = feed?.channel(id) else { return nil }
            let isLocked = channel.kind == .live && isLocked(channel.rating)
            return HomeContent.Entry(
                id: id, kind: .channel, title: channel.title.best(for: languages) ?? id, number: channel.number,
                artwork: channel.artwork?.preferred, backdrop: isLocked ? nil : channel.artwork?.scene, isLocked: isLocked,
                playsOffline: playsOffline(channel))
        case .series(let id):
            guard let series = feed?.series(id) else { return nil }
            let isLocked = isLocked(series)
            return HomeContent.Entry(
                id: id, kind: .series, title: series.title.best(for: languages) ?? id,
                facts: hasDetails ? [series.genre?.best(for: languages), series.rating?.value].compactMap { $0 } : [],
                summary: hasDetails && !isLocked ? series.description?.best(for: languages) : nil,
                artwork: series.artwork?.preferred, backdrop: isLocked ? nil : series.artwork?.wide,
                isLocked: isLocked, playsOffline: playsOffline(series.seasons.flatMap(\.episodes)))
        }
    }

    private func facts(_ item: Item) -> [String] {
        [item.genre?.best(for: languages), item.rating?.value, viewed.statedLength(of: item).map { strings.duration($0) }]
            .compactMap { $0 }
    }

    // MARK: Without a network

    private func playsOffline(_ item: Item) -> Bool {
        saving(item.id) == .saved || item.streams.contains(where: \.isOnThisMachine)
    }

    /// All of it: which of its items is next depends on the viewer and on the time.
    private func playsOffline(_ ids: [String]) -> Bool {
        !ids.isEmpty && ids.allSatisfy { feed?.item($0).map(playsOffline) == true }
    }

    private func playsOffline(_ channel: Channel) -> Bool {
        switch channel.kind {
        case .live: channel.streams.contains(where: \.isOnThisMachine)
        case .playlist: playsOffline(channel.items)
        case .schedule: playsOffline(channel.schedule.items)
        }
    }

    /// The second line of an item: for an episode its series, and what the feed says there or else its number.
    private func secondLine(of item: Item) -> String? {
        let own = item.subtitle?.best(for: languages)
        guard let series = upNext?.series(of: item.id), let name = series.title.best(for: languages), !name.isEmpty else {
            return own
        }
        let second = own?.isEmpty == false ? own : number(of: item.id, in: series)
        guard let second, !second.contains(name) else { return second ?? name }
        return strings.isolated(name) + " · " + strings.isolated(second)
    }

    /// "S1 E3"; nil for what is no episode of the series.
    func number(of id: String, in series: Series) -> String? {
        upNext?.place(of: id, in: series).map { season, number in
            season.number == 0
                ? strings.text(.specialNumber, "\(number)") : strings.text(.episodeNumber, "\(season.number)", "\(number)")
        }
    }

    private func present(_ item: Item, _ programme: Programme, _ tags: [String: String]) -> ItemPresentation {
        ItemPresentation(id: item.id) {
            $0.title = item.title?.best(for: languages) ?? tags["title"]
            $0.subtitle = secondLine(of: item)
            $0.summary = item.description?.best(for: languages) ?? tags["description"] ?? tags["comment"]
            $0.genre = item.genre?.best(for: languages) ?? tags["genre"]
            $0.rating = item.rating?.value ?? tags["rating"]
            $0.artwork = item.artwork?.preferred
            $0.poster = item.artwork?.still ?? item.artwork?.background
            $0.duration = item.duration
            $0.interstitials = item.interstitials
            $0.markers = item.markers.map(marker)
            $0.screen = screen(item.screen, item.overlayLines, in: programme)
            // A playlist says itself what follows: the default proposal, the next episode, would end it.
            let next = upNext?.episode(after: item.id)
            if programme.queue == nil || item.proposal != .automatic {
                $0.proposal = feed?.proposal(of: item, nextEpisode: next?.id).flatMap(proposal)
            }
            if programme.queue == nil { $0.nextEpisode = next.flatMap { entry(.item($0.id), hasDetails: false) } }
            $0.trimStart = item.trim?.start ?? .zero
            $0.trimEnd = item.trim?.end
            $0.requiresLinearPlayback = item.requiresLinearPlayback
            $0.resume = item.resume && programme.schedule == nil ? places.place(of: item.id) : nil
            $0.skipsItems = (item.skipMode ?? feed?.policy.skipMode) == .item
            $0.isInQueue = programme.isInQueue
            $0.channel = programme.schedule ?? programme.queue?.channel.id
        }
    }

    private func present(_ channel: Channel, _ programme: Programme) -> ItemPresentation {
        ItemPresentation(id: channel.id) {
            $0.title = channel.title.best(for: languages)
            $0.summary = channel.description?.best(for: languages)
            $0.genre = channel.genre?.best(for: languages)
            $0.rating = channel.rating?.value
            $0.artwork = channel.artwork?.preferred
            $0.screen = screen(channel.screen, channel.overlayLines, in: programme)
            $0.isLive = true
            $0.channel = programme.schedule
        }
    }

    /// The screen of what is shown: its own frame, else that of the channel in which it is shown; that channel's overlays below its own.
    private func screen(_ own: ProgrammeScreen, _ lines: [String: [LocalizedText]], in programme: Programme) -> ProgrammeScreen {
        let channel = programme.schedule.flatMap { feed?.channel($0) } ?? programme.queue?.channel
        let ofChannel = overlays(channel?.screen.overlays ?? [], channel?.overlayLines ?? [:])
        return ProgrammeScreen(frame: own.frame ?? channel?.screen.frame, overlays: ofChannel + overlays(own.overlays, lines))
    }

    /// Overlays with the lines of their words.
    private func overlays(_ overlays: [ScreenOverlay], _ lines: [String: [LocalizedText]]) -> [ScreenOverlay] {
        overlays.map { overlay in
            let found: [LocalizedText]?
            switch overlay.words?.source {
            case .feed(let name)?: found = lines[name]
            case .document(let url, _)?: found = documentLines[url]
            case .clock?, .date?, nil: return overlay
            }
            var overlay = overlay
            overlay.words?.lines = (found ?? []).compactMap { $0.best(for: languages)?.nonEmpty }
            return overlay
        }
    }

    private func marker(_ marker: Marker) -> NavigationMarker {
        NavigationMarker(
            kind: marker.kind, start: marker.start, end: marker.end, title: marker.title?.best(for: languages),
            image: marker.image)
    }

    private func proposal(_ proposal: ContentProposal) -> ProposalPresentation? {
        guard let next = proposal.next?.id ?? proposal.streams.first?.name else { return nil }
        let item = feed?.item(next)
        let isLocked = item.map { self.isLocked($0.rating) } ?? false
        return ProposalPresentation(
            next: next, title: proposal.title?.best(for: languages),
            subtitle: item.flatMap { secondLine(of: $0) },
            summary: proposal.description?.best(for: languages),
            genre: proposal.genre?.best(for: languages), rating: proposal.rating?.value,
            duration: item.flatMap { viewed.statedLength(of: $0) },
            image: proposal.image, transitionTime: proposal.contentTimeForTransition,
            automaticAcceptanceInterval: proposal.automaticAcceptanceInterval, isLocked: isLocked)
    }

    private func badges(_ source: SourceDescription) -> [String] {
        var badges: [String] = []
        if let height = source.tracks.first(where: { $0.type == .video })?.height {
            if height >= 2160 { badges.append("4K") } else if height >= 720 { badges.append("HD") }
        }
        if (source.tracks.filter { $0.type == .audio }.compactMap(\.channels).max() ?? 0) > 2 { badges.append("5.1") }
        return badges
    }

    private static func name(of url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").last.map(String.init) ?? url
    }

    // MARK: The schedule, and the rows made from it

    /// The guide: the schedules of the feed's own channels, and for the others the programmes of XMLTV files.
    ///
    /// - Parameters:
    ///   - midnight: the start of today, local; nil if the time of day is unknown, and then there is no guide.
    ///   - reminders: the programmes of which the viewer wants to be reminded.
    func guide(midnight: FeedDate?, reminders: Set<Reminders.Mark> = []) -> GuideContent {
        guard let feed, let midnight else { return GuideContent() }
        let reminded = Set(reminders.map(\.channel))
        return GuideContent(
            channels: feed.channels.sorted { $0.number < $1.number }.map { channel in
                var programmes = programmes(of: channel, midnight)
                if reminded.contains(channel.id) {
                    for index in programmes.indices {
                        let mark = Reminders.Mark(channel: channel.id, midnight: midnight, start: programmes[index].start)
                        programmes[index].hasReminder = reminders.contains(mark)
                    }
                }
                return GuideContent.Channel(
                    id: channel.id, number: channel.number, title: channel.title.best(for: languages) ?? channel.id,
                    artwork: channel.artwork?.preferred, programmes: programmes)
            })
    }

    private func programmes(of channel: Channel, _ midnight: FeedDate) -> [GuideContent.Programme] {
        guard channel.kind == .schedule else { return listed(channel, midnight) }
        guard !channel.recurs else { return recurring(channel, midnight) }
        let entries = channel.schedule.entries
        return entries.indices.compactMap { index in
            let entry = entries[index]
            guard let feed = whole ?? feed, let item = feed.item(entry.item),
                feed.availability(of: item, clock: .trusted(entry.at)) == .playable
            else { return nil }
            let start = Int((entry.at.milliseconds - midnight.milliseconds) / 1000)
            var end = item.duration.map { start + Int($0.wholeSteps(of: .seconds(1))) }
            if index + 1 < entries.count {
                let next = Int((entries[index + 1].at.milliseconds - midnight.milliseconds) / 1000)
                end = min(end ?? next, next)
            }
            let last = end ?? start + 3600
            // The guide shows at most two days.
            guard last > start, last > -86_400, start < 3 * 86_400 else { return nil }
            return GuideContent.Programme(
                title: item.title?.best(for: languages) ?? item.id, summary: item.description?.best(for: languages), start: start,
                end: last)
        }
    }

    /// What a schedule of rules shows from yesterday on, for two days.
    private func recurring(_ channel: Channel, _ midnight: FeedDate) -> [GuideContent.Programme] {
        let begin = midnight.second
        let last = begin + 3 * 86_400
        let switches = channel.schedule.timetable.switches(from: begin - 86_400, until: last, in: zone)
        return switches.indices.compactMap { index in
            guard let rule = switches[index].what ?? channel.schedule.fillerRule, let title = title(of: rule) else { return nil }
            let end = index + 1 < switches.count ? switches[index + 1].at : last
            return GuideContent.Programme(
                title: title.name, summary: title.summary, start: Int(switches[index].at - begin), end: Int(end - begin))
        }
    }

    private func title(of rule: ScheduleRule) -> (name: String, summary: String?)? {
        guard let feed = whole ?? feed else { return nil }
        let (id, name, summary): (String, LocalizedText?, LocalizedText?)
        switch rule.shows {
        case .items(let items):
            guard let first = items.lazy.compactMap({ feed.item($0) }).first else { return nil }
            (id, name, summary) = (first.id, first.title, first.description)
        case .channel(let channel):
            guard let found = feed.channel(channel) else { return nil }
            (id, name, summary) = (found.id, found.title, found.description)
        }
        return ((rule.title ?? name)?.best(for: languages) ?? id, summary?.best(for: languages))
    }

    /// Whether a rating needs the PIN: under the viewer's limit, otherwise the box's, otherwise the feed's.
    func isLocked(_ rating: Rating?) -> Bool { feed?.parentalDecision(for: rating, limit: limit).isLocked ?? false }

    /// Whether a series needs the PIN: by its rating; without one, where each of its episodes does.
    func isLocked(_ series: Series) -> Bool {
        guard series.rating == nil else { return isLocked(series.rating) }
        let episodes = series.seasons.flatMap(\.episodes).compactMap { feed?.item($0) }
        return !episodes.isEmpty && episodes.allSatisfy { isLocked($0.rating) }
    }

    /// Whether an item was watched to its end, and not begun again since.
    func isWatched(_ reference: Reference) -> Bool {
        if case .item(let id) = reference { viewed.isWatched(id) } else { false }
    }

    /// What was begun, and the next episodes of series, the newest first, at most ten: under an episode its series, its number and the time that is left.
    func continueWatching() -> [HomeContent.Entry] {
        let items = upNext?.continued() ?? []
        return items.compactMap { item in
            guard var entry = entry(.item(item.id)) else { return nil }
            let left = viewed.left(of: item).map { strings.text(.timeLeft, strings.duration($0)) }
            guard let series = upNext?.series(of: item.id), let name = series.title.best(for: languages) else {
                entry.subtitle = left ?? entry.subtitle
                return entry
            }
            entry.facts.insert(entry.title, at: 0)
            entry.title = name
            let words = [number(of: item.id, in: series), left].compactMap { $0 }.map { strings.isolated($0) }
            entry.subtitle = words.joined(separator: " · ")
            return entry
        }
    }

    /// Everything that can be found: channels, series, items.
    func searchable() -> [HomeContent.Entry] {
        guard let feed else { return [] }
        return feed.channels.compactMap { entry(.channel($0.id), hasDetails: false) }
            + feed.series.compactMap { entry(.series($0.id), hasDetails: false) }
            + feed.items.compactMap { entry(.item($0.id), hasDetails: false) }
    }

    /// The programmes of a channel in a guide, in seconds since midnight.
    private func listed(_ channel: Channel, _ midnight: FeedDate) -> [GuideContent.Programme] {
        guard let guide = channel.guide, let listings = listings[guide.xmltv] else { return [] }
        return listings.programmes(of: channel).compactMap { programme in
            let start = Int((programme.start.milliseconds - midnight.milliseconds) / 1000)
            let end = Int((programme.end.milliseconds - midnight.milliseconds) / 1000)
            guard end > start, end > -86_400, start < 3 * 86_400, let title = programme.title.best(for: languages) else {
                return nil
            }
            let details = programme.details
            return GuideContent.Programme(
                title: title, subtitle: details.subtitle?.best(for: languages), summary: details.summary?.best(for: languages),
                facts: [details.episode, details.category?.best(for: languages)].compactMap { $0 }, rating: details.rating,
                artwork: details.icon.flatMap { $0.contains("://") ? $0 : nil },
                start: start, end: end)
        }
    }

    // MARK: Stream metadata

    /// The texts of a stream under the common identifiers, in the viewer's languages.
    private func texts(_ source: SourceDescription?, _ metadata: MediaMetadata?) -> [String: String] {
        var texts = Dictionary(
            (source?.tags ?? []).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        let names: [(String, MetadataIdentifier)] = [
            ("title", .commonTitle), ("artist", .commonArtist), ("album", .commonAlbumName), ("description", .commonDescription),
            ("genre", .commonType),
        ]
        for (name, identifier) in names {
            if let text = metadata?.items.best(identifier, for: languages)?.stringValue { texts[name] = text }
        }
        texts["rating"] = metadata?.contentRating
        return texts
    }

    /// The chapters of a stream in the viewer's languages. The interface gives titles to those without one.
    private func chapters(_ source: SourceDescription, _ metadata: MediaMetadata?) -> [NavigationMarker] {
        guard let metadata, !metadata.chapters.isEmpty else {
            return source.chapters.map { chapter in
                NavigationMarker(kind: .chapter, start: chapter.range.start, end: chapter.range.end, title: chapter.title)
            }
        }
        return metadata.chapterGroups(bestMatching: languages, duration: source.duration.time) { _ in "" }.map { group in
            let title = group.items.first?.stringValue ?? ""
            return NavigationMarker(
                kind: .chapter, start: group.timeRange.start, end: group.timeRange.end, title: title.isEmpty ? nil : title)
        }
    }
}

extension ChannelFeed.Stream {
    /// Whether no network is needed to read it.
    fileprivate var isOnThisMachine: Bool {
        location.addresses.allSatisfy { address in
            let address = URLReference(address)
            return address.isFile || address.isThisMachine
        }
    }
}
