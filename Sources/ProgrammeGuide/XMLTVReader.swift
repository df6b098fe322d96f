import ChannelFeed
import XMLEvents

/// Parses XMLTV with Expat, event by event, so that a file of a hundred channels costs no more memory than the programmes that
/// are kept. Lenient: invalid parts are skipped and reported, and the start of a truncated file is used. Files compressed with
/// gzip are recognised by their signature. Any thread.
package enum XMLTVReader {
    /// Larger files are refused.
    package static let mostBytes = 64 << 20
    private static let mostProgrammes = 200_000
    /// The most remarks about one file.
    static let mostRemarks = 10

    /// Parses a file.
    ///
    /// - Parameter interval: programmes outside it are skipped.
    /// - Throws: `GuideError` when it contains nothing to show.
    package static func read(_ bytes: [UInt8], within interval: Range<FeedDate>, name: String) throws(GuideError) -> GuideListings
    {
        guard bytes.count <= mostBytes else {
            throw GuideError(
                "Reading the guide \(name) failed: it has \(bytes.count >> 20) MiB, more than \(mostBytes >> 20); split it.")
        }
        let desk = XMLTVDesk(interval: interval, most: mostProgrammes)
        guard let parser = XMLEventParser(desk) else {
            throw GuideError("Reading the guide \(name) failed: out of memory; it is retried later.")
        }
        var fault: String?
        if GzipReader.isGzip(bytes) {
            func parse(_ piece: UnsafeRawBufferPointer, isLast: Bool) -> Bool {
                do throws(XMLFault) { try parser.parse(piece, isLast: isLast) } catch { fault = error.description }
                return fault == nil
            }
            do {
                try GzipReader().unpack(bytes, most: mostBytes) { parse($0, isLast: false) }
                if fault == nil { _ = parse(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true) }
            } catch {
                switch error {
                case .brokenOff: fault = "line \(parser.line): the gzip file is incomplete"
                case .damaged(let words): fault = "line \(parser.line): the gzip file is damaged (\(words))"
                case .tooLong:
                    throw GuideError(
                        "Reading the guide \(name) failed: it has more than \(mostBytes >> 20) MiB when it is unpacked; split it."
                    )
                }
            }
        } else {
            do throws(XMLFault) { try parser.parse(bytes) } catch { fault = error.description }
        }
        return try desk.listings(fault: fault, name: name)
    }
}

/// The state of a parse.
private final class XMLTVDesk: XMLEventReceiver {
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
    private var text: (name: String, language: String, words: String)?

    struct Draft {
        var channel: String
        var start: FeedDate
        var stop: FeedDate?
        var titles: [LocalizedText.Entry] = []
        var summaries: [LocalizedText.Entry] = []
    }

    init(interval: Range<FeedDate>, most: Int) {
        self.interval = interval
        self.most = most
    }

    private func remark(_ words: String) { if remarks.count < XMLTVReader.mostRemarks { remarks.append(words) } }

    func began(_ name: String, _ attributes: [String: String]) {
        depth += 1
        switch (depth, name) {
        case (1, _): isGuide = name == "tv"
        case (2, "channel"): channel = attributes["id"]
        case (2, "programme"): draft = programme(attributes)
        case (3, "display-name") where channel != nil, (3, "title") where draft != nil, (3, "desc") where draft != nil:
            text = (name, attributes["lang"] ?? "und", "")
        default: break
        }
    }

    private func programme(_ attributes: [String: String]) -> Draft? {
        guard isGuide, let channel = attributes["channel"], !channel.isEmpty else {
            remark("a programme names no channel")
            return nil
        }
        guard let start = attributes["start"].flatMap(XMLTVDate.read) else {
            remark("\(channel): \"\(attributes["start"] ?? "")\" is not a valid start time")
            return nil
        }
        let stop = attributes["stop"].flatMap(XMLTVDate.read)
        if let text = attributes["stop"], stop == nil {
            remark("\(channel): \"\(text)\" is not a valid end time")
        }
        guard start < interval.upperBound, (stop ?? start) >= interval.lowerBound else { return nil }
        return Draft(channel: channel, start: start, stop: stop)
    }

    func came(_ words: String) {
        guard let length = text?.words.utf8.count, length < 16_384 else { return }
        text?.words += words
    }

    func ended(_ name: String) {
        if depth == 3, let text, text.name == name {
            let words = text.words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if !words.isEmpty { take(LocalizedText.Entry(language: text.language, text: words), of: name) }
            self.text = nil
        } else if depth == 2 {
            if let draft { keep(draft) }
            draft = nil
            channel = nil
        }
        depth -= 1
    }

    private func take(_ entry: LocalizedText.Entry, of name: String) {
        switch name {
        case "display-name": if let channel { names[channel, default: []].append(entry.text) }
        case "title": draft?.titles.append(entry)
        default: draft?.summaries.append(entry)
        }
    }

    private func keep(_ draft: Draft) {
        guard !draft.titles.isEmpty else { return remark("\(draft.channel): the programme at \(draft.start) has no title") }
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
            guard end > draft.start else { return nil }
            return ListedProgramme(
                start: draft.start, end: end, title: LocalizedText(entries: draft.titles),
                summary: draft.summaries.isEmpty ? nil : LocalizedText(entries: draft.summaries))
        }
    }
}
