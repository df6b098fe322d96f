/// Self-contained cues of a document.
extension CaptionDocument {
    /// The cues with the document's regions resolved to boxes and its style sheets to styles of spans. Nothing else is needed to
    /// show them.
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
    /// The height of a line, as a fraction of the video's height (WebVTT section 3.4: 5.33 vh).
    static let lineHeight = 0.0533

    /// The region as a box.
    var box: CaptionBox {
        let width = width / 100
        let height = Double(lines) * Self.lineHeight
        return CaptionBox(
            x: viewportAnchor.x / 100 - regionAnchor.x / 100 * width, y: viewportAnchor.y / 100 - regionAnchor.y / 100 * height,
            width: width, height: height)
    }
}
