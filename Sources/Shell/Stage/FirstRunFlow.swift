import Viewing

/// The page of the first run on the stage: it is there whenever nothing else is.
enum FirstRunFlow {
    /// Opens the page over Home, or closes it when the first run is over.
    static func settle(_ flow: inout StageFlow, _ turn: inout StageTurn) {
        let context = flow.stage.interfaceContext(turn.parts)
        if case .firstRun? = flow.stage.overlays.page {
            if context.firstRun.course.step == nil { flow.closePage() }
        } else if context.firstRun.course.step != nil, flow.stage.screen == .home, flow.stage.overlays.isEmpty {
            flow.open(.page(.firstRun(FirstRunPage(context.firstRun))))
        }
    }
}
