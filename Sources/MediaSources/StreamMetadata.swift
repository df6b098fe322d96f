import MediaTime

/// A datum of the whole presentation (EXT-X-SESSION-DATA).
package struct SessionDatum: Sendable, Hashable {
    /// DATA-ID, e.g. `com.apple.hls.title`.
    package var identifier: String
    package var value: String
    /// BCP 47; nil if unknown.
    package var languageTag: String?

    package init(identifier: String, value: String, languageTag: String? = nil) {
        self.identifier = identifier
        self.value = value
        self.languageTag = languageTag
    }
}

/// A chapter described by a stream, in all its languages.
package struct StreamChapter: Sendable, Hashable {
    /// A title in one language.
    package struct Title: Sendable, Hashable {
        /// BCP 47; nil if unknown.
        package var languageTag: String?
        package var text: String

        package init(languageTag: String?, text: String) {
            self.languageTag = languageTag
            self.text = text
        }
    }

    /// In asset time.
    package var start: MediaTime
    /// Its duration; nil: to the next chapter, or to the end.
    package var duration: MediaTime?
    package var titles: [Title]
    /// The address of its picture; the widest if there are several.
    package var image: String?

    package init(start: MediaTime, duration: MediaTime?, titles: [Title], image: String? = nil) {
        self.start = start
        self.duration = duration
        self.titles = titles
        self.image = image
    }
}

/// Metadata for a date range of a stream (EXT-X-DATERANGE).
package struct DateRangeMetadata: Sendable, Hashable {
    package struct Attribute: Sendable, Hashable {
        /// The name, e.g. `X-TITLE`.
        package var name: String
        /// The value without quotation marks.
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// ID.
    package var identifier: String
    /// CLASS.
    package var classifyingLabel: String?
    /// In asset time.
    package var start: MediaTime
    /// In asset time; nil while unknown.
    package var end: MediaTime?
    /// START-DATE, in nanoseconds since the start of 1970, UTC.
    package var startDate: Int64
    /// The end date; nil while unknown.
    package var endDate: Int64?
    /// PLANNED-DURATION; nil if it has none.
    package var plannedDuration: MediaTime?
    /// The attributes defined by the provider or a signalling standard, in order: `X-…` and `SCTE35-…`.
    package var attributes: [Attribute]

    package init(
        identifier: String, classifyingLabel: String?, start: MediaTime, end: MediaTime?, startDate: Int64, endDate: Int64?,
        plannedDuration: MediaTime? = nil, attributes: [Attribute]
    ) {
        self.identifier = identifier
        self.classifyingLabel = classifyingLabel
        self.start = start
        self.end = end
        self.startDate = startDate
        self.endDate = endDate
        self.plannedDuration = plannedDuration
        self.attributes = attributes
    }
}

/// Timed metadata of a stream (ID3 tags, event messages) in its original form.
package struct TimedMetadata: Sendable, Hashable {
    /// In asset time.
    package var time: MediaTime
    /// How long it applies; nil if unknown.
    package var duration: MediaTime?
    /// The type of the data: `org.id3` for ID3v2 tags, otherwise the scheme of the event message.
    package var scheme: String
    /// The value of the event message's scheme; empty for ID3.
    package var value: String
    /// The bytes: a whole ID3v2 tag, or the data of the message.
    package var data: [UInt8]

    package init(time: MediaTime, duration: MediaTime?, scheme: String, value: String, data: [UInt8]) {
        self.time = time
        self.duration = duration
        self.scheme = scheme
        self.value = value
        self.data = data
    }
}

/// A source with metadata about its content, known at the start or found while it plays.
@MainActor
package protocol MetadataSource: MediaSource {
    /// The session data so far.
    var sessionData: [SessionDatum] { get }
    /// The chapters so far, ordered by time.
    var chapters: [StreamChapter] { get }
    /// The current date ranges, ordered by time.
    var dateRangeMetadata: [DateRangeMetadata] { get }
}

extension MetadataSource {
    package var metadataSource: (any MetadataSource)? { self }
}
