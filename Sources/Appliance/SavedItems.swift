import BoxModel
import Screens

/// How much of each programme is saved on the box, as the downloads tell it. Main loop only.
@MainActor
package final class SavedItems {
    private var states: [String: HomeContent.Saving] = [:]
    /// Why programmes cannot be saved; nil if they can.
    private(set) var trouble: StorageTrouble?
    /// Called when one of them has changed.
    var onChange: (@MainActor () -> Void)?

    package init() {}

    /// Replaces all of them.
    ///
    /// - Parameters:
    ///   - states: by the id of the item; an item that is not to be saved is absent.
    ///   - trouble: why programmes cannot be saved; nil if they can.
    package func take(_ states: [String: HomeContent.Saving], trouble: StorageTrouble?) {
        guard states != self.states || trouble != self.trouble else { return }
        self.states = states
        self.trouble = trouble
        onChange?()
    }

    subscript(id: String) -> HomeContent.Saving? { states[id] }
}
