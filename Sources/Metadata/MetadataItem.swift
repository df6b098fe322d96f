import Languages
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

extension Array where Element == MetadataItem {
    /// The items with this identifier, whether format-specific or common.
    package func filtered(by identifier: MetadataIdentifier) -> [MetadataItem] {
        filter { $0.identifier == identifier || $0.commonIdentifier == identifier }
    }

    /// The items in order of preference: by language in the given order, then those without a language or with `und`, then the
    /// rest. Equal ranks keep their order. No item is dropped, so there is always a value when there is any.
    ///
    /// - Parameter languages: BCP 47, best first.
    package func sorted(byPreferredLanguages languages: [String]) -> [MetadataItem] {
        func rank(_ item: MetadataItem) -> (Int, Int) {
            let tag = item.extendedLanguageTag ?? LanguageTag.undetermined
            if tag.lowercased() == LanguageTag.undetermined { return (languages.count, 0) }
            for (index, wanted) in languages.enumerated() {
                if let score = LanguageTag.match(tag, for: wanted) { return (index, -score) }
            }
            return (languages.count + 1, 0)
        }
        return enumerated().map { (rank: rank($0.element), offset: $0.offset, item: $0.element) }
            .sorted { ($0.rank.0, $0.rank.1, $0.offset) < ($1.rank.0, $1.rank.1, $1.offset) }.map(\.item)
    }

    /// The best item with an identifier; nil only when there is none at all. A remark is a description only where there is no other.
    package func best(_ identifier: MetadataIdentifier, for languages: [String]) -> MetadataItem? {
        let found = filtered(by: identifier)
        let proper = found.filter { !CommonKeys.isRemark($0.identifier) && !$0.isEmpty }
        return (proper.isEmpty ? found : proper).sorted(byPreferredLanguages: languages).first
    }

    /// External metadata merged over embedded metadata. It replaces all languages of each identifier that it has; an external
    /// empty text hides the embedded value.
    ///
    /// External items without a well-formed language tag, or of a type that their identifier cannot have, are ignored: the viewer
    /// then sees the embedded value.
    package func overridden(by external: [MetadataItem]) -> [MetadataItem] {
        let usable = external.filter(\.isPresentable)
        let covered = Set(usable.map { $0.commonIdentifier ?? $0.identifier })
        return usable.filter { !$0.isEmpty } + filter { !covered.contains($0.commonIdentifier ?? $0.identifier) }
    }

    /// The items without personal data such as the location, the author or the owner, for logs that leave the box. The
    /// counterpart of `AVMetadataItemFilter.forSharing()`.
    package func filteredForSharing() -> [MetadataItem] {
        filter { item in
            if let common = item.commonIdentifier, CommonKeys.personal.contains(common) { return false }
            return !MediaMetadata.isPersonal(key: item.identifier.key)
        }
    }
}

extension MetadataItem {
    /// Whether an external item can be shown: a known language (`und`: not localised) and a value of the right type for its
    /// identifier.
    package var isPresentable: Bool {
        guard let tag = extendedLanguageTag, LanguageTag.isWellFormed(tag) else { return false }
        switch (commonIdentifier ?? identifier, value) {
        case (.commonArtwork, .data), (.commonArtwork, .text("")): return true
        case (.commonArtwork, _): return false
        case (_, .data): return false
        default: return true
        }
    }

    /// Whether the value means that nothing is shown.
    package var isEmpty: Bool {
        switch value {
        case .text(let text): text.isEmpty
        case .data(let bytes): bytes.isEmpty
        case .integer, .number: false
        }
    }
}
