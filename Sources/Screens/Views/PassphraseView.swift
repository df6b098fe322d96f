import MediaModel

/// The page on which the passphrase of a wireless network is typed, whose characters are not shown, or an address.
package struct PassphraseView: Sendable, Hashable {
    /// What is typed: "Password for %1".
    package var title: String
    /// The number of typed characters.
    package var enteredCount: Int
    /// What is typed, where it is no secret.
    package var text: String?
    /// A text instead of an empty passphrase.
    package var placeholder: String
    /// What a passphrase can be.
    package var hint: String
    /// That the network refused the last one; nil if it did not.
    package var warning: String?
    /// nil if no phone reaches the box, or none in private.
    package var phone: PhoneCode?
    /// The pad, row by row and from left to right: Latin characters are never mirrored.
    package var keys: [[SearchView.Key]]
    /// The number of keys of one width that fill a row.
    package var columns: Int
    /// The focused key.
    package var row: Int
    package var column: Int

    package init(
        title: String, enteredCount: Int = 0, placeholder: String = "", hint: String = "", warning: String? = nil,
        phone: PhoneCode? = nil,
        keys: [[SearchView.Key]], columns: Int, row: Int = 0, column: Int = 0
    ) {
        self.title = title
        self.enteredCount = enteredCount
        self.placeholder = placeholder
        self.hint = hint
        self.warning = warning
        self.phone = phone
        self.keys = keys
        self.columns = columns
        self.row = row
        self.column = column
    }
}

extension PassphraseView: PageContent {
    package static let name = "passphrase"
    package static let hidesPicture = true
    package static let showsTime = false

    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("enteredCount", \.enteredCount), .init("text", \.text),
            .init("placeholder", \.placeholder),
            .init("hint", \.hint), .init("warning", \.warning), .init("phone", \.phone), .init("keys", \.keys),
            .init("columns", \.columns),
            .init("row", \.row), .init("column", \.column),
        ]
    }

    package func spoken(in strings: StringCatalogue) -> SpokenWords {
        SpokenWords(place: [title, warning, hint], focus: [keys[row][column].title])
    }
}
