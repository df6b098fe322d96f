import MediaTime

/// What a piece of metadata is worth, in the type in which it is stored.
package enum MetadataValue: Sendable, Hashable {
    /// A text.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction.
    case number(Double)
    /// Bytes, such as a picture's.
    case data([UInt8])
}

/// One piece of metadata. The counterpart of `AVMetadataItem`; a value.
package struct MetadataItem: Sendable, Hashable {
    /// What it is, in its own format's words.
    package var identifier: MetadataIdentifier
    /// What it means in the common key space; nil where no other format has such a thing.
    package var commonIdentifier: MetadataIdentifier?
    /// What it says.
    package var value: MetadataValue
    /// The media type of a value of bytes, e.g. `image/jpeg`, when stated or seen.
    package var dataType: String?
    /// BCP 47; nil when the format does not tell.
    package var extendedLanguageTag: String?
    /// What distinguishes several items of one key: the description of an ID3 `TXXX` or `COMM` frame, the type of a picture.
    package var info: String?
    /// When it holds, in asset time; nil: always.
    package var timeRange: TimeRange?

    /// Makes an item; its common identifier follows from the other.
    package init(
        _ identifier: MetadataIdentifier, _ value: MetadataValue, dataType: String? = nil, extendedLanguageTag: String? = nil,
        info: String? = nil, timeRange: TimeRange? = nil
    ) {
        self.identifier = identifier
        self.value = value
        self.dataType = dataType
        self.extendedLanguageTag = extendedLanguageTag
        self.info = info
        self.timeRange = timeRange
        commonIdentifier = CommonKeys.identifier(for: identifier, info: info)
    }

    /// The value as text; nil for what is none.
    package var stringValue: String? {
        switch value {
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .data: nil
        }
    }

    /// The value as a number, also of a text that is one.
    package var numberValue: Double? {
        switch value {
        case .text(let text): Double(text)
        case .integer(let number): Double(number)
        case .number(let number): number
        case .data: nil
        }
    }

    /// The value as bytes; nil for what is none.
    package var dataValue: [UInt8]? { if case .data(let bytes) = value { bytes } else { nil } }

    /// The calendar day or moment that a text begins with, as ISO 8601 writes it (`2024`, `2024-05-01`, `2024-05-01T12:00:00Z`); nil for anything else.
    package var dateValue: String? {
        guard let text = stringValue else { return nil }
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        guard digits.count == 4 else { return nil }
        let allowed = Set("0123456789-:TZ+. ".utf8)
        return text.utf8.allSatisfy(allowed.contains) ? text : nil
    }
}

/// Items that hold for a stretch of time: a chapter, a title in a live stream. The counterpart of `AVTimedMetadataGroup`.
package struct TimedMetadataGroup: Sendable, Hashable {
    /// When, in asset time.
    package var timeRange: TimeRange
    /// What.
    package var items: [MetadataItem]

    /// Joins a time and its items.
    package init(timeRange: TimeRange, items: [MetadataItem]) {
        self.timeRange = timeRange
        self.items = items
    }
}
