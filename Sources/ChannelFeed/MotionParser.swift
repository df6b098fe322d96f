import MediaModel
import MediaTime

/// Parses how the picture of an item moves and fades.
struct MotionParser {
    /// The keys of a ramp, and of a place. The published schema must list them in this order.
    static let rampKeys = ["from", "to"]
    static let placeKeys = ["x", "y"]
    private static let keys = ["zoom", "pan", "fadeIn", "fadeOut"]

    private let values: FeedValues
    private let findings: FeedFindings

    init(values: FeedValues, findings: FeedFindings) {
        self.values = values
        self.findings = findings
    }

    /// Nil if it stands.
    func motion(of item: Item, _ object: FeedObject) -> PictureMotion? {
        let nodes = Self.keys.compactMap { object[$0] }
        guard let first = nodes.first else { return nil }
        var motion = PictureMotion()
        let isZoomed = readZoom(object, into: &motion)
        readPan(object, into: &motion)
        if let node = object["pan"], !isZoomed {
            findings.warn(
                .withoutEffect, node, "of a picture that is seen whole no part is chosen",
                "Write \"zoom\", such as {\"from\": 1.2, \"to\": 1.2}.")
        }
        motion.fadeIn = values.time(object, "fadeIn") ?? .zero
        motion.fadeOut = values.time(object, "fadeOut") ?? .zero
        if let reason = StillRule.obstacle(item, to: "moved") {
            for node in nodes { findings.warn(.withoutEffect, node, reason, "Remove it, or write a stream that is one picture.") }
            return nil
        }
        let duration = PictureMotion.duration(stated: item.duration)
        if motion.fadeIn + motion.fadeOut > duration {
            findings.warn(
                .overlayFades, object["fadeOut"] ?? first,
                "its fades last \(FeedTime.plain(motion.fadeIn + motion.fadeOut)), the item \(FeedTime.plain(duration))",
                "Write shorter fades; the picture is never whole.")
        }
        return motion == PictureMotion() ? nil : motion
    }

    /// - Returns: whether the feed means to enlarge it; so does one with a mistake.
    private func readZoom(_ object: FeedObject, into motion: inout PictureMotion) -> Bool {
        guard let node = object["zoom"] else { return false }
        guard let ramp = values.object(node, keys: Self.rampKeys) else { return true }
        var isWrong = false
        func zoom(_ key: String) -> Int {
            let factor = values.number(ramp, key, in: 1...FeedLimit.zoom)
            if factor == nil, ramp[key] != nil { isWrong = true }
            return factor.map { Int(($0 * 1000).rounded()) } ?? PictureMotion.View.whole.zoom
        }
        (motion.from.zoom, motion.to.zoom) = (zoom("from"), zoom("to"))
        return isWrong || motion.from.zoom != PictureMotion.View.whole.zoom || motion.to.zoom != PictureMotion.View.whole.zoom
    }

    private func readPan(_ object: FeedObject, into motion: inout PictureMotion) {
        guard let node = object["pan"], let ramp = values.object(node, keys: Self.rampKeys) else { return }
        func read(_ key: String, into view: inout PictureMotion.View) {
            guard let node = ramp[key], let place = values.object(node, keys: Self.placeKeys) else { return }
            func side(_ key: String) -> Int { Int(((values.percent(place, key) ?? 50) * 10).rounded()) }
            (view.x, view.y) = (side("x"), side("y"))
        }
        read("from", into: &motion.from)
        read("to", into: &motion.to)
    }
}
