import MediaModel

/// A delay on a line over the picture, at its lower edge.
package struct DelayView: Sendable, Hashable {
    package var title: String
    /// The delay: "+120 ms".
    package var value: String
    /// The delay as a part of the largest one, -100…100.
    package var percent: Int
    /// Whether it can be smaller, and larger.
    package var canLower, canRaise: Bool
    /// What to look and listen for.
    package var explanation: String?
    /// What OK and Back do.
    package var hint: String

    package init(
        title: String, value: String, percent: Int, canLower: Bool = true, canRaise: Bool = true, explanation: String? = nil,
        hint: String
    ) {
        self.title = title
        self.value = value
        self.percent = percent
        self.canLower = canLower
        self.canRaise = canRaise
        self.explanation = explanation
        self.hint = hint
    }
}

extension DelayView: PageContent {
    package static let name = "delay"
    package static let hidesPicture = false
    package static let showsTime = false

    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("value", \.value), .init("percent", \.percent), .init("canLower", \.canLower),
            .init("canRaise", \.canRaise), .init("explanation", \.explanation), .init("hint", \.hint),
        ]
    }

    package func spoken(in strings: StringCatalogue) -> SpokenWords {
        SpokenWords(place: [title, explanation, hint], focus: [value])
    }
}
