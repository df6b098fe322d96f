import ChannelFeed
import URLReferences
import WireFormats

/// Converts a list in extended M3U: streams without an end become channels, files become items, groups become rows.
struct ChannelListConverter {
    private var conversion: Conversion
    private let list: ChannelList
    private let guide: SourceGuide?
    private var groups: [(name: String, place: SourcePlace, ids: [JSONText])] = []
    private var groupIndexes: [String: Int] = [:]
    /// The index of a channel by what makes two entries one channel.
    private var channelIndexes: [String: Int] = [:]
    private var episodes = ListedEpisodes()

    init(_ list: ChannelList, guide: SourceGuide?, _ conversion: Conversion) {
        self.list = list
        self.guide = guide
        self.conversion = conversion
    }

    mutating func converted() -> Conversion {
        for line in list.unfinished { conversion.warn(Self.place(line), "an #EXTINF has no address", "It is left out.") }
        for line in list.brokenQuotes {
            conversion.warn(Self.place(line), "a quotation mark is missing", "The title is what follows the last comma.")
        }
        let guideURL = guideAddress()
        for entry in list.entries {
            loseTags(of: entry)
            let address = Self.parts(of: entry.address).url
            // What is received as it is sent has no end, whatever the list says.
            let isEndless = entry.isRadio || DatagramAddress.isScheme(URLReference(address).scheme ?? "")
            let isFile = (Double(entry.duration ?? "") ?? 0) > 0 || MediaNames.isFile(address)
            if isFile, !isEndless { readItem(entry) } else { readChannel(entry, guideURL) }
        }
        numberChannels()
        for series in episodes.series(&conversion) { conversion.document.append(series, to: .series) }
        for group in groups {
            var row = FeedDocument.Entry(at: group.place)
            row.set("title", conversion.title(group.name, at: group.place))
            row.set("items", .array(group.ids))
            conversion.document.append(row, to: .rows)
        }
        return conversion
    }

    private static func place(_ line: Int) -> SourcePlace { SourcePlace("line \(line)") }

    // MARK: What is lost

    private static let known: Set<String> = [
        "tvg-id", "tvg-name", "tvg-logo", "tvg-chno", "channel-number", "ch-number", "group-title", "radio", "tvg-language",
        "logo",
    ]

    private mutating func loseTags(of entry: ChannelList.Entry) {
        for tag in entry.otherTags {
            conversion.warn(
                Self.place(tag.line), "a channel feed has no place for #\(Conversion.oneLine(tag.name))",
                "It is left out: a stream that needs request headers gets them from [feed] headers of marquee.toml.")
        }
        for name in entry.attributes.keys.sorted() where !Self.known.contains(name) && entry.attributes[name]?.isEmpty == false {
            conversion.lose("the attribute \(Conversion.quoted(name))", at: Self.place(entry.infoLine))
        }
    }

