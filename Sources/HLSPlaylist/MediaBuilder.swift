import MediaTime

/// Builds a media playlist from its lines.
///
/// Its state consists of values without pointers into the text, so a copy made after a segment can continue with the text of a
/// later reload.
struct MediaBuilder: Sendable {
    var playlist = MediaPlaylist()
    var diagnostics: Diagnostics
    var variables: VariableTable

    /// The state from tags since the last URI line, for the next segment.
    struct Pending: Sendable {
        var duration: Int64?
        var title: [UInt8] = []
        var durationLine = 0
        var byteRange: (length: Int64, offset: Int64?)?
        var date: Int64?
        var isDiscontinuity = false
        var isGap = false
        var firstPart: Int?
    }

    var pending = Pending()
    /// The values shared by the segments from here on; a new run starts when they change.
    var run = SegmentStore.Run()
    var currentKeys: [EncryptionKey] = []
    /// The resource and end of the last byte range, for an implicit offset.
    var rangeEnd: Int64?
    var rangeResource: [UInt8] = []
    /// The same for parts.
    var partRangeEnd: (uri: String, end: Int64)?
    /// The date of the end of the last segment, if known.
    var nextDate = SegmentStore.noDate
    /// The first segment with a date.
    var firstDated: Int?
    /// Whether the segments before it already have dates from the parse that this one continues.
    var isDatedBack = false
    /// Segments without EXTINF that precede the target duration.
    var undatedDurations: [Int] = []
    var seen: Set<String> = []
    var dateRangeIndex: [String: Int] = [:]
    var neededVersion = (version: 1, reason: "", line: 0)
    /// Whether there was an EXTINF, which makes the playlist a media playlist.
    private var hasDuration = false
    /// Whether the text contains a brace, and therefore may use variables.
    private var hasVariables = false

    init(diagnostics: Diagnostics, variables: VariableTable) {
        self.diagnostics = diagnostics
        self.variables = variables
    }

    /// The longest timeline: 126 years in nanoseconds, so that no sum of times overflows.
    static let longestTimeline: Int64 = 4_000_000_000_000_000_000

    /// Parses lines from a position to the end of the text. At the position `checkpoint` the state is saved for a reload.
    mutating func read(
        _ bytes: Bytes, from start: Int, after line: Int = 0, checkpointAt checkpoint: Int?, digest: PrefixDigest? = nil
    ) {
        var reader = LineReader(bytes, from: start, after: line)
        var kept: ParseCheckpoint?
        hasVariables = bytes.part(start, bytes.count).position(of: UInt8(ascii: "{")) != nil
        while diagnostics.refusal == nil, let line = reader.next() {
            guard !line.isEmpty else { continue }
            if line[0] != .hash {
                uri(line, reader.number)
                if reader.position == checkpoint {
                    kept = ParseCheckpoint(self, position: reader.position, line: reader.number, bytes: bytes, continuing: digest)
                }
            } else if line.starts(with: "#EXT") {
                if line.starts(with: "#EXTINF:") {
                    extinf(line.part(8, line.count), reader.number)
                } else if line.starts(with: "#EXT-X-PROGRAM-DATE-TIME:") {
                    programDateTime(line.part(25, line.count).trimmed, reader.number)
                } else if line.starts(with: "#EXT-X-BYTERANGE:") {
                    byteRange(line.part(17, line.count).trimmed, reader.number)
                } else {
                    tag(TagLine(line), reader.number)
                }
            }
        }
        finish()
        // A reload appends to these segments: the state must be right after the last one, no segment may depend on later lines,
        // and the appended lines must not change the kind of playlist.
        if let kept, kept.segmentCount == playlist.store.count, undatedDurations.isEmpty, hasDuration {
            playlist.checkpoint = kept
        }
    }

    // MARK: - The lines of a segment

