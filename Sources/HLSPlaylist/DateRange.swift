import MediaTime

/// EXT-X-DATERANGE: something that happens in a stretch of the calendar, such as an interstitial.
///
/// Tags with one ID are one date range: their attributes are joined.
package struct DateRange: Sendable, Hashable {
    /// CUE: when an interstitial is triggered other than by its date.
    package struct Cue: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Before the primary content starts.
        package static let pre = Cue(rawValue: 1)
        /// After the primary content has ended.
        package static let post = Cue(rawValue: 2)
        /// Not more than once.
        package static let once = Cue(rawValue: 4)
    }

    /// ID.
    package internal(set) var id: String
    /// CLASS, e.g. `com.apple.hls.interstitial`.
    package internal(set) var classID: String?
    /// START-DATE.
    package internal(set) var startDate: WallClockTime
    /// CUE.
    package internal(set) var cue: Cue
    /// END-DATE.
    package internal(set) var endDate: WallClockTime?
    /// DURATION.
    package internal(set) var duration: MediaTime?
    /// PLANNED-DURATION: what is expected while the end is not known.
    package internal(set) var plannedDuration: MediaTime?
    /// END-ON-NEXT: it ends where the next of its class starts.
    package internal(set) var endsOnNext: Bool
    /// Where it ends: END-DATE, or its start and DURATION, or with END-ON-NEXT the start of the next of its class; nil while unknown.
    package internal(set) var resolvedEndDate: WallClockTime?
    /// SCTE35-CMD as written, hexadecimal.
    package internal(set) var scte35Command: String?
    /// SCTE35-OUT as written, hexadecimal.
    package internal(set) var scte35Out: String?
    /// SCTE35-IN as written, hexadecimal.
    package internal(set) var scte35In: String?
    /// Every attribute as written; those that begin with `X-` are the client's.
    package internal(set) var attributes: AttributeList
    /// The line of the first tag.
    package internal(set) var line: Int

    /// The attributes of an interstitial (CLASS `com.apple.hls.interstitial`); nil for other classes.
    package var interstitial: InterstitialAttributes? {
        classID == InterstitialAttributes.classID ? InterstitialAttributes(attributes) : nil
    }

    /// The attributes of a schedule or preload class; nil for other classes.
    package var schedule: ScheduleAttributes? { ScheduleAttributes(classID: classID, attributes) }
}

