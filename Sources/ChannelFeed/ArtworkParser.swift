/// Parses pictures.
struct ArtworkParser {
    /// The keys of a set of pictures. The published schema must list them in this order.
    static let keys = ["poster", "still", "background", "logo"]
    static let pictureKeys = ["url", "width", "height"]

    private let values: FeedValues
    private let findings: FeedFindings

    init(values: FeedValues, findings: FeedFindings) {
        self.values = values
        self.findings = findings
    }

    /// Pictures: one URL (the poster) or several by use. An empty text hides the stream's own picture.
    func artwork(_ object: FeedObject, _ key: String = "artwork") -> Artwork? {
        guard let node = object[key] else { return nil }
        if case .string = node.json.value { return Artwork(poster: picture(node)) }
        guard let pictures = values.object(node, keys: Self.keys) else { return nil }
        return Artwork(
            poster: pictures["poster"].flatMap { picture($0) }, still: pictures["still"].flatMap { picture($0) },
            background: pictures["background"].flatMap { picture($0) }, logo: pictures["logo"].flatMap { picture($0) })
    }

    /// A picture: its URL, or its URL with its size in pixels, which is then checked.
    ///
    /// - Parameter isGraphic: whether it is a sign and not a scene, and may be small.
    func picture(_ node: FeedNode, isGraphic: Bool = false) -> String? {
        if case .string(let text) = node.json.value { return text.isEmpty ? "" : values.url(node) }
        guard let object = values.object(node, keys: Self.pictureKeys) else { return nil }
        let width = values.integer(object, "width", in: 1...1_000_000)
        let height = values.integer(object, "height", in: 1...1_000_000)
        if let width, let height {
            let small = !isGraphic && node.name != "logo" && (width < 800 || height < 450) && (width < 450 || height < 800)
            if small || max(width, height) > 4096 {
                findings.warn(
                    .artworkSize, node, "a picture of \(width)x\(height)",
                    isGraphic
                        ? "Serve one of at most 4096 on a side; this one will appear late."
                        : "Serve one of at least 800x450 (or upright 450x800) and at most 4096 on a side; this one \(small ? "will look blurred" : "will appear late")."
                )
            }
        }
        return values.required(object, "url", "the URL of the picture").flatMap { values.url($0) }
    }
}