    private mutating func extinf(_ value: Bytes, _ number: Int) {
        if pending.durationLine > 0, pending.duration != nil {
            diagnostics.error(
                .missingURI, line: pending.durationLine, "EXTINF is followed by no URI; put the segment's URI after it")
        }
        hasDuration = true
        pending.durationLine = number
        let comma = value.position(of: .comma)
        let text = value.part(0, comma ?? value.count).trimmed
        if let comma {
            let title = value.part(comma + 1, value.count).trimmed
            if !title.isEmpty { pending.title = Array(title) } else if !pending.title.isEmpty { pending.title = [] }
        }
        guard let read = Numbers.decimal(text), text.count == read.length || text[read.length].isBlank else {
            diagnostics.error(
                .invalidValue, line: number,
                "the duration of EXTINF is '\(text.text.clipped)' and the target duration is used; write decimal seconds")
            pending.duration = nil
            return
        }
        if read.hasFraction { needs(3, "decimal durations", number) }
        if read.billionths < 0 {
            diagnostics.error(
                .invalidValue, line: number, "the duration of EXTINF is negative and zero is used; write decimal seconds")
        }
        pending.duration = max(0, read.billionths)
    }

    private mutating func programDateTime(_ value: Bytes, _ number: Int) {
        pending.date = diagnostics.date(value, of: "EXT-X-PROGRAM-DATE-TIME", line: number)?.nanosecondsSinceEpoch ?? pending.date
    }

    private mutating func byteRange(_ value: Bytes, _ number: Int) {
        needs(4, "EXT-X-BYTERANGE", number)
        guard let read = ByteRange.read(value) else {
            diagnostics.error(
                .invalidValue, line: number, "EXT-X-BYTERANGE is '\(value.text.clipped)'; write LENGTH@OFFSET in bytes")
            return
        }
        pending.byteRange = read
    }

    private mutating func uri(_ line: Bytes, _ number: Int) {
        let index = playlist.store.count
        var flags: SegmentStore.Flags = []
        if pending.isDiscontinuity {
            flags.insert(.discontinuity)
            run.discontinuities += 1
        }
        if pending.isGap { flags.insert(.gap) }
        let duration = duration(of: index, number)
        let textOffset = playlist.store.pendingText
        if hasVariables, line.position(of: UInt8(ascii: "{")) != nil {
            playlist.store.appendText(diagnostics.substituted(line.text, line: number, variables: variables).utf8)
        } else {
            playlist.store.appendText(line)
        }
        let uriLength = playlist.store.pendingText - textOffset
        let range = resolvedRange(textOffset, number)
        if !pending.title.isEmpty { playlist.store.appendText(pending.title) }
        if let date = pending.date {
            flags.insert(.ownDate)
            nextDate = date
            if firstDated == nil { firstDated = index }
        }
        if let firstPart = pending.firstPart {
            flags.insert(.parts)
            let parts = firstPart..<playlist.store.parts.count
            playlist.store.partGroups.append(SegmentStore.PartGroup(segment: index, parts: parts))
        }
        if run != playlist.store.runs.last { playlist.store.runs.append(run) }
        playlist.store.append(
            SegmentStore.Record(
                start: playlist.store.end, date: nextDate, textOffset: UInt32(textOffset), uriLength: UInt32(uriLength),
                run: UInt32(playlist.store.runs.count - 1), byteRange: range, flags: flags))
        playlist.store.end += duration
        if nextDate != SegmentStore.noDate {
            let (sum, overflow) = nextDate.addingReportingOverflow(duration)
            nextDate = overflow ? SegmentStore.noDate : sum
        }
        pending = Pending()
    }

    private mutating func duration(of index: Int, _ number: Int) -> Int64 {
        var duration: Int64
        if let declared = pending.duration {
            duration = declared
            checkLength(duration, pending.durationLine)
        } else {
            if pending.durationLine == 0 {
                diagnostics.error(
                    .missingDuration, line: number, "the segment has no EXTINF and the target duration is used; add one")
            }
            duration = playlist.declaredTargetDuration?.nanoseconds ?? 0
            if playlist.declaredTargetDuration == nil { undatedDurations.append(index) }
        }
        if duration > Self.longestTimeline - playlist.store.end {
            diagnostics.error(
                .invalidValue, line: number, "the durations sum up to more than a century; write them in seconds")
            duration = 0
        }
        return duration
    }

