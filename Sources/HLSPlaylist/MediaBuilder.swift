import MediaTime

/// Builds a media playlist from its lines.
///
/// Its state consists of values without pointers into the text, so a copy made after a segment can continue with the text of a
/// later reload.
struct MediaBuilder: Sendable {
    /// The tags that only media playlists have.
    static let tags = KindTags(
        decisive: ["#EXTINF", "#EXT-X-PART:", "#EXT-X-SKIP:"],
        others: [
            "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY", "#EXT-X-DISCONTINUITY-SEQUENCE",
            "#EXT-X-ENDLIST", "#EXT-X-PLAYLIST-TYPE", "#EXT-X-I-FRAMES-ONLY", "#EXT-X-PART-INF", "#EXT-X-SERVER-CONTROL",
            "#EXT-X-BYTERANGE", "#EXT-X-KEY", "#EXT-X-MAP", "#EXT-X-PROGRAM-DATE-TIME", "#EXT-X-GAP", "#EXT-X-BITRATE",
            "#EXT-X-DATERANGE", "#EXT-X-PRELOAD-HINT", "#EXT-X-RENDITION-REPORT",
        ])

    var playlist = MediaPlaylist()
    var diagnostics: Diagnostics
    var variables: VariableTable

    /// The state from tags since the last URI line, for the next segment.
    private struct Pending: Sendable {
        var duration: Int64?
        var title: [UInt8] = []
        var durationLine = 0
        var byteRange: (length: Int64, offset: Int64?)?
        var date: Int64?
        var isDiscontinuity = false
        var isGap = false
        var firstPart: Int?
    }

    private var pending = Pending()
    /// Whether the playlist has more segments than are kept.
    private var isFull = false
    /// The values shared by the segments from here on; a new run starts when they change.
    private var run = SegmentBlocks.Run()
    private var currentKeys: [EncryptionKey] = []
    /// The resource and end of the last byte range, for an implicit offset.
    private var rangeEnd: Int64?
    private var rangeResource: [UInt8] = []
    /// The same for parts.
    private var partRangeEnd: (uri: String, end: Int64)?
    /// The date of the end of the last segment, if known.
    private var nextDate = SegmentBlocks.noDate
    /// The first segment with a date.
    var firstDated: Int?
    /// Whether the segments before it already have dates from the parse that this one continues.
    var isDatedBack = false
    /// Segments whose duration is only known at the end of the text: those without EXTINF that precede the target duration.
    private var undatedDurations: [Int] = []
    private var seen: Set<String> = []
    private var dateRanges = DateRangeList()
    private var neededVersion = (version: 1, reason: "", line: 0)
    /// Whether there was an EXTM3U, without which the text is not a playlist…
    private var hasHeader = false
    /// …and an EXTINF, which makes it a media playlist.
    private var hasDuration = false
    /// Whether the text contains a brace, and therefore may use variables.
    private var hasVariables = false

    init(diagnostics: Diagnostics, variables: VariableTable) {
        self.diagnostics = diagnostics
        self.variables = variables
    }

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
        // and the lines before it must tell that this is a media playlist, because a reload replaces those after it.
        if let kept, kept.segmentCount == playlist.store.count, undatedDurations.isEmpty, kept.builder.hasHeader,
            kept.builder.hasDuration
        {
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
        guard read.billionths <= PlaylistBounds.longestSpan else {
            diagnostics.error(
                .invalidValue, line: number,
                "the duration of EXTINF is '\(text.text.clipped)' and the target duration is used; write at most 366 days in seconds"
            )
            pending.duration = nil
            return
        }
        if read.hasFraction { needs(3, "decimal durations", number) }
        guard read.billionths >= 0 else {
            // Channel lists write -1 for a length that is not known.
            diagnostics.error(
                .invalidValue, line: number,
                "the duration of EXTINF is negative and the target duration is used; write decimal seconds")
            pending.duration = nil
            return
        }
        pending.duration = read.billionths
    }

    private mutating func programDateTime(_ value: Bytes, _ number: Int) {
        pending.date = diagnostics.date(value, of: "EXT-X-PROGRAM-DATE-TIME", line: number)?.nanosecondsSinceEpoch ?? pending.date
    }

    private mutating func byteRange(_ value: Bytes, _ number: Int) {
        needs(4, "EXT-X-BYTERANGE", number)
        pending.byteRange = diagnostics.byteRange(value, line: number) ?? pending.byteRange
    }

