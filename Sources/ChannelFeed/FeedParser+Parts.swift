import MediaTime
import URLReferences

extension FeedParser {
    /// The longest title, heading or genre, in characters.
    static let titleLimit = 120
    /// The longest description, in characters.
    static let descriptionLimit = 500

    // MARK: URLs

    mutating func url(_ object: FeedObject, _ key: String) -> String? { object[key].flatMap { url($0) } }

    /// The absolute URL of a text.
    mutating func url(_ node: FeedNode) -> String? {
        guard let text = string(node) else { return nil }
        guard !text.isEmpty, let reference = URLReference(checking: text) else {
            fail(
                .badURL, node, "\(FeedText.quoted(text)) is not a URL",
                "Write one such as \"https://cdn.example/film.m3u8\", spaces as %20.")
            return nil
        }
        let absolute: URLReference
        if reference.scheme != nil {
            absolute = reference
        } else if let base {
            absolute = reference.resolved(on: base)
        } else {
            fail(
                .badURL, node, "\(FeedText.quoted(text)) is relative and there is no base",
                "Write the whole URL, or a \"baseUrl\" at the top of the feed.")
            return nil
        }
        return isAllowed(absolute, at: node) ? absolute.description : nil
    }

    private mutating func isAllowed(_ url: URLReference, at node: FeedNode) -> Bool {
        let scheme = url.scheme ?? ""
        let shown = FeedText.quoted(url.description)
        if url.credentials != nil {
            // The credentials are secret: they are not repeated in a report.
            report(
                .error, .badURL, node, showing: false, "the URL holds a user name or password",
                "Remove the part before the @; secrets belong in [feed] headers of marquee.toml.")
            return false
        }
        if scheme == "file", allowsFiles { return true }
        guard scheme == "https" || scheme == "http" else {
            fail(.badURL, node, "\(shown) has the scheme \"\(scheme)\"", "Write an https URL.")
            return false
        }
        guard let host = url.host, !host.isEmpty, url.portIsValid else {
            fail(
                .badURL, node, "\(shown) has no host that can be reached", "Write one such as \"https://cdn.example/film.m3u8\".")
            return false
        }
        let isOurs = host == "localhost" || host == "127.0.0.1" || host == "[::1]"
        if scheme == "http", !isOurs, !options.plainHTTPHosts.contains(host) {
            fail(
                .plainHTTP, node, "plain http to \"\(host)\" is not allowed",
                "Write https, or add the host to [feed] allow_http in marquee.toml.")
            return false
        }
        return true
    }

    // MARK: Streams

    /// The streams under a key, in fail-over order.
    mutating func streams(_ object: FeedObject) -> [Stream] {
        list(object, "streams").compactMap { stream($0) }
    }

