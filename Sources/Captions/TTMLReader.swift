import MediaTime

/// Parses TTML: the text profile of IMSC 1.1, and the common parts of older formats (DFXP, SMPTE-TT, EBU-TT-D).
package enum TTMLReader {
    /// Whether a text is TTML: its root element is `tt`.
    package static func isTTML(_ text: String) -> Bool {
        // The prolog is short.
        let beginning = text.prefix(4096)
        return beginning.contains("<tt") || beginning.contains(":tt ")
    }

    /// Parses a document.
    ///
    /// - Throws: `CaptionError.unknownFormat` when there is no `tt` element.
    package static func parse(_ bytes: [UInt8]) throws(CaptionError) -> CaptionDocument { try parse(CaptionText.decode(bytes)) }

    /// Parses a document.
    ///
    /// - Throws: `CaptionError.unknownFormat` when there is no `tt` element.
    package static func parse(_ text: String) throws(CaptionError) -> CaptionDocument { try parse(text, pictures: []) }

    /// - Parameter pictures: those that lie beside the document in its sample (ISO/IEC 14496-30, 5).
    static func parse(
        _ text: String, pictures: [[UInt8]], evaluations: Int = TTMLBody.mostEvaluations
    ) throws(CaptionError) -> CaptionDocument {
        guard let root = XMLReader.parse(text), root.name == "tt" else {
            throw .unknownFormat(beginning: String(text.prefix(40)))
        }
        var reader = TTMLBody(root, pictures: pictures, evaluations: evaluations)
        let cues = try reader.read()
        if cues.isEmpty, let reference = reader.missingPicture { throw .missingPicture(reference) }
        return CaptionDocument(cues: cues)
    }

    /// A sample of the image profile of IMSC: the document, and its pictures behind it.
    fileprivate static func parts(ofSample bytes: [UInt8]) -> (document: [UInt8], pictures: [[UInt8]]) {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let starts = bytes.indices.filter { bytes[$0] == 0x89 && bytes[$0...].starts(with: signature) }.prefix(mostPictures)
        guard let first = starts.first else { return (bytes, []) }
        let ends = starts.dropFirst() + [bytes.endIndex]
        return (Array(bytes[..<first]), zip(starts, ends).map { Array(bytes[$0..<$1]) })
    }

    private static let mostPictures = 256
}

extension TTMLReader {
    /// The cues of an MP4 sample, a separate document with the track's times. Invalid documents give none.
    ///
    /// Cues are clipped to the sample; the rest is repeated in neighbouring samples.
    ///
    /// - Parameter offset: added to the document's times.
    package static func cues(ofSample bytes: [UInt8], start: MediaTime, end: MediaTime, offset: MediaTime = .zero) -> [CaptionCue]
    {
        let (text, pictures) = parts(ofSample: bytes)
        guard let document = try? parse(CaptionText.decode(text), pictures: pictures) else { return [] }
        return document.cues.compactMap { cue in
            var cue = cue.shifted(by: offset)
            cue.start = max(cue.start, start)
            cue.end = min(cue.end, end)
            return cue.end > cue.start ? cue : nil
        }
    }
}

/// The parameters of a TTML document that its times and lengths depend on.
struct TTMLParameters {
    private var frameRate = 30.0
    private var tickRate = 1.0
    private var subFrameRate = 1.0
    /// Cells across and down.
    private(set) var cells = (columns: 32.0, rows: 15.0)
    /// The root's size in pixels, if given.
    private(set) var pixels: (width: Double, height: Double)?

    init(_ root: XMLElement) {
        if let rate = root["frameRate"].flatMap({ Double(finite: $0) }), rate > 0 { frameRate = rate }
        let base = frameRate
        if let parts = root["frameRateMultiplier"]?.split(whereSeparator: { $0 == " " || $0 == ":" }).compactMap({
            Double(finite: $0)
        }), parts.count == 2, parts[0] > 0, parts[1] > 0 {
            frameRate *= parts[0] / parts[1]
        }
        if let rate = root["subFrameRate"].flatMap({ Double(finite: $0) }), rate > 0 { subFrameRate = rate }
        if let rate = root["tickRate"].flatMap({ Double(finite: $0) }), rate > 0 {
            tickRate = rate
        } else if root["frameRate"] != nil {
            tickRate = base * subFrameRate
        }
        if let parts = root["cellResolution"]?.split(separator: " ").compactMap({ Double(finite: $0) }), parts.count == 2,
            parts[0] > 0,
            parts[1] > 0
        {
            cells = (parts[0], parts[1])
        }
        if let parts = root["extent"]?.split(separator: " "), parts.count == 2, let width = Self.pixels(parts[0]),
            let height = Self.pixels(parts[1]), width > 0, height > 0
        {
            pixels = (width, height)
        }
    }

