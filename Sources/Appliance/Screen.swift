import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// What is on the screen besides video: the viewer's state, and over it the screens of the box itself. Main loop only.
@MainActor
final class Screen {
    private let player: Player
    private let display: any DisplayOutput
    private let drawing: any InterfaceDrawing
    private let dump: EventDump?
    private var setUp: SetUpView?
    private var verdict: VerdictView?
    /// What keys do while a screen of the box is there.
    private var actions: [RemoteKey: @MainActor () -> Void] = [:]

    init(_ parts: ApplianceParts) {
        player = parts.player
        display = parts.services.display
        drawing = parts.drawing
        dump = parts.dump
    }

    /// Whether keys reach a screen of the box alone.
    var takesKeys: Bool { setUp != nil }

    /// Puts a screen of the box in the place of all others, or takes it away with nil.
    ///
    /// - Returns: whether it is another one.
    func setSetUp(_ view: SetUpView?, actions: [RemoteKey: @MainActor () -> Void]) -> Bool {
        self.actions = actions
        defer { setUp = view }
        return setUp != view
    }

    /// Puts a verdict over everything, or takes it away with nil.
    ///
    /// - Returns: whether it is another one.
    func setVerdict(_ view: VerdictView?) -> Bool {
        defer { verdict = view }
        return verdict != view
    }

    /// A key while `takesKeys`.
    func handle(_ event: RemoteEvent) -> CommandResult {
        guard event.phase == .press, let action = actions[event.key] else { return .failed(.notSupported) }
        action()
        return .success
    }

    /// A state with the screens of the box over it.
    func over(_ state: PresentationState) -> PresentationState {
        guard setUp != nil || verdict != nil else { return state }
        var state = state
        if setUp != nil {
            state = PresentationState(screen: .home, appearance: state.appearance)
            state.setUp = setUp
        }
        state.verdict = verdict
        return state
    }

    /// Draws a state of the viewer's with what lies over it.
    func show(_ viewers: PresentationState) {
        let state = over(viewers)
        dump?.note(state)
        let frame = state.video.frame
        let video = frame.isEmpty ? nil : Self.scale(frame, to: display.mode)
        let background = drawing.background(for: state)
        drawing.update(state) { [weak player] layers in
            player?.scheduler.setInterface(layers, video: video, background: background)
        }
    }

    private static func scale(_ rect: PixelRect, to mode: DisplayMode) -> PixelRect {
        let screen = Metrics.screen
        return PixelRect(
            x: rect.x * mode.width / screen.width, y: rect.y * mode.height / screen.height,
            width: rect.width * mode.width / screen.width, height: rect.height * mode.height / screen.height)
    }
}
