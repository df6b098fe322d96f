import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// Turns the presentation state into the layers that show it. Pure except for measuring text.
struct InterfacePlan {
    let state: PresentationState
    let kit: Kit
    let shelf: ImageShelf
    /// The spinner's current phase.
    let spinnerPhase: Int
    /// Whether focus has rested, so that its artwork is shown large.
    var hasRested = true
    /// Of the picture, for what moves by itself.
    var time = HostTime.zero

    /// Stacking levels; the video is below all.
    enum Level {
        /// What is around the video of a programme, and the first of its own pictures: both are below everything else.
        static let ground = -33
        static let overlays = -32
        static let poster = 0, dim = 5, home = 10, scrim = 20, bar = 30, labels = 40, proposal = 50, panel = 60, spinner = 70,
            card = 80
        static let page = 84, messages = 90, pin = 94, levels = 98
    }

    /// All wanted layers.
    func layers() -> [LayerPlan] {
        // A screen of the box itself excludes everything else.
        if let setUp = state.setUp { return setUpLayers(setUp) + verdictLayers }
        var plans: [LayerPlan] = []
        guard state.screen != .standby else { return plans }
        if let saver = state.screenSaver {
            plans.append(LayerPlan(id: "saver.ground", z: Level.poster, content: Backdrop.black))
            let content = ScreenSaverPicture(view: saver, picture: artwork(saver.artwork, .cover))
            plans.append(LayerPlan(id: "saver", z: Level.poster + 1, content: content))
            return plans + verdictLayers
        }
        // Content protected by a PIN is hidden, and so is Home under a page.
        let isHidden = state.pin != nil || (hasPage && state.screen == .home)
        if !isHidden {
            addBackground(&plans)
            if let home = state.home, state.screen == .home { addHome(home, &plans) }
            if state.screen == .player, !hasPage { addPlayer(&plans) }
            addMessages(&plans)
        }
        addPage(&plans)
        addLevels(&plans)
        return plans + verdictLayers
    }

    private func addPlayer(_ plans: inout [LayerPlan]) {
        transport.addLayers(&plans)
        addLabels(&plans)
        if let paused = state.paused {
            plans.append(LayerPlan(id: "paused", z: Level.labels, content: LongPauseWords(view: paused)))
        }
        if let proposal = state.proposal { addProposal(proposal, &plans) }
        if let panel = state.panel { addPanel(panel, &plans) }
    }

    /// The thumbnail of a search, or while that is loading the nearest one.
    private var thumbnail: LayerPicture? {
        guard let bar = state.bar, let reference = bar.scrub?.thumbnail else { return nil }
        let part = bar.totalTime.map { $0 / Timing.thumbnailReachPart } ?? .zero
        return shelf.thumbnail(ImagePlace.thumbnail.request(reference, kit.scale), within: max(Timing.thumbnailReach, part))
    }

    func artwork(_ reference: String?, _ place: ImagePlace) -> LayerPicture? {
        reference.map { shelf.artwork(place.request($0, kit.scale)) }
    }

    // MARK: Behind everything

    private func addBackground(_ plans: inout [LayerPlan]) {
        if let audio = state.audioOnly {
            plans.append(
                LayerPlan(id: "audio.ground", z: Level.poster, content: Backdrop.black, motion: LayerMotion(fadesIn: false)))
            if !kit.theme.hasHighContrast, let picture = artwork(audio.artwork, .cover), picture.pixels != nil {
                plans.append(
                    LayerPlan(
                        id: "audio.backdrop", z: Level.poster + 1,
                        content: SoftBackdrop(.picture(picture), ground: .white(0), fade: .nowhere)))
            }
            if state.card == nil {
                plans.append(
                    LayerPlan(
                        id: "audio", z: Level.poster + 2, content: AudioOnly(view: audio, picture: artwork(audio.artwork, .cover))
                    ))
            }
        } else if let poster = state.poster {
            addPoster(poster, &plans)
        }
        plans += ProgrammePlan(state: state, kit: kit, artwork: artwork, time: time).layers
        if state.video.dimPercent > 0, !state.video.frame.isEmpty {
            // What is around the video is as bright.
            let frame = state.video.programmeFrame == nil ? state.video.frame : Metrics.screen
            plans.append(LayerPlan(id: "dim", z: Level.dim, content: Dim(percent: state.video.dimPercent, frame: Rect(frame))))
        } else if state.card != nil, state.poster != nil {
            // Before the first frame a card lies over the dimmed poster.
            plans.append(
                LayerPlan(id: "dim", z: Level.dim, content: Dim(percent: Metrics.Video.dimPercent, frame: Rect(Metrics.screen))))
        }
    }

