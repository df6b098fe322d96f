import LinuxSupport

/// The contextual action on the screen, and when it takes focus: at once, or a second after a key that came just before it, because that key was meant for
/// something else.
struct ActionFocus: Sendable {
    private(set) var kind: ContextualActionView.Kind?
    private var focusAt = HostTime.zero

    /// - Parameter shown: what is on the screen.
    /// - Returns: when it takes focus; nil: it has focus, or there is none.
    mutating func settle(_ shown: ContextualActionView.Kind?, lastPress: HostTime?, at now: HostTime) -> HostTime? {
        if kind != shown {
            kind = shown
            focusAt = lastPress.map { now - $0 < Timing.actionGuard ? $0 + Timing.actionGuard : now } ?? now
        }
        return shown != nil && now < focusAt ? focusAt : nil
    }

    func hasFocus(at now: HostTime) -> Bool { kind != nil && now >= focusAt }
}
