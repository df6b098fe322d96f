import MediaModel
import WireFormats

/// Parses the part of the screen that the video of an item or a channel has.
struct FrameParser {
    /// The keys of a frame. The published schema must list them in this order.
    static let keys = ["anchor", "x", "y", "width", "height", "colour", "background", "inInterstitials"]
    /// Smaller video cannot be watched, and not every card can make it.
    private static let usual = ScreenBoxParser.Usual(name: "frame", margin: 0, side: 100, leastSide: 10)

    let values: FeedValues
    let findings: FeedFindings
    let artwork: ArtworkParser

    /// Nil: the whole screen.
    func frame(_ object: FeedObject) -> ScreenFrame? {
        guard let node = object["frame"], let parts = values.object(node, keys: Self.keys) else { return nil }
        let anchor = values.word(parts, "anchor", as: ScreenOverlay.Anchor.self) ?? .topLeft
        let box = ScreenBoxParser(values: values, findings: findings).box(parts, anchor: anchor, Self.usual)
        // An empty text is no picture.
        let background = parts["background"].flatMap { artwork.picture($0) }.flatMap { $0.isEmpty ? nil : $0 }
        return ScreenFrame(
            box: box.withEvenEdges, colour: colour(parts) ?? .black,
            background: background,
            isKeptInInterstitials: values.boolean(parts, "inInterstitials") ?? false)
    }

    private func colour(_ object: FeedObject) -> OpaqueColour? {
        guard let node = object["colour"] else { return nil }
        guard let text = values.string(node) else { return nil }
        if text.hasPrefix("#"), let parts = [UInt8](hexadecimal: text.dropFirst()), parts.count == 3 {
            return OpaqueColour(red: parts[0], green: parts[1], blue: parts[2])
        }
        findings.fail(.wrongType, node, "\(FeedText.quoted(text)) is not a colour", "Write one such as \"#102030\".")
        return nil
    }
}

extension PixelRect {
    /// Itself with the nearest even edges inside, as the chroma of video needs.
    fileprivate var withEvenEdges: PixelRect {
        let (left, top) = ((x + 1) & ~1, (y + 1) & ~1)
        return PixelRect(x: left, y: top, width: (x + width) & ~1 - left, height: (y + height) & ~1 - top)
    }
}
