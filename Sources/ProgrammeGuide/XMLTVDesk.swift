import ChannelFeed
import XMLEvents

/// The state of a parse of XMLTV: what has been read, and the element that is being read.
final class XMLTVDesk: XMLEventReceiver {
    private let interval: Range<FeedDate>
    private let most: Int
    private var depth = 0
    private var isGuide = false
    private var remarks: [String] = []
    private var drafts: [String: [Draft]] = [:]
    private var names: [String: [String]] = [:]
    private var count = 0
    private var channel: String?
    private var draft: Draft?
    private var text: (name: String, depth: Int, attributes: [String: String], words: String)?

    private struct Draft {
        var channel: String
        var start: FeedDate
        var stop: FeedDate?
        var texts: [String: [LocalizedText.Entry]] = [:]
        var episodes: [String: String] = [:]
        var icon: String?
        var rating: String?

        func localized(_ name: String) -> LocalizedText? { texts[name].map { LocalizedText(entries: $0) } }
    }

    /// The elements of a programme whose texts are kept.
    private static let kept: Set<String> = ["title", "sub-title", "desc", "category", "episode-num"]
    private static let mostText = 16_384

    init(interval: Range<FeedDate>, most: Int) {
        self.interval = interval
        self.most = most
    }

    private func remark(_ words: String) { if remarks.count < XMLTVReader.mostRemarks { remarks.append(words) } }

    /// The text is not well formed: what was being read is lost, and the next element is the outermost one again.
    func lose(_ words: String) {
        remark(words)
        (depth, draft, channel, text) = (0, nil, nil, nil)
    }

    func began(_ name: String, _ attributes: [String: String]) {
        depth += 1
        switch (depth, name) {
        case (1, _): isGuide = name == "tv"
        case (2, "channel"): channel = Self.id(attributes["id"])
        case (2, "programme"): draft = programme(attributes)
        case (3, "display-name") where channel != nil: text = (name, depth, attributes, "")
        case (3, "icon"): if draft?.icon == nil { draft?.icon = attributes["src"].flatMap { $0.isEmpty ? nil : $0 } }
        case (3, _) where draft != nil && Self.kept.contains(name), (4, "value") where draft != nil && draft?.rating == nil:
            text = (name, depth, attributes, "")
        default: break
        }
    }

    /// Expat keeps the white space around an attribute, which is none of the name.
    private static func id(_ attribute: String?) -> String? {
        guard let attribute, attribute.first?.isWhitespace == true || attribute.last?.isWhitespace == true else {
            return attribute
        }
        let start = attribute.drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }

    private func programme(_ attributes: [String: String]) -> Draft? {
        guard isGuide, let channel = Self.id(attributes["channel"]), !channel.isEmpty else {
            remark("a programme names no channel")
            return nil
        }
        guard let start = attributes["start"].flatMap(XMLTVDate.read) else {
            remark("\(channel): \"\(attributes["start"] ?? "")\" is not a valid start time")
            return nil
        }
        var stop = attributes["stop"].flatMap(XMLTVDate.read)
        if let text = attributes["stop"], stop == nil { remark("\(channel): \"\(text)\" is not a valid end time") }
        // An end before the start says nothing: the programme ends where the next one begins.
        if let end = stop, end <= start { stop = nil }
        guard start < interval.upperBound, (stop ?? start) >= interval.lowerBound else { return nil }
        return Draft(channel: channel, start: start, stop: stop)
    }

    func came(_ words: String) {
        guard let length = text?.words.utf8.count, length < Self.mostText else { return }
        text?.words += words
    }

    func ended(_ name: String) {
        if let text, depth == text.depth {
            let words = text.words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if !words.isEmpty { take(words, of: text.name, text.attributes) }
            self.text = nil
        } else if depth == 2 {
            if let draft { keep(draft) }
            draft = nil
            channel = nil
        }
        depth -= 1
    }

    private func take(_ words: String, of name: String, _ attributes: [String: String]) {
        switch name {
        case "display-name": if let channel { names[channel, default: []].append(words) }
        case "value": draft?.rating = words
        case "episode-num": draft?.episodes[attributes["system"]?.lowercased() ?? "onscreen"] = words
        default:
            let entry = LocalizedText.Entry(language: attributes["lang"] ?? "und", text: words)
            // The first category of a language is the main one.
            if name == "category", draft?.texts[name]?.contains(where: { $0.language == entry.language }) == true { return }
            draft?.texts[name, default: []].append(entry)
        }
    }

    private func keep(_ draft: Draft) {
        guard draft.texts["title"] != nil else { return remark("\(draft.channel): the programme at \(draft.start) has no title") }
        guard count < most else { return remark("it has more than \(most) programmes; the rest is ignored") }
        count += 1
        drafts[draft.channel, default: []].append(draft)
    }

    func listings(fault: String?, name: String) throws(GuideError) -> GuideListings {
        guard isGuide else {
            throw GuideError(
                "Reading the guide \(name) failed: \(fault ?? "its outermost element is not tv"); give an XMLTV file.")
        }
        var result = GuideListings()
        result.names = names
        for (channel, drafts) in drafts { result.programmes[channel] = Self.ordered(drafts) }
        if let fault {
            guard count > 0 else {
                throw GuideError(
                    "Reading the guide \(name) failed: \(fault), and nothing before that could be used; repair the file.")
            }
            // It matters more than any other remark.
            remarks = ["it ends early at \(fault); the part before that is used"] + remarks.prefix(XMLTVReader.mostRemarks - 1)
        }
        result.remarks = remarks
        return result
    }

    /// Ordered by time. A programme ends at the latest when the next begins; one without an end ends there, and the last after an
    /// hour.
    private static func ordered(_ drafts: [Draft]) -> [ListedProgramme] {
        // Of two that begin together the later in the file is the newer.
        var byStart: [FeedDate: Draft] = [:]
        for draft in drafts { byStart[draft.start] = draft }
        let sorted = byStart.values.sorted { $0.start < $1.start }
        return sorted.indices.compactMap { index in
            let draft = sorted[index]
            let next = index + 1 < sorted.count ? sorted[index + 1].start : nil
            var end = draft.stop ?? next ?? FeedDate(milliseconds: draft.start.milliseconds + 3_600_000)
            if let next { end = min(end, next) }
            guard end > draft.start, let title = draft.localized("title") else { return nil }
            return ListedProgramme(start: draft.start, end: end, title: title, details: details(draft))
        }
    }

    private static func details(_ draft: Draft) -> ListedProgramme.Details {
        var details = ListedProgramme.Details()
        details.subtitle = draft.localized("sub-title")
        details.summary = draft.localized("desc")
        details.category = draft.localized("category")
        details.episode = draft.episodes["onscreen"] ?? draft.episodes["xmltv_ns"].flatMap(episode)
        details.icon = draft.icon
        details.rating = draft.rating
        return details
    }

    /// `1.4.0/1`: season, episode and part, counted from zero, each of which may be missing.
    private static func episode(_ text: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
            Int(part.filter { !$0.isWhitespace }.prefix { $0 != "/" }).flatMap { (0..<100_000).contains($0) ? $0 + 1 : nil }
        }
        let words = [parts.first.flatMap { $0 }.map { "S\($0)" }, parts.dropFirst().first.flatMap { $0 }.map { "E\($0)" }]
        let known = words.compactMap { $0 }
        return known.isEmpty ? nil : known.joined(separator: " ")
    }
}
