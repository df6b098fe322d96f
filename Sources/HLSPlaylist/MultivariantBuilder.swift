import MediaTime

/// Builds a multivariant playlist from its lines.
struct MultivariantBuilder {
    /// The tags that only multivariant playlists have.
    static let tags = KindTags(
        decisive: ["#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF"],
        others: ["#EXT-X-MEDIA:", "#EXT-X-SESSION-DATA", "#EXT-X-SESSION-KEY", "#EXT-X-CONTENT-STEERING"])

    private(set) var playlist = MultivariantPlaylist()
    var diagnostics: Diagnostics
    private var variables: VariableTable
    private var pendingVariant: Variant?
    private var seen: Set<String> = []
    /// ID and language of each session data.
    private var sessionData: Set<[String]> = []

    init(diagnostics: Diagnostics, variables: VariableTable) {
        self.diagnostics = diagnostics
        self.variables = variables
    }

    mutating func read(_ bytes: Bytes, from start: Int) {
        var reader = LineReader(bytes, from: start)
        while diagnostics.refusal == nil, let line = reader.next() {
            guard !line.isEmpty else { continue }
            if line[0] != .hash {
                uri(line, reader.number)
            } else if line.starts(with: "#EXT") {
                tag(TagLine(line), reader.number)
            }
        }
        dropPendingVariant()
        playlist.definitions = variables.definitions
        checkGroups()
    }

    private mutating func uri(_ line: Bytes, _ number: Int) {
        guard var variant = pendingVariant else {
            diagnostics.error(
                .misplacedTag, line: number, "the URI '\(line.text.clipped)' follows no EXT-X-STREAM-INF; put one before it")
            return
        }
        variant.uri = diagnostics.substituted(line.address, line: number, variables: variables)
        pendingVariant = nil
        if isBelow(PlaylistBounds.variants, playlist.variants.count, "variants", number) { playlist.variants.append(variant) }
    }

    private mutating func dropPendingVariant() {
        guard let variant = pendingVariant else { return }
        diagnostics.error(
            .missingURI, line: variant.line, "EXT-X-STREAM-INF is followed by no URI; put the playlist's URI on the next line")
        pendingVariant = nil
    }

    private mutating func tag(_ line: TagLine, _ number: Int) {
        let tag = Tag(name: line.name, line: number)
        switch line.name {
        case "EXTM3U": break
        case "EXT-X-VERSION":
            once(tag)
            playlist.version = diagnostics.version(line.value, tag) ?? playlist.version
        case "EXT-X-INDEPENDENT-SEGMENTS": playlist.hasIndependentSegments = true
        case "EXT-X-START":
            once(tag)
            playlist.start = diagnostics.startPoint(attributes(line, tag), tag)
        case "EXT-X-DEFINE":
            if let fault = variables.define(attributes(line, tag)) {
                diagnostics.error(.invalidDefinition, line: number, fault)
            }
        case "EXT-X-STREAM-INF":
            dropPendingVariant()
            pendingVariant = variant(attributes(line, tag), tag)
        case "EXT-X-I-FRAME-STREAM-INF":
            let attributes = attributes(line, tag)
            var variant = variant(attributes, tag)
            guard let uri = diagnostics.required("URI", attributes, tag) else { return }
            variant.uri = uri
            if isBelow(PlaylistBounds.variants, playlist.iFrameVariants.count, "key frame variants", number) {
                playlist.iFrameVariants.append(variant)
            }
        case "EXT-X-MEDIA": rendition(attributes(line, tag), tag)
        case "EXT-X-SESSION-DATA": sessionData(attributes(line, tag), tag)
        case "EXT-X-SESSION-KEY":
            guard let key = diagnostics.key(attributes(line, tag), tag) else { return }
            guard key.method != .none else {
                diagnostics.error(.invalidValue, line: number, "METHOD of EXT-X-SESSION-KEY is NONE; remove the tag")
                return
            }
            playlist.sessionKeys.append(key)
        case "EXT-X-CONTENT-STEERING":
            once(tag)
            let attributes = attributes(line, tag)
            guard let uri = diagnostics.required("SERVER-URI", attributes, tag) else { return }
            playlist.contentSteering = ContentSteering(serverURI: uri, pathwayID: attributes["PATHWAY-ID"])
        case let name where MediaBuilder.tags.contains(name):
            diagnostics.error(
                .mixedKinds, line: number, "\(line.name) belongs in a media playlist and this one lists variants; remove it")
        default: break  // RFC 8216bis 6.3.1: unknown tags are ignored.
        }
    }

    private mutating func attributes(_ line: TagLine, _ tag: Tag) -> AttributeList {
        diagnostics.attributes(line.value, of: tag, variables: variables)
    }