    private func addPoster(_ poster: PosterView, _ plans: inout [LayerPlan]) {
        let artwork = artwork(poster.artwork, .poster(state.video.frame))
        let frame = ImagePlace.posterFrame(state.video.frame)
        // The corner is too small for text.
        let title = frame == Rect(Metrics.screen) && state.screen == .player ? poster.title : nil
        let content = Poster(artwork: artwork, hasTitle: title != nil, frame: frame)
        plans.append(LayerPlan(id: "poster", z: Level.poster, content: content, motion: LayerMotion(fadesIn: false)))
        guard let title, state.title == nil, state.card == nil else { return }
        plans.append(
            LayerPlan(
                id: "poster.title", z: Level.poster + 1, content: PosterTitle(title: title, shape: Poster.shape(of: artwork))))
    }

    private func addHome(_ home: HomeView, _ plans: inout [LayerPlan]) {
        let hasCorner = !state.video.frame.isEmpty
        var header = HomeHeader(clock: home.clock, provider: home.content.title, notice: home.notice, hasCorner: hasCorner)
        if case .entry(let row, let column) = home.focus, home.content.rows.indices.contains(row),
            home.content.rows[row].entries.indices.contains(column)
        {
            let entry = home.content.rows[row].entries[column]
            header.title = entry.title
            header.facts = [entry.subtitle].compactMap { $0 } + entry.facts
            header.summary = entry.summary
            plans += HeroPlan(kit: kit, artwork: artwork).layers(
                of: entry, style: home.content.rows[row].style, grid: home.grid,
                corner: hasCorner ? Rect(state.video.frame) : nil,
                large: hasRested ? state.heroArtwork : nil)
        }
        let buttons = HomeButtons(
            buttons: home.buttons.map { ButtonFace(title: $0.title, isFocused: $0.isFocused) }, hasCorner: hasCorner)
        header.buttonsWidth = buttons.width(kit)
        plans.append(LayerPlan(id: "home.header", z: Level.home, content: header))
        let bump = Double(Metrics.Home.bump) * kit.scale.factor
        let focused: Int? = if case .entry(let row, _) = home.focus { row } else { nil }
        if !home.buttons.isEmpty {
            var motion = LayerMotion(bump: bump)
            if case .button = home.focus { motion.edge = home.edge }
            plans.append(LayerPlan(id: "home.buttons", z: Level.home + 1, content: buttons, motion: motion))
        }
        for (slot, index) in home.visibleRows.enumerated() {
            let row = home.content.rows[index]
            let offset = Double(slot * home.grid.rowPitch)
            let cells = home.visibleColumns(row: index).map { column in
                HomeRowLayer.Cell(
                    entry: row.entries[column], picture: artwork(row.entries[column].artwork, .entry(home.grid)),
                    slot: column - home.firstColumn(row: index), isFocused: home.focus == .entry(row: index, column: column),
                    isDimmed: home.isOffline && !row.entries[column].playsOffline,
                    isFavourite: home.content.favourites.contains(row.entries[column].id))
            }
            let content = HomeRowLayer(
                title: row.title, style: row.style, watched: home.watched, grid: home.grid,
                isWhole: slot < home.grid.rowsPerScreen, cells: cells, top: Double(home.grid.firstRowTop))
            let id = "home.row.\(row.id)"
            plans.append(
                LayerPlan(
                    id: id, z: Level.home + 1, content: content, offsetY: offset,
                    motion: LayerMotion(glides: true, edge: focused == index ? home.edge : nil, bump: bump)))
            if let focus = HomeFocus(content) {
                let motion = LayerMotion(
                    fadesIn: false, fadesOut: false, glides: true, growsFrom: HomeFocus.rest, edge: home.edge, bump: bump,
                    follows: id)
                plans.append(
                    LayerPlan(
                        id: "home.focus.\(row.id).\(focus.cell.entry.id)", z: Level.home + 2, content: focus, offsetY: offset,
                        motion: motion))
            }
        }
        if let message = home.emptyMessage {
            plans.append(LayerPlan(id: "home.message", z: Level.home, content: HomeMessage(words: message)))
        }
        if hasCorner {
            let corner = HomeCorner(frame: Rect(state.video.frame), title: home.playing, isFocused: state.video.isFocused)
            plans.append(LayerPlan(id: "home.corner", z: Level.home + 2, content: corner))
        }
    }

