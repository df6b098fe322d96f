import PlayerInterface

/// The layers of the pages that say what a programme or a series is.
struct DetailsPlan {
    let kit: Kit
    /// The picture of a reference at a place, as in `InterfacePlan`.
    let artwork: (_ reference: String?, _ place: ImagePlace) -> Artwork?

    func layers(_ view: ProgrammeView) -> [LayerPlan] {
        var plans = backdrop(view.backdrop, isUnderRows: false)
        plans.append(LayerPlan(id: "page.words", z: InterfacePlan.Level.page + 1, content: ProgrammeWords(view: view)))
        if !view.buttons.isEmpty {
            plans.append(LayerPlan(id: "page.buttons", z: InterfacePlan.Level.page + 2, content: ProgrammeButtons(view: view)))
        }
        return plans
    }

    func layers(_ view: SeriesView) -> [LayerPlan] {
        var plans = backdrop(view.backdrop, isUnderRows: true)
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
        return plans
    }

    /// The picture behind a page, once it is loaded.
    private func backdrop(_ reference: String?, isUnderRows: Bool) -> [LayerPlan] {
        guard !kit.theme.hasHighContrast, let picture = artwork(reference, .backdrop), picture.pixels != nil else { return [] }
        return [
            LayerPlan(
                id: "page.backdrop", z: InterfacePlan.Level.page + 1,
                content: DetailsBackdrop(picture: picture, isUnderRows: isUnderRows))
        ]
    }
}
