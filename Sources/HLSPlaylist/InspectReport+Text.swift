import MediaTime

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
        var facts = ["media playlist", playlist.hasEndList ? "ended" : "live"]
        if let type = playlist.playlistType { facts.append(type.rawValue) }
        if let version = playlist.version { facts.append("version \(version)") }
        if playlist.isIFramesOnly { facts.append("key frames only") }
        if playlist.hasIndependentSegments { facts.append("independent segments") }
        lines.append(facts.joined(separator: ", "))
        lines.append(
            "\(playlist.segments.count) segments, \(playlist.totalDuration.playlistText) s in all, target duration \(playlist.targetDuration.playlistText) s, first media sequence \(playlist.mediaSequence)"
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
            let sequence = report.lastMediaSequence.map { " up to segment \($0)" } ?? ""
            lines.append("report   \(report.uri)\(sequence)\(report.lastPart.map { " part \($0)" } ?? "")")
        }
        for range in playlist.dateRanges {
            let end = range.resolvedEndDate.map { " to \($0)" } ?? ""
            lines.append("dates    \(range.id)  \(range.startDate)\(end)\(range.classID.map { "  " + $0 } ?? "")")
        }
    }

    private static func describe(_ segment: MediaSegment) -> String {
        var line =
            "segment  \(segment.mediaSequence)  \(segment.startTime.playlistText) + \(segment.duration.playlistText) s  \(segment.uri)"
        if let range = segment.byteRange { line += "  bytes \(range)" }
        if segment.isDiscontinuity { line += "  discontinuity \(segment.discontinuitySequence)" }
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
