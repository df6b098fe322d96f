import MediaModel

/// The page on which the passphrase of a wireless network is typed, or an address.
package struct PassphraseView: Sendable, Hashable {
    /// What is typed, as far as it can be read.
    package struct Field: Sendable, Hashable {
        /// With a dot for each character that is hidden.
        package let words: String
        /// Whether it stays on the screen: neither spoken words nor dumps have it.
        package let isSecret: Bool

        package init(_ words: String, isSecret: Bool) { (self.words, self.isSecret) = (words, isSecret) }

        fileprivate var count: Int { words.count }
        /// Nil for a secret.
        fileprivate var plain: String? { isSecret ? nil : words }
    }

    /// What is typed: "Password for %1".
    package var title: String
    package var field: Field
    /// A text instead of an empty field.
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
        title: String, field: Field, placeholder: String = "", hint: String = "", warning: String? = nil,
        phone: PhoneCode? = nil,
        keys: [[SearchView.Key]], columns: Int, row: Int = 0, column: Int = 0
    ) {
        self.title = title
        self.field = field
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

extension PassphraseView.Field: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}

extension PassphraseView: PageContent {
    package static let name = "passphrase"
    package static let hidesPicture = true
    package static let showsTime = false

    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("enteredCount", \.field.count), .init("text", \.field.plain),
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
