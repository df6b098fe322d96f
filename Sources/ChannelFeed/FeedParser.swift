import MediaTime

/// The parsers of what several parts of a feed have.
struct PartParsers {
    let streams: StreamParser
    let artwork: ArtworkParser
    let ratings: RatingParser
    let windows: WindowParser
}

/// Parses the document into values, checks every rule, and leaves out what did not pass. A parser is used once.
struct FeedParser {
    /// The keys of a feed. The published schema must list them in this order.
    static let keys = [
        "$schema", "feedVersion", "id", "revision", "groups", "lastUpdated", "validUntil", "defaultLanguage", "languages",
        "provider", "refresh", "baseUrl", "start", "next", "channels", "series", "items", "rows", "policy",
    ]

    /// The settings of a feed: of a further page they have no effect.
    private static let settings = [
        "groups", "validUntil", "defaultLanguage", "languages", "provider", "refresh", "start", "policy",
    ]

    private let options: FeedOptions
    private let findings: FeedFindings
    private let urls: FeedURLs
    private let values: FeedValues

    /// - Parameter origin: where the feed is from: an absolute URL, or the absolute path of a file.
    init(options: FeedOptions, findings: FeedFindings, origin: String) {
        self.options = options
        self.findings = findings
        urls = FeedURLs(origin: origin, options: options, findings: findings)
        values = FeedValues(findings: findings, urls: urls)
    }

    /// - Parameters:
    ///   - node: the first page, which has the settings.
    ///   - further: the other pages, and the URL of each. Their lists continue those of the first page.
    /// - Returns: nil when the feed is refused.
    func feed(_ node: FeedNode, further: [(node: FeedNode, url: String)]) -> Feed? {
        var feed = Feed()
        guard let (version, object) = document(node) else { return nil }
        feed.version = version
        let artwork = ArtworkParser(values: values, findings: findings)
        let ratings = RatingParser(values: values, findings: findings)
        readTop(of: &feed, object, SettingsParser(values: values, findings: findings, artwork: artwork, ratings: ratings))

        let parts = PartParsers(
            streams: StreamParser(values: values, findings: findings, options: options), artwork: artwork, ratings: ratings,
            windows: WindowParser(
                values: values, findings: findings, clock: options.clock, refreshInterval: feed.refresh.interval))
        var draft = FeedDraft()
        read(object, into: &draft, parts)
        var pages = [object]
        for (node, url) in further {
            urls.setPage(origin: url)
            guard let (_, page) = document(node), continues(page, feed) else { return nil }
            if let node = page["baseUrl"], let url = values.url(node) { urls.setBase(url) }
            read(page, into: &draft, parts)
            pages.append(page)
        }
        let resolver = ReferenceResolver(values: values, findings: findings, clock: options.clock)
        resolver.checkUnique(&draft)
        resolver.checkReferences(&draft)
        let rows = pages.flatMap { page in
            values.list(page, "rows").compactMap { resolver.row($0, directory: draft.directory) }
        }
        feed.start = resolver.start(object, directory: draft.directory)
        checkClock(object, draft: draft, feed)
        let assembler = FeedAssembler(findings: findings)
        assembler.assemble(&feed, draft, rows: rows)
        assembler.checkProposals(of: draft, assembled: feed)
        assembler.checkStored(of: draft)

        guard !feed.channels.isEmpty || !feed.items.isEmpty else {
            findings.report(
                .refusal, .nothingPlayable, node, showing: false, "nothing in the feed can be played",
                "Write at least one channel or item with a stream, and repair the errors above.")
            return nil
        }
        return isForThisBox(object) && revisionIsAccepted(feed.revision, object) ? feed : nil
    }

    /// The version and the members of a page. Nil, with a refusal, when it is not a document of a feed.
    private func document(_ node: FeedNode) -> (FeedVersion, FeedObject)? {
        guard case .object = node.json.value else {
            findings.report(
                .refusal, .notJSON, node, "the feed is \(FeedText.value(node.json)), not an object",
                "Write {\"feedVersion\": 1, \"channels\": […]}.")
            return nil
        }
        guard let version = version(node), let object = values.object(node, keys: Self.keys) else { return nil }
        return (version, object)
    }

    /// Whether a further page belongs to the same edition of the same feed, so that pages of two editions are never mixed. Reports
    /// settings without effect.
    private func continues(_ page: FeedObject, _ feed: Feed) -> Bool {
        let id = page["id"].flatMap { values.id($0) }
        if let node = page["id"], id != feed.id {
            findings.report(
                .refusal, .badPage, node, "the page is of another feed than the first page",
                "Write the id of the first page, or none.")
            return false
        }
        let revision = values.integer(page, "revision", in: 0...Int64.max)
        if revision != feed.revision, revision != nil || options.appliedRevision != nil {
            findings.report(
                .refusal, .badPage, page["revision"] ?? page.missing("revision"), showing: false,
                "the page is of another revision than the first page",
                "Write \"revision\": \(feed.revision.map(String.init) ?? "…") in each page, and publish all of them before the first."
            )
            return false
        }
        for key in Self.settings {
            guard let node = page[key] else { continue }
            findings.report(
                .warning, .unknownKey, node, showing: false, "\(FeedText.quoted(key)) in a further page",
                "It is ignored; write it in the first page.")
        }
        return true
    }

