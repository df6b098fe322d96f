import MediaTime

/// The date ranges of a playlist while it is parsed. Tags with the same ID are one date range.
struct DateRangeList: Sendable {
    private var ranges: [DateRange] = []
    /// The index of each by its ID.
    private var places: [String: Int] = [:]
    private var bytes = 0

    /// The date ranges in the order of their first tags, with the end of each, if it can be determined.
    var resolved: [DateRange] {
        var result = ranges
        result.resolveEnds()
        return result
    }

    /// Adds the attributes of an EXT-X-DATERANGE: a new date range, or more of an existing one.
    mutating func add(_ attributes: AttributeList, _ tag: Tag, _ diagnostics: inout Diagnostics) {
        guard let id = diagnostics.required("ID", attributes, tag) else { return }
        bytes += attributes.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard bytes <= PlaylistBounds.dateRangeBytes else {
            diagnostics.error(
                .invalidValue, line: tag.line,
                "the date ranges of the playlist have more than \(PlaylistBounds.dateRangeBytes >> 20) MiB of attributes, and the rest is ignored; remove old ones"
            )
            return
        }
        if let index = places[id] {
            join(attributes, to: index, tag, &diagnostics)
            return
        }
        guard diagnostics.required("START-DATE", attributes, tag) != nil,
            let range = Self.dateRange(id, attributes, tag, &diagnostics)
        else { return }
        guard ranges.count < PlaylistBounds.dateRanges else {
            diagnostics.error(
                .invalidValue, line: tag.line,
                "the playlist has more than \(PlaylistBounds.dateRanges) date ranges, and the rest is ignored; remove old ones")
            return
        }
        places[id] = ranges.count
        ranges.append(range)
        Self.check(range, tag, &diagnostics)
    }

    /// RFC 8216bis 4.4.5.1: tags with the same ID are one date range, and an attribute in both must have the same value.
    private mutating func join(
        _ attributes: AttributeList, to index: Int, _ tag: Tag, _ diagnostics: inout Diagnostics
    ) {
        let earlier = ranges[index]
        for attribute in attributes {
            if let before = earlier.attributes[attribute.name], before != attribute.value {
                diagnostics.error(
                    .conflictingAttributes, line: tag.line,
                    "\(attribute.name.clipped) of the date range '\(earlier.id.clipped)' differs from line \(earlier.line); repeat it unchanged"
                )
            }
        }
        let joined = earlier.attributes.merging(attributes)
        guard joined.count <= PlaylistBounds.attributes else {
            diagnostics.error(
                .invalidValue, line: tag.line,
                "the date range '\(earlier.id.clipped)' has more than \(PlaylistBounds.attributes) attributes, and this line is ignored; remove some"
            )
            return
        }
        guard var range = Self.dateRange(earlier.id, joined, tag, &diagnostics) else { return }
        range.line = earlier.line
        ranges[index] = range
    }

    private static func check(_ range: DateRange, _ tag: Tag, _ diagnostics: inout Diagnostics) {
        if let end = range.endDate, end < range.startDate {
            diagnostics.error(
                .conflictingAttributes, line: tag.line,
                "the date range '\(range.id.clipped)' ends before it starts; correct END-DATE")
        }
        if let end = range.endDate, let duration = range.duration, range.startDate + duration != end {
            diagnostics.error(
                .conflictingAttributes, line: tag.line,
                "END-DATE and DURATION of the date range '\(range.id.clipped)' disagree; give one of them")
        }
        if range.endsOnNext {
            if range.classID == nil {
                diagnostics.error(
                    .missingAttribute, line: tag.line,
                    "the date range '\(range.id.clipped)' has END-ON-NEXT without CLASS; add CLASS")
            }
            if range.duration != nil || range.endDate != nil {
                diagnostics.error(
                    .conflictingAttributes, line: tag.line,
                    "the date range '\(range.id.clipped)' has END-ON-NEXT and an end; keep one")
            }
        }
        if range.cue.isSuperset(of: [.pre, .post]) {
            diagnostics.error(
                .conflictingAttributes, line: tag.line, "CUE of the date range '\(range.id.clipped)' has PRE and POST; keep one")
        }
        if let interstitial = range.interstitial, (interstitial.assetURI == nil) == (interstitial.assetListURI == nil) {
            diagnostics.error(
                interstitial.assetURI == nil ? .missingAttribute : .conflictingAttributes, line: tag.line,
                "the interstitial '\(range.id.clipped)' needs exactly one of X-ASSET-URI and X-ASSET-LIST; keep one")
        }
    }

    private static func dateRange(
        _ id: String, _ attributes: AttributeList, _ tag: Tag, _ diagnostics: inout Diagnostics
    ) -> DateRange? {
        guard let start = diagnostics.date("START-DATE", attributes, tag) else { return nil }
        var cue: DateRange.Cue = []
        for word in attributes.words("CUE") {
            switch word {
            case "PRE": cue.insert(.pre)
            case "POST": cue.insert(.post)
            case "ONCE": cue.insert(.once)
            default:
                diagnostics.error(
                    .invalidValue, line: tag.line, "CUE of EXT-X-DATERANGE has '\(word.clipped)'; write PRE, POST or ONCE")
            }
        }
        return DateRange(
            id: id, classID: attributes["CLASS"], startDate: start, cue: cue,
            endDate: diagnostics.date("END-DATE", attributes, tag),
            duration: diagnostics.time("DURATION", attributes, tag, upTo: PlaylistBounds.longestSpan),
            plannedDuration: diagnostics.time("PLANNED-DURATION", attributes, tag, upTo: PlaylistBounds.longestSpan),
            endsOnNext: diagnostics.flag("END-ON-NEXT", attributes, tag), scte35Command: attributes["SCTE35-CMD"],
            scte35Out: attributes["SCTE35-OUT"], scte35In: attributes["SCTE35-IN"], attributes: attributes, line: tag.line)
    }
}

extension [DateRange] {
    /// Sets the end of each date range, if it can be determined: a range with END-ON-NEXT ends where the next of its class begins.
    mutating func resolveEnds() {
        var startsByClass: [String: [WallClockTime]] = [:]
        for range in self {
            if let classID = range.classID { startsByClass[classID, default: []].append(range.startDate) }
        }
        for classID in startsByClass.keys { startsByClass[classID]?.sort() }
        for index in indices {
            let range = self[index]
            var end = range.endDate ?? range.duration.map { range.startDate + $0 }
            if end == nil, range.endsOnNext, let starts = range.classID.flatMap({ startsByClass[$0] }) {
                let next = starts.partitioningIndex(where: { $0 > range.startDate })
                end = next < starts.count ? starts[next] : nil
            }
            self[index].resolvedEndDate = end
        }
    }
}