    // MARK: Over the video

    private var transport: TransportPlan {
        TransportPlan(state: state, kit: kit, thumbnail: thumbnail)
    }

    private func addLabels(_ plans: inout [LayerPlan]) {
        guard state.interstitialLabel != nil || state.skipCountdown != nil || state.action != nil else { return }
        let floors = transport.floors
        let bottom = Rect.safeArea.maxY
        if let label = state.interstitialLabel {
            plans.append(
                LayerPlan(
                    id: "label", z: Level.labels,
                    content: Pill(words: label, side: .leading, bottom: ActionButton.bottom, hasDot: true, isButtonHigh: true),
                    offsetY: floors.leading - bottom))
        }
        if let countdown = state.skipCountdown {
            plans.append(
                LayerPlan(
                    id: "skip", z: Level.labels,
                    content: Pill(words: countdown, side: .trailing, bottom: ActionButton.bottom, isButtonHigh: true),
                    offsetY: floors.trailing - bottom))
        }
        if let action = state.action {
            let content = ActionButton(title: action.title, isFocused: action.isFocused)
            plans.append(LayerPlan(id: "action", z: Level.labels + 1, content: content, offsetY: floors.trailing - bottom))
        }
    }

    private func addPanel(_ panel: PanelView, _ plans: inout [LayerPlan]) {
        let slide = (PanelGround.frame(kit).maxY * kit.scale.factor).rounded()
        let motion = LayerMotion(slide: slide)
        let ground = PanelGround(tabs: panel.tabs, selected: panel.selected, isFocused: panel.focus == .tabs)
        plans.append(LayerPlan(id: "panel", z: Level.panel, content: ground, motion: motion))
        switch panel.content {
        case .info(let info):
            let content = InfoTab(info: info, artwork: artwork(info.artwork, .artwork))
            plans.append(LayerPlan(id: "panel.content", z: Level.panel + 1, content: content, motion: motion))
        case .chapters(let chapters):
            let window = ChaptersTab.window(chapters)
            let cards = ChaptersTab.visible(chapters).map { index in
                ChaptersTab.Card(
                    chapter: chapters[index], picture: artwork(chapters[index].image, .card), slot: index - window.lowerBound)
            }
            let content = ChaptersTab(cards: cards)
            plans.append(LayerPlan(id: "panel.content", z: Level.panel + 1, content: content, motion: motion))
        case .menu(let menu): addMenu(menu, motion, &plans)
        }
    }

    private func addProposal(_ view: ProposalView, _ plans: inout [LayerPlan]) {
        let content = ProposalLayer(view, picture: artwork(view.image, .preview))
        // Its words are below the small picture, which is still on its way.
        let motion = LayerMotion(waits: view.videoPlace == .preferred ? Timing.proposalShrink / 2 : .zero)
        plans.append(LayerPlan(id: "proposal", z: Level.proposal, content: content, motion: motion))
        guard !view.buttons.isEmpty else { return }
        let buttons = ProposalButtons(proposal: content, buttons: view.buttons, ringPercent: view.ringPercent)
        plans.append(LayerPlan(id: "proposal.buttons", z: Level.proposal + 1, content: buttons))
    }

    // MARK: Over everything

