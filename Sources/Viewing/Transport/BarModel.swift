import LinuxSupport
import Screens

/// The state of the transport bar.
package struct BarModel: Sendable, Equatable {
    private struct Shown: Sendable, Equatable {
        var focus = TransportBarView.Focus.none
        var offersUndo = false
        var typed: TypedPlace?
        var isStepping = false
    }
    private var shown: Shown?
    /// When it hides automatically; nil if it does not.
    private(set) var hidesAt: HostTime?

    package var isVisible: Bool { shown != nil }
    package var focus: TransportBarView.Focus { shown?.focus ?? .none }
    /// "Press Back to undo" is offered.
    var offersUndo: Bool { shown?.offersUndo ?? false }
    /// Whether the picture stands where a single frame was stepped to.
    var isStepping: Bool { shown?.isStepping ?? false }
    /// The place that is being typed; nil if none is.
    package var typed: TypedPlace? { shown?.typed }

    /// Shows it with its old focus; without focus if it was hidden.
    mutating func show() {
        if shown == nil { shown = Shown() }
        shown?.isStepping = false
    }

    mutating func showStepping() {
        show(.bar)
        shown?.isStepping = true
    }

    mutating func show(_ focus: TransportBarView.Focus) {
        show()
        shown?.focus = focus
    }

    mutating func showOfferingUndo() {
        show()
        shown?.offersUndo = true
    }

    /// There is nothing to undo any more.
    mutating func endUndo() { shown?.offersUndo = false }

    package mutating func hide() { shown = nil }

    /// A digit of a place was typed.
    mutating func type(_ digit: Int, at now: HostTime) {
        show()
        let place = TypedPlace(digit, after: typed, at: now)
        shown?.typed = place
    }

    package mutating func endTyping() { shown?.typed = nil }

    /// Schedules hiding after a time without interaction.
    ///
    /// - Parameters:
    ///   - lastPress: the last press of any key; nil to keep it shown.
    ///   - delay: how long after that it hides; nil to keep it shown.
    mutating func settle(lastPress: HostTime?, hidesAfter delay: Duration?, at now: HostTime) {
        hidesAt = nil
        guard shown != nil, let lastPress, let delay else { return }
        if now >= lastPress + delay { hide() } else { hidesAt = lastPress + delay }
    }
}
