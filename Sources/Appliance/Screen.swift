import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import Screens
import Viewing

/// The presentation state: the viewer's, and over it the screens of the box. Main loop only.
@MainActor
final class Screen {
    private let driver: InterfaceDriver
    private let events: EventSource<Appliance.Event>
    private let player: Player
    private let display: any DisplayOutput
    private let drawing: any InterfaceDrawing
    private let dump: EventDump?
    private var setUp: SetUpView?
    private var verdict: VerdictView?
    /// Over everything else, also in standby.
    private var emergency: SetUpView?
    /// The actions of keys while a screen of the box is shown.
    private var actions: [RemoteKey: @MainActor () -> Void] = [:]
    private var reportKeys = ReportKeys()
    /// Whether there is no television.
    var isLost = false
    /// When the key was pressed whose effect is being drawn; nil if there is none.
    private var key: HostTime?

    init(_ parts: ApplianceParts, driver: InterfaceDriver, events: EventSource<Appliance.Event>) {
        self.driver = driver
        self.events = events
        player = parts.player
        display = parts.services.display
        drawing = parts.drawing
        dump = parts.dump
    }

    /// Whether only a screen of the box receives keys. From standby, which the Wi-Fi page also leads to, every key wakes.
    var takesKeys: Bool { covering != nil && driver.machine.state.screen != .standby }

    /// The screen of the box that is shown; nil while the interface is. The Wi-Fi page replaces the screen without channels, which leads to it. The
    /// screen saver replaces every screen without a countdown until the next key.
    private var covering: SetUpView? {
        if let emergency { return emergency }
        if driver.machine.isInWireless, setUp?.kind == .setUp { return nil }
        if driver.machine.state.screenSaver != nil, setUp?.countdown == nil { return nil }
        return setUp
    }

    /// Shows a screen of the box instead of all others, or removes it with nil.
    ///
    /// Focus stays on its button while the same screen is shown again.
    ///
    /// - Returns: whether this changes the screen.
    func setSetUp(_ view: SetUpView?, actions: [RemoteKey: @MainActor () -> Void]) -> Bool {
        self.actions = actions
        var view = view
        if view?.secondButton != nil, view?.kind == setUp?.kind { view?.isSecondFocused = setUp?.isSecondFocused == true }
        defer { setUp = view }
        return setUp != view
    }

    /// Shows a verdict over everything, or removes it with nil.
    ///
    /// - Returns: whether this changes the screen.
    func setVerdict(_ view: VerdictView?) -> Bool {
        defer { verdict = view }
        return verdict != view
    }

    /// Shows an emergency message over everything, or removes it with nil.
    func setEmergency(_ view: SetUpView?) { emergency = view }

    /// Handles a key of the viewer, and notes when it was pressed if the state changes at once: that change is its answer. Later changes have other causes.
    ///
    /// - Parameter number: grows with each change of the state.
    func answering(_ event: RemoteEvent, number: () -> UInt64, with handle: () -> CommandResult) -> CommandResult {
        let (before, earlier) = (number(), key)
        if event.phase == .press { key = key ?? event.time }
        let result = handle()
        if number() == before { key = earlier }
        return result
    }

    /// Handles a key while `takesKeys`. What is on the screen may change by it.
    ///
    /// - Parameter onReport: called when the keys for a report were pressed.
    func handle(_ event: RemoteEvent, isRightToLeft: Bool, onReport: () -> Void) -> CommandResult {
        guard event.phase == .press else { return .failed(.notSupported) }
        if reportKeys.press(event.key) {
            onReport()
            return .success
        }
        if event.key == .left || event.key == .right { return moveFocus(toSecond: (event.key == .right) != isRightToLeft) }
        let key = event.key == .ok && setUp?.isSecondFocused == true ? .back : event.key
        guard let action = actions[key] else { return .failed(.notSupported) }
        action()
        return .success
    }

    private func moveFocus(toSecond isSecond: Bool) -> CommandResult {
        guard setUp?.secondButton != nil else { return .failed(.notSupported) }
        guard setUp?.isSecondFocused != isSecond else { return .failed(.noChange) }
        setUp?.isSecondFocused = isSecond
        return .success
    }

    /// The viewer's state with the screens of the box over it.
    var shown: PresentationState {
        var state = driver.machine.state
        let setUp = covering
        guard setUp != nil || verdict != nil else { return state }
        if setUp != nil {
            state = PresentationState(screen: .home, appearance: state.appearance)
            state.setUp = setUp
        }
        if emergency == nil { state.verdict = verdict }
        return state
    }

    /// Draws what is shown, and tells that it has changed.
    func show() {
        defer { events.send(.presentationChanged) }
        let state = shown
        dump?.note(state)
        let background = drawing.background(for: state)
        drawing.update(state) { [weak self, weak player, weak drawing] layers in
            guard let self else { return }
            let frame = drawing?.videoFrame ?? state.video.frame
            let mode = self.display.mode
            let scale = Scale(width: mode.width, height: mode.height, overscanPercent: state.appearance.overscanPercent)
            let video = frame.isEmpty ? nil : scale.video(frame, isOfProgramme: state.video.programmeFrame != nil)
            // The layers of an earlier state may still be fading.
            let isAnswer = drawing?.isUpToDate ?? true
            player?.scheduler.setInterface(
                layers, video: video, background: background, answering: isAnswer ? self.takeKey() : nil)
        }
    }

    private func takeKey() -> HostTime? {
        defer { key = nil }
        return key
    }
}
