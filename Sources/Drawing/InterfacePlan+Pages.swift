import MediaModel
import PlayerInterface

/// The layers of pages, of menus, and of transient messages on top.
extension InterfacePlan {
    var hasPage: Bool { state.settings != nil || state.search != nil || state.guide != nil || state.longText != nil }

    func addPage(_ plans: inout [LayerPlan]) {
        if let pin = state.pin { return addPIN(pin, &plans) }
        guard hasPage else { return }
        let ground = state.screen == .home ? Backdrop.opaque : .page
        plans.append(LayerPlan(id: "page", z: Level.page, content: ground))
        if let text = state.longText {
            let content = LongText(title: text.title, text: text.text, page: text.page, pageCount: text.pageCount)
            plans.append(LayerPlan(id: "page.text", z: Level.page + 1, content: content))
        } else if let settings = state.settings {
            addSettings(settings, &plans)
        } else if let search = state.search {
            addSearch(search, &plans)
        } else if let guide = state.guide {
            addGuide(guide, &plans)
        }
    }

    // MARK: Menus

    func addMenu(_ menu: MenuView, _ motion: LayerMotion, _ plans: inout [LayerPlan]) {
        let content = PanelGround.content(kit)
        var area = content.inset(focusReach, 0)
        // A tab of five rows is slightly taller than the other tabs.
        area.y -= 10
        area.height = PanelGround.frame(kit).maxY - 20 - area.y
        if let title = menu.title {
            let heading = MenuHeading(title: title, frame: Rect(x: area.x, y: area.y, width: 380, height: area.height))
            plans.append(LayerPlan(id: "panel.heading", z: Level.panel + 1, content: heading, motion: motion))
        }
        var list = area
        if menu.title != nil {
            list.x += 400
            list.width -= 400
        }
        if let preview = menu.preview {
            let height = area.height - 8, width = min((height * 16 / 9).rounded(), list.width * 0.42)
            let frame = Rect(x: list.maxX - width, y: list.y, width: width, height: height)
            list.width -= width + 48
            let content = CaptionPreview(words: preview.words, style: preview.style, frame: kit.place(frame, in: area))
            plans.append(LayerPlan(id: "panel.preview", z: Level.panel + 1, content: content, motion: motion))
        }
        let pitch = max(area.height / Double(Metrics.Menu.panelRows), kit.rowHeight)
        let rows = MenuList(
            menu, count: Metrics.Menu.panelRows, frame: kit.place(list, in: area), pitch: pitch, isStacked: false)
        guard !rows.rows.isEmpty else { return }
        plans.append(LayerPlan(id: "panel.content", z: Level.panel + 1, content: rows, motion: motion))
    }

    private func addSettings(_ settings: SettingsView, _ plans: inout [LayerPlan]) {
        plans.append(LayerPlan(id: "page.title", z: Level.page + 1, content: PageTitle(title: settings.title)))
        let list = MenuList(
            settings.menu, count: Metrics.Menu.settingsRows, frame: SettingsPlaces.list(kit), pitch: SettingsPlaces.pitch,
            isStacked: true)
        if !list.rows.isEmpty { plans.append(LayerPlan(id: "page.menu", z: Level.page + 1, content: list)) }
        var top = 0.0
        if let preview = settings.menu.preview {
            let side = SettingsPlaces.side(kit)
            let height = (side.width * 9 / 16).rounded()
            let frame = Rect(x: side.x, y: side.y, width: side.width, height: height)
            let content = CaptionPreview(words: preview.words, style: preview.style, frame: frame)
            plans.append(LayerPlan(id: "page.preview", z: Level.page + 1, content: content))
            top = height + 32
        }
        if settings.explanation != nil || settings.menu.title != nil {
            let side = SettingsSide(heading: settings.menu.title, explanation: settings.explanation, top: top)
            plans.append(LayerPlan(id: "page.side", z: Level.page + 1, content: side))
        }
    }

    // MARK: Search, guide, PIN

