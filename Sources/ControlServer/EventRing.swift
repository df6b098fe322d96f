/// The last events for clients, numbered in order. A value with a bound: old events are dropped, and a client that needs one of
/// them is told that it has missed some.
struct EventRing: Sendable {
    struct Event: Sendable, Equatable {
        var number: UInt64
        var name: String
        /// JSON on one line.
        var data: String
    }

    private let capacity: Int
    private var events: [Event] = []
    /// The number of the newest event; 0 before the first.
    private(set) var last: UInt64 = 0

    init(capacity: Int) { self.capacity = capacity }

    mutating func append(_ name: String, _ data: String) {
        last += 1
        events.append(Event(number: last, name: name, data: data))
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
