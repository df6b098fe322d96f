import WireFormats

/// A small JSON document with the lines of an overlay: `{"lines": ["…", {"en": "…", "fr": "…"}]}`, or the list alone.
package enum OverlayDocument {
    /// Why it has no lines, as the end of a sentence.
    package struct Refusal: Error, Equatable {
        package let reason: String
    }

    /// In bytes.
    package static let longest = 64 << 10
    /// Of the JSON text: a line in languages is in a list in an object.
    private static let deepest = 8

    /// Its lines, as many as an overlay may have, each clipped to the length of a title; other members mean nothing.
    package static func lines(in bytes: [UInt8]) throws(Refusal) -> [LocalizedText] {
        guard bytes.count <= longest else { throw Refusal(reason: "it has more than \(longest >> 10) KiB; make it smaller") }
        var reader = JSONReader(bytes, maximumDepth: deepest)
        let document: JSONNode
        do throws(JSONFault) { document = try reader.read() } catch {
            throw Refusal(reason: "it is not JSON: \(error.reason)")
        }
        guard let list = list(document) else {
            throw Refusal(reason: "it has no list of lines; write {\"lines\": [\"…\"]}")
        }
        var lines: [LocalizedText] = []
        // As in a feed, null is nothing.
        let present = list.enumerated().filter { !$1.isNull }
        for (index, node) in present.prefix(FeedLimit.overlayLines) {
            guard let line = line(node) else {
                throw Refusal(reason: "its line \(index + 1) is neither a text nor texts by their languages")
            }
            lines.append(line)
        }
        return lines
    }

    private static func list(_ node: JSONNode) -> [JSONNode]? {
        switch node.value {
        case .array(let nodes): nodes
        case .object(let object): if case .array(let nodes)? = object["lines"]?.value { nodes } else { nil }
        case .null, .boolean, .number, .string: nil
        }
    }

    private static func line(_ node: JSONNode) -> LocalizedText? {
        switch node.value {
        case .string(let text): return LocalizedText(clipped(text))
        case .object(let object):
            var entries: [LocalizedText.Entry] = []
            for member in object.members where !member.node.isNull {
                guard case .string(let text) = member.node.value else { return nil }
                entries.append(LocalizedText.Entry(language: member.key, text: clipped(text)))
            }
            return entries.isEmpty ? nil : LocalizedText(entries: entries)
        case .null, .boolean, .number, .array: return nil
        }
    }

    /// On one line, without what would move the words after it.
    private static func clipped(_ text: String) -> String {
        let words = FeedText.withoutControls(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.count > FeedLimit.title ? String(words.prefix(FeedLimit.title - 1)) + "…" : words
    }
}