    private mutating func stream(_ node: FeedNode) -> Stream? {
        guard let object = object(node, keys: FeedKeys.stream) else { return nil }
        guard let place = required(object, "url", "the URL of the stream"), let url = url(place) else { return nil }
        var stream = Stream(url: url)
        stream.codecs = object["codecs"].map { codecs($0) } ?? []
        stream.maxHeight = integer(object, "maxHeight", in: 1...16_384).map(Int.init)
        if let node = object["sha256"], let text = string(node) {
            let digits = text.lowercased()
            if digits.utf8.count == 64, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) {
                stream.sha256 = digits
            } else {
                fail(.wrongType, node, "\(FeedText.quoted(text)) is not a SHA-256", "Write its 64 hexadecimal digits.")
            }
        }
        stream.audio = list(object, "audio").compactMap { audioHint($0) }
        return stream
    }

    /// Codecs as a comma-separated text (RFC 6381) or as a list.
    private mutating func codecs(_ node: FeedNode) -> [String] {
        var found: [(FeedNode, String)] = []
        switch node.json.value {
        case .string(let text): found = text.split(separator: ",").map { (node, String($0.filter { $0 != " " })) }
        case .array: found = elements(node).compactMap { child in string(child).map { (child, $0) } }
        default: wrongType(node, "codecs such as \"avc1.4d401f,mp4a.40.2\"")
        }
        if let canDecode = options.canDecode {
            for (place, codec) in found where !canDecode(codec) {
                fail(
                    .codecUnsupported, place, "this model does not decode \(FeedText.quoted(codec))",
                    "Serve a stream in a codec that it decodes; see marquee doctor.")
            }
        }
        return found.map(\.1)
    }

    private mutating func audioHint(_ node: FeedNode) -> AudioHint? {
        if case .string = node.json.value { return language(node).map { AudioHint(language: $0) } }
        guard let object = object(node, keys: FeedKeys.audioHint),
            let place = required(object, "language", "a tag such as \"en\""),
            let language = language(place)
        else { return nil }
        return AudioHint(language: language, kind: string(object, "kind"))
    }

    // MARK: Text and pictures

    mutating func tags(_ object: FeedObject) -> [String] { list(object, "tags").compactMap { string($0) } }

    /// Pictures: one URL (the poster) or several by use. An empty text hides the stream's own picture.
    mutating func artwork(_ object: FeedObject, _ key: String = "artwork") -> Artwork? {
        guard let node = object[key] else { return nil }
        if case .string = node.json.value { return Artwork(poster: picture(node)) }
        guard let pictures = self.object(node, keys: FeedKeys.artwork) else { return nil }
        return Artwork(
            poster: pictures["poster"].flatMap { picture($0) }, still: pictures["still"].flatMap { picture($0) },
            background: pictures["background"].flatMap { picture($0) }, logo: pictures["logo"].flatMap { picture($0) })
    }

    /// A picture: its URL, or its URL with its size in pixels, which is then checked.
    mutating func picture(_ node: FeedNode) -> String? {
        if case .string(let text) = node.json.value { return text.isEmpty ? "" : url(node) }
        guard let object = object(node, keys: FeedKeys.picture) else { return nil }
        let width = integer(object, "width", in: 1...1_000_000)
        let height = integer(object, "height", in: 1...1_000_000)
        if let width, let height {
            let small = node.name != "logo" && (width < 800 || height < 450) && (width < 450 || height < 800)
            if small || max(width, height) > 4096 {
                warn(
                    .artworkSize, node, "a picture of \(width)x\(height)",
                    "Serve one of at least 800x450 (or upright 450x800) and at most 4096 on a side; this one \(small ? "will look blurred" : "will appear late")."
                )
            }
        }
        return required(object, "url", "the URL of the picture").flatMap { url($0) }
    }

    mutating func rating(_ object: FeedObject, _ key: String = "rating") -> Rating? {
        guard let node = object[key] else { return nil }
        if case .string(let text) = node.json.value, text.isEmpty { return Rating(system: "", value: "") }
        guard let parts = self.object(node, keys: FeedKeys.rating) else { return nil }
        guard let value = required(parts, "value", "the rating, e.g. \"PG-13\"").flatMap({ string($0) }) else { return nil }
        if value.isEmpty { return Rating(system: "", value: "") }
        guard let place = required(parts, "system", "\(FeedText.choice(RatingSystem.allCases.map(\.rawValue)))"),
            let system = string(place)
        else { return nil }
        check(rating: Rating(system: system, value: value), systemAt: place, valueAt: parts["value"] ?? node)
        return Rating(system: system, value: value)
    }

    /// The rules for ratings, which apply everywhere.
    mutating func check(rating: Rating, systemAt: FeedNode, valueAt: FeedNode) {
        guard let known = RatingSystem(named: rating.system) else {
            let names = RatingSystem.allCases.map(\.rawValue)
            let suggestion = suggestions.nearest(to: rating.system, among: names).map { "Did you mean \"\($0)\"? " }
            report(
                .warning, .unknownRatingSystem, systemAt, "unknown rating system \(FeedText.quoted(rating.system))",
                (suggestion ?? "Known are \(FeedText.choice(names)). ") + "It is locked wherever a parental limit is set.")
            return
        }
        guard known.minimumAge(of: rating.value) == nil else { return }
        let values = known == .age ? ["an age from 0 to 21"] : known.table.map { "\"\($0.value)\"" }
        fail(
            .unknownRating, valueAt, "\(known.rawValue) has no rating \(FeedText.quoted(rating.value))",
            "Write \(FeedText.choice(values)).")
    }

    // MARK: Windows

    mutating func window(_ object: FeedObject) -> Window? {
        guard let node = object["window"], let parts = self.object(node, keys: FeedKeys.window) else { return nil }
        let window = Window(from: date(parts, "from"), to: date(parts, "to"))
        guard let to = window.to, let end = parts["to"] else { return window }
        if let from = window.from, to <= from {
            fail(.windowReversed, end, "the window ends \(to) before it begins \(from)", "Write a later \"to\" or leave it out.")
            return window
        }
        if let from = window.from, MediaTime.milliseconds(to.milliseconds - from.milliseconds) < refreshInterval {
            let length = FeedTime.plain(.milliseconds(to.milliseconds - from.milliseconds))
            warn(
                .windowShort, node,
                "a window of \(length) s is shorter than the refresh interval of \(FeedTime.plain(refreshInterval)) s",
                "A box may not see it between two refreshes: publish it earlier, or refresh more often.")
        }
        if case .trusted(let now) = options.clock, to <= now {
            warn(.windowExpired, end, "expired at \(to)", "It is hidden; write a later \"to\" or remove it from the feed.")
        }
        return window
    }
}
