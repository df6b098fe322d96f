import WireFormats

/// The series of a list whose titles say `Name S01E02`.
struct ListedEpisodes {
    /// A title with a season and an episode.
    struct Name {
        let series: String
        let season: Int
        let episode: Int

        /// Nil when the title does not say so.
        init?(_ title: String) {
            let letters = Array(title)
            for start in letters.indices where letters[start] == "S" || letters[start] == "s" {
                if start > 0, letters[start - 1].isLetter || letters[start - 1].isNumber { continue }
                var position = start + 1
                func number(_ most: Int) -> Int? {
                    let digits = letters[min(position, letters.count)...].prefix(most).prefix { $0.isASCII && $0.isNumber }
                    position += digits.count
                    return Int(String(digits))
                }
                guard let season = number(3) else { continue }
                while position < letters.count, letters[position] == " " { position += 1 }
                guard position < letters.count, letters[position] == "E" || letters[position] == "e" else { continue }
                position += 1
                guard let episode = number(5), position == letters.count || !letters[position].isLetter else { continue }
                let name = letters[..<start].reversed().drop { " -–:._|".contains($0) }.reversed()
                guard !name.isEmpty else { return nil }
                (series, self.season, self.episode) = (String(name), season, episode)
                return
            }
            return nil
        }
    }

    private struct Series {
        let name: String
        let id: JSONText
        let place: SourcePlace
        var episodes: [(season: Int, episode: Int, item: String)] = []
    }

    private var list: [Series] = []
    private var indexes: [String: Int] = [:]

    func contains(_ name: Name) -> Bool { indexes[name.series.lowercased()] != nil }

    /// Adds an episode.
    ///
    /// - Parameter id: the id of its series, when this is the first episode of it.
    mutating func add(_ name: Name, item: String, id: JSONText?, at place: SourcePlace) {
        let key = name.series.lowercased()
        if let id {
            indexes[key] = list.count
            list.append(Series(name: name.series, id: id, place: place))
        }
        guard let index = indexes[key] else { return }
        list[index].episodes.append((name.season, name.episode, item))
    }

    /// The series with their seasons and episodes in order.
    func series(_ conversion: inout Conversion) -> [FeedDocument.Entry] {
        list.map { series in
            var entry = FeedDocument.Entry(at: series.place)
            entry.set("id", series.id)
            entry.set("title", conversion.title(series.name, at: series.place))
            let sorted = series.episodes.enumerated().sorted { one, other in
                (one.element.season, one.element.episode, one.offset) < (
                    other.element.season, other.element.episode, other.offset
                )
            }.map(\.element)
            let numbers = sorted.map(\.season).reduce(into: [Int]()) { if $0.last != $1 { $0.append($1) } }
            let seasons = numbers.map { number in
                JSONText.object([
                    ("number", .number("\(number)")),
                    ("episodes", .array(sorted.filter { $0.season == number }.map { .string($0.item) })),
                ])
            }
            entry.set("seasons", .array(seasons))
            return entry
        }
    }
}
