import ChannelFeed
import MediaModel
import MediaTime
import WireFormats

/// Everything of a feed that can be compared with the real streams and files, in the order of the feed.
package enum ProbePlan {
    /// - Parameters:
    ///   - feed: what passed the check.
    ///   - pages: its text, for the places of its objects: what did not pass is not in `feed`.
    package static func questions(_ feed: Feed, _ pages: FeedPages) -> [ProbeQuestion] {
        let places = DocumentPlaces(pages)
        var questions: [ProbeQuestion] = []
        for channel in feed.channels {
            guard let place = places.channels[channel.id] else { continue }
            for (number, stream) in channel.streams.enumerated() {
                let pointer = place.appending("streams").appending(number)
                questions.append(ProbeQuestion(.stream(stream.location), at: location(of: stream, at: pointer), .channel(stream)))
                questions += digest(stream, at: pointer)
            }
            if let guide = channel.guide {
                let pointer = place.appending("guide").appending("xmltv")
                questions.append(ProbeQuestion(.resource(guide.xmltv), at: pointer, .present))
            }
            questions += pictures(channel.artwork, at: place)
            questions += screen(channel.screen, at: place)
        }
        for series in feed.series {
            guard let place = places.series[series.id] else { continue }
            questions += pictures(series.artwork, at: place)
        }
        for item in feed.items {
            guard let found = places.items[item.id] else { continue }
            questions += self.questions(item, found)
        }
        return questions
    }

    private static func questions(_ item: Item, _ found: DocumentPlaces.ItemPlace) -> [ProbeQuestion] {
        let place = found.pointer
        var questions: [ProbeQuestion] = []
        let interstitials = found.interstitials.map { place.appending("interstitials").appending($0) }
        for (number, stream) in item.streams.enumerated() {
            let pointer = place.appending("streams").appending(number)
            let expectation = ProbeQuestion.Expectation.item(item, stream, at: place, interstitials: interstitials)
            questions.append(ProbeQuestion(.stream(stream.location), at: location(of: stream, at: pointer), expectation))
            questions += digest(stream, at: pointer)
        }
        for (number, track) in item.subtitles.enumerated() {
            let pointer = place.appending("subtitles").appending(number).appending("url")
            questions.append(ProbeQuestion(.resource(track.url), at: pointer, .present))
        }
        if let thumbnails = item.thumbnails {
            let pointer = place.appending("thumbnails").appending("bif")
            questions.append(ProbeQuestion(.thumbnails(thumbnails), at: pointer, .thumbnails))
        }
        return questions + pictures(item.artwork, at: place) + screen(item.screen, at: place)
    }

    private static func screen(_ screen: ProgrammeScreen, at place: JSONPointer) -> [ProbeQuestion] {
        var questions = screen.overlays.compactMap(\.address).map {
            ProbeQuestion(.resource($0), at: place.appending("overlays"), .present)
        }
        if let background = screen.frame?.background {
            let pointer = place.appending("frame").appending("background")
            questions.append(ProbeQuestion(.resource(background), at: pointer, .present))
        }
        return questions
    }

    /// Where the feed has the location of a stream.
    private static func location(of stream: Stream, at pointer: JSONPointer) -> JSONPointer {
        switch stream.location {
        case .url: pointer.appending("url")
        case .composition: pointer.appending("composition")
        }
    }

    private static func digest(_ stream: Stream, at pointer: JSONPointer) -> [ProbeQuestion] {
        guard let sha256 = stream.sha256, let url = stream.location.url else { return [] }
        return [ProbeQuestion(.digest(url), at: pointer.appending("sha256"), .digest(sha256))]
    }

    private static func pictures(_ artwork: Artwork?, at place: JSONPointer) -> [ProbeQuestion] {
        let pictures = [artwork?.poster, artwork?.still, artwork?.background, artwork?.logo].compactMap(\.self)
        return pictures.filter { !$0.isEmpty }.map { ProbeQuestion(.resource($0), at: place.appending("artwork"), .present) }
    }
}

/// Where the text of a feed has the objects with an id. The first owner of an id keeps it, as in the feed itself.
struct DocumentPlaces {
    struct ItemPlace {
        let pointer: JSONPointer
        /// The indexes of its interstitials, in the order of their starts.
        let interstitials: [Int]
    }

    private(set) var channels: [String: JSONPointer] = [:]
    private(set) var series: [String: JSONPointer] = [:]
    private(set) var items: [String: ItemPlace] = [:]

    init(_ pages: FeedPages) {
        for (document, address) in pages.documents {
            func pointer(_ list: String, _ index: Int) -> JSONPointer { JSONPointer([list, String(index)], in: address) }
            for (id, index, _) in Self.objects(document, "channels") where channels[id] == nil {
                channels[id] = pointer("channels", index)
            }
            for (id, index, _) in Self.objects(document, "series") where series[id] == nil {
                series[id] = pointer("series", index)
            }
            for (id, index, object) in Self.objects(document, "items") where items[id] == nil {
                items[id] = ItemPlace(pointer: pointer("items", index), interstitials: Self.interstitials(object))
            }
        }
    }

    private static func objects(_ document: JSONNode, _ list: String) -> [(id: String, index: Int, object: JSONObject)] {
        guard case .object(let top) = document.value, case .array(let nodes)? = top[list]?.value else { return [] }
        return nodes.enumerated().compactMap { index, node in
            guard case .object(let object) = node.value, case .string(let id)? = object["id"]?.value else { return nil }
            return (id, index, object)
        }
    }

    private static func interstitials(_ item: JSONObject) -> [Int] {
        guard case .array(let nodes)? = item["interstitials"]?.value else { return [] }
        let starts = nodes.enumerated().map { index, node -> (start: MediaTime, index: Int) in
            guard case .object(let object) = node.value, let start = object["start"] else { return (.zero, index) }
            switch start.value {
            case .number(let text), .string(let text): return (FeedTime.parse(text) ?? .zero, index)
            case .null, .boolean, .array, .object: return (.zero, index)
            }
        }
        return starts.sorted { ($0.start, $0.index) < ($1.start, $1.index) }.map(\.index)
    }
}
