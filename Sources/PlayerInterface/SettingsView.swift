/// A page of Settings, full screen: where one is at the top, a menu on the leading half, an explanation or a preview on the other.
package struct SettingsView: Sendable, Hashable {
    /// Which page.
    package enum Page: String, Sendable, Hashable, CaseIterable {
        /// The list of all others.
        case top
        case language, captions, sound, picture, accessibility, network, storage, parental, sleepTimer, about
    }

    /// Which page.
    package var page: Page
    /// Its name.
    package var title: String
    /// What the row with focus does, in a sentence; nil: the row says it.
    package var explanation: String?
    /// Its rows. A submenu (e.g. the colour of captions) has a title of its own.
    package var menu: MenuView

    package init(page: Page, title: String, explanation: String? = nil, menu: MenuView) {
        self.page = page
        self.title = title
        self.explanation = explanation
        self.menu = menu
    }
}

/// The page on which a viewer puts in the PIN. It is over everything, and nothing of what it protects is seen.
package struct PINView: Sendable, Hashable {
    /// What has focus.
    package enum Focus: Sendable, Hashable {
        /// A key of the pad: 0…9 are the digits 1 to 9 and 0, in three columns; 10 deletes; 11 leaves. Row by row:
        /// `1 2 3 / 4 5 6 / 7 8 9 / delete 0 cancel`.
        case key(row: Int, column: Int)
    }

    /// "Enter PIN".
    package var title: String
    /// What it is asked for: the programme's title and rating, or "Settings".
    package var message: String?
    /// How many digits are in; they themselves are never shown.
    package var enteredCount: Int
    /// How many it has; nil: not told, OK ends it.
    package var length: Int
    /// "Wrong PIN. 3 tries left.", or "Try again in 4:32."; nil: nothing was wrong.
    package var warning: String?
    /// Whether digits are refused because too many were wrong.
    package var isLocked: Bool
    /// The pad's keys, four rows of three, in reading order; digits are never mirrored.
    package var keys: [[String]]
    /// What has focus.
    package var focus: Focus

    package init(
        title: String, message: String? = nil, enteredCount: Int = 0, length: Int = 4, warning: String? = nil,
        isLocked: Bool = false, keys: [[String]], focus: Focus
    ) {
        self.title = title
        self.message = message
        self.enteredCount = enteredCount
        self.length = length
        self.warning = warning
        self.isLocked = isLocked
        self.keys = keys
        self.focus = focus
    }
}
