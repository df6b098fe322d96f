import MediaModel

/// A screen of the box itself, over all viewer screens: there are no channels yet, a factory reset is imminent, the box is in safe mode after crashes, or
/// the operator has an emergency message.
package struct SetUpView: Sendable, Hashable {
    /// The kind of screen.
    package enum Kind: String, Sendable, Hashable, DumpWritable {
        /// No source of channels is configured, or it has not delivered any.
        case setUp
        /// The data partition will be erased.
        case reset
        /// The box has crashed too often to continue automatically.
        case safe
        /// A source of channels was found, and the viewer is asked about it.
        case question
        /// The operator's emergency message, in large type.
        case emergency
    }

    package var kind: Kind
    /// The headline.
    package var title: String
    /// What to do, one paragraph each.
    package var paragraphs: [String]
    /// Lines in a monospaced font: the minimal `marquee.toml`.
    package var example: [String]
    /// "This box" and its address, as label and value.
    package var facts: [Fact]
    /// The text of the QR code, in ASCII, because some readers misread other characters; nil for no code.
    package var code: String?
    /// What to do with the code, under it.
    package var codeCaption: String?
    /// The seconds until it happens, in large type; nil if nothing is counted.
    package var countdown: Int?
    /// Whether something is being loaded: a spinner turns.
    package var isWaiting: Bool
    /// The button, which has focus unless the second one has; nil for none.
    package var button: String?
    /// The button beside it, which does what Back does; nil for none.
    package var secondButton: String?
    package var isSecondFocused = false

    /// A fact about the box.
    package struct Fact: Sendable, Hashable {
        package var label: String
        package var value: String

        package init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    package init(
        kind: Kind, title: String, paragraphs: [String] = [], example: [String] = [], facts: [Fact] = [], code: String? = nil,
        codeCaption: String? = nil, countdown: Int? = nil, isWaiting: Bool = false, button: String? = nil,
        secondButton: String? = nil
    ) {
        self.kind = kind
        self.title = title
        self.paragraphs = paragraphs
        self.example = example
        self.facts = facts
        self.code = code
        self.codeCaption = codeCaption
        self.countdown = countdown
        self.isWaiting = isWaiting
        self.button = button
        self.secondButton = secondButton
    }
}

extension SetUpView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("kind", \.kind), .init("title", \.title), .init("paragraphs", \.paragraphs), .init("example", \.example),
            .init("facts", \.facts), .init("code", \.code), .init("codeCaption", \.codeCaption),
            .init("countdown", \.countdown), .init("isWaiting", \.isWaiting), .init("button", \.button),
            .init("secondButton", \.secondButton), .init("isSecondFocused") { $0.secondButton == nil ? nil : $0.isSecondFocused },
        ]
    }
}

extension SetUpView.Fact: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("label", \.label), .init("value", \.value)]
    }
}

/// Errors in `marquee.toml`, at the top of the screen for a while, without focus.
package struct VerdictView: Sendable, Hashable {
    /// The headline.
    package var title: String
    /// One line per key, the first few.
    package var lines: [String]
    /// "and 3 more in applied.txt"; nil if these are all.
    package var rest: String?

    package init(title: String, lines: [String], rest: String? = nil) {
        self.title = title
        self.lines = lines
        self.rest = rest
    }
}

extension VerdictView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("lines", \.lines), .init("rest", \.rest)]
    }
}