    /// The version as decimal text: `1`, `1.2`, or the same in quotation marks. Nil, with a refusal, when this box does not
    /// support it.
    private func version(_ node: FeedNode) -> FeedVersion? {
        guard case .object(let object) = node.json.value, let version = object["feedVersion"] else {
            findings.report(
                .refusal, .unknownVersion, node, showing: false, "\"feedVersion\" is missing", "Write \"feedVersion\": 1.")
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
        findings.report(
            .refusal, .unknownVersion, node.child(version, "feedVersion"),
            "this box reads version 1, not \(FeedText.value(version))",
            "Write \"feedVersion\": 1, or update the box.")
        return nil
    }

    private func readTop(of feed: inout Feed, _ object: FeedObject, _ settings: SettingsParser) {
        if let node = object["baseUrl"], let url = values.url(node) { urls.setBase(url) }
        feed.baseURL = urls.baseURL
        feed.id = object["id"].flatMap { values.id($0) }
        feed.revision = values.integer(object, "revision", in: 0...Int64.max)
        feed.lastUpdated = values.date(object, "lastUpdated")
        feed.validUntil = values.date(object, "validUntil")
        feed.defaultLanguage = object["defaultLanguage"].flatMap { values.language($0) }
        values.require(defaultLanguage: feed.defaultLanguage)
        feed.languages = values.list(object, "languages").compactMap { values.language($0) }
        feed.provider = settings.provider(object)
        feed.refresh = settings.refresh(object)
        feed.policy = settings.policy(object)
    }

    /// Reads the lists of a page, except its rows, which name entries of all pages.
    private func read(_ object: FeedObject, into draft: inout FeedDraft, _ parts: PartParsers) {
        _ = values.url(object, "next")
        let channels = ChannelParser(parts, values: values, findings: findings)
        let series = SeriesParser(parts, values: values)
        let items = ItemParser(parts, values: values, findings: findings)
        for node in values.list(object, "channels") {
            draft.channelCount += 1
            channels.channel(node, place: draft.channelCount).map { draft.channels.append((node, node.index, $0)) }
        }
        for node in values.list(object, "series") {
            series.series(node).map { draft.series.append((node, node.index, $0)) }
        }
        for node in values.list(object, "items") {
            items.item(node).map { draft.items.append((node, node.index, $0)) }
        }
    }

    /// With pinned keys a feed that names groups is only for their boxes: what the same key has signed for others is not for this one.
    private func isForThisBox(_ object: FeedObject) -> Bool {
        let groups = values.strings(object, "groups")
        guard let group = options.group, let node = object["groups"], !groups.contains(group) else { return true }
        findings.report(
            .refusal, .otherGroup, node, showing: false, "the feed is not for the group \(FeedText.quoted(group)) of this box",
            "Offer the feed of its group at this address, or add the group.")
        return false
    }

    /// With pinned keys a revision is required and must not fall.
    private func revisionIsAccepted(_ revision: Int64?, _ object: FeedObject) -> Bool {
        guard let applied = options.appliedRevision else { return true }
        guard let revision else {
            findings.report(
                .refusal, .revisionFell, object["revision"] ?? object.missing("revision"), showing: false,
                "no revision, and keys are pinned",
                "Write \"revision\": \(applied &+ 1).")
            return false
        }
        if revision >= applied { return true }
        findings.report(
            .refusal, .revisionFell, object["revision"] ?? object.node, "revision \(revision) < \(applied)",
            "Write \(applied) or more: a box accepts no feed that is older than the last one.")
        return false
    }

    /// Reports an expired feed or, once, that windows do not apply because the clock is not trusted.
    private func checkClock(_ object: FeedObject, draft: FeedDraft, _ feed: Feed) {
        if case .trusted(let now) = options.clock, let validUntil = feed.validUntil, validUntil <= now,
            let node = object["validUntil"]
        {
            findings.warn(
                .windowExpired, node, "the feed was valid until \(validUntil)",
                "Publish a newer one. Until then, items with a strict window are hidden and the rest can be played.")
        }
        guard options.clock == .untrusted else { return }
        let windows =
            draft.channels.map { ($0.node, $0.value.window != nil || $0.value.kind == .schedule) }
            + draft.items.map { ($0.node, $0.value.window != nil) }
        let hours = feed.policy.hours.flatMap { _ in object["policy"]?.member("hours") }
        guard let first = windows.first(where: \.1)?.0 ?? object["validUntil"] ?? hours else { return }
        findings.report(
            .warning, .clockNotTrusted, first, showing: false, "the clock of this box is not verified yet",
            "Windows, validUntil, schedules and opening hours wait until a time server or a verified server's date agrees.")
    }
}