    private func addMessages(_ plans: inout [LayerPlan]) {
        if let spinner = state.spinner { addSpinner(spinner, &plans) }
        if let view = state.card { addCard(view, id: "card", z: Level.card, &plans) }
        let bottom = Rect.safeArea.maxY
        var floor = bottom
        if state.toast != nil || state.refusal != nil { floor = state.screen == .player ? transport.floors.centre : bottom }
        if let refusal = state.refusal {
            let content = Pill(words: refusal.words, side: .centre, bottom: bottom, area: messageArea)
            plans.append(
                LayerPlan(
                    id: "refusal", z: Level.messages, content: content, offsetY: floor - bottom,
                    motion: LayerMotion(shakes: refusal.count)))
            floor -= content.bounds(kit).height + 20
        }
        if let toast = state.toast {
            let content = Pill(words: toast, side: .centre, bottom: bottom, area: messageArea)
            plans.append(LayerPlan(id: "toast", z: Level.messages, content: content, offsetY: floor - bottom))
        }
    }

    /// Where messages are: beside the list of channels, which would be covered.
    private var messageArea: Rect {
        var area = Rect.safeArea
        guard case .channels? = state.page else { return area }
        area.x += ChannelListPlaces.width + Grid.columnGap
        area.width -= ChannelListPlaces.width + Grid.columnGap
        return area
    }

    func addCard(_ view: CardView, id: String, z: Int, _ plans: inout [LayerPlan]) {
        let content = CardLayer(view, picture: artwork(view.artwork, .card), kit)
        plans.append(LayerPlan(id: id, z: z, content: content))
        if let related = view.related {
            plans.append(LayerPlan(id: "\(id).ground", z: z - 1, content: RelatedGround(grid: related.grid)))
            plans += DetailsPlan(kit: kit, artwork: artwork).row(related, id: "\(id).related", z: z + 1)
        }
        guard !view.buttons.isEmpty else { return }
        let buttons = CardButtons(card: content, buttons: view.buttons, countdown: view.countdown)
        plans.append(LayerPlan(id: "\(id).buttons", z: z + 1, content: buttons))
    }

    private func addSpinner(_ spinner: SpinnerView, _ plans: inout [LayerPlan]) {
        let frame = state.screen == .player && !state.video.frame.isEmpty ? Rect(state.video.frame) : Rect(Metrics.screen)
        let (x, y) = (frame.midX, frame.midY)
        plans.append(
            LayerPlan(
                id: "spinner", variant: spinnerPhase, z: Level.spinner, content: Spinner(phase: spinnerPhase, x: x, y: y)))
        if let words = spinner.words {
            plans.append(
                LayerPlan(
                    id: "spinner.words", z: Level.spinner,
                    content: Pill(words: words, side: .centre, bottom: Spinner.wordsBottom(y, kit))))
        }
    }
}

/// The layers of pages, of menus, and of transient messages on top.
extension InterfacePlan {
    private var hasPage: Bool { state.page?.hidesPicture == true || state.longText != nil }

    private func addPage(_ plans: inout [LayerPlan]) {
        if let pin = state.pin { return addPIN(pin, &plans) }
        if hasPage {
            let ground = state.screen == .home ? Backdrop.opaque : .page
            plans.append(LayerPlan(id: "page", z: Level.page, content: ground))
        }
        if let text = state.longText {
            let content = LongTextLayer(view: text, picture: artwork(text.artwork, .cover))
            plans.append(LayerPlan(id: "page.text", z: Level.page + 1, content: content))
        } else if let page = state.page {
            add(page, &plans)
        }
    }

    private func add(_ page: PageView, _ plans: inout [LayerPlan]) {
        switch page {
        case .settings(let settings): addSettings(settings, &plans)
        case .search(let search): addSearch(search, &plans)
        case .guide(let guide): addGuide(guide, &plans)
        case .channels(let list): addChannels(list, &plans)
        case .delay(let view):
            plans.append(LayerPlan(id: "delay", z: Level.panel, content: DelayLine(view: view), motion: LayerMotion()))
        case .programme(let programme): plans += DetailsPlan(kit: kit, artwork: artwork).layers(programme)
        case .series(let series): plans += DetailsPlan(kit: kit, artwork: artwork).layers(series)
        case .passphrase(let passphrase): addPassphrase(passphrase, &plans)
        case .testPicture(let view):
            plans.append(LayerPlan(id: "page.test", z: Level.page + 1, content: TestPicture(words: view.words, hint: view.hint)))
            for corner in 0..<4 {
                let content = TestCorner(isRight: corner % 2 == 1, isBottom: corner > 1)
                plans.append(LayerPlan(id: "page.corner\(corner)", z: Level.page + 1, content: content))
            }
        }
    }

