import MediaModel

/// Parses rectangles on the screen: the distances from the edges of an anchor and a size, in percent.
struct ScreenBoxParser {
    /// What a rectangle has where the feed says nothing, in percent, and what it is called.
    struct Usual {
        let name: String
        /// The distance from the edges.
        let margin: Double
        /// The width and the height.
        let side: Double
        /// The least width and height; 0: anything above it.
        let leastSide: Int
    }

    /// The screen on which they are placed.
    static let screen = (width: 1920, height: 1080)

    private enum Place { case first, middle, last }

    let values: FeedValues
    let findings: FeedFindings

    /// A rectangle in pixels of a 1920x1080 screen; never outside it.
    func box(_ object: FeedObject, anchor: ScreenOverlay.Anchor, _ usual: Usual) -> PixelRect {
        let across = side(
            object, offset: "x", length: "width", of: Self.screen.width,
            place: anchor.isLeft ? .first : anchor.isRight ? .last : .middle, usual)
        let down = side(
            object, offset: "y", length: "height", of: Self.screen.height,
            place: anchor.isTop ? .first : anchor.isBottom ? .last : .middle, usual)
        return PixelRect(x: across.start, y: down.start, width: across.length, height: down.length)
    }

    /// One dimension.
    private func side(
        _ object: FeedObject, offset: String, length: String, of whole: Int, place: Place, _ usual: Usual
    ) -> (start: Int, length: Int) {
        let percent = values.number(object, length, in: usual.leastSide...100, isAbove: usual.leastSide == 0) ?? usual.side
        let pixels = min(max(Int((Double(whole) * percent / 100).rounded()), 1), whole)
        if place == .middle {
            if let node = object[offset] {
                findings.warn(
                    .withoutEffect, node, "the anchor is in the middle of this direction",
                    "Remove it, or choose an anchor at an edge; the box shows the \(usual.name) in the middle.")
            }
            return ((whole - pixels) / 2, pixels)
        }
        let distance = Int((Double(whole) * (values.percent(object, offset) ?? usual.margin) / 100).rounded())
        if distance + pixels > whole, let node = object[offset] ?? object[length] {
            findings.fail(
                .wrongType, node, "the \(usual.name) ends outside the screen",
                "Write \"\(offset)\" and \"\(length)\" that are together at most 100; without values they are \(Int(usual.margin)) and \(Int(usual.side))."
            )
        }
        let inside = min(distance, whole - pixels)
        return (place == .first ? inside : whole - pixels - inside, pixels)
    }
}

extension ScreenOverlay.Anchor {
    fileprivate var isLeft: Bool { [.topLeft, .left, .bottomLeft].contains(self) }
    fileprivate var isRight: Bool { [.topRight, .right, .bottomRight].contains(self) }
    fileprivate var isTop: Bool { [.topLeft, .top, .topRight].contains(self) }
    fileprivate var isBottom: Bool { [.bottomLeft, .bottom, .bottomRight].contains(self) }
}
