import MediaTime

/// A caption file, or the captions of one HLS segment, as a value.
package struct CaptionDocument: Sendable, Hashable {
    /// The cues ordered by start; cues with the same start keep the order of the file.
    package var cues: [CaptionCue]
    /// The regions that cues may refer to.
    package var regions: [CaptionRegion]
    /// Style sheets (CSS), as in the file.
    package var styleSheets: [String]
    /// How the file's times map to the stream's timestamps; nil if the file does not say.
    package var timestampMap: TimestampMap?

    /// Makes a document; sorts the cues.
    package init(cues: [CaptionCue], regions: [CaptionRegion] = [], styleSheets: [String] = [], timestampMap: TimestampMap? = nil)
    {
        let isSorted = zip(cues, cues.dropFirst()).allSatisfy { $0.start <= $1.start }
        self.cues = isSorted ? cues : cues.indices.sorted { (cues[$0].start, $0) < (cues[$1].start, $1) }.map { cues[$0] }
        self.regions = regions
        self.styleSheets = styleSheets
        self.timestampMap = timestampMap
    }

    /// Parses WebVTT, TTML, ASS, SubRip or SubViewer; the content tells which. Errors inside are skipped, as WebVTT's parser rules require.
    ///
    /// - Parameters:
    ///   - charset: the name of the encoding, where it is stated beside the file.
    ///   - language: the BCP 47 tag of the text's language, which helps to find the encoding.
    /// - Throws: `CaptionError` when it is none of them.
    package static func read(_ bytes: [UInt8], charset: String? = nil, language: String? = nil) throws(CaptionError)
        -> CaptionDocument
    {
        let text = CaptionText.decode(bytes, charset: charset, language: language)
        if WebVTTParser.hasSignature(text) { return try WebVTTParser.parse(text) }
        if text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) == "<", TTMLReader.isTTML(text) {
            return try TTMLReader.parse(text)
        }
        if AdvancedSubStation.isScript(text) { return AdvancedSubStation.parse(text) }
        if let name = UnreadFormat.name(of: bytes, text) { throw .unreadFormat(name) }
        return try SubRipParser.parse(text)
    }

    /// The cues shown at a time, in layout order.
    package func cues(at time: MediaTime) -> [CaptionCue] { cues.prefix { $0.start <= time }.filter { $0.isShown(at: time) } }
}

/// The `X-TIMESTAMP-MAP` of a WebVTT segment (RFC 8216 section 3.5): `local` of the file is `mpegTS` of the stream.
package struct TimestampMap: Sendable, Hashable {
    /// A timestamp in units of 1/90,000 s. It wraps at 33 bits; the reader of the stream unwraps it.
    package var mpegTS: Int64
    /// The cue time that corresponds to it.
    package var local: MediaTime

    /// Added to a cue time, gives stream time.
    package var offset: MediaTime { MediaTime(mpegTS, 90_000) - local }
}

/// Why captions could not be parsed.
package enum CaptionError: Error, Hashable, CustomStringConvertible {
    /// The text starts like none of the supported formats.
    case unknownFormat(beginning: String)
    /// A format that is known and not read.
    case unreadFormat(String)
    /// Their times and styles, nested in each other, take more work than any captions need.
    case tooIntricate
    /// All captions are pictures in other files.
    case missingPicture(String)

    package var description: String {
        switch self {
        case .unknownFormat(let beginning):
            "cannot read captions that begin with \"\(beginning)\": they are neither WebVTT, TTML, ASS nor SubRip; serve one of these"
        case .unreadFormat(let name): "\(name) is not read here; serve WebVTT, TTML, ASS or SubRip"
        case .tooIntricate: "their elements are nested in too many styles and times; serve simpler ones"
        case .missingPicture(let reference):
            "they are pictures in other files, such as \"\(reference)\", which are not loaded; embed them in the document, or serve text"
        }
    }
}

/// Self-contained cues of a document.
extension CaptionDocument {
    /// The cues with the document's regions resolved to boxes and its style sheets to styles of spans. Nothing else is needed to
    /// show them.
    package func resolved() -> [CaptionCue] {
        var sheet = styleSheets.isEmpty ? nil : CueStyleSheet(styleSheets)
        guard sheet != nil || !regions.isEmpty else { return cues }
        return cues.map { cue in
            var cue = cue
            if let nodes = sheet?.apply(to: cue) { cue.nodes = nodes }
            if cue.box == nil, let id = cue.settings.region, let region = regions.first(where: { $0.id == id }) {
                cue.box = region.box
            }
            return cue
        }
    }
}