    /// Whether the list has room for one more; reports when it has not.
    private mutating func isBelow(_ limit: Int, _ count: Int, _ name: String, _ line: Int) -> Bool {
        if count < limit { return true }
        diagnostics.tooMany(limit, name, line: line)
        return false
    }

    private mutating func once(_ tag: Tag) {
        guard !seen.insert(tag.name).inserted else { return }
        diagnostics.error(.duplicateTag, line: tag.line, "\(tag.name) appears again, and the last one counts; keep one")
    }

    private mutating func variant(_ attributes: AttributeList, _ tag: Tag) -> Variant {
        var variant = Variant(uri: "", attributes: attributes, line: tag.line)
        if diagnostics.required("BANDWIDTH", attributes, tag) != nil {
            variant.bandwidth = bitrate("BANDWIDTH", attributes, tag)
        }
        variant.averageBandwidth = bitrate("AVERAGE-BANDWIDTH", attributes, tag)
        variant.score = diagnostics.decimal("SCORE", attributes, tag).map(Ratio.init(billionths:))
        variant.codecs = attributes.words("CODECS")
        variant.supplementalCodecs = attributes.words("SUPPLEMENTAL-CODECS")
        variant.resolution = resolution(attributes, tag)
        variant.frameRate = frameRate(attributes, tag)
        variant.hdcpLevel = attributes["HDCP-LEVEL"]
        variant.allowedCPC = attributes["ALLOWED-CPC"]
        variant.videoRange = attributes["VIDEO-RANGE"]
        variant.requiredVideoLayout = attributes["REQ-VIDEO-LAYOUT"]
        variant.stableVariantID = attributes["STABLE-VARIANT-ID"]
        variant.pathwayID = attributes["PATHWAY-ID"]
        variant.audioGroup = attributes["AUDIO"]
        variant.videoGroup = attributes["VIDEO"]
        variant.subtitlesGroup = attributes["SUBTITLES"]
        if let captions = attributes.last(where: { $0.name == "CLOSED-CAPTIONS" }) {
            variant.closedCaptions = captions.value == "NONE" && !captions.isQuoted ? .absent : .group(captions.value)
        }
        return variant
    }

    /// What is beyond the bound counts as the bound.
    private mutating func bitrate(_ name: String, _ attributes: AttributeList, _ tag: Tag) -> Int64? {
        let limit = PlaylistBounds.highestBitrate
        let isBeyond =
            attributes[name].map { text in
                Numbers.withBytes(of: text) {
                    !$0.isEmpty && $0.allSatisfy { $0.digit != nil } && Numbers.integer($0).map { $0.value > limit } ?? true
                }
            } ?? false
        guard isBeyond else { return diagnostics.integer(name, attributes, tag) }
        diagnostics.error(
            .invalidValue, line: tag.line,
            "\(name) of \(tag.name) is '\(attributes[name]?.clipped ?? "")', read as \(limit); write at most that")
        return limit
    }

    private mutating func resolution(_ attributes: AttributeList, _ tag: Tag) -> Variant.Resolution? {
        guard let text = attributes["RESOLUTION"] else { return nil }
        let parts = text.split(whereSeparator: { $0 == "x" || $0 == "X" })
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            width > 0, height > 0
        else {
            diagnostics.error(
                .invalidValue, line: tag.line,
                "RESOLUTION of \(tag.name) is '\(text.clipped)'; write WIDTHxHEIGHT, e.g. 1280x720")
            return nil
        }
        let most = PlaylistBounds.longestSide
        if max(width, height) > most {
            diagnostics.error(
                .invalidValue, line: tag.line, "RESOLUTION of \(tag.name) is '\(text.clipped)'; write at most \(most) each")
        }
        return Variant.Resolution(width: min(width, most), height: min(height, most))
    }

    private mutating func frameRate(_ attributes: AttributeList, _ tag: Tag) -> Ratio? {
        guard let billionths = diagnostics.decimal("FRAME-RATE", attributes, tag) else { return nil }
        guard billionths <= PlaylistBounds.highestFrameRate else {
            diagnostics.error(
                .invalidValue, line: tag.line,
                "FRAME-RATE of \(tag.name) is '\(attributes["FRAME-RATE"]?.clipped ?? "")', read as 1000; write at most 1000 frames per second"
            )
            return Ratio(billionths: PlaylistBounds.highestFrameRate)
        }
        return Ratio(billionths: billionths)
    }

