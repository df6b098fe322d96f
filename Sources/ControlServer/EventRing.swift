import MediaModel

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
        var name: String
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

    mutating func append(_ name: String, _ data: String) { append(name, .text(data)) }

    mutating func append(_ name: String, _ content: Event.Content) {
        last += 1
        events.append(Event(number: last, name: name, content: content))
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