    private mutating func checkLength(_ duration: Int64, _ line: Int) {
        // RFC 8216bis 4.4.3.1: a duration, rounded to a whole second, must not exceed the target duration.
        guard let target = playlist.declaredTargetDuration?.nanoseconds, duration >= target + 500_000_000 else { return }
        diagnostics.warning(
            .durationExceedsTarget, line: line,
            "the segment lasts \(Numbers.text(billionths: duration)) s and the target duration is \(Numbers.text(billionths: target)) s; raise EXT-X-TARGETDURATION"
        )
    }

    /// The index of the segment's byte range, its offset resolved, or `none`.
    private mutating func resolvedRange(_ textOffset: Int, _ number: Int) -> UInt32 {
        guard let declared = pending.byteRange else {
            if rangeEnd != nil { rangeEnd = nil }
            return SegmentStore.none
        }
        let uri = playlist.store.open.text[textOffset...]
        if declared.offset == nil, rangeEnd == nil || !rangeResource.elementsEqual(uri) {
            diagnostics.error(
                .implicitByteRange, line: number,
                "EXT-X-BYTERANGE has no offset and follows no range of the same resource; write LENGTH@OFFSET")
        }
        let range = ByteRange(length: declared.length, offset: declared.offset ?? rangeEnd ?? 0)
        guard let range else {
            diagnostics.error(.invalidValue, line: number, "EXT-X-BYTERANGE ends beyond any file; write LENGTH@OFFSET in bytes")
            return SegmentStore.none
        }
        rangeEnd = range.end
        if !rangeResource.elementsEqual(uri) { rangeResource = Array(uri) }
        return playlist.store.append(range)
    }

    // MARK: - Shared by the tags

    mutating func needs(_ version: Int, _ reason: StaticString, _ line: Int) {
        guard version > neededVersion.version else { return }
        neededVersion = (version, "\(reason)", line)
    }

    mutating func once(_ tag: Tag) {
        guard !seen.insert(tag.name).inserted else { return }
        diagnostics.error(.duplicateTag, line: tag.line, "\(tag.name) appears again, and the last one counts; keep one")
    }

    mutating func attributes(_ line: TagLine, _ tag: Tag) -> AttributeList {
        diagnostics.attributes(line.value, of: tag, variables: variables)
    }
}

extension MediaBuilder {
    /// Handles an EXT-X-DATERANGE: a new date range, or more attributes of an existing one.
    mutating func dateRange(_ attributes: AttributeList, _ tag: Tag) {
        guard let id = diagnostics.required("ID", attributes, tag) else { return }
        if let index = dateRangeIndex[id] {
            join(attributes, to: index, tag)
            return
        }
        guard diagnostics.required("START-DATE", attributes, tag) != nil,
            let range = Self.dateRange(id, attributes, tag, &diagnostics)
        else { return }
        dateRangeIndex[id] = playlist.dateRanges.count
        playlist.dateRanges.append(range)
        check(range, tag)
    }

    /// RFC 8216bis 4.4.5.1: tags with the same ID are one date range, and an attribute in both must have the same value.
    private mutating func join(_ attributes: AttributeList, to index: Int, _ tag: Tag) {
        let earlier = playlist.dateRanges[index]
        for attribute in attributes {
            if let before = earlier.attributes[attribute.name], before != attribute.value {
                diagnostics.error(
                    .conflictingAttributes, line: tag.line,
                    "\(attribute.name.clipped) of the date range '\(earlier.id.clipped)' differs from line \(earlier.line); repeat it unchanged"
                )
            }
        }
        let joined = earlier.attributes.merging(attributes)
        guard var range = Self.dateRange(earlier.id, joined, tag, &diagnostics) else { return }
        range.line = earlier.line
        playlist.dateRanges[index] = range
    }

