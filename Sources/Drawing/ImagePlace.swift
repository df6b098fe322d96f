import MediaModel
import Screens

/// Where a picture is shown; this decides its size.
enum ImagePlace {
    /// The video's area.
    case poster(PixelRect)
    /// The Info tab.
    case artwork
    /// A chapter, or the item of a card.
    case card
    /// A poster of Home.
    case entry(Metrics.Home.Grid)
    /// A content proposal.
    case preview
    /// The bubble while scrubbing.
    case thumbnail
    /// Next to a search result.
    case small
    /// Large, behind Home and the pages of programmes and series.
    case hero
    /// An episode of a series.
    case episode
    /// A channel's icon.
    case icon
    /// A cover next to its title, without a picture under it.
    case cover
    /// A picture of the programme over its video.
    case overlay(ScreenOverlay)

    /// The rectangle of a poster: the video's area, or the whole screen when there is none.
    static func posterFrame(_ video: PixelRect) -> Rect { video.isEmpty ? Rect(Metrics.screen) : Rect(video) }

    private static func wholeSize(of overlay: ScreenOverlay, _ scale: Scale) -> (width: Double, height: Double) {
        let (box, screen) = (scale.spread(Rect(overlay.box)), scale.spread(Rect(Metrics.screen)))
        return (
            min(box.width / overlay.crop.part(of: \.width), screen.width),
            min(box.height / overlay.crop.part(of: \.height), screen.height)
        )
    }

    /// The request to the loader.
    func request(_ reference: String, _ scale: Scale) -> ImageRequest {
        let size: (width: Double, height: Double) =
            switch self {
            case .poster(let frame): (Self.posterFrame(frame).width, Self.posterFrame(frame).height)
            case .artwork: (Double(Metrics.Panel.artworkSide), Double(Metrics.Panel.artworkSide))
            case .card: (Double(Metrics.Panel.chapterCardWidth), Double(Metrics.Panel.chapterCardHeight))
            // Most pictures have the shape of a screen, and are cropped to that of a poster.
            case .entry(let grid): (Double(grid.posterWidth), Double(grid.posterWidth) * 9 / 16)
            case .preview: (640, 360)
            case .thumbnail: (Double(Metrics.Bar.thumbnailWidth), Double(Metrics.Bar.thumbnailHeight))
            case .small: (192, 108)
            case .hero: (HeroArt.size.width, HeroArt.size.height)
            case .episode: (256, 144)
            case .icon: (120, 120)
            case .cover: (480, 480)
            // The whole picture, of which a part is shown; never more of it than a screen has.
            case .overlay(let overlay):
                Self.wholeSize(of: overlay, scale)
            }
        return ImageRequest(
            reference: reference, width: Int((size.width * scale.factor).rounded(.up)),
            height: Int((size.height * scale.factor).rounded(.up)))
    }
}

extension PresentationState {
    /// The pictures in this state, most important first.
    ///
    /// - Parameter hasRested: whether focus has rested, so that its artwork is shown large.
    func imageRequests(_ scale: Scale, hasRested: Bool = true) -> [ImageRequest] {
        var requests: [ImageRequest] = []
        func add(_ reference: String?, _ place: ImagePlace) {
            guard let request = reference.map({ place.request($0, scale) }), !requests.contains(request) else { return }
            requests.append(request)
        }
        func add(_ related: RelatedView?) {
            guard let related else { return }
            for entry in related.entries[related.visible] where !entry.isLocked { add(entry.artwork, .entry(related.grid)) }
        }
        guard pin == nil, screen != .standby else { return requests }
        add(screenSaver?.artwork, .cover)
        add(bar?.scrub?.thumbnail, .thumbnail)
        add(channelBanner?.artwork, .icon)
        if case .channels(let list)? = page { for row in list.rows.prefix(Metrics.Menu.channelRows) { add(row.artwork, .icon) } }
        if let audioOnly {
            add(audioOnly.artwork, .cover)
        } else {
            add(poster?.artwork, .poster(video.frame))
        }
        add(card?.artwork, .card)
        add(card?.related)
        add(proposal?.image, .preview)
        switch panel?.content {
        case .info(let info): add(info.artwork, .artwork)
        case .chapters(let chapters): for chapter in chapters[ChaptersTab.visible(chapters)] { add(chapter.image, .card) }
        case .menu, nil: break
        }
        if case .search(let search)? = page { for index in search.visibleResults { add(search.results[index].artwork, .small) } }
        if case .series(let series)? = page {
            for index in series.visibleEpisodes { add(series.episodes[index].entry.artwork, .episode) }
            add(series.related)
        }
        if case .programme(let programme)? = page {
            add(programme.related)
        }
        if case .guide(let guide)? = page {
            for row in guide.rows.prefix(Metrics.Guide.rowsPerScreen) { add(row.artwork, .icon) }
        }
        add(longText?.artwork, .cover)
        add(video.programmeFrame?.background, .poster(Metrics.screen))
        for overlay in overlays { add(overlay.image, .overlay(overlay)) }
        let isCovered = page?.hidesPicture == true || longText != nil
        if screen == .home, let home, !isCovered {
            for row in home.visibleRows {
                for column in home.visibleColumns(row: row) {
                    add(home.content.rows[row].entries[column].artwork, .entry(home.grid))
                }
            }
        }
        if hasRested { add(heroArtwork, .hero) }
        return requests
    }
}

extension HomeView {
    /// The rows on the screen, including the one that looks in from below.
    var visibleRows: Range<Int> {
        let first = min(max(firstRow, 0), content.rows.count)
        return first..<min(first + grid.rowsPerScreen + 1, content.rows.count)
    }

    /// The first fully visible entry of a row.
    func firstColumn(row: Int) -> Int { firstColumns.indices.contains(row) ? max(firstColumns[row], 0) : 0 }

    /// The visible entries of a row, including the one on each side that the edge of the screen cuts.
    func visibleColumns(row: Int) -> Range<Int> {
        let count = content.rows[row].entries.count
        let first = min(firstColumn(row: row), count)
        return max(first - 1, 0)..<min(first + grid.postersPerScreen + 1, count)
    }
}
