import MediaTime

/// Parses WebVTT (W3C) by the rules of its parser section: errors are skipped, only a missing signature is refused.
///
/// It also accepts what older writers and players agreed on before the standard: `Region:` lines in the header, `align:middle`,
/// and times of hours and minutes.
package struct WebVTTParser {
    private let lines: [String]
    private var index = 0
    private var cues: [CaptionCue] = []
    private var regions: [CaptionRegion] = []
    private static let mostRegions = 256
    /// How many spans its cues may still have.
    private var spansLeft = CaptionBounds.spans
    private var styleSheets: [String] = []
    private var timestampMap: TimestampMap?

    /// Parses a WebVTT text.
    ///
    /// - Throws: `CaptionError.unknownFormat` when it does not start with the signature.
    package static func parse(_ text: String) throws(CaptionError) -> CaptionDocument {
        var parser = WebVTTParser(lines: CaptionText.lines(of: text))
        return try parser.document()
    }

    /// Whether a text starts with `WEBVTT`, followed by nothing, a space or a new line.
    static func hasSignature(_ text: String) -> Bool {
        var scanner = CaptionScanner(text.unicodeScalars.prefix(8).map(String.init).joined())
        _ = scanner.take("\u{FEFF}")
        return scanner.take("WEBVTT") && scanner.next.map { CaptionText.isSpace($0) } ?? true
    }

    private init(lines: [String]) { self.lines = lines }

    private mutating func document() throws(CaptionError) -> CaptionDocument {
        guard let first = lines.first, Self.hasSignature(first) else {
            throw .unknownFormat(beginning: String((lines.first ?? "").prefix(40)))
        }
        index = 1
        header()
        while index < lines.count {
            if lines[index].isEmpty { index += 1 } else { block() }
        }
        // A cue may refer only to an existing region.
        let known = Set(regions.map(\.id))
        for place in cues.indices where cues[place].settings.region.map({ !known.contains($0) }) == true {
            cues[place].settings.region = nil
        }
        return CaptionDocument(cues: cues, regions: regions, styleSheets: styleSheets, timestampMap: timestampMap)
    }

    /// The lines below the signature up to the first empty one, or up to cues that follow without one.
    private mutating func header() {
        while index < lines.count, !lines[index].isEmpty {
            let line = lines[index]
            if line.hasPrefix("Region:") {
                addRegion(WebVTTSettings.region([String(line.dropFirst(7))], separator: "="))
            } else if line.hasPrefix("X-TIMESTAMP-MAP=") {
                timestampMap = WebVTTSettings.timestampMap(String(line.dropFirst(16))) ?? timestampMap
            } else if line.contains("-->") {
                return
            }
            index += 1
        }
    }

    /// One block: a cue, a style sheet, a region, or a comment.
    private mutating func block() {
        var cue: CaptionCue?
        var buffer: [String] = []
        var count = 0
        var seenArrow = false
        while index < lines.count, !lines[index].isEmpty {
            let line = lines[index]
            count += 1
            if line.contains("-->") {
                // The first such line gives the times; a second one starts the next cue, whose separating empty line is missing.
                guard count == 1 || count == 2 && !seenArrow else { break }
                seenArrow = true
                cue = WebVTTSettings.cue(timing: line)
                if cue != nil {
                    cue?.id = buffer.first ?? ""
                    buffer = []
                }
            } else {
                buffer.append(line)
            }
            index += 1
        }
        if var cue {
            guard cues.count < CaptionBounds.cues else { return }
            cue.source = CaptionBounds.text(buffer.joined(separator: "\n"))
            cue.nodes = WebVTTText.parse(cue.source, spansLeft: &spansLeft)
            cues.append(cue)
        } else if !seenArrow, cues.isEmpty, let name = buffer.first {
            let body = Array(buffer.dropFirst())
            if isName("STYLE", name) { styleSheets.append(body.joined(separator: "\n")) }
            if isName("REGION", name) { addRegion(WebVTTSettings.region(body, separator: ":")) }
        }
    }

    private func isName(_ name: String, _ line: String) -> Bool {
        line.hasPrefix(name) && line.unicodeScalars.dropFirst(name.unicodeScalars.count).allSatisfy(CaptionText.isSpace)
    }

    /// A region replaces an earlier one with the same id.
    private mutating func addRegion(_ region: CaptionRegion?) {
        guard let region else { return }
        regions.removeAll { $0.id == region.id }
        if regions.count < Self.mostRegions { regions.append(region) }
    }
}