    /// The guide of all channels.
    private mutating func guideAddress() -> String? {
        if let guide, let url = guide.url { return url }
        let first = SourcePlace("line 1")
        let given = ["url-tvg", "x-tvg-url", "tvg-url"].compactMap { list.header[$0] }.first { !$0.isEmpty } ?? ""
        let urls = given.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init)
        for other in urls.dropFirst() {
            conversion.warn(first, "a channel has one guide, and \(Conversion.quoted(other)) is a second one", "It is left out.")
        }
        for name in list.header.keys.sorted() where !["url-tvg", "x-tvg-url", "tvg-url"].contains(name) {
            if list.header[name]?.isEmpty == false { conversion.lose("the attribute \(Conversion.quoted(name))", at: first) }
        }
        return urls.first
    }

    // MARK: Channels

    private mutating func readChannel(_ entry: ChannelList.Entry, _ guideURL: String?) {
        let name = Self.title(of: entry)
        let tvgID = entry.attributes["tvg-id"] ?? ""
        guard let stream = stream(of: entry) else { return }
        let key = tvgID + "\n" + name
        if !tvgID.isEmpty, let index = channelIndexes[key] {
            // The same channel again: another address of it.
            conversion.document.change(.channels, index) { channel in
                channel.set("streams", .array((channel["streams"]?.elements ?? []) + [stream]))
            }
            return
        }
        var channel = FeedDocument.Entry(at: Self.place(entry.infoLine))
        let id = conversion.madeID(from: tvgID.isEmpty ? name : tvgID)
        channel.set("id", id)
        if let text = entry.attributes["tvg-chno"] ?? entry.attributes["channel-number"] ?? entry.attributes["ch-number"],
            !text.isEmpty
        {
            if let number = Int(text), (0...99_999).contains(number) {
                channel.set("number", .number("\(number)"))
            } else {
                conversion.warn(
                    Self.place(entry.infoLine), "\(Conversion.quoted(text)) is not a channel number", "Another is given.")
            }
        }
        channel.set("title", conversion.title(name, at: Self.place(entry.infoLine)))
        channel.set("streams", .array([stream]), at: Self.place(entry.line))
        if let guide = guideEntry(for: entry, name: name, guideURL) { channel.set("guide", guide) }
        setLogo(of: entry, into: &channel)
        setGroups(of: entry, id: id, into: &channel)
        channelIndexes[key] = conversion.document[.channels].count
        conversion.document.append(channel, to: .channels)
    }

    private mutating func guideEntry(for entry: ChannelList.Entry, name: String, _ url: String?) -> JSONText? {
        guard let url else { return nil }
        let wanted = entry.attributes["tvg-id"] ?? ""
        let found: String?
        if let guide {
            found = guide.channel(id: wanted, names: [entry.attributes["tvg-name"] ?? "", name])
            if found == nil, !wanted.isEmpty {
                conversion.warn(
                    Self.place(entry.infoLine), "the guide has no channel \(Conversion.quoted(wanted))",
                    "The channel has no guide.")
            }
        } else {
            found = wanted.isEmpty ? nil : wanted
        }
        guard let found, let address = conversion.url(url) else { return nil }
        return .object([("xmltv", address), ("id", .string(found))])
    }

    /// Channels with a number keep it; the others get free ones after the highest, in the order of the list.
    private mutating func numberChannels() {
        var used: Set<Int> = []
        var channels = conversion.document[.channels]
        func number(of channel: FeedDocument.Entry) -> Int? {
            if case .number(let text)? = channel["number"] { Int(text) } else { nil }
        }
        for index in channels.indices {
            guard let number = number(of: channels[index]) else { continue }
            if !used.insert(number).inserted {
                conversion.warn(channels[index].place, "the number \(number) belongs to another channel", "Another is given.")
                channels[index].remove("number")
            }
        }
        guard !used.isEmpty else { return }
        var next = (used.max() ?? 0) + 1
        for index in channels.indices where number(of: channels[index]) == nil {
            while used.contains(next) || next > 99_999 { next = next >= 99_999 ? 1 : next + 1 }
            used.insert(next)
            channels[index].set("number", .number("\(next)"))
        }
        conversion.document[.channels] = channels
    }

    // MARK: Files

    private mutating func readItem(_ entry: ChannelList.Entry) {
        let place = Self.place(entry.infoLine)
        let name = Self.title(of: entry)
        guard let stream = stream(of: entry) else { return }
        var item = FeedDocument.Entry(at: place)
        let tvgID = entry.attributes["tvg-id"] ?? ""
        let id = conversion.madeID(from: tvgID.isEmpty ? name : tvgID)
        item.set("id", id)
        let episode = ListedEpisodes.Name(name)
        item.set("type", .string(episode == nil ? "movie" : "episode"))
        item.set("title", conversion.title(name, at: place))
        if let duration = entry.duration, !duration.hasPrefix("-") {
            item.set("duration", conversion.duration(duration, at: place))
        }
        item.set("streams", .array([stream]), at: Self.place(entry.line))
        setLogo(of: entry, into: &item)
        if let episode, let text = id.string {
            let isNew = !episodes.contains(episode)
            let seriesID = isNew ? conversion.madeID(from: "series " + episode.series) : nil
            episodes.add(episode, item: text, id: seriesID, at: place)
            // The group shows the series once, and not every episode.
            if let seriesID { setGroups(of: entry, id: seriesID, into: &item) }
        } else {
            setGroups(of: entry, id: id, into: &item)
        }
        conversion.document.append(item, to: .items)
    }

    // MARK: Parts

    private static func title(of entry: ChannelList.Entry) -> String {
        let given = [entry.title, entry.attributes["tvg-name"] ?? ""].map(Conversion.oneLine).first { !$0.isEmpty }
        return given ?? Conversion.oneLine(String(entry.address.split(separator: "/").last ?? ""))
    }

    /// An address and the options that some players take after a bar.
    private static func parts(of address: String) -> (url: String, options: String?) {
        guard let bar = address.firstIndex(of: "|") else { return (address, nil) }
        return (String(address[..<bar]), String(address[address.index(after: bar)...]))
    }

    private mutating func stream(of entry: ChannelList.Entry) -> JSONText? {
        let (address, options) = Self.parts(of: entry.address)
        if options != nil {
            conversion.warn(
                Self.place(entry.line), "a channel feed has no place for options after the address",
                "They are left out: a stream that needs request headers gets them from [feed] headers of marquee.toml.")
        }
        guard let url = conversion.url(address) else {
            conversion.fail(Self.place(entry.line), "this is not an address", "It is left out.")
            return nil
        }
        return .object([("url", url)])
    }

    private func setLogo(of entry: ChannelList.Entry, into object: inout FeedDocument.Entry) {
        guard let url = (entry.attributes["tvg-logo"] ?? entry.attributes["logo"]).flatMap(conversion.url) else { return }
        object.set("artwork", .object([("poster", url)]), at: Self.place(entry.infoLine))
    }

    private mutating func setGroups(of entry: ChannelList.Entry, id: JSONText, into object: inout FeedDocument.Entry) {
        let text = entry.attributes["group-title"].flatMap { $0.isEmpty ? nil : $0 } ?? entry.group ?? ""
        let names = text.split(separator: ";").map { Conversion.oneLine(String($0)) }.filter { !$0.isEmpty }
        object.set("tags", conversion.tags(names))
        for name in names {
            if let index = groupIndexes[name] {
                groups[index].ids.append(id)
            } else {
                groupIndexes[name] = groups.count
                groups.append((name, Self.place(entry.infoLine), [id]))
            }
        }
    }
}
