import MediaModel

/// A menu: one column, a check mark on the current choice, rows of at least `Metrics.Card.rowHeight`. The Subtitles, Audio and Picture tabs and the
/// pages of Settings are menus.
package struct MenuView: Sendable, Hashable {
    /// The mark at the trailing end of a row.
    package enum Mark: Sendable, Hashable {
        /// None: Select does what the title says.
        case none
        /// A choice among the rows of this menu; the current one has a check mark.
        case choice(isCurrent: Bool)
        /// On or off; Select changes it.
        case toggle(isOn: Bool)
        /// Select opens a submenu; `value` is the current choice there.
        case submenu
    }

    /// One row.
    package struct Row: Sendable, Hashable {
        package var title: String
        /// The current choice or a fact, at the trailing end in grey.
        package var value: String?
        /// A second line in small type.
        package var note: String?
        /// The mark at its trailing end.
        package var mark: Mark
        /// What it is about, at its leading end.
        package var icon: MenuIcon?
        /// The colour that its value or title names.
        package var swatch: CaptionStyle.Colour?
        /// Whether it can have focus; focus skips rows that neither do nor explain anything.
        package var isEnabled: Bool
        package var isFocused: Bool

        package init(
            title: String, value: String? = nil, note: String? = nil, mark: Mark = .none, icon: MenuIcon? = nil,
            swatch: CaptionStyle.Colour? = nil, isEnabled: Bool = true, isFocused: Bool = false
        ) {
            self.title = title
            self.value = value
            self.note = note
            self.mark = mark
            self.icon = icon
            self.swatch = swatch
            self.isEnabled = isEnabled
            self.isFocused = isFocused
        }
    }

    /// Something else has focus.
    package mutating func removeFocus() { for index in rows.indices { rows[index].isFocused = false } }

    /// A heading; nil if the tab's name is the heading.
    package var title: String?
    /// All rows.
    package var rows: [Row]
    /// The first row on the screen.
    package var firstRow: Int
    /// A caption in the style that is being chosen, next to the rows.
    package var preview: CaptionPreviewView?

    package init(title: String? = nil, rows: [Row], firstRow: Int = 0, preview: CaptionPreviewView? = nil) {
        self.title = title
        self.rows = rows
        self.firstRow = firstRow
        self.preview = preview
    }

    /// The focused row.
    package var focusedRow: Int? { rows.firstIndex { $0.isFocused } }
}

/// What a row of Settings is about.
package enum MenuIcon: String, Sendable, Hashable, CaseIterable, DumpWritable {
    case language, captions, sound, picture, accessibility, parental, sleepTimer, network, storage, about, reset, channels
    /// How strong a wireless network is.
    case signal1, signal2, signal3, signal4

    /// The words for it; nil where the title of the row has them.
    func spoken(in strings: StringCatalogue) -> String? {
        let signals: [MenuIcon] = [.signal1, .signal2, .signal3, .signal4]
        return signals.firstIndex(of: self).map { strings.text(.spokenSignal, "\($0 + 1)", "\(signals.count)") }
    }
}

extension MenuView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("rows", \.rows), .init("firstRow", \.firstRow), .init("preview", \.preview)]
    }

    /// The words for the focused row with its second line, otherwise for the first; nil if there is none.
    func spokenRow(in strings: StringCatalogue) -> String? {
        guard let index = focusedRow else {
            return rows.first.map { [$0.title, $0.value].compactMap { $0 }.joined(separator: " ") }
        }
        let row = rows[index]
        var words = row.title
        if case .toggle = row.mark { words = strings.text(.spokenSwitch, words) }
        words = strings.text(.spokenOf, words, "\(index + 1)", "\(rows.count)")
        var state: String?
        switch row.mark {
        case .none, .submenu: state = row.value
        case .choice(let isCurrent): if isCurrent { words = strings.text(.spokenSelected, words) }
        case .toggle(let isOn): state = strings.text(isOn ? .on : .off)
        }
        return strings.list([words, state, row.note].compactMap { $0 })
    }

    /// What the picture of the focused row says, if its title does not.
    func spokenIcon(in strings: StringCatalogue) -> String? {
        focusedRow.flatMap { rows[$0].icon?.spoken(in: strings) }
    }
}

extension MenuView.Row: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("value", \.value), .init("note", \.note), .init("mark", \.mark),
            .init("icon", \.icon), .init("swatch", \.swatch),
            .init("isEnabled", \.isEnabled), .init("isFocused", \.isFocused),
        ]
    }
}

extension MenuView.Mark: DumpWritable {
    package var dumpValue: DumpValue {
        switch self {
        case .none: .word("none")
        case .choice(let isCurrent): .tagged("choice", .record([DumpField("isCurrent", isCurrent.dumpValue)]))
        case .toggle(let isOn): .tagged("toggle", .record([DumpField("isOn", isOn.dumpValue)]))
        case .submenu: .word("submenu")
        }
    }
}

/// A sample caption in the viewer's style, on mid grey.
package struct CaptionPreviewView: Sendable, Hashable {
    /// Two lines of text in the viewer's language.
    package var words: String
    package var style: CaptionStyle

    package init(words: String, style: CaptionStyle) {
        self.words = words
        self.style = style
    }
}

extension CaptionPreviewView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("words", \.words), .init("style", \.style)]
    }
}