/// The attributes that RFC 8216bis appendix D gives to interstitials.
package struct InterstitialAttributes: Sendable, Hashable {
    /// The CLASS of interstitials.
    package static let classID = "com.apple.hls.interstitial"

    /// X-SNAP: where to cut the primary content at the edge of a segment.
    package struct Snap: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Leave at the edge nearest to the start.
        package static let out = Snap(rawValue: 1)
        /// Come back at the edge nearest to the resumption.
        package static let `in` = Snap(rawValue: 2)
    }

    /// X-RESTRICT: what the viewer may not do.
    package struct Restrictions: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Seek ahead inside it, or play it faster.
        package static let skip = Restrictions(rawValue: 1)
        /// Jump across it.
        package static let jump = Restrictions(rawValue: 2)
    }

    /// X-TIMELINE-OCCUPIES: how much of the shown timeline it takes.
    package enum Occupancy: String, Sendable, Hashable {
        /// A point; the default.
        case point = "POINT"
        /// Its length.
        case range = "RANGE"
    }

    /// X-TIMELINE-STYLE: how the timeline shows it.
    package enum Style: String, Sendable, Hashable {
        /// Set off from the primary content; the default.
        case highlight = "HIGHLIGHT"
        /// Like the primary content.
        case primary = "PRIMARY"
    }

    /// X-ASSET-URI: the one asset to play.
    package let assetURI: String?
    /// X-ASSET-LIST: where to get the list of assets.
    package let assetListURI: String?
    /// X-RESUME-OFFSET: how far after its start the primary content goes on; nil means as long as it has played.
    package let resumeOffset: MediaTime?
    /// X-PLAYOUT-LIMIT: how long it may play at most.
    package let playoutLimit: MediaTime?
    /// X-SNAP.
    package let snap: Snap
    /// X-RESTRICT.
    package let restrictions: Restrictions
    /// X-TIMELINE-OCCUPIES.
    package let timelineOccupancy: Occupancy
    /// X-TIMELINE-STYLE.
    package let timelineStyle: Style
    /// X-CONTENT-MAY-VARY: whether viewers may get different assets; true where absent.
    package let contentMayVary: Bool
    /// X-SKIP-CONTROL-OFFSET: when the control to skip appears.
    package let skipControlOffset: MediaTime?
    /// X-SKIP-CONTROL-DURATION: how long the control is there.
    package let skipControlDuration: MediaTime?
    /// X-SKIP-CONTROL-LABEL-ID: what the control says.
    package let skipControlLabelID: String?

    init(_ attributes: AttributeList) {
        assetURI = attributes["X-ASSET-URI"]
        assetListURI = attributes["X-ASSET-LIST"]
        resumeOffset = attributes.time("X-RESUME-OFFSET")
        playoutLimit = attributes.time("X-PLAYOUT-LIMIT")
        let snapWords = attributes.words("X-SNAP")
        snap = Snap(snapWords.contains("OUT") ? [.out] : []).union(snapWords.contains("IN") ? [.in] : [])
        let restrictWords = attributes.words("X-RESTRICT")
        restrictions = Restrictions(restrictWords.contains("SKIP") ? [.skip] : []).union(
            restrictWords.contains("JUMP") ? [.jump] : [])
        timelineOccupancy = attributes["X-TIMELINE-OCCUPIES"].flatMap(Occupancy.init) ?? .point
        timelineStyle = attributes["X-TIMELINE-STYLE"].flatMap(Style.init) ?? .highlight
        contentMayVary = attributes["X-CONTENT-MAY-VARY"] != "NO"
        skipControlOffset = attributes.time("X-SKIP-CONTROL-OFFSET")
        skipControlDuration = attributes.time("X-SKIP-CONTROL-DURATION")
        skipControlLabelID = attributes["X-SKIP-CONTROL-LABEL-ID"]
    }
}

/// The attributes of the classes `com.apple.hls.daterange-schedule` (more date ranges behind a URI) and
/// `com.apple.hls.preload` (load ahead what another date range will need).
package struct ScheduleAttributes: Sendable, Hashable {
    /// Which of the two classes it is.
    package enum Kind: String, Sendable, Hashable {
        /// A schedule of date ranges.
        case dateRangeSchedule = "com.apple.hls.daterange-schedule"
        /// A hint to load ahead.
        case preload = "com.apple.hls.preload"
    }

    /// The class.
    package let kind: Kind
    /// X-URI: what to load.
    package let uri: String?
    /// X-SCHEDULE-OFFSET.
    package let scheduleOffset: MediaTime?
    /// X-TARGET-ID: the date range it is for.
    package let targetID: String?

    init?(classID: String?, _ attributes: AttributeList) {
        guard let kind = classID.flatMap(Kind.init) else { return nil }
        self.kind = kind
        uri = attributes["X-URI"]
        scheduleOffset = attributes.time("X-SCHEDULE-OFFSET")
        targetID = attributes["X-TARGET-ID"]
    }
}

extension AttributeList {
    /// A decimal number of seconds; nil where absent or not a number.
    func time(_ name: String) -> MediaTime? {
        guard let text = self[name] else { return nil }
        return Numbers.withBytes(of: text) { Numbers.decimal($0) }.map { MediaTime.nanoseconds($0.billionths) }
    }

    /// The words of a comma-separated list.
    func words(_ name: String) -> [String] {
        guard let text = self[name] else { return [] }
        return text.split(separator: ",").map { word in
            String(word.drop { $0 == " " }.prefix { $0 != " " })
        }
    }
}
