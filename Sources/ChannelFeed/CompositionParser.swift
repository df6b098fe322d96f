import WireFormats

/// Parses the composition that a stream of an item consists of.
///
/// Its addresses are held to the feed's rules for URLs. Its own rules are those of another module, which `FeedOptions.checkComposition` applies.
struct CompositionParser {
    private let values: FeedValues
    private let findings: FeedFindings
    private let check: FeedOptions.CompositionCheck?

    init(values: FeedValues, findings: FeedFindings, check: FeedOptions.CompositionCheck?) {
        self.values = values
        self.findings = findings
        self.check = check
    }

    /// The composition; nil, with findings, if it is not an object or one of its addresses may not be used.
    func composition(_ node: FeedNode) -> InlineComposition? {
        guard case .object = node.json.value else {
            values.wrongType(node, "the document of a composition: {\"compositionVersion\": 1, \"tracks\": […]}")
            return nil
        }
        let addresses = pieces(of: node).map { values.url($0) }
        let text = Array(JSONText(node.json).text.utf8)
        for fault in check?(text, values.baseURL) ?? [] { report(fault, in: node) }
        guard !addresses.contains(nil) else { return nil }
        var seen: Set<String> = []
        return InlineComposition(
            name: node.pointer.description, text: text, baseURL: values.baseURL,
            addresses: addresses.compactMap(\.self).filter { seen.insert($0).inserted })
    }

    /// The texts that name the media of segments. What has another form is left to the rules of compositions.
    private func pieces(of node: FeedNode) -> [FeedNode] {
        elements(node, "tracks").flatMap { elements($0, "segments") }.compactMap { segment in
            guard case .object(let object) = segment.json.value, let url = object["url"], case .string = url.value else {
                return nil
            }
            return segment.child(url, "url")
        }
    }

    private func elements(_ node: FeedNode, _ key: String) -> [FeedNode] {
        guard case .object(let object) = node.json.value, let list = object[key], case .array(let nodes) = list.value else {
            return []
        }
        let parent = node.child(list, key)
        return nodes.enumerated().map { parent.child($1, String($0)) }
    }

    /// Reports a fault at the value that it is about, or at the nearest one around it.
    private func report(_ fault: FeedOptions.CompositionFault, in node: FeedNode) {
        var place = node
        for token in fault.pointer.tokens {
            let next: JSONNode? =
                switch place.json.value {
                case .object(let object): object[token]
                case .array(let nodes): Int(token).flatMap { nodes.indices.contains($0) ? nodes[$0] : nil }
                default: nil
                }
            guard let next else { break }
            place = place.child(next, token)
        }
        findings.report(fault.isError ? .error : .warning, .composition, place, showing: false, fault.message, fault.remedy)
    }
}
