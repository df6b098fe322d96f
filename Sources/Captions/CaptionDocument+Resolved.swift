/// A document's cues on their own.
extension CaptionDocument {
    /// The cues with what the document says beside them: regions as boxes, style sheets as styles of spans. What is shown needs nothing else.
    package func resolved() -> [CaptionCue] {
        let sheet = styleSheets.isEmpty ? nil : CueStyleSheet(styleSheets)
        guard sheet != nil || !regions.isEmpty else { return cues }
        return cues.map { cue in
            var cue = cue
            if let sheet { cue.nodes = sheet.apply(to: cue) }
            if cue.box == nil, let id = cue.settings.region, let region = regions.first(where: { $0.id == id }) {
                cue.box = region.box
            }
            return cue
        }
    }
}

extension CaptionRegion {
    /// The height of a line, as a part of the video's height (WebVTT section 3.4: 5.33 vh).
    static let lineHeight = 0.0533

    /// Where the region lies.
    var box: CaptionBox {
        let width = width / 100
        let height = Double(lines) * Self.lineHeight
        return CaptionBox(
            x: viewportAnchor.x / 100 - regionAnchor.x / 100 * width, y: viewportAnchor.y / 100 - regionAnchor.y / 100 * height,
            width: width, height: height)
    }
}