    // MARK: Search, guide, PIN

    private func addSearch(_ search: SearchView, _ plans: inout [LayerPlan]) {
        let field = SearchField(query: search.query, placeholder: search.placeholder)
        plans.append(LayerPlan(id: "page.field", z: Level.page + 1, content: field))
        plans.append(LayerPlan(id: "page.pad", z: Level.page + 1, content: SearchPad(search)))
        let code = PhoneCodeLayer(search.phone)
        if let code { plans.append(LayerPlan(id: "page.phone", z: Level.page + 1, content: code)) }
        if let recents = search.recents {
            var focused: Int?
            if case .recent(let row) = search.focus { focused = row }
            return plans.append(
                LayerPlan(
                    id: "page.recents", z: Level.page + 1, content: SearchRecents(recents, focused: focused, hasCode: code != nil)
                ))
        }
        let visible = search.visibleResults
        let cells = visible.map { index in
            SearchResults.Cell(
                entry: search.results[index], picture: artwork(search.results[index].artwork, .small),
                isFocused: search.focus == .result(index))
        }
        let results = SearchResults(
            cells: cells, message: search.message, hasMoreAbove: visible.lowerBound > 0,
            hasMoreBelow: visible.upperBound < search.results.count, hasCode: code != nil)
        plans.append(LayerPlan(id: "page.results", z: Level.page + 1, content: results))
    }

    private func addPassphrase(_ view: PassphraseView, _ plans: inout [LayerPlan]) {
        let field = SearchField(query: view.field.words, placeholder: view.placeholder, isLatin: true)
        plans.append(LayerPlan(id: "page.field", z: Level.page + 1, content: field))
        plans.append(LayerPlan(id: "page.pad", z: Level.page + 1, content: SearchPad(view)))
        let code = PhoneCodeLayer(view.phone)
        if let code { plans.append(LayerPlan(id: "page.phone", z: Level.page + 1, content: code)) }
        let words = PassphraseWords(title: view.title, hint: view.hint, warning: view.warning, hasCode: code != nil)
        plans.append(LayerPlan(id: "page.side", z: Level.page + 1, content: words))
    }

    private func addGuide(_ guide: GuideView, _ plans: inout [LayerPlan]) {
        let header = GuideHeader(
            clock: guide.clock, day: guide.day, title: guide.detailTitle, facts: guide.detailFacts, detail: guide.detail)
        plans.append(LayerPlan(id: "page.title", z: Level.page + 1, content: header))
        plans.append(LayerPlan(id: "guide.times", z: Level.page + 1, content: GuideTimes(ticks: guide.ticks)))
        let rows = guide.rows.prefix(Metrics.Guide.rowsPerScreen)
        for (index, row) in rows.enumerated() {
            let content = GuideRow(row: row, picture: artwork(row.artwork, .icon), index: index)
            let hasFocus = row.isFocused || row.cells.contains(where: \.isFocused)
            plans.append(
                LayerPlan(
                    id: "guide.row\(index)", z: Level.page + (hasFocus ? 4 : 2), content: content))
        }
        if let x = guide.nowX {
            plans.append(LayerPlan(id: "guide.now", z: Level.page + 3, content: GuideNow(x: x, rows: rows.count)))
        }
        if guide.hasMoreAbove {
            plans.append(LayerPlan(id: "guide.above", z: Level.page + 1, content: GuideMore(isAbove: true, rows: rows.count)))
        }
        if guide.hasMoreBelow {
            plans.append(LayerPlan(id: "guide.below", z: Level.page + 1, content: GuideMore(isAbove: false, rows: rows.count)))
        }
    }

