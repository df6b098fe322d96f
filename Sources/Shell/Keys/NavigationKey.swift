import BoxModel
import LinuxSupport
import MediaModel
import Screens
import Viewing

/// A key that moves focus or chooses, with what had focus before it. It says which sound of the interface goes with it.
///
/// The arrows, OK and Back have sounds, from every remote and from the page, where something has focus: not over a film alone, where they seek and pause,
/// and not while the viewer judges the delay of the sound.
struct NavigationKey: Sendable {
    /// The instant at which it was pressed.
    let time: HostTime
    private let key: RemoteKey
    /// Whether it was pressed just now: a key that is held at an edge sounds once.
    private let isPress: Bool
    private let before: PresentationState

    /// - Parameter shown: what is on the screen before the event is handled.
    /// - Returns: nil for an event without a sound, such as a key that wakes the box or ends the screen saver.
    init?(_ event: InterfaceEvent, shown: PresentationState, at now: HostTime) {
        switch event {
        case .key(let event) where event.phase != .release: (key, isPress, time) = (event.key, event.phase == .press, event.time)
        case .command(.key(let key), _): (self.key, isPress, time) = (key, true, now)
        default: return nil
        }
        guard key.isArrow || key == .ok || key == .back, shown.screen != .standby, shown.screenSaver == nil else { return nil }
        before = shown
    }

    /// The sound as an effect.
    ///
    /// - Parameters:
    ///   - after: what is on the screen after the event.
    ///   - effects: those of the event, with its answer.
    /// - Returns: nil for a key without a sound.
    func effect(in after: PresentationState, answeredIn effects: [InterfaceEffect], _ strings: StringCatalogue)
        -> InterfaceEffect?
    {
        sound(to: after, answeredIn: effects, strings).map { .navigationSound($0, asked: time) }
    }

    private func sound(to after: PresentationState, answeredIn effects: [InterfaceEffect], _ strings: StringCatalogue)
        -> NavigationSound?
    {
        let (old, new) = (Place(before, strings), Place(after, strings))
        guard after.screen != .standby, old != nil || new != nil else { return nil }
        guard effects.contains(.answer(.success)) else { return isPress && old != nil ? .edge : nil }
        if key == .ok { return isPress && old != nil ? .choose : nil }
        return old != new ? .move : nil
    }

    /// What has focus, in words: they differ between any two elements.
    private struct Place: Equatable {
        private let words: SpokenWords
        /// The part of a long text that is on the screen.
        private let text: LongTextView?

        /// - Returns: nil while nothing has focus.
        init?(_ state: PresentationState, _ strings: StringCatalogue) {
            if case .delay? = state.page { return nil }
            let hasButton = if case .action? = state.bar?.focus { true } else { state.action?.isFocused == true }
            let isOpen =
                state.pin != nil || state.card != nil || state.longText != nil || state.page != nil || state.home != nil
                || state.proposal != nil || state.panel != nil
            guard isOpen || hasButton else { return nil }
            var words = SpokenFocus(strings: strings).words(for: state)
            words.counting = []
            self.words = words
            text = state.longText
        }
    }
}