    private static func pixels(_ text: Substring) -> Double? { text.hasSuffix("px") ? Double(finite: text.dropLast(2)) : nil }

    /// `01:02:03.400`, `01:02:03:12` (frames), `12.5s`, `300ms`, `75f`, `1000t`, `2m`, `1h`, and what is written without regard to the standard:
    /// `12.5`, `1:03.400`, a comma as the point. Nil for anything else.
    func time(_ text: String) -> MediaTime? {
        let text = String(text.trimmed.map { $0 == "," ? "." : $0 })
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 2, let minutes = Int64(parts[0]), (0..<100_000).contains(minutes),
            let seconds = MediaTime(decimalSeconds: parts[1]), seconds >= .zero, seconds < .seconds(60)
        {
            return MediaTime(caption: .seconds(minutes * 60) + seconds)
        }
        if parts.count == 1, let seconds = MediaTime(decimalSeconds: parts[0]) { return MediaTime(caption: seconds) }
        if parts.count >= 3 {
            guard let hours = Int64(parts[0]), let minutes = Int64(parts[1]), (0..<1_000_000).contains(hours),
                (0..<60).contains(minutes),
                let seconds = MediaTime(decimalSeconds: parts[2]), seconds >= .zero
            else { return nil }
            var time = MediaTime.seconds(hours * 3600 + minutes * 60) + seconds
            if parts.count >= 4 {
                let frame = parts[3].split(separator: ".")
                guard let frames = frame.first.flatMap({ Double(finite: $0) }), frames >= 0 else { return nil }
                let rest = frame.count > 1 ? (Double(finite: frame[1]) ?? 0) / subFrameRate : 0
                guard let fraction = MediaTime(captionSeconds: (frames + rest) / frameRate) else { return nil }
                time += fraction
            }
            return MediaTime(caption: time)
        }
        for (suffix, unit) in [("ms", 0.001), ("h", 3600), ("m", 60), ("s", 1), ("f", 1 / frameRate), ("t", 1 / tickRate)]
        where text.hasSuffix(suffix) {
            guard let value = Double(finite: text.dropLast(suffix.count)), value >= 0 else { return nil }
            return MediaTime(captionSeconds: value * unit)
        }
        return nil
    }

}

/// TTML style attributes by name.
struct TTMLStyle {
    var values: [String: String] = [:]

    /// Attributes that child elements inherit.
    private static let inherited: Set<String> = [
        "color", "direction", "fontFamily", "fontSize", "fontStyle", "fontWeight", "textAlign", "textDecoration", "textOutline",
        "textShadow", "visibility", "wrapOption", "writingMode", "lineHeight", "rubyPosition", "multiRowAlign", "textCombine",
    ]
    /// All style attributes.
    static let names: Set<String> = inherited.union([
        "backgroundColor", "display", "displayAlign", "extent", "opacity", "origin", "overflow", "padding", "position", "ruby",
        "showBackground", "unicodeBidi", "zIndex",
    ])

    init() {}

    /// The styles of an element itself: first those it refers to, then its own.
    init(_ element: XMLElement, _ styles: [String: TTMLStyle]) {
        for id in element["style"]?.split(whereSeparator: \.isWhitespace) ?? [] {
            if let style = styles[String(id)] { values.merge(style.values) { $1 } }
        }
        for (name, value) in element.attributes where Self.names.contains(name) { values[name] = value.trimmed }
    }

    subscript(_ name: String) -> String? { values[name] }

    /// The inherited part.
    var heritage: TTMLStyle {
        var style = self
        style.values = values.filter { Self.inherited.contains($0.key) }
        return style
    }

    /// This style, overridden by another's values.
    func overridden(by other: TTMLStyle) -> TTMLStyle {
        var style = self
        style.values.merge(other.values) { $1 }
        // Percentages are relative to the surrounding size.
        if let mine = values["fontSize"], let theirs = other.values["fontSize"] {
            style.values["fontSize"] = Self.product(mine, theirs)
        }
        return style
    }

    private static func product(_ outer: String, _ inner: String) -> String {
        func factor(_ text: String) -> Double? {
            let last = text.split(separator: " ").last.map(String.init) ?? text
            if last.hasSuffix("%") { return Double(last.dropLast()).map { $0 / 100 } }
            return last.hasSuffix("em") ? Double(last.dropLast(2)) : nil
        }
        guard let one = factor(outer), let other = factor(inner) else { return inner }
        return "\(one * other * 100)%"
    }
}