    private func addPIN(_ pin: PINView, _ plans: inout [LayerPlan]) {
        plans.append(LayerPlan(id: "pin", z: Level.pin, content: Backdrop.opaque, motion: LayerMotion(fadesIn: false)))
        let header = PINHeader(
            title: pin.title, message: pin.message, enteredCount: pin.enteredCount, length: pin.length, warning: pin.warning)
        plans.append(LayerPlan(id: "pin.header", z: Level.pin + 1, content: header))
        plans.append(
            LayerPlan(
                id: "pin.pad", z: Level.pin + 1, content: PINPad(keys: pin.keys, focused: pin.focus, isLocked: pin.isLocked)))
    }

    /// The channels, over the picture.
    private func addChannels(_ list: ChannelListView, _ plans: inout [LayerPlan]) {
        let motion = LayerMotion()
        let rows = list.rows.prefix(Metrics.Menu.channelRows)
        let ground = ChannelListGround(title: list.title, hasMoreAbove: list.hasMoreAbove, hasMoreBelow: list.hasMoreBelow)
        plans.append(LayerPlan(id: "channels", z: Level.panel, content: ground, motion: motion))
        let cells = rows.enumerated().map { index, row in
            ChannelListRows.Cell(
                row: row, picture: artwork(row.artwork, .icon), isFavourite: list.favourites.contains(index))
        }
        let content = ChannelListRows(rows: cells)
        plans.append(LayerPlan(id: "channels.rows", z: Level.panel + 1, content: content, motion: motion))
        if let next = list.next {
            plans.append(
                LayerPlan(id: "channels.next", z: Level.panel + 1, content: ChannelListNext(words: next), motion: motion))
        }
    }

    // MARK: Transient, on top

    private func addLevels(_ plans: inout [LayerPlan]) {
        if state.pin == nil, let notice = state.notice {
            let height = Pill.height(kit, .headline)
            let content = Pill(
                words: notice.words, side: .centre, bottom: 540 + height / 2, sign: .pause, size: .headline)
            plans.append(LayerPlan(id: "notice", z: Level.messages, content: content))
            if let next = notice.next {
                let bottom = content.bounds(kit).maxY + 20 + Pill.height(kit)
                plans.append(
                    LayerPlan(
                        id: "notice.next", z: Level.messages, content: Pill(words: next, side: .centre, bottom: bottom)))
            }
        }
        if state.pin == nil, !hasPage, let banner = state.channelBanner {
            let content = ChannelBanner(view: banner, picture: artwork(banner.artwork, .icon), isAtTop: bannerIsAtTop)
            plans.append(LayerPlan(id: "banner", z: Level.labels + 2, content: content))
        }
        var top = levelsTop
        if let entry = state.numberEntry {
            let content = NumberEntry(digits: entry.digits, title: entry.title, top: top)
            plans.append(LayerPlan(id: "number", z: Level.levels, content: content))
            top += content.bounds(kit).height + 16
        }
        if let volume = state.volume {
            let content = VolumeLevel(percent: volume.percent, isMuted: volume.isMuted, top: top)
            plans.append(LayerPlan(id: "volume", z: Level.levels, content: content, motion: LayerMotion(glides: true)))
        }
    }

    /// The upper edge of what is shown for a moment in the top trailing corner: below the buttons of Home, which are there unless the video is.
    private var levelsTop: Double {
        guard let home = state.home, state.screen == .home, !hasPage, state.pin == nil, state.video.frame.isEmpty,
            !home.buttons.isEmpty
        else { return Rect.safeArea.y }
        let buttons = HomeButtons(buttons: home.buttons.map { ButtonFace(title: $0.title) }, hasCorner: false)
        return buttons.bounds(kit).maxY + 12
    }

    /// Whether the banner goes to the top: the bar, a label or an action occupies the bottom.
    private var bannerIsAtTop: Bool {
        state.bar != nil || state.title != nil || state.action != nil || state.interstitialLabel != nil
            || state.skipCountdown != nil
            || state.toast != nil || state.refusal != nil
    }
}
