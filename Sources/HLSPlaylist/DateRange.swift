import MediaTime

/// EXT-X-DATERANGE: an event in a range of dates, such as an interstitial.
///
/// Tags with the same ID form one date range: their attributes are merged.
package struct DateRange: Sendable, Hashable {
    /// CUE: triggers of an interstitial other than its date.
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
    /// PLANNED-DURATION: the expected duration while the end is not known.
    package internal(set) var plannedDuration: MediaTime?
    /// END-ON-NEXT: it ends at the start of the next one of its class.
    package internal(set) var endsOnNext: Bool
    /// The end: END-DATE, or start plus DURATION, or with END-ON-NEXT the start of the next one of its class; nil while unknown.
    package internal(set) var resolvedEndDate: WallClockTime?
    /// SCTE35-CMD as written, hexadecimal.
    package internal(set) var scte35Command: String?
    /// SCTE35-OUT as written, hexadecimal.
    package internal(set) var scte35Out: String?
    /// SCTE35-IN as written, hexadecimal.
    package internal(set) var scte35In: String?
    /// Every attribute as written; those that start with `X-` are the client's.
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

/// The attributes of interstitials (RFC 8216bis appendix D).
package struct InterstitialAttributes: Sendable, Hashable {
    /// The CLASS of interstitials.
    package static let classID = "com.apple.hls.interstitial"

    /// X-SNAP: where the primary content is cut at a segment boundary.
    package struct Snap: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Leave at the boundary nearest to the start.
        package static let out = Snap(rawValue: 1)
        /// Return at the boundary nearest to the resumption point.
        package static let `in` = Snap(rawValue: 2)
    }

    /// X-RESTRICT: what the viewer may not do.
    package struct Restrictions: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Seek forward inside it, or play it faster.
        package static let skip = Restrictions(rawValue: 1)
        /// Jump over it.
        package static let jump = Restrictions(rawValue: 2)
    }

    /// X-TIMELINE-OCCUPIES: how much of the displayed timeline it takes.
    package enum Occupancy: String, Sendable, Hashable {
        /// A point; the default.
        case point = "POINT"
        /// Its length.
        case range = "RANGE"
    }

    /// X-TIMELINE-STYLE: how the timeline shows it.
    package enum Style: String, Sendable, Hashable {
        /// Distinct from the primary content; the default.
        case highlight = "HIGHLIGHT"
        /// Like the primary content.
        case primary = "PRIMARY"
    }

    /// X-ASSET-URI: the only asset to play.
    package let assetURI: String?
    /// X-ASSET-LIST: the URI of the list of assets.
    package let assetListURI: String?
    /// X-RESUME-OFFSET: the distance from its start at which the primary content resumes; nil means the duration played.
    package let resumeOffset: MediaTime?
    /// X-PLAYOUT-LIMIT: the longest time it may play.
    package let playoutLimit: MediaTime?
    /// X-SNAP.
    package let snap: Snap
    /// X-RESTRICT.
    package let restrictions: Restrictions
    /// X-TIMELINE-OCCUPIES.
    package let timelineOccupancy: Occupancy
    /// X-TIMELINE-STYLE.
    package let timelineStyle: Style
    /// X-CONTENT-MAY-VARY: whether viewers may get different assets; true if absent.
    package let contentMayVary: Bool
    /// X-SKIP-CONTROL-OFFSET: when the skip control appears.
    package let skipControlOffset: MediaTime?
    /// X-SKIP-CONTROL-DURATION: how long the skip control is shown.
    package let skipControlDuration: MediaTime?
    /// X-SKIP-CONTROL-LABEL-ID: the label of the skip control.
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

/// The attributes of the classes `com.apple.hls.daterange-schedule` (more date ranges at a URI) and `com.apple.hls.preload`
/// (preload what another date range needs).
package struct ScheduleAttributes: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// A schedule of date ranges.
        case dateRangeSchedule = "com.apple.hls.daterange-schedule"
        /// A hint to preload.
        case preload = "com.apple.hls.preload"
    }

    /// The class.
    package let kind: Kind
    /// X-URI: the resource to load.
    package let uri: String?
    /// X-SCHEDULE-OFFSET.
    package let scheduleOffset: MediaTime?
    /// X-TARGET-ID: the date range it belongs to.
    package let targetID: String?

    init?(classID: String?, _ attributes: AttributeList) {
        guard let kind = classID.flatMap(Kind.init) else { return nil }
        self.kind = kind
        uri = attributes["X-URI"]
        scheduleOffset = attributes.time("X-SCHEDULE-OFFSET")
        targetID = attributes["X-TARGET-ID"]
    }
}

extension DateRange {
    /// Makes a date range from an object of a schedule (class `com.apple.hls.daterange-schedule`).
    ///
    /// - Parameters:
    ///   - attributes: the object's attributes, with the names of EXT-X-DATERANGE.
    ///   - fallbackID: the ID to use if it has none.
    ///   - scheduleStart: the start of the schedule, to which X-SCHEDULE-OFFSET is relative.
    /// - Returns: nil when it has no CLASS, or no valid START-DATE or X-SCHEDULE-OFFSET.
    package init?(
        scheduled attributes: [(name: String, value: String)], fallbackID: String, scheduleStart: WallClockTime
    ) {
        var list = AttributeList()
        for (name, value) in attributes { list.append(.init(name: name, value: value, isQuoted: true)) }
        guard let classID = list["CLASS"], !classID.isEmpty else { return nil }
        let start: WallClockTime
        if let text = list["START-DATE"] {
            guard let date = WallClockTime(iso8601: text) else { return nil }
            start = date
        } else if let offset = list.time("X-SCHEDULE-OFFSET") {
            start = scheduleStart + offset
        } else {
            return nil
        }
        let words = list.words("CUE")
        var cue: Cue = []
        if words.contains("PRE") { cue.insert(.pre) }
        if words.contains("POST") { cue.insert(.post) }
        if words.contains("ONCE") { cue.insert(.once) }
        let end = list["END-DATE"].flatMap { WallClockTime(iso8601: $0) }
        let duration = list.time("DURATION")
        self.init(
            id: list["ID"] ?? fallbackID, classID: classID, startDate: start, cue: cue, endDate: end, duration: duration,
            plannedDuration: list.time("PLANNED-DURATION"), endsOnNext: list["END-ON-NEXT"] == "YES",
            resolvedEndDate: end ?? duration.map { start + $0 }, scte35Command: list["SCTE35-CMD"], scte35Out: list["SCTE35-OUT"],
            scte35In: list["SCTE35-IN"], attributes: list, line: 0)
    }
}
