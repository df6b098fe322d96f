import MediaModel

/// What an event is about: its name for clients.
enum EventKind: String, Sendable, CaseIterable {
    case now, feed, error, metric, interstitial, proposal, dateRange, timedMetadata

    /// The kinds that a request names, separated by commas; all without a parameter.
    ///
    /// - Throws: a refusal if one does not exist, or none is named.
    static func wanted(_ parameter: String?) throws(RequestRefusal) -> Set<EventKind> {
        guard let parameter else { return Set(allCases) }
        let names = parameter.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let kinds = names.compactMap(EventKind.init)
        guard kinds.count == names.count else {
            let known = allCases.map(\.rawValue).joined(separator: ", ")
            throw RequestRefusal(sentence: "\"kinds\" must be one or more of \(known), separated by commas.")
        }
        return Set(kinds)
    }
}

/// The last events for clients, numbered in order. A value with a bound: old events are dropped, and a client that needs one of
/// them is told that it has missed some.
struct EventRing: Sendable {
    struct Event: Sendable, Equatable {
        /// What is sent. Metric events come with every segment, and are written as JSON only by the connection that sends them.
        enum Content: Sendable, Equatable {
            /// JSON on one line.
            case text(String)
            case metric(MetricEvent)
        }

        var number: UInt64
        var kind: EventKind
        var content: Content

        /// JSON on one line.
        var data: String {
            switch content {
            case .text(let text): text
            case .metric(let event): EventText.json(MetricAnswer(event))
            }
        }
    }

    private let capacity: Int
    private var events: [Event] = []
    /// The number of the newest event; 0 before the first.
    private(set) var last: UInt64 = 0

    init(capacity: Int) { self.capacity = capacity }

    mutating func append(_ kind: EventKind, _ data: String) { append(kind, .text(data)) }

    mutating func append(_ kind: EventKind, _ content: Event.Content) {
        last += 1
        events.append(Event(number: last, kind: kind, content: content))
        if events.count > capacity { events.removeFirst() }
    }

    /// The events after a number.
    ///
    /// - Returns: nil if some of them were dropped, or if the number was never given.
    func after(_ number: UInt64) -> [Event]? {
        guard number <= last else { return nil }
        let missed = last - number
        guard missed <= events.count else { return nil }
        return Array(events.suffix(Int(missed)))
    }
}