    private mutating func uri(_ line: Bytes, _ number: Int) {
        let index = playlist.store.count
        guard index < PlaylistBounds.segments else {
            if !isFull { diagnostics.tooMany(PlaylistBounds.segments, "segments", line: number) }
            isFull = true
            pending = Pending()
            return
        }
        var flags: SegmentBlocks.Flags = []
        if pending.isDiscontinuity {
            flags.insert(.discontinuity)
            run.discontinuities += 1
        }
        if pending.isGap { flags.insert(.gap) }
        let duration = duration(of: index, number)
        let textOffset = playlist.store.pendingText
        if hasVariables, line.position(of: UInt8(ascii: "{")) != nil {
            playlist.store.appendText(diagnostics.substituted(line.address, line: number, variables: variables).utf8)
        } else if diagnostics.concernsCharacters {
            playlist.store.appendText(line.address.utf8)
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
            playlist.store.partGroups.append(SegmentBlocks.PartGroup(segment: index, parts: parts))
        }
        if run != playlist.store.runs.last { playlist.store.runs.append(run) }
        playlist.store.append(
            SegmentBlocks.Record(
                start: playlist.store.end, date: nextDate, textOffset: UInt32(textOffset), uriLength: UInt32(uriLength),
                run: UInt32(playlist.store.runs.count - 1), byteRange: range, flags: flags), lasting: duration)
        if nextDate != SegmentBlocks.noDate {
            let (sum, overflow) = nextDate.addingReportingOverflow(duration)
            nextDate = overflow ? SegmentBlocks.noDate : sum
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
        if duration > PlaylistBounds.longestTimeline - playlist.store.end {
            diagnostics.error(
                .invalidValue, line: number, "the durations sum up to more than ten years; write them in seconds")
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
            return SegmentBlocks.none
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
            return SegmentBlocks.none
        }
        rangeEnd = range.end
        if !rangeResource.elementsEqual(uri) { rangeResource = Array(uri) }
        return playlist.store.append(range)
    }

    // MARK: - The other tags

    /// Handles the tags that do not occur on nearly every segment.
    private mutating func tag(_ line: TagLine, _ number: Int) {
        let tag = Tag(name: line.name, line: number)
        switch line.name {
        case "EXTM3U": hasHeader = true
        case "EXT-X-ALLOW-CACHE": break
        case "EXT-X-VERSION":
            once(tag)
            playlist.version = diagnostics.version(line.value, tag) ?? playlist.version
        case "EXT-X-TARGETDURATION":
            once(tag)
            playlist.declaredTargetDuration = diagnostics.targetDuration(line.value, tag) ?? playlist.declaredTargetDuration
        case "EXT-X-MEDIA-SEQUENCE":
            playlist.mediaSequence = sequence(line.value, tag) ?? playlist.mediaSequence
        case "EXT-X-DISCONTINUITY-SEQUENCE":
            playlist.discontinuitySequence = sequence(line.value, tag) ?? playlist.discontinuitySequence
        case "EXT-X-PLAYLIST-TYPE":
            once(tag)
            playlist.playlistType = diagnostics.playlistType(line.value, tag) ?? playlist.playlistType
        case "EXT-X-ENDLIST": playlist.hasEndList = true
        case "EXT-X-I-FRAMES-ONLY":
            needs(4, "EXT-X-I-FRAMES-ONLY", number)
            playlist.isIFramesOnly = true
        case "EXT-X-INDEPENDENT-SEGMENTS": playlist.hasIndependentSegments = true
        case "EXT-X-START":
            once(tag)
            playlist.start = diagnostics.startPoint(attributes(line, tag), tag)
        case "EXT-X-DEFINE":
            needs(8, "EXT-X-DEFINE", number)
            if let fault = variables.define(attributes(line, tag)) {
                diagnostics.error(.invalidDefinition, line: number, fault)
            }
        case "EXT-X-DISCONTINUITY": pending.isDiscontinuity = true
        case "EXT-X-GAP": pending.isGap = true
        case "EXT-X-BITRATE": bitrate(line.value, tag)
        case "EXT-X-KEY": key(attributes(line, tag), tag)
        case "EXT-X-MAP": map(attributes(line, tag), tag)
        case "EXT-X-DATERANGE": dateRanges.add(attributes(line, tag), tag, &diagnostics)
        case "EXT-X-SERVER-CONTROL":
            once(tag)
            playlist.serverControl = diagnostics.serverControl(attributes(line, tag), tag)
        case "EXT-X-PART-INF":
            once(tag)
            let attributes = attributes(line, tag)
            guard diagnostics.required("PART-TARGET", attributes, tag) != nil else { return }
            playlist.partTargetDuration = diagnostics.time(
                "PART-TARGET", attributes, tag, upTo: PlaylistBounds.longestSpan)
        case "EXT-X-PART": part(attributes(line, tag), tag)
        case "EXT-X-SKIP": skip(attributes(line, tag), tag)
        case "EXT-X-PRELOAD-HINT":
            if let hint = diagnostics.preloadHint(attributes(line, tag), tag) { playlist.preloadHints.append(hint) }
        case "EXT-X-RENDITION-REPORT":
            if let report = diagnostics.renditionReport(attributes(line, tag), tag) { playlist.renditionReports.append(report) }
        case "EXTINF", "EXT-X-BYTERANGE", "EXT-X-PROGRAM-DATE-TIME":
            diagnostics.error(.invalidValue, line: number, "\(tag.name) has no value; write one after a colon")
        case let name where MultivariantBuilder.tags.contains(name):
            diagnostics.error(
                .mixedKinds, line: number, "\(tag.name) belongs in a multivariant playlist and this one lists segments; remove it"
            )
        default: break  // RFC 8216bis 6.3.1: unknown tags are ignored.
        }
    }

    /// Media sequence numbers and discontinuity sequence numbers precede the segments.
    private mutating func sequence(_ value: Bytes, _ tag: Tag) -> Int64? {
        once(tag)
        if !playlist.store.isEmpty {
            diagnostics.error(
                .misplacedTag, line: tag.line, "\(tag.name) appears after the first segment; move it to the top")
        }
        return diagnostics.sequenceNumber(value, tag)
    }

    private mutating func bitrate(_ value: Bytes, _ tag: Tag) {
        let most = PlaylistBounds.highestBitrate / 1000
        let read = Numbers.integer(value)
        if read.map({ !(0...most).contains($0.value) }) ?? true {
            diagnostics.error(
                .invalidValue, line: tag.line,
                "EXT-X-BITRATE is '\(value.text.clipped)'; write kilobits per second, at most \(most)")
        }
        guard let read, read.value >= 0 else { return }
        run.bitrate = min(read.value, most)
        run.declares.insert(.bitrate)
    }

    private mutating func key(_ attributes: AttributeList, _ tag: Tag) {
        guard let key = diagnostics.key(attributes, tag) else { return }
        if key.initializationVector != nil { needs(2, "IV of EXT-X-KEY", tag.line) }
        if attributes["KEYFORMAT"] != nil { needs(5, "KEYFORMAT of EXT-X-KEY", tag.line) }
        run.declares.insert(.keys)
        var keys = currentKeys
        if key.method == .none {
            keys = []
        } else if let index = keys.firstIndex(where: { $0.keyFormat == key.keyFormat }) {
            keys[index] = key
        } else if keys.count < PlaylistBounds.keys {
            keys.append(key)
        }
        guard keys != currentKeys else { return }
        currentKeys = keys
        if keys.isEmpty {
            run.keys = SegmentBlocks.none
        } else {
            run.keys = UInt32(playlist.store.keySets.count)
            playlist.store.keySets.append(keys)
        }
    }

    private mutating func map(_ attributes: AttributeList, _ tag: Tag) {
        needs(playlist.isIFramesOnly ? 5 : 6, "EXT-X-MAP", tag.line)
        guard let uri = diagnostics.required("URI", attributes, tag) else { return }
        var range: ByteRange?
        if let text = attributes["BYTERANGE"] {
            range = Numbers.withBytes(of: text) { ByteRange.read($0) }.flatMap {
                ByteRange(length: $0.length, offset: $0.offset ?? 0)
            }
            if range == nil {
                diagnostics.error(
                    .invalidValue, line: tag.line, "BYTERANGE of EXT-X-MAP is '\(text.clipped)'; write \"LENGTH@OFFSET\" in bytes"
                )
            }
        }
        if let key = currentKeys.first(where: { $0.method == .aes128 }), key.initializationVector == nil {
            diagnostics.error(
                .missingAttribute, line: tag.line, "EXT-X-MAP is encrypted by a key without IV; add IV to the EXT-X-KEY before it"
            )
        }
        run.declares.insert(.map)
        let map = MediaInitialization(uri: uri, byteRange: range, keys: currentKeys)
        guard run.map == SegmentBlocks.none || playlist.store.maps[Int(run.map)] != map else { return }
        run.map = UInt32(playlist.store.maps.count)
        playlist.store.maps.append(map)
    }

    private mutating func part(_ attributes: AttributeList, _ tag: Tag) {
        guard let uri = diagnostics.required("URI", attributes, tag),
            diagnostics.required("DURATION", attributes, tag) != nil,
            let duration = diagnostics.time("DURATION", attributes, tag, upTo: PlaylistBounds.longestSpan)
        else { return }
        var range: ByteRange?
        if let text = attributes["BYTERANGE"] {
            let read = Numbers.withBytes(of: text) { ByteRange.read($0) }
            let continues = partRangeEnd.flatMap { $0.uri == uri ? $0.end : nil }
            if let read, read.offset == nil, continues == nil {
                diagnostics.error(
                    .implicitByteRange, line: tag.line,
                    "BYTERANGE of EXT-X-PART has no offset and follows no range of the same resource; write \"LENGTH@OFFSET\"")
            }
            range = read.flatMap { ByteRange(length: $0.length, offset: $0.offset ?? continues ?? 0) }
            if range == nil {
                diagnostics.error(
                    .invalidValue, line: tag.line,
                    "BYTERANGE of EXT-X-PART is '\(text.clipped)'; write \"LENGTH@OFFSET\" in bytes")
            }
        }
        partRangeEnd = range.map { (uri, $0.end) }
        if pending.firstPart == nil { pending.firstPart = playlist.store.parts.count }
        playlist.store.parts.append(
            PartialSegment(
                uri: uri, duration: duration, byteRange: range, isIndependent: diagnostics.flag("INDEPENDENT", attributes, tag),
                isGap: diagnostics.flag("GAP", attributes, tag)))
    }

    private mutating func skip(_ attributes: AttributeList, _ tag: Tag) {
        needs(9, "EXT-X-SKIP", tag.line)
        once(tag)
        if !playlist.store.isEmpty {
            diagnostics.error(.misplacedTag, line: tag.line, "EXT-X-SKIP appears after the first segment; move it before")
        }
        guard diagnostics.required("SKIPPED-SEGMENTS", attributes, tag) != nil,
            let count = diagnostics.integer("SKIPPED-SEGMENTS", attributes, tag, upTo: Int64(Int32.max))
        else { return }
        let removed = (attributes["RECENTLY-REMOVED-DATERANGES"] ?? "").split(separator: "\t").map(String.init)
        if !removed.isEmpty { needs(10, "RECENTLY-REMOVED-DATERANGES", tag.line) }
        playlist.skipped = SkippedContent(segmentCount: Int(count), removedDateRangeIDs: removed)
    }

    private mutating func needs(_ version: Int, _ reason: StaticString, _ line: Int) {
        guard version > neededVersion.version else { return }
        neededVersion = (version, "\(reason)", line)
    }

    private mutating func once(_ tag: Tag) {
        guard !seen.insert(tag.name).inserted else { return }
        diagnostics.error(.duplicateTag, line: tag.line, "\(tag.name) appears again, and the last one counts; keep one")
    }

    private mutating func attributes(_ line: TagLine, _ tag: Tag) -> AttributeList {
        diagnostics.attributes(line.value, of: tag, variables: variables)
    }

    // MARK: - The end

    /// The checks and values that need the whole text.
    private mutating func finish() {
        playlist.definitions = variables.definitions
        dropUnfinishedSegment()
        setLateDurations()
        if let firstDated, !isDatedBack { playlist.store.dateBack(from: firstDated) }
        playlist.dateRanges = dateRanges.resolved
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

    /// Gives durations to the segments whose own are only known at the end of the text.
    private mutating func setLateDurations() {
        // One segment may be that short, but not all: their packager did not know how long they are.
        if undatedDurations.isEmpty, !playlist.store.isEmpty, playlist.store.end == 0 {
            diagnostics.error(
                .invalidValue, line: 0,
                "the duration of every EXTINF is 0 and the target duration is used; write decimal seconds")
            undatedDurations = Array(0..<playlist.store.count)
        }
        playlist.store.setDuration(max(playlist.targetDuration, .seconds(1)).nanoseconds, of: undatedDurations)
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
}
