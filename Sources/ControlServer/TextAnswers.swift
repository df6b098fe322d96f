import StatusModel

/// The answer to `GET /v1/text`. Without `field` the television asks for no text.
struct TextAnswer: Encodable, Sendable, Equatable {
    var field: UInt64?
    var serial: UInt64?
    var title: String?
    /// Nil for a secret.
    var text: String?
    var secret: Bool?
    var longest: Int?

    init(_ asked: AskedText?) {
        guard let asked else { return }
        field = asked.field
        serial = asked.serial
        title = asked.title
        text = asked.text
        secret = asked.text == nil
        longest = asked.longest
    }
}

/// The body of `POST /v1/text`: `{"field":3,"serial":5,"text":"sea"}`.
struct TextOrder: Decodable, Sendable {
    let field: UInt64
    let serial: UInt64
    let text: String
}

/// The body of `POST /v1/pair`: `{"secret":"…"}`.
struct PairOrder: Decodable, Sendable {
    let secret: String
}

/// The answer to it.
struct PairAnswer: Encodable, Sendable {
    let token: String
}

extension TypingRefusal {
    /// As the phone is told it.
    var answer: RequestRefusal {
        switch self {
        case .notAsked: RequestRefusal(status: .conflict, sentence: "The television doesn’t ask for this text any more.")
        case .late: RequestRefusal(status: .conflict, sentence: "The text on the television is newer.")
        case .ahead: RequestRefusal(sentence: "\"serial\" is too far ahead of that of the television.")
        case .invalid: RequestRefusal(sentence: "The text is too long, or has characters that can’t be typed here.")
        case .inClear: RequestRefusal(status: .forbidden, sentence: "A password is taken over https only.")
        }
    }
}
