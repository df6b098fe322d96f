/// The transport bar, as far as it is not a function of other things.
struct BarModel: Sendable, Equatable {
    var isVisible = false
    var focus = TransportBarView.Focus.none
    /// "Back to undo" is offered.
    var offersUndo = false

    mutating func show(_ focus: TransportBarView.Focus) {
        isVisible = true
        self.focus = focus
    }

    mutating func hide() { self = BarModel() }
}
