import WireFormats

/// Reads and checks channel feeds (version 1): the same rules for an operator's tools and for the box.
///
/// Pure: no network, no clock. Checks that need the network (probing) or a key (signatures) are made elsewhere, under the codes
/// of `FeedCode`.
package enum FeedReader {
    /// Reads one document as a whole feed, without its further pages, and reports everything that is wrong with it, not only the first
    /// problem.
    ///
    /// - Parameters:
    ///   - bytes: the document as received.
    ///   - baseURL: its origin: an absolute URL, or the absolute path of a file.
    ///   - options: what is known about the box.
    /// - Returns: the feed with everything that passed, or none when it is refused, and the findings in the order of the text.
    package static func read(_ bytes: [UInt8], baseURL: String, options: FeedOptions = FeedOptions()) -> FeedVerdict {
        read([FeedPage(bytes, url: baseURL, options: options)], problem: nil, options: options)
    }

    /// Reads a feed of all its pages. Findings in a further page have its address in their pointers.
    ///
    /// - Precondition: the pages are complete, or refused.
    package static func read(_ pages: FeedPages) -> FeedVerdict {
        read(pages.pages, problem: pages.problem, options: pages.options)
    }

    private static func read(_ pages: [FeedPage], problem: FeedPages.Problem?, options: FeedOptions) -> FeedVerdict {
        let findings = FeedFindings()
        var roots: [FeedNode] = []
        for (index, page) in pages.enumerated() {
            let place = FeedNode.Page(index: index, address: FeedPages.shownAddress(of: page, index: index))
            if case .document(let document) = page.content {
                roots.append(FeedNode(json: document, step: nil, page: place))
            } else {
                refuse(page, place, options, findings)
            }
        }
        if let problem, let last = roots.last {
            let place = pages.last?.top?["next"].map { last.child($0, "next") } ?? last
            findings.report(.refusal, .badPage, place, problem.message, problem.remedy)
        }
        guard problem == nil, roots.count == pages.count, let first = roots.first else { return findings.verdict(nil, of: pages) }
        let parser = FeedParser(options: options, findings: findings, origin: pages[0].url)
        let further = zip(roots, pages).dropFirst().map { ($0, $1.url) }
        return findings.verdict(parser.feed(first, further: further), of: pages)
    }

    /// Reports why the text of a page cannot be read.
    private static func refuse(_ page: FeedPage, _ place: FeedNode.Page, _ options: FeedOptions, _ findings: FeedFindings) {
        func report(
            _ code: FeedCode, at offset: Int = 0, _ step: FeedNode.Step? = nil, message: String, remedy: String
        ) {
            let node = FeedNode(json: JSONNode(value: .null, offset: offset), step: step, page: place)
            findings.report(.refusal, code, node, showing: false, message, remedy)
        }
        switch page.content {
        case .document: break
        case .tooLarge:
            report(
                .tooLarge, message: "the feed has \(page.bytes.count) bytes",
                remedy: "Keep it at \(options.maximumBytes) or fewer; split it into pages with \"next\".")
        case .fault(let fault):
            switch fault.kind {
            case .notUTF8: report(.notUTF8, at: fault.offset, message: fault.reason, remedy: "Save the feed as UTF-8.")
            case .tooDeep:
                report(
                    .tooDeep, at: fault.offset, message: fault.reason,
                    remedy: "No part of a feed needs that: remove the deeper levels.")
            case .syntax:
                report(.notJSON, at: fault.offset, message: "not JSON: \(fault.reason)", remedy: "Repair the text at this place.")
            }
        case .duplicates(let duplicates):
            for duplicate in duplicates {
                let step = duplicate.pointer.tokens.reduce(nil as FeedNode.Step?) { FeedNode.Step(parent: $0, token: $1) }
                report(
                    .duplicateKey, at: duplicate.offset, step,
                    message: "the key \(FeedText.quoted(step?.token ?? "")) appears twice in one object",
                    remedy: "Remove one of them: programs disagree about which one counts.")
            }
        }
    }
}
