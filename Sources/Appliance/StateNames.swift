import Screens

/// Names of interface states: those of the rows of the key table, of the pages, and of transient elements.
enum StateNames {
    static func names(of state: PresentationState, isLinear: Bool) -> [String] {
        if state.screenSaver != nil { return ["screen-saver"] }
        var names = moments(state) + layers(state)
        switch state.screen {
        case .standby: names.append("standby")
        case .home: names.append(state.video.frame.isEmpty ? "home" : "corner")
        case .player: names += player(state, isLinear: isLinear)
        }
        return names
    }

    private static func layers(_ state: PresentationState) -> [String] {
        var names: [String] = []
        func add(_ name: String, _ isThere: Bool) { if isThere { names.append(name) } }
        add("pin", state.pin != nil)
        if let card = state.card { names.append("card-\(card.kind.rawValue)") }
        add("long-text", state.longText != nil)
        if let page = state.page { names.append(page.name) }
        add("proposal", state.proposal != nil)
        if let panel = state.panel { names.append("panel-\(panel.tabs[panel.selected].tab.rawValue)") }
        return names
    }

    private static func moments(_ state: PresentationState) -> [String] {
        var names: [String] = []
        func add(_ name: String, _ isThere: Bool) { if isThere { names.append(name) } }
        add("refused", state.refusal != nil)
        add("toast", state.toast != nil)
        add("banner", state.channelBanner != nil)
        add("digits", state.numberEntry != nil)
        add("volume", state.volume != nil)
        add("notice", state.notice != nil)
        return names
    }

    private static func player(_ state: PresentationState, isLinear: Bool) -> [String] {
        var names: [String] = []
        func add(_ name: String, _ isThere: Bool) { if isThere { names.append(name) } }
        add("linear", isLinear)
        add("audio-only", state.audioOnly != nil)
        if let action = state.action { names.append("action-\(action.kind.rawValue)") }
        if let spinner = state.spinner { names.append(spinner.words == nil ? "spinner" : "waiting") }
        if state.paused != nil { return names + ["paused"] + (state.video.dimPercent > 0 ? ["dimmed"] : []) }
        guard let bar = state.bar else { return names + [state.poster != nil ? "loading" : "playing"] }
        switch bar.glyph {
        case .scanForward?, .scanBackward?: names.append("scanning")
        case .pause? where bar.scrub != nil: names.append("scrubbing")
        case .pause?:
            if case .action = bar.focus { names.append("actions-row") }
            names.append("paused")
        default: break
        }
        add("dimmed", state.video.dimPercent > 0)
        add("undo", bar.hint != nil && bar.scrub == nil)
        add("live", bar.totalTime == nil)
        return names + ["bar"]
    }
}
