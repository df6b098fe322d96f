import WireFormats

/// What the categories and playlists of a Roku feed refer to, and the rows that they become.
struct RokuCatalogue {
    private struct Entry {
        let id: String
        /// The list it is in: `movies`, `series` and so on.
        let kind: String
        let tags: Set<String>
        /// The dates by which categories are ordered, as written; texts of one form compare as dates do.
        let released: String
        let added: String
    }

    private var entries: [Entry] = []
    /// The ids in the feed by the ids in the source.
    private var ids: [String: String] = [:]

    /// Adds a film, series or live feed that is in the feed under an id.
    mutating func add(_ node: SourceNode, id: String, kind: String) {
        let tags = (node["tags"]?.texts ?? []) + (node["genres"]?.texts ?? [])
        let content = node["content"] ?? node
        entries.append(
            Entry(
                id: id, kind: kind, tags: Set(tags.map { $0.lowercased() }), released: node["releaseDate"]?.text ?? "",
                added: content["dateAdded"]?.text ?? ""))
        if let source = node["id"]?.text, ids[source] == nil { ids[source] = id }
    }

    /// Adds a row for each category; without categories, one for each kind of programme.
    func writeRows(_ top: SourceNode, _ conversion: inout Conversion) {
        let categories = top.list("categories")
        var used: Set<String> = []
        for category in categories {
            conversion.loseKeys(of: category, except: ["name", "playlistName", "query", "order"])
            let name = category["name"]?.text ?? category["playlistName"]?.text ?? ""
            guard let title = conversion.title(name, at: category.place) else {
                conversion.fail(category.place, "a category has no \"name\"", "It is left out.")
                continue
            }
            var found: [String] = []
            if let node = category["playlistName"], let wanted = node.text {
                used.insert(wanted)
                guard let playlist = top.list("playlists").first(where: { $0["name"]?.text == wanted }) else {
                    conversion.fail(node.place, "there is no playlist \(Conversion.quoted(wanted))", "The row is left out.")
                    continue
                }
                found = members(of: playlist, &conversion)
            } else if let node = category["query"], let query = node.text {
                found = ordered(matching(query), by: category["order"], &conversion).map(\.id)
            }
            write(found, title: title, at: category.place, &conversion)
        }
        for playlist in top.list("playlists") where playlist["name"]?.text.map({ !used.contains($0) }) ?? true {
            // Without categories the playlists are all there is.
            if categories.isEmpty, let title = conversion.title(playlist["name"]?.text ?? "", at: playlist.place) {
                write(members(of: playlist, &conversion), title: title, at: playlist.place, &conversion)
            } else {
                conversion.warn(playlist.place, "no category shows this playlist", "It is left out.")
            }
        }
        if conversion.document[.rows].isEmpty { writeKinds(&conversion) }
    }

    private func members(of playlist: SourceNode, _ conversion: inout Conversion) -> [String] {
        playlist.list("itemIds").compactMap { node in
            if let text = node.text, let id = ids[text] { return id }
            conversion.warn(node.place, "nothing has the id \(Conversion.quoted(node.text ?? ""))", "It is left out of the row.")
            return nil
        }
    }

    private func write(_ ids: [String], title: JSONText, at place: SourcePlace, _ conversion: inout Conversion) {
        guard !ids.isEmpty else {
            return conversion.warn(place, "nothing is in this category", "The row is left out.")
        }
        var row = FeedDocument.Entry(at: place)
        row.set("title", title)
        row.set("items", .array(ids.map { .string($0) }))
        conversion.document.append(row, to: .rows)
    }

    private func writeKinds(_ conversion: inout Conversion) {
        let titles = [
            ("liveFeeds", "Live"), ("movies", "Movies"), ("series", "Series"), ("tvSpecials", "Specials"),
            ("shortFormVideos", "Videos"),
        ]
        for (kind, title) in titles {
            let ids = entries.filter { $0.kind == kind }.map(\.id)
            if !ids.isEmpty { write(ids, title: .string(title), at: .whole, &conversion) }
        }
    }

    // MARK: Queries

    /// The entries for a query: tags joined by AND and OR, AND first.
    private func matching(_ query: String) -> [Entry] {
        var alternatives: [[String]] = [[]]
        var word: [Substring] = []
        func tag() -> String { word.joined(separator: " ").lowercased() }
        for part in query.split(whereSeparator: \.isWhitespace) + [Substring("OR")] {
            switch part {
            case "AND", "OR":
                if !word.isEmpty { alternatives[alternatives.count - 1].append(tag()) }
                word = []
                if part == "OR" { alternatives.append([]) }
            default: word.append(part)
            }
        }
        let wanted = alternatives.filter { !$0.isEmpty }
        return entries.filter { entry in wanted.contains { $0.allSatisfy { entry.tags.contains($0) } } }
    }

    private func ordered(_ entries: [Entry], by order: SourceNode?, _ conversion: inout Conversion) -> [Entry] {
        func sorted(_ key: (Entry) -> String, newestFirst: Bool) -> [Entry] {
            entries.enumerated().sorted { one, other in
                let (left, right) = (key(one.element), key(other.element))
                if left == right { return one.offset < other.offset }
                return newestFirst ? left > right : left < right
            }.map(\.element)
        }
        switch order?.text?.lowercased() {
        case "most_recent": return sorted(\.added, newestFirst: true)
        case "chronological": return sorted(\.released, newestFirst: false)
        case "manual", nil: return entries
        default:
            if let order {
                conversion.warn(
                    order.place, "a row has no order by \(Conversion.quoted(order.text ?? ""))",
                    "The order of the source is used.")
            }
            return entries
        }
    }
}