    private mutating func check(_ range: DateRange, _ tag: Tag) {
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
            endDate: diagnostics.date("END-DATE", attributes, tag), duration: diagnostics.time("DURATION", attributes, tag),
            plannedDuration: diagnostics.time("PLANNED-DURATION", attributes, tag),
            endsOnNext: diagnostics.flag("END-ON-NEXT", attributes, tag), scte35Command: attributes["SCTE35-CMD"],
            scte35Out: attributes["SCTE35-OUT"], scte35In: attributes["SCTE35-IN"], attributes: attributes, line: tag.line)
    }
}

extension MediaPlaylist {
    /// Sets the end of each date range, if it can be determined.
    mutating func resolveDateRangeEnds() {
        var startsByClass: [String: [WallClockTime]] = [:]
        for range in dateRanges {
            if let classID = range.classID { startsByClass[classID, default: []].append(range.startDate) }
        }
        for classID in startsByClass.keys { startsByClass[classID]?.sort() }
        for index in dateRanges.indices {
            let range = dateRanges[index]
            var end = range.endDate ?? range.duration.map { range.startDate + $0 }
            if end == nil, range.endsOnNext, let starts = range.classID.flatMap({ startsByClass[$0] }) {
                end = starts.first { $0 > range.startDate }
            }
            dateRanges[index].resolvedEndDate = end
        }
    }
}

extension MediaBuilder {
    /// The checks and values that need the whole text.
    mutating func finish() {
        playlist.definitions = variables.definitions
        dropUnfinishedSegment()
        fillMissingDurations()
        dateBack()
        playlist.resolveDateRangeEnds()
        playlist.store.shrink()
        if playlist.declaredTargetDuration == nil, !seen.contains("EXT-X-TARGETDURATION") {
            diagnostics.error(
                .missingTag, line: 0,
                "there is no EXT-X-TARGETDURATION and the longest segment's duration is used; add the tag")
        }
        if playlist.hasEndList, playlist.store.isEmpty, playlist.skipped == nil {
            diagnostics.warning(.noSegments, line: 0, "the playlist has ended and has no segment; list at least one")
        }
        // The version states what a client must support; a parser that supports everything continues.
        if neededVersion.version > playlist.version ?? 1 {
            diagnostics.warning(
                .versionTooLow, line: neededVersion.line,
                "EXT-X-VERSION is \(playlist.version ?? 1) and \(neededVersion.reason) must have \(neededVersion.version); raise it"
            )
        }
    }

    private mutating func dropUnfinishedSegment() {
        if let firstPart = pending.firstPart {
            playlist.trailingParts = Array(playlist.store.parts[firstPart...])
            playlist.store.parts.removeSubrange(firstPart...)
        }
        if pending.durationLine > 0 {
            diagnostics.error(
                .missingURI, line: pending.durationLine, "EXTINF is followed by no URI; put the segment's URI after it")
        }
    }

    /// Gives the target duration to segments without EXTINF that precede its tag.
    private mutating func fillMissingDurations() {
        guard !undatedDurations.isEmpty else { return }
        let duration = playlist.targetDuration.nanoseconds
        var added: Int64 = 0
        var next = 0
        let end = playlist.store.end
        let undated = undatedDurations
        playlist.store.update(0..<playlist.store.count) { index, record in
            record.start += added
            if next < undated.endIndex, undated[next] == index {
                if end + added + duration <= Self.longestTimeline { added += duration }
                next += 1
            }
        }
        playlist.store.end += added
    }

    /// RFC 8216bis 4.4.4.6: dates of segments before the first date are computed backwards from it.
    private mutating func dateBack() {
        guard let firstDated, firstDated > 0, !isDatedBack else { return }
        let anchor = playlist.store.record(at: firstDated)
        playlist.store.update(0..<firstDated) { _, record in
            let (date, overflow) = anchor.date.subtractingReportingOverflow(anchor.start - record.start)
            if !overflow { record.date = date }
        }
    }
}
