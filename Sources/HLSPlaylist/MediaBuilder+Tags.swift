import MediaTime

extension MediaBuilder {
    /// Handles the tags that do not occur on nearly every segment.
    mutating func tag(_ line: TagLine, _ number: Int) {
        let tag = Tag(name: line.name, line: number)
        switch line.name {
        case "EXTM3U", "EXT-X-ALLOW-CACHE": break
        case "EXT-X-VERSION":
            once(tag)
            playlist.version = diagnostics.version(line.value, tag) ?? playlist.version
        case "EXT-X-TARGETDURATION": targetDuration(line.value, tag)
        case "EXT-X-MEDIA-SEQUENCE":
            playlist.mediaSequence = sequence(line.value, tag) ?? playlist.mediaSequence
        case "EXT-X-DISCONTINUITY-SEQUENCE":
            playlist.discontinuitySequence = sequence(line.value, tag) ?? playlist.discontinuitySequence
        case "EXT-X-PLAYLIST-TYPE": playlistType(line.value, tag)
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
        case "EXT-X-DATERANGE": dateRange(attributes(line, tag), tag)
        case "EXT-X-SERVER-CONTROL": serverControl(attributes(line, tag), tag)
        case "EXT-X-PART-INF":
            once(tag)
            let attributes = attributes(line, tag)
            guard diagnostics.required("PART-TARGET", attributes, tag) != nil else { return }
            playlist.partTargetDuration = diagnostics.time("PART-TARGET", attributes, tag)
        case "EXT-X-PART": part(attributes(line, tag), tag)
        case "EXT-X-SKIP": skip(attributes(line, tag), tag)
        case "EXT-X-PRELOAD-HINT": preloadHint(attributes(line, tag), tag)
        case "EXT-X-RENDITION-REPORT": renditionReport(attributes(line, tag), tag)
        case "EXTINF", "EXT-X-BYTERANGE", "EXT-X-PROGRAM-DATE-TIME":
            diagnostics.error(.invalidValue, line: number, "\(tag.name) has no value; write one after a colon")
        case "EXT-X-STREAM-INF", "EXT-X-I-FRAME-STREAM-INF", "EXT-X-MEDIA", "EXT-X-SESSION-DATA", "EXT-X-SESSION-KEY",
            "EXT-X-CONTENT-STEERING":
            diagnostics.error(
                .mixedKinds, line: number, "\(tag.name) belongs in a multivariant playlist and this one lists segments; remove it"
            )
        default: break  // RFC 8216bis 6.3.1: unknown tags are ignored.
        }
    }

    private mutating func targetDuration(_ value: Bytes, _ tag: Tag) {
        once(tag)
        guard let read = Numbers.decimal(value), read.billionths > 0 else {
            diagnostics.error(
                .invalidValue, line: tag.line,
                "EXT-X-TARGETDURATION is '\(value.text.clipped)' and is ignored; write the longest duration in whole seconds")
            return
        }
        if read.hasFraction || read.length < value.count {
            diagnostics.error(
                .invalidValue, line: tag.line,
                "EXT-X-TARGETDURATION is '\(value.text.clipped)', read as \(Numbers.text(billionths: read.billionths)); write whole seconds"
            )
        }
        playlist.declaredTargetDuration = .nanoseconds(read.billionths)
    }

    private mutating func sequence(_ value: Bytes, _ tag: Tag) -> Int64? {
        once(tag)
        if !playlist.store.isEmpty {
            diagnostics.error(
                .misplacedTag, line: tag.line, "\(tag.name) appears after the first segment; move it to the top")
        }
        guard let read = Numbers.integer(value) else {
            diagnostics.error(
                .invalidValue, line: tag.line, "\(tag.name) is '\(value.text.clipped)' and is ignored; write a whole number")
            return nil
        }
        if read.value < 0 || read.length < value.count {
            diagnostics.error(
                .invalidValue, line: tag.line, "\(tag.name) is '\(value.text.clipped)'; write a whole number that is not negative"
            )
        }
        return read.value
    }

    private mutating func playlistType(_ value: Bytes, _ tag: Tag) {
        once(tag)
        guard let type = MediaPlaylist.PlaylistType(rawValue: value.text) else {
            diagnostics.error(
                .invalidValue, line: tag.line,
                "EXT-X-PLAYLIST-TYPE is '\(value.text.clipped)' and is ignored; write EVENT or VOD")
            return
        }
        playlist.playlistType = type
    }

    private mutating func bitrate(_ value: Bytes, _ tag: Tag) {
        guard let read = Numbers.integer(value), read.value >= 0 else {
            diagnostics.error(
                .invalidValue, line: tag.line, "EXT-X-BITRATE is '\(value.text.clipped)'; write kilobits per second")
            return
        }
        run.bitrate = read.value
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
        } else {
            keys.append(key)
        }
        guard keys != currentKeys else { return }
        currentKeys = keys
        if keys.isEmpty {
            run.keys = SegmentStore.none
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
        guard run.map == SegmentStore.none || playlist.store.maps[Int(run.map)] != map else { return }
        run.map = UInt32(playlist.store.maps.count)
        playlist.store.maps.append(map)
    }

    private mutating func part(_ attributes: AttributeList, _ tag: Tag) {
        guard let uri = diagnostics.required("URI", attributes, tag),
            diagnostics.required("DURATION", attributes, tag) != nil,
            let duration = diagnostics.time("DURATION", attributes, tag)
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
            let count = diagnostics.integer("SKIPPED-SEGMENTS", attributes, tag), count <= Int32.max
        else { return }
        let removed = (attributes["RECENTLY-REMOVED-DATERANGES"] ?? "").split(separator: "\t").map(String.init)
        if !removed.isEmpty { needs(10, "RECENTLY-REMOVED-DATERANGES", tag.line) }
        playlist.skipped = SkippedContent(segmentCount: Int(count), removedDateRangeIDs: removed)
    }

    private mutating func serverControl(_ attributes: AttributeList, _ tag: Tag) {
        once(tag)
        playlist.serverControl = ServerControl(
            canSkipUntil: diagnostics.time("CAN-SKIP-UNTIL", attributes, tag),
            canSkipDateRanges: diagnostics.flag("CAN-SKIP-DATERANGES", attributes, tag),
            holdBack: diagnostics.time("HOLD-BACK", attributes, tag),
            partHoldBack: diagnostics.time("PART-HOLD-BACK", attributes, tag),
            canBlockReload: diagnostics.flag("CAN-BLOCK-RELOAD", attributes, tag))
    }

    private mutating func preloadHint(_ attributes: AttributeList, _ tag: Tag) {
        guard let type = diagnostics.required("TYPE", attributes, tag),
            let uri = diagnostics.required("URI", attributes, tag)
        else { return }
        playlist.preloadHints.append(
            PreloadHint(
                type: type, uri: uri, byteRangeStart: diagnostics.integer("BYTERANGE-START", attributes, tag) ?? 0,
                byteRangeLength: diagnostics.integer("BYTERANGE-LENGTH", attributes, tag)))
    }

    private mutating func renditionReport(_ attributes: AttributeList, _ tag: Tag) {
        guard let uri = diagnostics.required("URI", attributes, tag) else { return }
        playlist.renditionReports.append(
            RenditionReport(
                uri: uri, lastMediaSequence: diagnostics.integer("LAST-MSN", attributes, tag),
                lastPart: diagnostics.integer("LAST-PART", attributes, tag)))
    }
}
