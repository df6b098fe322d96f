/// Parses series.
struct SeriesParser {
    /// The keys of a series. The published schema must list them in this order.
    static let keys = ["id", "title", "description", "artwork", "genre", "tags", "rating", "seasons"]

    private let values: FeedValues
    private let parts: PartParsers

    init(_ parts: PartParsers, values: FeedValues) {
        self.values = values
        self.parts = parts
    }

    /// One series; its episodes are looked up when everything is parsed.
    func series(_ node: FeedNode) -> Series? {
        guard let object = values.object(node, keys: Self.keys) else { return nil }
        var series = Series()
        series.id = values.required(object, "id", "a unique id").flatMap { values.id($0) } ?? ""
        if let title = values.required(object, "title", "the name of the series") {
            series.title = values.text(title, limit: FeedLimit.title) ?? series.title
        }
        series.description = values.text(object, "description", limit: FeedLimit.description)
        series.artwork = parts.artwork.artwork(object)
        series.genre = values.text(object, "genre", limit: FeedLimit.title)
        series.tags = values.strings(object, "tags")
        series.rating = parts.ratings.rating(object)
        return series
    }
}
