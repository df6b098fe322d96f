import Screens

/// The layers of the transport bar and of what stands on the line above it: title, actions, hints and the bubble of a search. Pure except for measuring
/// text.
struct TransportPlan {
    let state: PresentationState
    let kit: Kit
    /// The picture in the bubble; nil if there is none.
    let thumbnail: LayerPicture?

    func addLayers(_ plans: inout [LayerPlan]) {
        if state.bar != nil || state.title != nil {
            plans.append(LayerPlan(id: "scrim", z: InterfacePlan.Level.scrim, content: Scrim()))
        }
        var bubble: ScrubBubble?, hint: Pill?
        if let bar = state.bar {
            plans.append(LayerPlan(id: "bar", z: InterfacePlan.Level.bar, content: TransportStrip(bar)))
            if let scrub = bar.scrub {
                let content = ScrubBubble(scrub, position: bar.playhead, picture: thumbnail)
                bubble = content
                plans.append(LayerPlan(id: "bar.bubble", z: InterfacePlan.Level.bar + 3, content: content))
            }
            if let row = actionRow {
                plans.append(LayerPlan(id: "bar.actions", z: InterfacePlan.Level.bar + 2, content: row))
            } else if let words = bar.hint {
                // Labels go beside the bubble.
                let sides: [Pill.Side] = bubble == nil ? [.trailing] : [.trailing, .leading]
                let contents = sides.map { Pill(words: words, side: $0, bottom: TitleLine.bottom, isOnScrim: true) }
                let content = contents.first { pill in
                    bubble.map { !$0.bounds(kit).inset(-12).intersects(pill.bounds(kit)) } ?? true
                }
                if let content { plans.append(LayerPlan(id: "bar.hint", z: InterfacePlan.Level.bar + 2, content: content)) }
                hint = content
            } else if let names = keyNames {
                plans.append(LayerPlan(id: "bar.keys", z: InterfacePlan.Level.bar + 2, content: names))
            }
        }
        if let title = state.title, let bubble {
            let taken = [bubble.bounds(kit), hint?.bounds(kit)].compactMap { $0 }
            if let content = scrubTitle(title.title, beside: taken) {
                plans.append(LayerPlan(id: "title", z: InterfacePlan.Level.bar + 1, content: content))
            }
        } else if let title = titleLine {
            plans.append(LayerPlan(id: "title", z: InterfacePlan.Level.bar + 1, content: title))
        }
    }

    /// The title beside the bubble and the hint: in the free stretch at the leading end of the line if it is wide enough, otherwise in the
    /// widest; nil if none is.
    private func scrubTitle(_ title: String, beside taken: [Rect]) -> ScrubTitle? {
        let gap = 40.0
        var free: [(left: Double, right: Double)] = []
        var left = Rect.safeArea.x
        for rect in taken.sorted(by: { $0.x < $1.x }) {
            free.append((left, rect.x - gap))
            left = rect.maxX + gap
        }
        free.append((left, Rect.safeArea.maxX))
        guard let first = kit.theme.isRightToLeft ? free.last : free.first,
            let widest = free.max(by: { $0.right - $0.left < $1.right - $1.left })
        else { return nil }
        let place = first.right - first.left >= 480 ? first : widest
        guard place.right - place.left >= 200 else { return nil }
        return ScrubTitle(title, left: place.left, right: place.right, kit)
    }

    private var keyNames: KeyNames? {
        guard let bar = state.bar, bar.above != nil || bar.below != nil else { return nil }
        return KeyNames(above: bar.above, below: bar.below)
    }

    private var actionRow: ActionRow? {
        guard let bar = state.bar, !bar.actions.isEmpty, bar.scrub == nil else { return nil }
        var focused: Int?
        if case .action(let index) = bar.focus { focused = index }
        return ActionRow(titles: bar.actions, focused: focused)
    }

    /// While scrubbing there is one line of title beside the bubble instead.
    private var titleLine: TitleLine? {
        guard let title = state.title, state.bar?.scrub == nil else { return nil }
        let taken =
            actionRow.map { $0.width(kit) } ?? state.bar?.hint.map { _ in 360 * kit.theme.typeScale } ?? keyNames?.width(kit) ?? 0
        return TitleLine(
            number: title.number, title: title.title, subtitle: title.subtitle,
            width: Rect.safeArea.width - taken - (taken > 0 ? 40 : 0))
    }

    /// The lowest edge allowed for text above the bar on the leading side, in the middle and on the trailing side.
    var floors: (leading: Double, centre: Double, trailing: Double) {
        if case .delay? = state.page {
            let top = DelayLine.frame(kit).y - 20
            return (top, top, top)
        }
        let bottom = Rect.safeArea.maxY
        guard let bar = state.bar else {
            guard let title = titleLine else { return (bottom, bottom, bottom) }
            let top = title.frame(kit).y - 20
            return (top, top, bottom)
        }
        let titleTop = titleLine.map { $0.frame(kit).y - 20 } ?? TitleLine.bottom
        var trailing = TitleLine.bottom
        if actionRow != nil {
            trailing -= kit.rowHeight + focusReach + 20
        } else if bar.hint != nil {
            trailing -= Pill.height(kit) + 20
        } else if keyNames != nil {
            trailing -= KeyNames.height(kit) + 20
        }
        let bubble = bar.scrub == nil ? TitleLine.bottom : bubbleTop(bar) - 20
        return (min(titleTop, bubble), min(titleTop, bubble, trailing), min(trailing, bubble))
    }

    private func bubbleTop(_ bar: TransportBarView) -> Double {
        guard let scrub = bar.scrub else { return TitleLine.bottom }
        return ScrubBubble(scrub, position: bar.playhead, picture: thumbnail).bounds(kit).y
    }
}
