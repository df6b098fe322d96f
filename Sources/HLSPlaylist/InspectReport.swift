import MediaTime
import WireFormats

/// The report of `marquee hls inspect` about a playlist: as JSON with a fixed shape and key order, or as text.
package struct InspectReport: Sendable {
    package let parsed: ParsedPlaylist

    package init(_ parsed: ParsedPlaylist) { self.parsed = parsed }

    /// Whether the playlist was refused: then the command exits with 1.
    package var isRefused: Bool { parsed.playlist == nil }

    /// The report as JSON, ending in a line feed. Keys without a value are null; times are decimal seconds, dates ISO 8601 in
    /// UTC.
    package var json: String {
        var json = JSONMembers()
        switch parsed.playlist {
        case .media(let playlist): json.write(playlist)
        case .multivariant(let playlist): json.write(playlist)
        case nil: break
        }
        json.members("errors", parsed.errors) { $0.write($1) }
        json.members("warnings", parsed.warnings) { $0.write($1) }
        return json.object.indentedText + "\n"
    }
}

extension JSONMembers {
    fileprivate mutating func write(_ diagnostic: PlaylistDiagnostic) {
        member("line", diagnostic.line)
        member("code", diagnostic.code.rawValue)
        member("message", diagnostic.message)
    }

    // MARK: - Media playlists

    fileprivate mutating func write(_ playlist: MediaPlaylist) {
        member("kind", "media")
        member("version", playlist.version)
        member("targetDuration", number: playlist.declaredTargetDuration?.playlistText)
        member("mediaSequence", number: SequenceNumber.text(playlist.mediaSequence))
        member("discontinuitySequence", number: SequenceNumber.text(playlist.discontinuitySequence))
        member("playlistType", playlist.playlistType?.rawValue)
        member("endList", playlist.hasEndList)
        member("independentSegments", playlist.hasIndependentSegments)
        member("start", playlist.start) { json, start in
            json.member("timeOffset", number: start.timeOffset.playlistText)
            json.member("precise", start.isPrecise)
        }
        members("segments", playlist.segments) { $0.write($1) }
        members("dateRanges", playlist.dateRanges) { $0.write($1) }
        member("serverControl", playlist.serverControl) { json, control in
            json.member("canSkipUntil", number: control.canSkipUntil?.playlistText)
            json.member("canSkipDateRanges", control.canSkipDateRanges)
            json.member("holdBack", number: control.holdBack?.playlistText)
            json.member("partHoldBack", number: control.partHoldBack?.playlistText)
            json.member("canBlockReload", control.canBlockReload)
        }
        member("skippedSegments", playlist.skipped?.segmentCount ?? 0)
        members("removedDateRanges", playlist.skipped?.removedDateRangeIDs ?? [])
        member("iFramesOnly", playlist.isIFramesOnly)
        member("partTarget", number: playlist.partTargetDuration?.playlistText)
        members("parts", playlist.trailingParts) { $0.write($1) }
        members("preloadHints", playlist.preloadHints) { json, hint in
            json.member("type", hint.type)
            json.member("uri", hint.uri)
            json.member("byteRangeStart", hint.byteRangeStart)
            json.member("byteRangeLength", hint.byteRangeLength)
        }
        members("renditionReports", playlist.renditionReports) { json, report in
            json.member("uri", report.uri)
            json.member("lastMediaSequence", number: report.lastMediaSequence.map(SequenceNumber.text))
            json.member("lastPart", report.lastPart)
        }
        members("defines", playlist.definitions) { $0.write($1) }
    }

    private mutating func write(_ segment: MediaSegment) {
        member("uri", segment.uri)
        member("duration", number: segment.duration.playlistText)
        member("title", segment.title)
        member("byteRange", segment.byteRange) { $0.write($1) }
        member("discontinuity", segment.isDiscontinuity)
        member("programDateTime", segment.programDateTime?.description)
        member("gap", segment.isGap)
        member("bitrate", segment.bitrate)
        member("key", segment.key) { $0.write($1) }
        member("map", segment.map) { json, map in
            json.member("uri", map.uri)
            json.member("byteRange", map.byteRange) { $0.write($1) }
        }
        member("mediaSequence", number: SequenceNumber.text(segment.mediaSequence))
        member("discontinuitySequence", number: SequenceNumber.text(segment.discontinuitySequence))
        members("parts", segment.parts) { $0.write($1) }
    }

    private mutating func write(_ range: ByteRange) {
        member("length", range.length)
        member("offset", range.offset)
    }

    private mutating func write(_ key: EncryptionKey) {
        member("method", key.methodName)
        member("uri", key.uri)
        member("iv", key.initializationVector == nil ? nil : key.attributes["IV"])
        member("keyFormat", key.keyFormat)
    }

    private mutating func write(_ part: PartialSegment) {
        member("uri", part.uri)
        member("duration", number: part.duration.playlistText)
        member("byteRange", part.byteRange) { $0.write($1) }
        member("independent", part.isIndependent)
        member("gap", part.isGap)
    }

