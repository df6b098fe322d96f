import MediaTime

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
                "there is no EXT-X-TARGETDURATION and the longest segment's duration is taken; add the tag")
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
