import MediaTime

/// Calls a player's time observers. What is presented never depends on them.
@MainActor
final class TimeObservers {
    /// Calls a handler, at once or in order with the events.
    typealias Delivery = @MainActor (_ call: @escaping @MainActor () -> Void) -> Void

    @MainActor
    private final class Periodic {
        let interval: MediaTime
        var next: MediaTime?
        private let handler: @MainActor (MediaTime) -> Void
        private let deliver: Delivery
        init(interval: MediaTime, _ deliver: @escaping Delivery, handler: @escaping @MainActor (MediaTime) -> Void) {
            (self.interval, self.deliver, self.handler) = (interval, deliver, handler)
        }
        func tell(_ time: MediaTime) { deliver { [weak self] in self?.handler(time) } }
    }
    @MainActor
    private final class Boundary {
        let times: [MediaTime]
        let isGathered: Bool
        private let handler: @MainActor () -> Void
        private let deliver: Delivery
        init(times: [MediaTime], isGathered: Bool, _ deliver: @escaping Delivery, handler: @escaping @MainActor () -> Void) {
            (self.times, self.isGathered, self.deliver, self.handler) = (times.sorted(), isGathered, deliver, handler)
        }
        func tell() { deliver { [weak self] in self?.handler() } }
    }
    private struct WeakReference<Object: AnyObject> { weak var object: Object? }
    private var periodic: [WeakReference<Periodic>] = []
    private var boundaries: [WeakReference<Boundary>] = []
    /// Boundaries up to here have been handled; one at the landing of a seek fires when playback continues from it.
    private var position: MediaTime = .zero
    private var includesPosition = true
    /// During an interstitial its clock does not concern observers of the presentation.
    var isHeld = false

    /// - Parameter deliver: how the handler is called; by default at once.
    func addPeriodic(
        interval: MediaTime, through deliver: @escaping Delivery = { $0() }, _ handler: @escaping @MainActor (MediaTime) -> Void
    ) -> AnyObject {
        precondition(interval > .zero, "a period is positive")
        let observer = Periodic(interval: interval, deliver, handler: handler)
        periodic.append(WeakReference(object: observer))
        return observer
    }

    /// - Parameters:
    ///   - isGathered: whether times that are passed at once are one call.
    ///   - deliver: how the handler is called; by default at once.
    func addBoundary(
        times: [MediaTime], isGathered: Bool = false, through deliver: @escaping Delivery = { $0() },
        _ handler: @escaping @MainActor () -> Void
    ) -> AnyObject {
        let observer = Boundary(times: times, isGathered: isGathered, deliver, handler: handler)
        boundaries.append(WeakReference(object: observer))
        return observer
    }

    /// Playback starts: periodic observers are called.
    func start(at time: MediaTime) { if !isHeld { tellPeriodic(time) } }

    /// Playback stops.
    func stop(at time: MediaTime) {
        guard !isHeld else { return }
        advance(to: time)
        tellPeriodic(time)
    }

    /// A seek has landed.
    func jump(to time: MediaTime) {
        guard !isHeld else { return }
        position = time
        includesPosition = true
        tellPeriodic(time)
    }

    /// Playback has reached a time without a jump, forward or backward.
    func advance(to time: MediaTime) {
        guard !isHeld, time != position else { return }
        let isForward = time > position
        for reference in boundaries {
            guard let observer = reference.object else { continue }
            let count = passed(observer.times, to: time)
            for _ in 0..<(observer.isGathered ? min(count, 1) : count) { observer.tell() }
        }
        position = time
        includesPosition = false
        for reference in periodic {
            // One call for any number of passed periods: an observer gets the current time and no past ones.
            guard let observer = reference.object, let next = observer.next else { continue }
            guard isForward ? time >= next : time <= next - observer.interval else { continue }
            observer.next = Self.multiple(after: time, of: observer.interval)
            observer.tell(time)
        }
        periodic.removeAll { $0.object == nil }
        boundaries.removeAll { $0.object == nil }
    }

    /// The first time after a position at which an observer is called in forward playback; nil if there is none.
    func nextDue(after time: MediaTime) -> MediaTime? {
        guard !isHeld else { return nil }
        var due: MediaTime?
        for reference in periodic {
            if let next = reference.object?.next { due = min(due ?? next, next) }
        }
        for reference in boundaries {
            guard let times = reference.object?.times else { continue }
            let index = times.partitioningIndex { $0 > time }
            if index < times.count { due = min(due ?? times[index], times[index]) }
        }
        return due
    }

    /// How many of some times, which are in order, lie between the position and a time. The time itself does.
    private func passed(_ times: [MediaTime], to time: MediaTime) -> Int {
        let (low, high) = (min(position, time), max(position, time))
        let includesLow = time > position ? includesPosition : true
        let includesHigh = time > position ? true : includesPosition
        let start = times.partitioningIndex { includesLow ? $0 >= low : $0 > low }
        let end = times.partitioningIndex { includesHigh ? $0 > high : $0 >= high }
        return max(end - start, 0)
    }

    private func tellPeriodic(_ time: MediaTime) {
        for reference in periodic {
            reference.object?.next = Self.multiple(after: time, of: reference.object!.interval)
            reference.object?.tell(time)
        }
    }

    private static func multiple(after time: MediaTime, of interval: MediaTime) -> MediaTime {
        interval * Int(time.wholeSteps(of: interval) + 1)
    }
}