    private mutating func write(_ range: DateRange) {
        member("id", range.id)
        member("class", range.classID)
        member("startDate", range.startDate.description)
        member("endDate", range.endDate?.description)
        member("duration", number: range.duration?.playlistText)
        member("plannedDuration", number: range.plannedDuration?.playlistText)
        member("endOnNext", range.endsOnNext)
        members("cue", range.attributes.words("CUE"))
        member("scte35Cmd", range.scte35Command)
        member("scte35Out", range.scte35Out)
        member("scte35In", range.scte35In)
        member("attributes", range.attributes.clientAttributes) { json, attributes in
            for attribute in attributes { json.member(attribute.name, attribute.value) }
        }
    }

    private mutating func write(_ definition: Definition) {
        member("name", definition.name)
        member("value", definition.value)
        member("source", definition.source.rawValue)
    }

    // MARK: - Multivariant playlists

    fileprivate mutating func write(_ playlist: MultivariantPlaylist) {
        member("kind", "multivariant")
        members("variants", playlist.variants) { $0.write($1) }
        members("iFrameVariants", playlist.iFrameVariants) { $0.write($1) }
        members("renditions", playlist.renditions) { $0.write($1) }
        members("sessionData", playlist.sessionData) { json, data in
            json.member("dataId", data.dataID)
            json.member("value", data.value)
            json.member("uri", data.uri)
            json.member("format", data.format.rawValue)
            json.member("language", data.language)
        }
        members("sessionKeys", playlist.sessionKeys) { $0.write($1) }
        member("contentSteering", playlist.contentSteering) { json, steering in
            json.member("serverUri", steering.serverURI)
            json.member("pathwayId", steering.pathwayID)
        }
        members("defines", playlist.definitions) { $0.write($1) }
        member("version", playlist.version)
        member("independentSegments", playlist.hasIndependentSegments)
        member("start", playlist.start) { json, start in
            json.member("timeOffset", number: start.timeOffset.playlistText)
            json.member("precise", start.isPrecise)
        }
    }

    private mutating func write(_ variant: Variant) {
        member("uri", variant.uri)
        member("bandwidth", variant.bandwidth)
        member("averageBandwidth", variant.averageBandwidth)
        member("resolution", variant.resolution) { json, resolution in
            json.member("width", resolution.width)
            json.member("height", resolution.height)
        }
        member("codecs", variant.attributes["CODECS"])
        member("frameRate", number: variant.frameRate?.playlistText)
        member("audio", variant.audioGroup)
        member("video", variant.videoGroup)
        member("subtitles", variant.subtitlesGroup)
        member("closedCaptions", variant.attributes["CLOSED-CAPTIONS"])
        member("videoRange", variant.videoRange)
        member("hdcpLevel", variant.hdcpLevel)
        member("score", number: variant.score?.playlistText)
        member("pathwayId", variant.pathwayID)
        member("stableVariantId", variant.stableVariantID)
    }

    private mutating func write(_ rendition: Rendition) {
        member("type", rendition.type.rawValue)
        member("groupId", rendition.groupID)
        member("name", rendition.name)
        member("language", rendition.language)
        member("assocLanguage", rendition.associatedLanguage)
        member("default", rendition.isDefault)
        member("autoselect", rendition.isAutoselect)
        member("forced", rendition.isForced)
        member("uri", rendition.uri)
        member("characteristics", rendition.attributes["CHARACTERISTICS"])
        member("channels", rendition.channels)
        member("instreamId", rendition.instreamID)
        member("stableRenditionId", rendition.stableRenditionID)
    }
}

