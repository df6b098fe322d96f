import MediaTime

/// One original event of a SubStation Alpha script, for a full renderer: its script's header and its fields.
package struct SubStationEvent: Sendable, Hashable {
    /// The script's text before its events.
    package var head: String
    /// `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`, as Matroska stores an event.
    package var fields: String

    package init(head: String, fields: String) {
        self.head = head
        self.fields = fields
    }

    /// Whether it is animated: it moves, fades, changes or is karaoke.
    package var isMoving: Bool {
        let parts = fields.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard parts.count == 9 else { return false }
        if parts[7].contains(where: { !$0.isWhitespace }) { return true }
        var text = parts[8]
        while let start = text.firstIndex(of: "{") {
            let rest = text[start...]
            let end = rest.firstIndex(of: "}") ?? rest.endIndex
            for tag in rest[..<end].split(separator: "\\").dropFirst()
            where ["move", "fad", "t(", "k", "K"].contains(where: { tag.hasPrefix($0) }) { return true }
            text = rest[end...].dropFirst()
        }
        return false
    }

    // The header is the same text for every event of a script.
    package func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}
