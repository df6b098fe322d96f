/// Where in a feed what an id refers to is.
struct FeedIndex: Sendable, Hashable {
    /// The place of an episode in the lists of the feed.
    struct EpisodePlace: Sendable, Hashable {
        let series: Int
        let season: Int
        let episode: Int
    }

    private var references: [String: Reference] = [:]
    private var places: [Reference: Int] = [:]
    private var episodes: [String: EpisodePlace] = [:]
    /// The series with an episode, in the feed's order, where there are several.
    private var sharing: [String: [Int]] = [:]
    /// The episode after another one, in the series of its first place.
    private var following: [String: String] = [:]

    init() {}

    init(channels: [Channel], series: [Series], items: [Item]) {
        for (place, channel) in channels.enumerated() { add(.channel(channel.id), at: place) }
        for (place, series) in series.enumerated() {
            add(.series(series.id), at: place)
            for (season, value) in series.seasons.enumerated() {
                for (episode, id) in value.episodes.enumerated() where episodes[id] == nil {
                    episodes[id] = EpisodePlace(series: place, season: season, episode: episode)
                }
            }
            let order = series.order
            for (number, id) in order.enumerated() {
                if let first = episodes[id]?.series, first != place {
                    sharing[id, default: [first]].append(place)
                } else if number + 1 < order.count {
                    following[id] = order[number + 1]
                }
            }
        }
        for (place, item) in items.enumerated() { add(.item(item.id), at: place) }
    }

    private mutating func add(_ reference: Reference, at place: Int) {
        references[reference.id] = reference
        places[reference] = place
    }

    /// What an id refers to.
    subscript(id: String) -> Reference? { references[id] }

    /// Its place in the feed's list of its kind.
    func place(of reference: Reference) -> Int? { places[reference] }

    /// The first place of an episode in a series.
    func episode(_ id: String) -> EpisodePlace? { episodes[id] }

    /// The places of all series with an episode, in the feed's order.
    func series(with id: String) -> [Int] { sharing[id] ?? episodes[id].map { [$0.series] } ?? [] }

    /// The episode after another one in its first series, each of whose episodes counts once.
    func episode(after id: String) -> String? { following[id] }
}
