import LinuxSupport
import MediaModel

/// A link that several bodies share: each under way gets the same part of the rate. In the time of its clock, and without chance.
@MainActor
final class SharedLink {
    private struct Flow {
        var id: Int
        /// Bits that are still to come before the next part is handed over.
        var goal: Double
        var partBytes: Int
        var leftBytes: Int
        let deliver: @MainActor (Int) -> Void
    }
    private let clock: any HostClock
    private let schedule: RateSchedule
    private let epoch: HostTime
    private var flows: [Flow] = []
    private var nextID = 0
    private var settled: HostTime
    private var event: ScheduledEvent?

    init(clock: any HostClock, schedule: RateSchedule) {
        self.clock = clock
        self.schedule = schedule
        epoch = clock.now
        settled = clock.now
    }

    /// Calls `action` at once when bits pass now, else a second's multiple later, when they do: what is lost is sent again then.
    func whenUp(_ action: @escaping @MainActor @Sendable () -> Void) {
        let now = clock.now - epoch
        guard let up = schedule.nextUp(from: now) else { return }
        if up <= now { return action() }
        let wait = Int((up - now) / .seconds(1)) + 1
        clock.schedule(after: .seconds(wait), rank: .transfer, action)
    }

    /// Sends a body in parts of at most `part` bytes.
    ///
    /// - Parameter deliver: called when the last byte of a part has come, with the part's length.
    func send(_ bytes: Int, part: Int, _ deliver: @escaping @MainActor (Int) -> Void) -> Int {
        settle()
        nextID += 1
        let first = min(part, bytes)
        flows.append(
            Flow(id: nextID, goal: Double(first) * 8, partBytes: first, leftBytes: bytes - first, deliver: deliver))
        plan()
        return nextID
    }

    /// Takes a body off the link.
    func stop(_ id: Int) {
        guard flows.contains(where: { $0.id == id }) else { return }
        settle()
        flows.removeAll { $0.id == id }
        plan()
    }

    /// Gives each flow what it got since the last time.
    private func settle() {
        let now = clock.now
        defer { settled = now }
        guard !flows.isEmpty, now > settled else { return }
        let rate = schedule.rate(at: settled - epoch).rate
        let bits = Double(rate) * Double((now - settled).wholeNanoseconds) / 1e9 / Double(flows.count)
        for index in flows.indices { flows[index].goal -= bits }
    }

    /// The next moment at which something changes: a part is complete, or the rate is another.
    private func plan() {
        event?.cancel()
        event = nil
        guard let least = flows.map(\.goal).min() else { return }
        let (rate, until) = schedule.rate(at: clock.now - epoch)
        var due: HostTime?
        if rate > 0 {
            let seconds = max(least, 0) * Double(flows.count) / Double(rate)
            due = clock.now + .nanoseconds(Int64(min(seconds * 1e9, 1e18).rounded(.up)))
        }
        if let until { due = min(due ?? epoch + until, epoch + until) }
        guard let due else { return }
        event = clock.schedule(at: due, rank: .transfer) { [weak self] in self?.turn() }
    }

    private func turn() {
        settle()
        // Less than a thousandth of a bit is what rounding leaves.
        let done = flows.filter { $0.goal < 1e-3 }
        for flow in done {
            guard let index = flows.firstIndex(where: { $0.id == flow.id }) else { continue }
            if flow.leftBytes == 0 {
                flows.remove(at: index)
            } else {
                let next = min(flow.leftBytes, max(flow.partBytes, 1))
                flows[index].goal += Double(next) * 8
                flows[index].partBytes = next
                flows[index].leftBytes -= next
            }
            flow.deliver(flow.partBytes)
        }
        plan()
    }
}