    private func addSearch(_ search: SearchView, _ plans: inout [LayerPlan]) {
        let field = SearchField(query: search.query, placeholder: search.placeholder)
        plans.append(LayerPlan(id: "page.field", z: Level.page + 1, content: field))
        plans.append(LayerPlan(id: "page.pad", z: Level.page + 1, content: SearchPad(search)))
        let visible = search.visibleResults
        let cells = visible.map { index in
            SearchResults.Cell(
                entry: search.results[index], picture: artwork(search.results[index].artwork, .small),
                isFocused: search.focus == .result(index))
        }
        let results = SearchResults(
            cells: cells, message: search.message, hasMoreAbove: visible.lowerBound > 0,
            hasMoreBelow: visible.upperBound < search.results.count)
        plans.append(LayerPlan(id: "page.results", z: Level.page + 1, content: results))
    }

    private func addGuide(_ guide: GuideView, _ plans: inout [LayerPlan]) {
        let header = GuideHeader(day: guide.day, title: guide.detailTitle, detail: guide.detail)
        plans.append(LayerPlan(id: "page.title", z: Level.page + 1, content: header))
        plans.append(LayerPlan(id: "guide.times", z: Level.page + 1, content: GuideTimes(ticks: guide.ticks)))
        let rows = guide.rows.prefix(Metrics.Guide.rowsPerScreen)
        for (index, row) in rows.enumerated() {
            let content = GuideRow(row: row, picture: artwork(row.artwork, .icon), index: index)
            let hasFocus = row.isFocused || row.cells.contains(where: \.isFocused)
            plans.append(
                LayerPlan(
                    id: "guide.row\(index)", z: Level.page + (hasFocus ? 3 : 1), content: content))
        }
        if let x = guide.nowX {
            plans.append(LayerPlan(id: "guide.now", z: Level.page + 2, content: GuideNow(x: x, rows: rows.count)))
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
        let content = ChannelListRows(rows: rows.map { ChannelListRows.Cell(row: $0, picture: artwork($0.artwork, .icon)) })
        plans.append(LayerPlan(id: "channels.rows", z: Level.panel + 1, content: content, motion: motion))
    }

    // MARK: Transient, on top

    func addLevels(_ plans: inout [LayerPlan]) {
        if state.pin == nil, !hasPage, let list = state.channelList { addChannels(list, &plans) }
        if state.pin == nil, let notice = state.notice {
            let height = Pill.height(kit, .headline)
            let content = Pill(words: notice.words, side: .centre, bottom: 540 + height / 2, size: .headline)
            plans.append(LayerPlan(id: "notice", z: Level.messages, content: content))
        }
        if state.pin == nil, !hasPage, let banner = state.channelBanner {
            let content = ChannelBanner(view: banner, picture: artwork(banner.artwork, .icon), isAtTop: bannerIsAtTop)
            plans.append(LayerPlan(id: "banner", z: Level.labels + 2, content: content))
        }
        var top = Rect.safeArea.y
        if let entry = state.numberEntry {
            let content = NumberEntry(digits: entry.digits, title: entry.title)
            plans.append(LayerPlan(id: "number", z: Level.levels, content: content))
            top += content.bounds(kit).height + 16
        }
        if let volume = state.volume {
            let content = VolumeLevel(percent: volume.percent, isMuted: volume.isMuted, top: top)
            plans.append(LayerPlan(id: "volume", z: Level.levels, content: content, motion: LayerMotion(glides: true)))
        }
    }

    /// Whether the banner goes to the top: the bar, a label or an action occupies the bottom.
    private var bannerIsAtTop: Bool {
        state.bar != nil || state.title != nil || state.action != nil || state.interstitialLabel != nil
            || state.skipCountdown != nil
            || state.toast != nil || state.refusal != nil
    }
}

extension SearchView {
    /// The search results on the screen.
    var visibleResults: Range<Int> {
        let first = min(max(firstResult, 0), results.count)
        return first..<min(first + Metrics.Search.resultsPerScreen, results.count)
    }
}
