import ChannelFeed

/// Which programmes and series of a feed are like one another, by their genres and tags. A value, made once for each feed.
///
/// A shared genre counts three points, each shared tag two. More points come first, then what was not watched, then the feed's order; what has no point is
/// not there. An episode counts as its series, which has the genres and tags of its episodes too. Trailers are left out.
struct MoreLikeThis: Sendable {
    /// More are not shown.
    static let most = 12
    private static let genrePoints = 3
    private static let tagPoints = 2

    private struct Traits: Sendable {
        /// Of all languages: the same word in one of them is the same genre.
        var genres: Set<String> = []
        var tags: Set<String> = []

        mutating func add(_ genre: LocalizedText?, _ tags: [String]) {
            genres.formUnion((genre?.entries ?? []).map { $0.text.lowercased() }.filter { !$0.isEmpty })
            self.tags.formUnion(tags.map { $0.lowercased() })
        }
    }

    /// In the feed's order, series first.
    private var references: [Reference] = []
    private var traits: [Traits] = []
    /// The index of each item and series; an episode's is that of its series.
    private var indices: [String: Int] = [:]
    private var sharing: (genre: [String: [Int]], tag: [String: [Int]]) = ([:], [:])

    init(_ feed: Feed) {
        for series in feed.series {
            var own = Traits()
            own.add(series.genre, series.tags)
            for id in series.seasons.flatMap(\.episodes) {
                guard let episode = feed.item(id) else { continue }
                own.add(episode.genre, episode.tags)
                if indices[id] == nil { indices[id] = references.count }
            }
            add(.series(series.id), own)
        }
        for item in feed.items where indices[item.id] == nil && item.type != .trailer {
            var own = Traits()
            own.add(item.genre, item.tags)
            add(.item(item.id), own)
        }
    }

    private mutating func add(_ reference: Reference, _ own: Traits) {
        let index = references.count
        indices[reference.id] = index
        references.append(reference)
        traits.append(own)
        for genre in own.genres { sharing.genre[genre, default: []].append(index) }
        for tag in own.tags { sharing.tag[tag, default: []].append(index) }
    }

    /// What is most like an item or a series, the best first.
    func references(like id: String, isWatched: (Reference) -> Bool) -> [Reference] {
        guard let subject = indices[id] else { return [] }
        var points = [Int](repeating: 0, count: references.count)
        for index in Set(traits[subject].genres.flatMap { sharing.genre[$0] ?? [] }) { points[index] += Self.genrePoints }
        for tag in traits[subject].tags { for index in sharing.tag[tag] ?? [] { points[index] += Self.tagPoints } }
        points[subject] = 0
        let found = references.indices.filter { points[$0] > 0 }.map { (index: $0, wasSeen: isWatched(references[$0]) ? 1 : 0) }
        let ranked = found.sorted { one, other in
            (points[other.index], one.wasSeen, one.index) < (points[one.index], other.wasSeen, other.index)
        }
        return ranked.prefix(Self.most).map { references[$0.index] }
    }
}
