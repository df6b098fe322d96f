import Captions
import MediaModel
import Screens

/// The content of one layer of captions: paragraphs in a window, or an image. The plan decides its vertical position, so moving
/// it draws nothing.
struct CaptionBlock: LayerContent {
    /// A paragraph: the text of one cue.
    struct Paragraph: Sendable, Hashable {
        var nodes: [CaptionNode]
        var alignment: CaptionSettings.Alignment
    }

    enum Material: Sendable, Hashable {
        case text([Paragraph])
        case image(CaptionImage)
    }

    var material: Material
    var look: CaptionLook
    /// The colour of the window that the captions request.
    var window: CaptionColour?
    /// The left edge of the area for lines.
    var x: Double
    /// For an image with a fixed position: its upper edge.
    var y = 0.0
    var width: Double
    /// For an image: its height.
    var height = 0.0
    var isWrapped = true
    /// The side of `x` and `width` at which a block as wide as its text lies: in the middle, left or right.
    var side = CaptionSettings.Alignment.center

    func bounds(_ kit: Kit) -> Rect {
        switch material {
        case .image: return Rect(x: x, y: y, width: width, height: height)
        case .text: return arrangement(kit).window
        }
    }

    /// The height of its first line, of which a position in lines is a multiple (WebVTT section 7.2); it depends on the script.
    func lineHeight(_ kit: Kit) -> Double {
        switch material {
        case .image: height
        case .text: arrangement(kit).texts.first?.text.lines.first?.height ?? look.size
        }
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        switch material {
        case .image(let image): canvas.image(image, in: Rect(x: x, y: y, width: width, height: height))
        case .text:
            let arrangement = arrangement(kit)
            if let tint = look.window(window) { canvas.fill(arrangement.window, radius: (look.size * 0.15).rounded(), tint) }
            for (text, place) in arrangement.texts {
                guard let background = text.background else { continue }
                // Lines that touch are one area: no seam, and no part is darkened twice. Their edges lie between pixels of the screen.
                for line in text.lines { canvas.replace(kit.scale.snapped(line.moved(place.x, place.y)), background) }
            }
            for (text, place) in arrangement.texts { text.draw(on: canvas, x: place.x, y: place.y) }
        }
    }

    private func arrangement(_ kit: Kit) -> (window: Rect, texts: [(text: CaptionText, place: (x: Double, y: Double))]) {
        guard case .text(let paragraphs) = material else { return (Rect(x: x, y: 0, width: 0, height: 0), []) }
        var texts: [(text: CaptionText, place: (x: Double, y: Double))] = []
        let padding = (look.size * 0.3).rounded()
        let room = max(width - 2 * padding, look.size)
        var y = 0.0
        var left = Double.infinity, right = -Double.infinity
        for paragraph in paragraphs {
            let text = CaptionText(
                paragraph.nodes, look: look, width: room, alignment: paragraph.alignment, isWrapped: isWrapped, fonts: kit.fonts)
            let bounds = text.bounds
            let placed: Double =
                switch resolved(paragraph) {
                // With a width Pango has already aligned the lines; without one the block itself is moved.
                case _ where isWrapped: x + padding
                case .left: x + padding
                case .right: x + width - padding - bounds.width - bounds.x
                default: x + width / 2 - bounds.width / 2 - bounds.x
                }
            for line in text.lines {
                left = min(left, line.x + placed)
                right = max(right, line.maxX + placed)
            }
            texts.append((text, (placed, y)))
            y += bounds.height
        }
        guard left.isFinite, right > left else { return (Rect(x: x, y: 0, width: 1, height: 1), texts) }
        return (Rect(x: left, y: 0, width: right - left, height: y), texts)
    }

    /// The side of a paragraph on the screen.
    private func resolved(_ paragraph: Paragraph) -> CaptionSettings.Alignment {
        switch paragraph.alignment {
        case .left, .right, .center: return paragraph.alignment
        case .start: return CaptionText.isRightToLeft(paragraph.nodes) ? .right : .left
        case .end: return CaptionText.isRightToLeft(paragraph.nodes) ? .left : .right
        }
    }
}
