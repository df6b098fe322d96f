import Screens

/// The layers of menus: those of the panel, and the pages of Settings.
extension InterfacePlan {
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

    func addSettings(_ settings: SettingsView, _ plans: inout [LayerPlan]) {
        // The open page names itself at the top. A name that is too long for one line stands beside the rows.
        let name = settings.menu.title ?? settings.title
        let isShort = !kit.layout(name, kit.style(.title2, .bold, width: Rect.safeArea.width)).isEllipsized
        let heading = isShort ? nil : settings.menu.title
        plans.append(
            LayerPlan(id: "page.title", z: Level.page + 1, content: PageTitle(title: isShort ? name : settings.title)))
        // The question has the whole page: rows behind it would be read with it.
        if let card = settings.card { return addCard(card, id: "page.card", z: Level.page + 2, &plans) }
        let list = MenuList(
            settings.menu, count: Metrics.Menu.settingsRows, frame: SettingsPlaces.list(kit), pitch: SettingsPlaces.pitch,
            isStacked: true)
        guard !list.rows.isEmpty else {
            guard let words = settings.explanation else { return }
            return plans.append(LayerPlan(id: "page.note", z: Level.page + 1, content: SettingsNote(words: words)))
        }
        plans.append(LayerPlan(id: "page.menu", z: Level.page + 1, content: list))
        var top = 0.0
        if let preview = settings.menu.preview {
            let side = SettingsPlaces.side(kit)
            let height = (side.width * 9 / 16).rounded()
            let frame = Rect(x: side.x, y: side.y, width: side.width, height: height)
            let content = CaptionPreview(words: preview.words, style: preview.style, frame: frame)
            plans.append(LayerPlan(id: "page.preview", z: Level.page + 1, content: content))
            top = height + 32
        }
        if settings.explanation != nil || heading != nil {
            // Beside its row, unless something else is there.
            let row = top == 0 && heading == nil ? settings.menu.focusedRow.map { $0 - list.first } : nil
            let side = SettingsSide(heading: heading, explanation: settings.explanation, top: top, row: row)
            plans.append(LayerPlan(id: "page.side", z: Level.page + 1, content: side))
        }
    }
}
