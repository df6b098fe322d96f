/// A screen of the box itself, over all that belongs to the viewer: there are no channels yet, a factory reset is about to be done, or the box stays safe after crashes.
package struct SetUpView: Sendable, Hashable {
    /// What it is about.
    package enum Kind: String, Sendable, Hashable {
        /// Nobody has told the box where its channels are, or nothing has come from there yet.
        case setUp
        /// The data partition is going to be made anew.
        case reset
        /// The box has crashed too often to go on by itself.
        case safe
        /// Something was found that could provide channels, and is asked about.
        case question
    }

    /// What it is about.
    package var kind: Kind
    /// The headline.
    package var title: String
    /// What to do, one paragraph each.
    package var paragraphs: [String]
    /// What is set in type that tells letters from digits, line by line: the least that `marquee.toml` must say.
    package var example: [String]
    /// "This box" and its address, as label and value.
    package var facts: [Fact]
    /// What the QR code says, in ASCII: readers guess at other letters; nil: there is none.
    package var code: String?
    /// The button, which has focus; nil: there is nothing to press.
    package var button: String?

    /// Something that the box knows of itself.
    package struct Fact: Sendable, Hashable {
        /// What it is.
        package var label: String
        /// Its value.
        package var value: String

        package init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    package init(
        kind: Kind, title: String, paragraphs: [String] = [], example: [String] = [], facts: [Fact] = [], code: String? = nil,
        button: String? = nil
    ) {
        self.kind = kind
        self.title = title
        self.paragraphs = paragraphs
        self.example = example
        self.facts = facts
        self.code = code
        self.button = button
    }
}

/// What is wrong with `marquee.toml`, at the top of the screen for a while; it takes no focus.
package struct VerdictView: Sendable, Hashable {
    /// The headline.
    package var title: String
    /// One line a key, the first few.
    package var lines: [String]
    /// "and 3 more in applied.txt"; nil: these are all.
    package var rest: String?

    package init(title: String, lines: [String], rest: String? = nil) {
        self.title = title
        self.lines = lines
        self.rest = rest
    }
}