    private mutating func rendition(_ attributes: AttributeList, _ tag: Tag) {
        guard let typeName = diagnostics.required("TYPE", attributes, tag) else { return }
        guard let type = Rendition.MediaType(rawValue: typeName) else {
            diagnostics.error(
                .invalidValue, line: tag.line,
                "TYPE of EXT-X-MEDIA is '\(typeName.clipped)'; write AUDIO, VIDEO, SUBTITLES or CLOSED-CAPTIONS")
            return
        }
        guard let group = diagnostics.required("GROUP-ID", attributes, tag) else { return }
        // A rendition without a name can still be chosen by its language.
        let name = diagnostics.required("NAME", attributes, tag) ?? attributes["LANGUAGE"] ?? group
        var rendition = Rendition(type: type, groupID: group, name: name, attributes: attributes, line: tag.line)
        rendition.language = attributes["LANGUAGE"]
        rendition.associatedLanguage = attributes["ASSOC-LANGUAGE"]
        rendition.isDefault = diagnostics.flag("DEFAULT", attributes, tag)
        rendition.isAutoselect = diagnostics.flag("AUTOSELECT", attributes, tag)
        rendition.isForced = diagnostics.flag("FORCED", attributes, tag)
        rendition.uri = attributes["URI"]
        rendition.instreamID = attributes["INSTREAM-ID"]
        rendition.characteristics = attributes.words("CHARACTERISTICS")
        rendition.channels = attributes["CHANNELS"]
        rendition.bitDepth = diagnostics.integer("BIT-DEPTH", attributes, tag)
        rendition.sampleRate = diagnostics.integer("SAMPLE-RATE", attributes, tag)
        rendition.stableRenditionID = attributes["STABLE-RENDITION-ID"]
        check(rendition, tag)
        if isBelow(PlaylistBounds.renditions, playlist.renditions.count, "renditions", tag.line) {
            playlist.renditions.append(rendition)
        }
    }

    private mutating func check(_ rendition: Rendition, _ tag: Tag) {
        switch rendition.type {
        case .subtitles where rendition.uri == nil:
            diagnostics.error(
                .missingAttribute, line: tag.line,
                "the subtitles '\(rendition.name.clipped)' have no URI; add their playlist's URI")
        case .closedCaptions:
            if rendition.instreamID == nil { _ = diagnostics.required("INSTREAM-ID", rendition.attributes, tag) }
            if rendition.uri != nil {
                diagnostics.error(
                    .conflictingAttributes, line: tag.line, "closed captions have a URI though they are in the video; remove it")
            }
        default: break
        }
        if rendition.isDefault, rendition.attributes["AUTOSELECT"] == "NO" {
            diagnostics.error(
                .conflictingAttributes, line: tag.line,
                "'\(rendition.name.clipped)' is DEFAULT=YES and AUTOSELECT=NO; write AUTOSELECT=YES")
        }
        if rendition.isForced, rendition.type != .subtitles {
            diagnostics.error(
                .conflictingAttributes, line: tag.line, "FORCED is set on \(rendition.type.rawValue); it is for SUBTITLES only")
        }
    }

    private mutating func sessionData(_ attributes: AttributeList, _ tag: Tag) {
        guard let id = diagnostics.required("DATA-ID", attributes, tag) else { return }
        let data = SessionData(
            dataID: id, value: attributes["VALUE"], uri: attributes["URI"],
            format: attributes["FORMAT"].flatMap(SessionData.Format.init) ?? .json, language: attributes["LANGUAGE"],
            attributes: attributes)
        if (data.value == nil) == (data.uri == nil) {
            diagnostics.error(
                data.value == nil ? .missingAttribute : .conflictingAttributes, line: tag.line,
                "the session data '\(id.clipped)' needs exactly one of VALUE and URI; keep one")
        }
        if !sessionData.insert([id, data.language ?? ""]).inserted {
            diagnostics.error(
                .conflictingAttributes, line: tag.line,
                "the session data '\(id.clipped)' appears twice in one language; keep one")
        }
        playlist.sessionData.append(data)
    }

    /// Variants must refer to existing groups (RFC 8216bis 4.4.6.2).
    private mutating func checkGroups() {
        var groups: [Rendition.MediaType: Set<String>] = [:]
        for rendition in playlist.renditions { groups[rendition.type, default: []].insert(rendition.groupID) }
        for variant in playlist.variants {
            var named: [(Rendition.MediaType, String?)] = [
                (.audio, variant.audioGroup), (.video, variant.videoGroup), (.subtitles, variant.subtitlesGroup),
            ]
            if case .group(let group) = variant.closedCaptions { named.append((.closedCaptions, group)) }
            for (type, group) in named {
                guard let group, groups[type]?.contains(group) != true else { continue }
                diagnostics.error(
                    .unknownGroup, line: variant.line,
                    "the variant names the \(type.rawValue) group '\(group.clipped)', which no EXT-X-MEDIA has; add it or remove the name"
                )
            }
        }
    }
}