extension InspectReport {
    /// The report as text: the kind of playlist, its contents, and every problem with its line.
    package var text: String {
        var lines: [String] = []
        switch parsed.playlist {
        case .media(let playlist): Self.describe(playlist, &lines)
        case .multivariant(let playlist): Self.describe(playlist, &lines)
        case nil: lines.append("refused")
        }
        for error in parsed.errors { lines.append("error    \(error)") }
        for warning in parsed.warnings { lines.append("warning  \(warning)") }
        if parsed.errors.isEmpty, parsed.warnings.isEmpty { lines.append("no errors, no warnings") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func describe(_ playlist: MediaPlaylist, _ lines: inout [String]) {
        var facts = ["media playlist", playlist.hasEndList ? "ended" : playlist.isOnDemand ? "without end" : "live"]
        if let type = playlist.playlistType { facts.append(type.rawValue) }
        if let version = playlist.version { facts.append("version \(version)") }
        if playlist.isIFramesOnly { facts.append("key frames only") }
        if playlist.hasIndependentSegments { facts.append("independent segments") }
        lines.append(facts.joined(separator: ", "))
        lines.append(
            "\(playlist.segments.count) segments, \(playlist.totalDuration.playlistText) s in all, target duration \((playlist.declaredTargetDuration ?? playlist.targetDuration).playlistText) s, first media sequence \(SequenceNumber.text(playlist.mediaSequence))"
        )
        if let skipped = playlist.skipped { lines.append("delta update: \(skipped.segmentCount) segments left out") }
        if let start = playlist.start {
            lines.append("start at \(start.timeOffset.playlistText) s\(start.isPrecise ? ", precisely" : "")")
        }
        if let control = playlist.serverControl {
            var parts: [String] = []
            if control.canBlockReload { parts.append("blocking reload") }
            if let until = control.canSkipUntil { parts.append("delta updates beyond \(until.playlistText) s") }
            if let back = control.holdBack { parts.append("hold back \(back.playlistText) s") }
            if let back = control.partHoldBack { parts.append("part hold back \(back.playlistText) s") }
            lines.append("server control: \(parts.joined(separator: ", "))")
        }
        for definition in playlist.definitions {
            lines.append("define   \(definition.name) = \(definition.value) (\(definition.source.rawValue))")
        }
        for segment in playlist.segments { lines.append(describe(segment)) }
        for part in playlist.trailingParts { lines.append("part     \(part.duration.playlistText) s  \(part.uri)") }
        for hint in playlist.preloadHints { lines.append("hint     \(hint.type)  \(hint.uri)") }
        for report in playlist.renditionReports {
            let sequence = report.lastMediaSequence.map { " up to segment \(SequenceNumber.text($0))" } ?? ""
            lines.append("report   \(report.uri)\(sequence)\(report.lastPart.map { " part \($0)" } ?? "")")
        }
        for range in playlist.dateRanges {
            let end = range.resolvedEndDate.map { " to \($0)" } ?? ""
            lines.append("dates    \(range.id)  \(range.startDate)\(end)\(range.classID.map { "  " + $0 } ?? "")")
        }
    }

    private static func describe(_ segment: MediaSegment) -> String {
        var line =
            "segment  \(SequenceNumber.text(segment.mediaSequence))  \(segment.startTime.playlistText) + \(segment.duration.playlistText) s  \(segment.uri)"
        if let range = segment.byteRange { line += "  bytes \(range)" }
        if segment.isDiscontinuity { line += "  discontinuity \(SequenceNumber.text(segment.discontinuitySequence))" }
        if segment.isGap { line += "  gap" }
        if let key = segment.key { line += "  \(key.methodName)" }
        if let map = segment.map { line += "  map \(map.uri)" }
        if let date = segment.programDateTime { line += "  \(date)" }
        if let bitrate = segment.bitrate { line += "  \(bitrate) kbit/s" }
        if !segment.parts.isEmpty { line += "  \(segment.parts.count) parts" }
        if !segment.title.isEmpty { line += "  \"\(segment.title)\"" }
        return line
    }

    private static func describe(_ playlist: MultivariantPlaylist, _ lines: inout [String]) {
        var facts = ["multivariant playlist"]
        if let version = playlist.version { facts.append("version \(version)") }
        if playlist.hasIndependentSegments { facts.append("independent segments") }
        lines.append(facts.joined(separator: ", "))
        for definition in playlist.definitions {
            lines.append("define   \(definition.name) = \(definition.value) (\(definition.source.rawValue))")
        }
        for variant in playlist.variants { lines.append("variant  " + describe(variant)) }
        for variant in playlist.iFrameVariants { lines.append("i-frames " + describe(variant)) }
        for rendition in playlist.renditions {
            var line = "\(rendition.type.rawValue.lowercased())  \(rendition.groupID)  \"\(rendition.name)\""
            if let language = rendition.language { line += "  \(language)" }
            if rendition.isDefault { line += "  default" }
            if rendition.isForced { line += "  forced" }
            if let channels = rendition.channels { line += "  \(channels) channels" }
            if let uri = rendition.uri { line += "  \(uri)" }
            lines.append(line)
        }
        for data in playlist.sessionData { lines.append("data     \(data.dataID)  \(data.value ?? data.uri ?? "")") }
        for key in playlist.sessionKeys { lines.append("key      \(key.methodName)  \(key.uri ?? "")") }
        if let steering = playlist.contentSteering {
            lines.append("steering \(steering.serverURI)\(steering.pathwayID.map { "  pathway " + $0 } ?? "")")
        }
    }

    private static func describe(_ variant: Variant) -> String {
        var line = variant.bandwidth.map { "\($0) bit/s" } ?? "no bandwidth"
        if let resolution = variant.resolution { line += "  \(resolution)" }
        if let rate = variant.frameRate { line += "  \(rate.playlistText) fps" }
        if !variant.codecs.isEmpty { line += "  \(variant.codecs.joined(separator: ","))" }
        if let range = variant.videoRange { line += "  \(range)" }
        if let pathway = variant.pathwayID { line += "  pathway \(pathway)" }
        return line + "  \(variant.uri)"
    }
}
