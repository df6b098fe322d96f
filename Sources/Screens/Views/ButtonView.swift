import MediaModel

/// A button of a row or a card.
package struct ButtonView: Sendable, Hashable {
    package var title: String
    /// Its title without what counts down in it; nil if nothing does.
    package var plainTitle: String?
    /// The title that it had while it counted down, whose width and ring it keeps room for, so that the buttons beside it stay; nil if it never did.
    package var formerTitle: String?
    package var isFocused: Bool

    package init(title: String, plainTitle: String? = nil, formerTitle: String? = nil, isFocused: Bool) {
        self.title = title
        self.plainTitle = plainTitle
        self.formerTitle = formerTitle
        self.isFocused = isFocused
    }
}

extension ButtonView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("plainTitle", \.plainTitle), .init("formerTitle", \.formerTitle),
            .init("isFocused", \.isFocused),
        ]
    }
}

extension [ButtonView] {
    /// The words for the focused button; nil if none has focus.
    func spokenFocus(in strings: StringCatalogue) -> String? {
        firstIndex(where: \.isFocused).map { index in
            let words = strings.text(.spokenButton, self[index].plainTitle ?? self[index].title)
            return count > 1 ? strings.text(.spokenOf, words, "\(index + 1)", "\(count)") : words
        }
    }
}
