import Screens

/// The layers of the pages that say what a programme or a series is.
struct DetailsPlan {
    let kit: Kit
    /// The picture of a reference at a place, as in `InterfacePlan`.
    let artwork: (_ reference: String?, _ place: ImagePlace) -> LayerPicture?

    func layers(_ view: ProgrammeView) -> [LayerPlan] {
        if let related = view.related, related.focused != nil { return layers(view.head, view.backdrop, over: related) }
        var plans = hero(view.backdrop, of: view.title)
        var own = view
        own.related = nil
        plans.append(LayerPlan(id: "page.words", z: InterfacePlan.Level.page + 1, content: ProgrammeWords(view: own)))
        if !view.buttons.isEmpty {
            plans.append(LayerPlan(id: "page.buttons", z: InterfacePlan.Level.page + 2, content: ProgrammeButtons(view: own)))
        }
        return plans + peek(view.related)
    }

    /// What is like a programme or a series, which looks in from below.
    private func peek(_ related: RelatedView?) -> [LayerPlan] {
        guard let related else { return [] }
        let content = RelatedPeek(grid: related.grid, cells: cells(related))
        return [LayerPlan(id: "page.peek", z: InterfacePlan.Level.page + 1, content: content)]
    }

    /// The row of what is like a programme or a series, with its name over it.
    private func layers(_ head: ProgrammeView, _ picture: String?, over related: RelatedView) -> [LayerPlan] {
        var plans = hero(picture, of: head.title, over: RelatedPlaces.top(related.grid) - 40)
        let words = ProgrammeWords(view: head, bottom: RelatedPlaces.top(related.grid) - 40)
        plans.append(LayerPlan(id: "page.words", z: InterfacePlan.Level.page + 1, content: words))
        return plans + row(related, id: "page.related", z: InterfacePlan.Level.page + 2)
    }

    /// A row of what is like a programme, at the lower edge of the safe area.
    func row(_ related: RelatedView, id: String, z: Int) -> [LayerPlan] {
        let row = HomeRowLayer(
            title: related.title, style: .posters, watched: related.watched, grid: related.grid, isWhole: true,
            cells: cells(related), top: RelatedPlaces.top(related.grid))
        var plans = [LayerPlan(id: id, z: z, content: row)]
        if let focus = HomeFocus(row) {
            let motion = LayerMotion(fadesIn: false, fadesOut: false, growsFrom: HomeFocus.rest, follows: id)
            plans.append(LayerPlan(id: "\(id).\(focus.cell.entry.id)", z: z + 1, content: focus, motion: motion))
        }
        return plans
    }

    private func cells(_ related: RelatedView) -> [HomeRowLayer.Cell] {
        related.visible.map { index in
            let entry = related.entries[index]
            return HomeRowLayer.Cell(
                entry: entry, picture: entry.isLocked ? nil : artwork(entry.artwork, .entry(related.grid)),
                slot: index - related.first, isFocused: related.focused == index)
        }
    }

    func layers(_ series: SeriesView) -> [LayerPlan] {
        if let related = series.related, related.focused != nil { return layers(series.head, series.backdrop, over: related) }
        var view = series
        view.related = nil
        var plans = hero(view.backdrop, of: view.title, over: SeriesPlaces(view, kit).episodes.y)
        plans.append(LayerPlan(id: "page.head", z: InterfacePlan.Level.page + 1, content: SeriesHead(view: view.withoutLists)))
        plans.append(LayerPlan(id: "page.seasons", z: InterfacePlan.Level.page + 2, content: SeriesSeasons(view: view)))
        let visible = view.visibleEpisodes
        let cells = visible.map { index in
            SeriesEpisodes.Cell(
                episode: view.episodes[index], picture: artwork(view.episodes[index].entry.artwork, .episode))
        }
        let content = SeriesEpisodes(
            view: view, cells: cells, hasMoreAbove: visible.lowerBound > 0,
            hasMoreBelow: visible.upperBound < view.episodes.count)
        plans.append(LayerPlan(id: "page.episodes", z: InterfacePlan.Level.page + 2, content: content))
        return plans + peek(series.related)
    }

    private func hero(_ reference: String?, of title: String, over floor: Double? = nil) -> [LayerPlan] {
        HeroPlan(kit: kit, artwork: artwork).layers(reference, of: title, over: floor)
    }
}
