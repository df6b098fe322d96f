import MediaModel
import Screens
import Viewing

/// The film of the box with a flash and a click each second, over which the delay of the sound is set.
extension StageFlow {
    /// Opens the film. What played ends at its place, and is opened again after the test, or the page of Settings is.
    mutating func testLipSync(_ turn: inout StageTurn) -> KeyOutcome {
        let playing = stage.viewing.played.playingID
        guard let film = turn.policy.lipSyncFilm, turn.policy.hasHome, playing != film else { return .refused(.notSupported) }
        var outcome = DelayPage.Outcome.home
        if case .settings? = stage.overlays.page {
            outcome = .settings
        } else if let entry = playing.flatMap({ turn.parts.home.entry($0) }) {
            outcome = .open(entry)
        }
        let page = DelayPage(.sound, origin: stage.interfaceContext(turn.parts).delays.value(of: .sound), then: outcome)
        open(HomeContent.Entry(id: film, title: turn.strings.text(.lipSyncTest)), &turn)
        view(&turn) { $1.session.lipSyncTest = page }
        return .done
    }

    /// An item begins: if it is the film, the line for the delay opens over it.
    mutating func beginLipSyncTest(with item: ItemPresentation, _ turn: inout StageTurn) {
        guard let page = stage.session.lipSyncTest else { return }
        view(&turn) { $1.session.lipSyncTest = nil }
        if item.id == turn.policy.lipSyncFilm { open(.page(.delay(page))) }
    }

    /// The line for a delay closes.
    ///
    /// - Parameter keeps: whether the delay stays; otherwise the one before is restored.
    mutating func endDelay(keeps: Bool, _ turn: inout StageTurn) -> KeyOutcome {
        guard case .delay(let page)? = stage.overlays.page else { return .refused(.notSupported) }
        let delays = stage.interfaceContext(turn.parts).delays
        closePage()
        switch page.outcome {
        case .stay: break
        case .open(let entry): open(entry, &turn)
        case .home: _ = stopAndLeave(&turn)
        case .settings:
            _ = stopAndLeave(&turn)
            let menus = stage.interfaceContext(turn.parts).settingsMenu
            turn.effects.append(.readFacts)
            open(.page(.settings(SettingsPage(menus, on: .sound, focus: .soundDelay))))
        }
        guard !keeps, delays.value(of: page.part) != page.origin else { return .done }
        return .wants(.choose(.set(delays.setting(page.part, to: page.origin))))
    }
}
