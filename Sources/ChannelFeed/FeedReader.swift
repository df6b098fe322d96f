import MediaTime
import URLReferences

/// Reads and checks channel feeds (version 1): the same rules for an operator's tools and for the box.
///
/// Pure: no network, no clock. Checks that need the network (probing) or a key (signatures) are made elsewhere, under the codes
/// of `FeedCode`.
package enum FeedReader {
    /// Reads a feed and reports everything that is wrong with it, not only the first problem.
    ///
    /// - Parameters:
    ///   - bytes: the document as received.
    ///   - baseURL: its origin: an absolute URL, or the absolute path of a file.
    ///   - options: what is known about the box.
    /// - Returns: the feed with everything that passed, or none when it is refused, and the findings in the order of the text.
    package static func read(_ bytes: [UInt8], baseURL: String, options: FeedOptions = FeedOptions()) -> FeedVerdict {
        var parser = FeedParser(options: options, bytes: bytes)
        let top = FeedNode(json: JSONNode(value: .null, offset: 0), step: nil)
        func refusal(_ code: FeedCode, _ node: FeedNode, _ message: String, _ remedy: String) {
            parser.report(.refusal, code, node, showing: false, message, remedy)
        }

        guard bytes.count <= options.maximumBytes else {
            refusal(
                .tooLarge, top, "the feed has \(bytes.count) bytes",
                "Keep it at \(options.maximumBytes) or fewer; split it into pages with \"next\".")
            return parser.verdict(nil)
        }
        var reader = JSONReader(bytes, maximumDepth: options.maximumDepth)
        let document: JSONNode
        do {
            document = try reader.read()
        } catch {
            let place = FeedNode(json: JSONNode(value: .null, offset: error.offset), step: nil)
            switch error.kind {
            case .notUTF8: refusal(.notUTF8, place, error.reason, "Save the feed as UTF-8.")
            case .tooDeep: refusal(.tooDeep, place, error.reason, "No part of a feed needs that: remove the deeper levels.")
            case .syntax: refusal(.notJSON, place, "not JSON: \(error.reason)", "Repair the text at this place.")
            }
            return parser.verdict(nil)
        }
        for duplicate in reader.duplicates {
            let steps = duplicate.pointer.tokens.reduce(nil as FeedNode.Step?) { FeedNode.Step(parent: $0, token: $1) }
            let place = FeedNode(json: JSONNode(value: .null, offset: duplicate.offset), step: steps)
            refusal(
                .duplicateKey, place, "the key \(FeedText.quoted(place.name)) appears twice in one object",
                "Remove one of them: programs disagree about which one counts.")
        }
        guard reader.duplicates.isEmpty else { return parser.verdict(nil) }
        return parser.read(document, baseURL: baseURL)
    }
}

extension FeedParser {
    /// Parses the whole document, checks every rule, and leaves out what did not pass.
    mutating func read(_ document: JSONNode, baseURL: String) -> FeedVerdict {
        let node = FeedNode(json: document, step: nil)
        guard case .object = document.value else {
            report(
                .refusal, .notJSON, node, "the feed is \(FeedText.value(document)), not an object",
                "Write {\"feedVersion\": 1, \"channels\": […]}.")
            return verdict(nil)
        }
        var feed = Feed()
        guard let version = version(node) else { return verdict(nil) }
        feed.version = version
        guard let object = object(node, keys: FeedKeys.feed) else { return verdict(nil) }
        readTop(of: &feed, object, baseURL: baseURL)

        var draft = FeedDraft()
        for (index, node) in list(object, "channels").enumerated() {
            channel(node, place: index + 1).map { draft.channels.append((node, index, $0)) }
        }
        for (index, node) in list(object, "series").enumerated() { series(node).map { draft.series.append((node, index, $0)) } }
        for (index, node) in list(object, "items").enumerated() { item(node).map { draft.items.append((node, index, $0)) } }
        checkUnique(&draft)
        checkReferences(&draft)
        let rows = list(object, "rows").enumerated().compactMap { index, node in row(node, index: index, draft: draft) }
        feed.start = start(object, draft: draft)
        checkClock(object, draft: draft, validUntil: feed.validUntil)
        assemble(&feed, draft, rows: rows)
        checkProposals(of: feed, draft: draft)

        guard !feed.channels.isEmpty || !feed.items.isEmpty else {
            report(
                .refusal, .nothingPlayable, node, showing: false, "nothing in the feed can be played",
                "Write at least one channel or item with a stream, and repair the errors above.")
            return verdict(nil)
        }
        guard revisionIsAccepted(feed.revision, object) else { return verdict(nil) }
        return verdict(feed)
    }

    /// The version as decimal text: `1`, `1.2`, or the same in quotation marks. Nil, with a refusal, when this box does not
    /// support it.
    private mutating func version(_ node: FeedNode) -> FeedVersion? {
        guard case .object(let object) = node.json.value, let version = object["feedVersion"] else {
            report(.refusal, .unknownVersion, node, showing: false, "\"feedVersion\" is missing", "Write \"feedVersion\": 1.")
            return nil
        }
        let text =
            switch version.value {
            case .number(let text), .string(let text): text
            default: ""
            }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let major = Int(parts[0]), let minor = parts.count == 2 ? Int(parts[1]) : 0, major == 1
        {
            return FeedVersion(major: major, minor: minor)
        }
        report(
            .refusal, .unknownVersion, node.child(version, "feedVersion"),
            "this box reads version 1, not \(FeedText.value(version))",
            "Write \"feedVersion\": 1, or update the box.")
        return nil
    }

    private mutating func readTop(of feed: inout Feed, _ object: FeedObject, baseURL: String) {
        let own = URLReference(checking: baseURL.hasPrefix("/") ? URLReference.file(path: baseURL) : baseURL)
        base = own.flatMap { $0.scheme == nil ? nil : $0 }
        allowsFiles = base?.scheme == "file"
        if let node = object["baseUrl"], let url = url(node) { base = URLReference(checking: url) }
        feed.baseURL = base?.description ?? ""
        feed.id = object["id"].flatMap { id($0) }
        feed.revision = integer(object, "revision", in: 0...Int64.max)
        feed.lastUpdated = date(object, "lastUpdated")
        feed.validUntil = date(object, "validUntil")
        feed.defaultLanguage = object["defaultLanguage"].flatMap { language($0) }
        defaultLanguage = feed.defaultLanguage
        feed.languages = list(object, "languages").compactMap { language($0) }
        feed.provider = provider(object)
        feed.refresh = refresh(object)
        refreshInterval = feed.refresh.interval
        feed.next = url(object, "next")
        feed.policy = policy(object)
    }

    /// With pinned keys a revision is required and must not fall.
    private mutating func revisionIsAccepted(_ revision: Int64?, _ object: FeedObject) -> Bool {
        guard let applied = options.appliedRevision else { return true }
        guard let revision else {
            report(
                .refusal, .revisionFell, object["revision"] ?? object.missing("revision"), showing: false,
                "no revision, and keys are pinned",
                "Write \"revision\": \(applied &+ 1).")
            return false
        }
        if revision >= applied { return true }
        report(
            .refusal, .revisionFell, object["revision"] ?? object.node, "revision \(revision) < \(applied)",
            "Write \(applied) or more: a box accepts no feed that is older than the last one.")
        return false
    }
}
