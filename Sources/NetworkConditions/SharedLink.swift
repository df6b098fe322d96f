import LinuxSupport
import MediaModel

/// A link shared by several bodies, each with the same part of the rate. It uses its clock's time and is deterministic.
@MainActor
final class SharedLink {
    private struct Flow {
        var id: Int
        /// Bits remaining until the next part is delivered.
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

    /// Calls `action` at once if bits pass now, otherwise at the first full second when they do: lost data is retransmitted then.
    func whenUp(_ action: @escaping @MainActor @Sendable () -> Void) {
        let now = clock.now - epoch
        guard let up = schedule.nextUp(from: now) else { return }
        if up <= now { return action() }
        let wait = Int((up - now) / .seconds(1)) + 1
        clock.schedule(after: .seconds(wait), rank: .transfer, action)
    }

    /// Sends a body in parts of at most `part` bytes.
    ///
    /// - Parameter deliver: called with a part's length when its last byte has arrived.
    func send(_ bytes: Int, part: Int, _ deliver: @escaping @MainActor (Int) -> Void) -> Int {
        settle()
        nextID += 1
        let first = min(part, bytes)
        flows.append(
            Flow(id: nextID, goal: Double(first) * 8, partBytes: first, leftBytes: bytes - first, deliver: deliver))
        plan()
        return nextID
    }

    /// Removes a body from the link.
    func stop(_ id: Int) {
        guard flows.contains(where: { $0.id == id }) else { return }
        settle()
        flows.removeAll { $0.id == id }
        plan()
    }

    /// Credits each flow with its share since the last call.
    private func settle() {
        let now = clock.now
        defer { settled = now }
        guard !flows.isEmpty, now > settled else { return }
        let rate = schedule.rate(at: settled - epoch).rate
        let bits = Double(rate) * Double((now - settled).wholeNanoseconds) / 1e9 / Double(flows.count)
        for index in flows.indices { flows[index].goal -= bits }
    }

    /// Schedules the next change: a part is complete, or the rate changes.
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
        // Less than a thousandth of a bit is a rounding error.
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
