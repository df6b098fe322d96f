import MediaTime

/// The value of a metadata item, in its stored type.
package enum MetadataValue: Sendable, Hashable {
    case text(String)
    case integer(Int64)
    case number(Double)
    /// Bytes, such as a picture's.
    case data([UInt8])
}

/// One metadata item. The counterpart of `AVMetadataItem`; a value.
package struct MetadataItem: Sendable, Hashable {
    /// Its identifier in its own format.
    package var identifier: MetadataIdentifier
    /// Its common identifier; nil when other formats have no such key.
    package var commonIdentifier: MetadataIdentifier?
    package var value: MetadataValue
    /// The media type of a data value, e.g. `image/jpeg`, when stated or detected.
    package var dataType: String?
    /// BCP 47; nil when the format does not say.
    package var extendedLanguageTag: String?
    /// Distinguishes several items with one key: the description of an ID3 `TXXX` or `COMM` frame, the type of a picture.
    package var info: String?
    /// When it applies, in asset time; nil: always.
    package var timeRange: TimeRange?

    /// Makes an item; its common identifier is derived.
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

    /// The value as text; nil for data.
    package var stringValue: String? {
        switch value {
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .data: nil
        }
    }

    /// The value as a number, parsed if it is a text.
    package var numberValue: Double? {
        switch value {
        case .text(let text): Double(text)
        case .integer(let number): Double(number)
        case .number(let number): number
        case .data: nil
        }
    }

    /// The value as bytes; nil for other types.
    package var dataValue: [UInt8]? { if case .data(let bytes) = value { bytes } else { nil } }

    /// The ISO 8601 date or time at the start of a text (`2024`, `2024-05-01`, `2024-05-01T12:00:00Z`); nil for anything else.
    package var dateValue: String? {
        guard let text = stringValue else { return nil }
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        guard digits.count == 4 else { return nil }
        let allowed = Set("0123456789-:TZ+. ".utf8)
        return text.utf8.allSatisfy(allowed.contains) ? text : nil
    }
}

/// Items that apply for a range of time: a chapter, a title in a live stream. The counterpart of `AVTimedMetadataGroup`.
package struct TimedMetadataGroup: Sendable, Hashable {
    /// In asset time.
    package var timeRange: TimeRange
    package var items: [MetadataItem]

    package init(timeRange: TimeRange, items: [MetadataItem]) {
        self.timeRange = timeRange
        self.items = items
    }
}
