import MediaModel

/// A page of Settings, full screen: the path at the top, a menu on the leading half, an explanation or a preview on the other.
package struct SettingsView: Sendable, Equatable {
    /// The name of a page of Settings, for dumps. Nothing is drawn by it.
    package struct Page: RawRepresentable, ExpressibleByStringLiteral, Sendable, Hashable, DumpWritable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package init(stringLiteral name: String) { rawValue = name }
    }

    package var page: Page
    package var title: String
    /// A sentence about the focused row; nil if the row needs none.
    package var explanation: String?
    /// Its rows. A page below the first one, and each submenu (e.g. the colour of captions), has its own title.
    package var menu: MenuView
    /// A question about what was chosen. It has focus, and no row has.
    package var card: CardView?

    package init(page: Page, title: String, explanation: String? = nil, menu: MenuView, card: CardView? = nil) {
        self.page = page
        self.title = title
        self.explanation = explanation
        self.menu = menu
        self.card = card
    }
}

extension SettingsView: PageContent {
    package static let name = "settings"
    package static let hidesPicture = true
    package static let showsTime = false

    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("page", \.page), .init("title", \.title), .init("explanation", \.explanation), .init("menu", \.menu),
            .init("card", \.card),
        ]
    }

    package func spoken(in strings: StringCatalogue) -> SpokenWords {
        if let card { return card.spoken(in: strings) }
        return SpokenWords(
            place: [menu.title ?? title], focus: [menu.spokenRow(in: strings)],
            drifting: [menu.spokenIcon(in: strings)], hint: [explanation])
    }
}

/// The page on which a viewer enters the PIN. It covers everything, and nothing protected is visible.
package struct PINView: Sendable, Hashable {
    /// The focused element.
    package enum Focus: Sendable, Hashable {
        /// A key of the pad: 0…9 are the digits 1 to 9 and 0, in three columns; 10 deletes; 11 cancels. Row by row: `1 2 3 / 4 5 6 / 7 8 9 / delete 0
        /// cancel`.
        case key(row: Int, column: Int)
    }

    /// "Enter PIN".
    package var title: String
    /// Why it is requested: the programme's title and rating, or "Settings".
    package var message: String?
    /// The number of typed digits; they themselves are never shown.
    package var enteredCount: Int
    /// The number of digits of the PIN; nil if unknown, and then OK submits it.
    package var length: Int
    /// "Wrong PIN. 3 tries left.", or "Try again in 4:32."; nil without an error.
    package var warning: String?
    /// Whether digits are refused after too many wrong tries.
    package var isLocked: Bool
    /// The pad's keys, four rows of three, in reading order; digits are never mirrored.
    package var keys: [[String]]
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

extension PINView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("message", \.message), .init("enteredCount", \.enteredCount),
            .init("length", \.length), .init("warning", \.warning), .init("isLocked", \.isLocked), .init("keys", \.keys),
            .init("focus", \.focus),
        ]
    }

    /// The question and a warning, then the key that has focus.
    func spoken(in strings: StringCatalogue) -> SpokenWords {
        switch focus {
        case .key(let row, let column):
            // The wait of a locked PIN counts down.
            SpokenWords(
                place: [title, message, isLocked ? nil : warning], counting: [isLocked ? warning : nil],
                focus: [keys[row][column]])
        }
    }
}

extension PINView.Focus: DumpWritable {
    package var dumpValue: DumpValue {
        switch self {
        case .key(let row, let column): .cell("key", row: row, column: column)
        }
    }
}
