import PlayerInterface

/// How much of each programme is saved on the box, as the downloads tell it. Main loop only.
@MainActor
package final class SavedItems {
    private var states: [String: HomeContent.Saving] = [:]
    /// Called when one of them has changed.
    var onChange: (@MainActor () -> Void)?

    package init() {}

    /// Replaces all of them.
    ///
    /// - Parameter states: by the id of the item; an item that is not to be saved is absent.
    package func take(_ states: [String: HomeContent.Saving]) {
        guard states != self.states else { return }
        self.states = states
        onChange?()
    }

    subscript(id: String) -> HomeContent.Saving? { states[id] }
}
