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
        let findings = FeedFindings()
        let top = FeedNode(json: JSONNode(value: .null, offset: 0), step: nil)
        func refusal(_ code: FeedCode, _ node: FeedNode, _ message: String, _ remedy: String) {
            findings.report(.refusal, code, node, showing: false, message, remedy)
        }

        guard bytes.count <= options.maximumBytes else {
            refusal(
                .tooLarge, top, "the feed has \(bytes.count) bytes",
                "Keep it at \(options.maximumBytes) or fewer; split it into pages with \"next\".")
            return findings.verdict(nil, of: bytes)
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
            return findings.verdict(nil, of: bytes)
        }
        for duplicate in reader.duplicates {
            let steps = duplicate.pointer.tokens.reduce(nil as FeedNode.Step?) { FeedNode.Step(parent: $0, token: $1) }
            let place = FeedNode(json: JSONNode(value: .null, offset: duplicate.offset), step: steps)
            refusal(
                .duplicateKey, place, "the key \(FeedText.quoted(place.name)) appears twice in one object",
                "Remove one of them: programs disagree about which one counts.")
        }
        guard reader.duplicates.isEmpty else { return findings.verdict(nil, of: bytes) }
        let feed = FeedParser(options: options, findings: findings, origin: baseURL).feed(document)
        return findings.verdict(feed, of: bytes)
    }
}
