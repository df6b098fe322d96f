import BoxModel

/// The data of the events `dateRange` and `timedMetadata`.
struct CueAnswer: Encodable, Sendable {
    /// A frame of an ID3 tag, or an event message.
    struct Frame: Encodable, Sendable {
        var key: String
        var info: String?
        var text: String?
        /// A section of SCTE 35 in hexadecimal.
        var scte35: String?
        var bytes: Int?
        var type: String?

        init(_ frame: StreamCue.Metadata.Frame) {
            (key, info) = (frame.key, frame.info)
            switch frame.content {
            case .text(let words): text = words
            case .splice(let section): scte35 = section
            case .data(let count, let mediaType): (bytes, type) = (count, mediaType)
            }
        }
    }

    /// The item or channel that plays.
    var item: String?
    var session: String?
    /// UTC.
    var date: String?
    /// In asset time, seconds.
    var start: Double
    /// How many attributes or frames were left out.
    var omitted: Int?

    // Of date ranges: `begin` or `end`, ID, CLASS, dates in UTC, lengths in seconds, and the attributes by name.
    var step: String?
    var dateRange: String?
    var `class`: String?
    var startDate: String?
    var endDate: String?
    var duration: Double?
    var plannedDuration: Double?
    var attributes: [String: String]?

    // Of metadata.
    var scheme: String?
    var frames: [Frame]?

    init(_ cue: StreamCue, _ report: ViewingReport) {
        (item, session, date) = (report.item, report.session, report.date.map(NowAnswer.text))
        switch cue {
        case .began(let range), .ended(let range):
            if case .began = cue { step = "begin" } else { step = "end" }
            (dateRange, `class`) = (range.id, range.classID)
            start = NowAnswer.seconds(range.start)
            (startDate, endDate) = (NowAnswer.text(range.startDate), range.endDate.map(NowAnswer.text))
            (duration, plannedDuration) = (range.duration.map(NowAnswer.seconds), range.plannedDuration.map(NowAnswer.seconds))
            attributes = Dictionary(range.attributes.map { ($0.name, $0.value) }) { first, _ in first }
            omitted = range.omitted == 0 ? nil : range.omitted
        case .metadata(let metadata):
            start = NowAnswer.seconds(metadata.start)
            scheme = metadata.scheme
            frames = metadata.frames.map { Frame($0) }
            omitted = metadata.omitted == 0 ? nil : metadata.omitted
        }
    }
}
