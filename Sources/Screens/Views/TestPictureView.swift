import MediaModel

/// A still picture by which a viewer judges the television: the corners of the screen, greys and colours.
package struct TestPictureView: Sendable, Hashable {
    /// What a viewer should see.
    package var words: String
    /// What to do otherwise, and which keys close it.
    package var hint: String

    package init(words: String, hint: String) { (self.words, self.hint) = (words, hint) }
}

extension TestPictureView: PageContent {
    package static let name = "testPicture"
    package static let hidesPicture = true
    package static let showsTime = false

    package static var dumpFields: [DumpFieldWriter<Self>] { [.init("words", \.words), .init("hint", \.hint)] }

    package func spoken(in strings: StringCatalogue) -> SpokenWords { SpokenWords(place: [words, hint], focus: []) }
}
