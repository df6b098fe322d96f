import MediaTime

/// Writes playlists as text that `PlaylistParser` parses to the same values, e.g. for a playlist whose media was stored
/// elsewhere.
///
/// Variables are written with their values. Unknown tags and comments are dropped.
package struct PlaylistWriter: Sendable {
    /// Maps each URI to the one to write.
    package var mapURI: @Sendable (String) -> String

    /// Makes a writer; by default it keeps the URIs.
    package init(mapURI: @escaping @Sendable (String) -> String = { $0 }) { self.mapURI = mapURI }

    /// The text of a playlist of either kind.
    package func text(of playlist: Playlist) -> String {
        switch playlist {
        case .multivariant(let playlist): text(of: playlist)
        case .media(let playlist): text(of: playlist)
        }
    }

    /// The text of a multivariant playlist.
    package func text(of playlist: MultivariantPlaylist) -> String {
        var lines = ["#EXTM3U"]
        if let version = playlist.version { lines.append("#EXT-X-VERSION:\(version)") }
        if playlist.hasIndependentSegments { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
        if let start = playlist.start { lines.append(line(start)) }
        if let steering = playlist.contentSteering {
            let pathway = steering.pathwayID.map { ",PATHWAY-ID=\(quoted($0))" } ?? ""
            lines.append("#EXT-X-CONTENT-STEERING:SERVER-URI=\(quotedURI(steering.serverURI))\(pathway)")
        }
        for data in playlist.sessionData { lines.append("#EXT-X-SESSION-DATA:" + list(data.attributes)) }
        for key in playlist.sessionKeys { lines.append("#EXT-X-SESSION-KEY:" + list(key.attributes)) }
        for rendition in playlist.renditions { lines.append("#EXT-X-MEDIA:" + list(rendition.attributes)) }
        for variant in playlist.variants {
            lines.append("#EXT-X-STREAM-INF:" + list(variant.attributes))
            lines.append(uri(variant.uri))
        }
        for variant in playlist.iFrameVariants { lines.append("#EXT-X-I-FRAME-STREAM-INF:" + list(variant.attributes)) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The text of a media playlist.
    package func text(of playlist: MediaPlaylist) -> String {
        var lines = header(of: playlist)
        for range in playlist.dateRanges { lines.append("#EXT-X-DATERANGE:" + list(range.attributes)) }
        var state = SegmentState()
        for segment in playlist.segments { append(segment, &state, &lines) }
        for part in playlist.trailingParts { lines.append(line(part)) }
        for hint in playlist.preloadHints {
            let length = hint.byteRangeLength.map { ",BYTERANGE-LENGTH=\($0)" } ?? ""
            lines.append(
                "#EXT-X-PRELOAD-HINT:TYPE=\(hint.type),URI=\(quotedURI(hint.uri)),BYTERANGE-START=\(hint.byteRangeStart)\(length)"
            )
        }
        for report in playlist.renditionReports {
            let sequence = report.lastMediaSequence.map { ",LAST-MSN=\(SequenceNumber.text($0))" } ?? ""
            let part = report.lastPart.map { ",LAST-PART=\($0)" } ?? ""
            lines.append("#EXT-X-RENDITION-REPORT:URI=\(quotedURI(report.uri))\(sequence)\(part)")
        }
        if playlist.hasEndList { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func header(of playlist: MediaPlaylist) -> [String] {
        var lines = ["#EXTM3U"]
        if let version = playlist.version { lines.append("#EXT-X-VERSION:\(version)") }
        if let duration = playlist.declaredTargetDuration { lines.append("#EXT-X-TARGETDURATION:\(duration.playlistText)") }
        if playlist.mediaSequence != 0 { lines.append("#EXT-X-MEDIA-SEQUENCE:\(SequenceNumber.text(playlist.mediaSequence))") }
        if playlist.discontinuitySequence != 0 {
            lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(SequenceNumber.text(playlist.discontinuitySequence))")
        }
        if let type = playlist.playlistType { lines.append("#EXT-X-PLAYLIST-TYPE:\(type.rawValue)") }
        if playlist.hasIndependentSegments { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
        if playlist.isIFramesOnly { lines.append("#EXT-X-I-FRAMES-ONLY") }
        if let start = playlist.start { lines.append(line(start)) }
        if let control = playlist.serverControl {
            var attributes: [String] = []
            if let until = control.canSkipUntil { attributes.append("CAN-SKIP-UNTIL=\(until.playlistText)") }
            if control.canSkipDateRanges { attributes.append("CAN-SKIP-DATERANGES=YES") }
            if let back = control.holdBack { attributes.append("HOLD-BACK=\(back.playlistText)") }
            if let back = control.partHoldBack { attributes.append("PART-HOLD-BACK=\(back.playlistText)") }
            if control.canBlockReload { attributes.append("CAN-BLOCK-RELOAD=YES") }
            lines.append("#EXT-X-SERVER-CONTROL:" + attributes.joined(separator: ","))
        }
        if let target = playlist.partTargetDuration { lines.append("#EXT-X-PART-INF:PART-TARGET=\(target.playlistText)") }
        if let skipped = playlist.skipped {
            let removed = skipped.removedDateRangeIDs.joined(separator: "\t")
            lines.append(
                "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped.segmentCount)"
                    + (removed.isEmpty ? "" : ",RECENTLY-REMOVED-DATERANGES=\"\(removed)\""))
        }
        return lines
    }

    // MARK: - Segments

    /// The values set by the lines so far for the segments after them.
    private struct SegmentState {
        var keys: [EncryptionKey] = []
        var map: MediaInitialization?
        var bitrate: Int64?
    }

    private func append(_ segment: MediaSegment, _ state: inout SegmentState, _ lines: inout [String]) {
        if segment.isDiscontinuity { lines.append("#EXT-X-DISCONTINUITY") }
        if let map = segment.map, map != state.map {
            setKeys(map.keys, &state, &lines)
            let range = map.byteRange.map { ",BYTERANGE=\"\($0)\"" } ?? ""
            lines.append("#EXT-X-MAP:URI=\(quotedURI(map.uri))\(range)")
            state.map = map
        }
        setKeys(segment.keys, &state, &lines)
        if let bitrate = segment.bitrate, bitrate != state.bitrate {
            lines.append("#EXT-X-BITRATE:\(bitrate)")
            state.bitrate = bitrate
        }
        if segment.isGap { lines.append("#EXT-X-GAP") }
        if let date = segment.programDateTime { lines.append("#EXT-X-PROGRAM-DATE-TIME:\(date)") }
        for part in segment.parts { lines.append(line(part)) }
        lines.append("#EXTINF:\(segment.duration.playlistText),\(segment.title)")
        if let range = segment.byteRange { lines.append("#EXT-X-BYTERANGE:\(range)") }
        lines.append(uri(segment.uri))
    }

    private func setKeys(_ keys: [EncryptionKey], _ state: inout SegmentState, _ lines: inout [String]) {
        guard keys != state.keys else { return }
        // A key applies until the next of its format, so removing one removes all others too.
        var held = state.keys
        if !held.allSatisfy({ old in keys.contains { $0.keyFormat == old.keyFormat } }) {
            lines.append("#EXT-X-KEY:METHOD=NONE")
            held = []
        }
        for key in keys where !held.contains(key) { lines.append("#EXT-X-KEY:" + list(key.attributes)) }
        state.keys = keys
    }

    private func line(_ part: PartialSegment) -> String {
        var line = "#EXT-X-PART:DURATION=\(part.duration.playlistText),URI=\(quotedURI(part.uri))"
        if let range = part.byteRange { line += ",BYTERANGE=\"\(range)\"" }
        if part.isIndependent { line += ",INDEPENDENT=YES" }
        if part.isGap { line += ",GAP=YES" }
        return line
    }

    private func line(_ start: StartPoint) -> String {
        "#EXT-X-START:TIME-OFFSET=\(start.timeOffset.playlistText)\(start.isPrecise ? ",PRECISE=YES" : "")"
    }

    // MARK: - Values

    /// An attribute list with its URI mapped.
    private func list(_ attributes: AttributeList) -> String {
        attributes.map { attribute in
            let value = attribute.name == "URI" ? mapURI(attribute.value) : attribute.value
            return "\(attribute.name)=\(attribute.isQuoted ? quoted(value) : value)"
        }.joined(separator: ",")
    }

    private func uri(_ text: String) -> String { Self.withoutControls(mapURI(text)) }

    private func quotedURI(_ text: String) -> String { quoted(mapURI(text)) }

    /// RFC 8216bis 4.2: a quoted string contains no quotation marks and no line endings; the value of a variable may have had
    /// some.
    private func quoted(_ text: String) -> String {
        "\"" + Self.withoutControls(text).replacing("\"", with: "%22") + "\""
    }

    private static func withoutControls(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == .lineFeed || $0 == .carriageReturn }) else { return text }
        return text.unicodeScalars.map { $0 == "\n" ? "%0A" : $0 == "\r" ? "%0D" : String($0) }.joined()
    }
}
