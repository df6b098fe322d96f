import Metadata

/// One metadata item: a title in one language, a picture. The counterpart of `AVMetadataItem`; a value.
public struct MetadataItem: Sendable, Hashable {
    /// A key in the key space of a format, written `space/key`, e.g. `comn/title`. The counterpart of `AVMetadataIdentifier`.
    public struct Identifier: Sendable, Hashable, CustomStringConvertible {
        let exact: MetadataIdentifier

        init(_ exact: MetadataIdentifier) { self.exact = exact }

        /// Makes an identifier of a format's own space, such as `org.id3`, `itsk`, `mdta` or `org.matroska`.
        public init(space: String, key: String) { exact = MetadataIdentifier(MetadataKeySpace(rawValue: space), key) }

        /// `space/key`.
        public var description: String { exact.description }

        /// The title.
        public static let commonTitle = Identifier(.commonTitle)
        /// What it is about.
        public static let commonDescription = Identifier(.commonDescription)
        /// The album or the series.
        public static let commonAlbumName = Identifier(.commonAlbumName)
        /// The performer.
        public static let commonArtist = Identifier(.commonArtist)
        /// A picture; its value is data.
        public static let commonArtwork = Identifier(.commonArtwork)
        /// The date, as ISO 8601.
        public static let commonCreationDate = Identifier(.commonCreationDate)
        /// The genre.
        public static let commonType = Identifier(.commonType)
    }

    let exact: Metadata.MetadataItem

    init(_ exact: Metadata.MetadataItem) { self.exact = exact }

    /// Its identifier in its own format.
    public var identifier: Identifier { Identifier(exact.identifier) }
    /// Its common identifier; nil when other formats have no such key.
    public var commonIdentifier: Identifier? { exact.commonIdentifier.map { Identifier($0) } }
    /// Its language (BCP 47); nil when the format does not say.
    public var extendedLanguageTag: String? { exact.extendedLanguageTag }
    /// The value as text; nil for data.
    public var stringValue: String? { exact.stringValue }
    /// The value as a number, also of a text that is one; nil for others.
    public var numberValue: Double? { exact.numberValue }
    /// The value as bytes, such as those of a picture; nil for others.
    public var dataValue: [UInt8]? { exact.dataValue }
    /// The media type of bytes, e.g. `image/jpeg`, when stated or detected.
    public var dataType: String? { exact.dataType }
}

extension [MetadataItem] {
    /// The items with this identifier, whether it is common or a format's own.
    public func filtered(by identifier: MetadataItem.Identifier) -> [MetadataItem] {
        map(\.exact).filtered(by: identifier.exact).map { MetadataItem($0) }
    }

    /// The items in order of preference: by language in the given order, then those without a language or with `und`, then the rest. None is dropped,
    /// so that there is always a value when there is any.
    ///
    /// - Parameter languages: BCP 47, best first.
    public func sorted(byPreferredLanguages languages: [String]) -> [MetadataItem] {
        map(\.exact).sorted(byPreferredLanguages: languages).map { MetadataItem($0) }
    }

    /// The items without personal data such as the location, the author or the owner. The counterpart of `AVMetadataItemFilter.forSharing()`.
    public func filteredForSharing() -> [MetadataItem] { map(\.exact).filteredForSharing().map { MetadataItem($0) } }
}

/// Items that apply for a range of time, such as a chapter. The counterpart of `AVTimedMetadataGroup`.
public struct TimedMetadataGroup: Sendable, Hashable {
    /// When they apply, in asset time.
    public let timeRange: TimeRange
    /// The items; of a chapter the title first.
    public let items: [MetadataItem]

    init(_ group: Metadata.TimedMetadataGroup) {
        timeRange = TimeRange(group.timeRange)
        items = group.items.map { MetadataItem($0) }
    }

    /// The title; nil without one.
    public var title: String? { items.filtered(by: .commonTitle).first?.stringValue }
}
