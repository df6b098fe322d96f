import MediaModel

/// A menu: one column, a tick on the current choice, rows of at least `Metrics.Card.rowHeight`. The Subtitles, Audio and Picture tabs
/// and the pages of Settings are menus.
package struct MenuView: Sendable, Hashable {
    /// What stands at the trailing end of a row.
    package enum Mark: Sendable, Hashable {
        /// Nothing: Select does what the title says.
        case none
        /// A choice among the rows of this menu; the current one has a tick.
        case choice(isCurrent: Bool)
        /// On or off; Select changes it.
        case toggle(isOn: Bool)
        /// Select opens a menu of its own; `value` says what is chosen there.
        case submenu
    }

    /// One row.
    package struct Row: Sendable, Hashable {
        /// Its words.
        package var title: String
        /// What is chosen, or a fact, at the trailing end in grey.
        package var value: String?
        /// A second line in small type.
        package var note: String?
        /// What stands at its end.
        package var mark: Mark
        /// Whether Select does anything; focus passes over rows that are only to be read.
        package var isEnabled: Bool
        /// Whether it has focus.
        package var isFocused: Bool

        package init(
            title: String, value: String? = nil, note: String? = nil, mark: Mark = .none, isEnabled: Bool = true,
            isFocused: Bool = false
        ) {
            self.title = title
            self.value = value
            self.note = note
            self.mark = mark
            self.isEnabled = isEnabled
            self.isFocused = isFocused
        }
    }

    /// A heading; nil: the menu is the tab's own, whose name stands above it already.
    package var title: String?
    /// The rows on the screen and off it.
    package var rows: [Row]
    /// The first row on the screen.
    package var firstRow: Int
    /// A caption in the style that is being chosen, beside the rows.
    package var preview: CaptionPreviewView?

    package init(title: String? = nil, rows: [Row], firstRow: Int = 0, preview: CaptionPreviewView? = nil) {
        self.title = title
        self.rows = rows
        self.firstRow = firstRow
        self.preview = preview
    }

    /// The row with focus.
    package var focusedRow: Int? { rows.firstIndex { $0.isFocused } }
}

/// A caption as the viewer's style makes it look, on a picture's grey.
package struct CaptionPreviewView: Sendable, Hashable {
    /// Two lines of words in the viewer's language.
    package var words: String
    /// The style.
    package var style: CaptionStyle

    package init(words: String, style: CaptionStyle) {
        self.words = words
        self.style = style
    }
}
