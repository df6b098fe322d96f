import MediaTime

/// A caption file, or the captions of one HLS segment, as a value.
package struct CaptionDocument: Sendable, Hashable {
    /// The cues in the order of their start; those with one start keep the order of the file.
    package var cues: [CaptionCue]
    /// The regions that cues may belong to.
    package var regions: [CaptionRegion]
    /// Style sheets (CSS), as the file has them.
    package var styleSheets: [String]
    /// How the file's times relate to the stream's time stamps; nil where it does not say.
    package var timestampMap: TimestampMap?

    /// Makes a document; cues are sorted.
    package init(cues: [CaptionCue], regions: [CaptionRegion] = [], styleSheets: [String] = [], timestampMap: TimestampMap? = nil)
    {
        self.cues = cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        self.regions = regions
        self.styleSheets = styleSheets
        self.timestampMap = timestampMap
    }

    /// Reads WebVTT, TTML, ASS or SubRip, whichever it is, told by the content. What is wrong inside is passed over as the WebVTT parser must.
    ///
    /// - Throws: `CaptionError` where it is none of them.
    package static func read(_ bytes: [UInt8]) throws(CaptionError) -> CaptionDocument {
        let text = CaptionText.decode(bytes)
        if WebVTTParser.hasSignature(text) { return try WebVTTParser.parse(text) }
        if text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) == "<", TTMLReader.isTTML(text) {
            return try TTMLReader.parse(text)
        }
        if AdvancedSubStation.isScript(text) { return AdvancedSubStation.parse(text) }
        return try SubRipParser.parse(text)
    }

    /// The cues on the screen at a moment, in the order in which they are laid out.
    package func cues(at time: MediaTime) -> [CaptionCue] { cues.prefix { $0.start <= time }.filter { $0.isShown(at: time) } }
}

/// The `X-TIMESTAMP-MAP` of a WebVTT segment (RFC 8216 section 3.5): `local` of the file is `mpegTS` of the stream.
package struct TimestampMap: Sendable, Hashable {
    /// A time stamp in units of 1/90,000 s; it wraps at 33 bits, which the reader of the stream undoes.
    package var mpegTS: Int64
    /// The cue time that stands for it.
    package var local: MediaTime

    package init(mpegTS: Int64, local: MediaTime) {
        self.mpegTS = mpegTS
        self.local = local
    }

    /// What is added to a cue time to give stream time.
    package var offset: MediaTime { MediaTime(mpegTS, 90_000) - local }
}

/// Why captions could not be read.
package enum CaptionError: Error, Hashable, CustomStringConvertible {
    /// The text begins like none of the formats that are read.
    case unknownFormat(beginning: String)

    package var description: String {
        switch self {
        case .unknownFormat(let beginning):
            "cannot read captions that begin with \"\(beginning)\": they are neither WebVTT, TTML, ASS nor SubRip; serve one of these"
        }
    }
}
