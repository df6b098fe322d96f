import MediaTime

/// A fact about a whole presentation (EXT-X-SESSION-DATA).
package struct SessionDatum: Sendable, Hashable {
    /// DATA-ID, e.g. `com.apple.hls.title`.
    package var identifier: String
    /// What it says.
    package var value: String
    /// BCP 47; nil where it is not told.
    package var languageTag: String?

    /// Describes a fact.
    package init(identifier: String, value: String, languageTag: String? = nil) {
        self.identifier = identifier
        self.value = value
        self.languageTag = languageTag
    }
}

/// A chapter that is described beside a stream, in all its languages.
package struct StreamChapter: Sendable, Hashable {
    /// A title in one language.
    package struct Title: Sendable, Hashable {
        /// BCP 47; nil where it is not told.
        package var languageTag: String?
        /// The title.
        package var text: String

        /// Describes a title.
        package init(languageTag: String?, text: String) {
            self.languageTag = languageTag
            self.text = text
        }
    }

    /// Where it begins, in asset time.
    package var start: MediaTime
    /// How long it is; nil to the next, or to the end.
    package var duration: MediaTime?
    /// Its titles.
    package var titles: [Title]
    /// The address of its picture; of several the widest.
    package var image: String?

    /// Describes a chapter.
    package init(start: MediaTime, duration: MediaTime?, titles: [Title], image: String? = nil) {
        self.start = start
        self.duration = duration
        self.titles = titles
        self.image = image
    }
}

/// A stretch of a stream's calendar of which something is told (EXT-X-DATERANGE).
package struct DateRangeMetadata: Sendable, Hashable {
    /// One of its attributes.
    package struct Attribute: Sendable, Hashable {
        /// The name, e.g. `X-TITLE`.
        package var name: String
        /// The value without quotation marks.
        package var value: String

        /// Joins a name and a value.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// ID.
    package var identifier: String
    /// CLASS.
    package var classifyingLabel: String?
    /// Where it begins, in asset time.
    package var start: MediaTime
    /// Where it ends, in asset time; nil while that is not known.
    package var end: MediaTime?
    /// START-DATE, in nanoseconds since the start of 1970, UTC.
    package var startDate: Int64
    /// When it ends; nil while that is not known.
    package var endDate: Int64?
    /// The attributes that the provider or a standard of signalling defined, in their order: `X-…` and `SCTE35-…`.
    package var attributes: [Attribute]

    /// Describes a stretch.
    package init(
        identifier: String, classifyingLabel: String?, start: MediaTime, end: MediaTime?, startDate: Int64, endDate: Int64?,
        attributes: [Attribute]
    ) {
        self.identifier = identifier
        self.classifyingLabel = classifyingLabel
        self.start = start
        self.end = end
        self.startDate = startDate
        self.endDate = endDate
        self.attributes = attributes
    }
}

/// A source that tells things about what it carries, at the beginning or while it goes on.
@MainActor
package protocol MetadataSource: MediaSource {
    /// What is told of the whole, so far.
    var sessionData: [SessionDatum] { get }
    /// The chapters that are described beside it, in order of time, so far.
    var chapters: [StreamChapter] { get }
    /// What is told of stretches of it now, in order of time.
    var dateRangeMetadata: [DateRangeMetadata] { get }
    /// Called on the main loop whenever one of them has changed.
    var onMetadataChange: (@MainActor () -> Void)? { get set }
    /// Called on the main loop with metadata inside the segments as they are read, ahead of their times.
    var onTimedMetadata: (@MainActor ([TimedMetadata]) -> Void)? { get set }
}
