/// A page of Settings, full screen: where one is at the top, a menu on the leading half, an explanation or a preview on the other.
public struct SettingsView: Sendable, Hashable {
    /// Which page.
    public enum Page: String, Sendable, Hashable, CaseIterable {
        /// The list of all others.
        case top
        case language, captions, sound, picture, accessibility, network, storage, parental, sleepTimer, about
    }

    /// Which page.
    public var page: Page
    /// Its name.
    public var title: String
    /// What the row with focus does, in a sentence; nil: the row says it.
    public var explanation: String?
    /// Its rows. A submenu (e.g. the colour of captions) has a title of its own.
    public var menu: MenuView

    /// Makes a page.
    public init(page: Page, title: String, explanation: String? = nil, menu: MenuView) {
        self.page = page
        self.title = title
        self.explanation = explanation
        self.menu = menu
    }
}

/// The page on which a viewer puts in the PIN. It is over everything, and nothing of what it protects is seen.
public struct PINView: Sendable, Hashable {
    /// What has focus.
    public enum Focus: Sendable, Hashable {
        /// A key of the pad: 0…9 are the digits 1 to 9 and 0, in three columns; 10 deletes; 11 leaves. Row by row:
        /// `1 2 3 / 4 5 6 / 7 8 9 / delete 0 cancel`.
        case key(row: Int, column: Int)
    }

    /// "Enter PIN".
    public var title: String
    /// What it is asked for: the programme's title and rating, or "Settings".
    public var message: String?
    /// How many digits are in; they themselves are never shown.
    public var enteredCount: Int
    /// How many it has; nil: not told, OK ends it.
    public var length: Int
    /// "Wrong PIN. 3 tries left.", or "Try again in 4:32."; nil: nothing was wrong.
    public var warning: String?
    /// Whether digits are refused because too many were wrong.
    public var isLocked: Bool
    /// The pad's keys, four rows of three, in reading order; digits are never mirrored.
    public var keys: [[String]]
    /// What has focus.
    public var focus: Focus

    /// Makes the page.
    public init(
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
