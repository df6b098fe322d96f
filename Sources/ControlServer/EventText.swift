import FoundationEssentials

/// Events as text for one client. It is made where it is asked for, so that the main loop only hands over the events.
struct EventText: Sendable {
    /// Text that comes first.
    var lead = ""
    /// Differs between processes.
    let epoch: String
    var events: [EventRing.Event] = []

    /// The events of these kinds in the format of server-sent events.
    func text(of kinds: Set<EventKind>) -> String {
        lead
            + events.filter { kinds.contains($0.kind) }
            .map { Self.text(id: Self.id($0.number, of: epoch), $0.kind.rawValue, $0.data) }.joined()
    }

    static func id(_ number: UInt64, of epoch: String) -> String { "\(epoch)-\(number)" }

    /// - Parameter id: nil for an event that a client does not repeat when it comes back.
    static func text(id: String?, _ name: String, _ data: String) -> String {
        (id.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: \(data)\n\n"
    }

    /// JSON without line breaks, which would end the data.
    static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
