import MediaTime

/// Tells clients of a player how time passes. What is presented never hangs on them.
@MainActor
final class TimeObservers {
    /// Calls a handler, at once or in its turn.
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
        private let handler: @MainActor () -> Void
        private let deliver: Delivery
        init(times: [MediaTime], _ deliver: @escaping Delivery, handler: @escaping @MainActor () -> Void) {
            (self.times, self.deliver, self.handler) = (times.sorted(), deliver, handler)
        }
        func tell() { deliver { [weak self] in self?.handler() } }
    }
    private struct WeakReference<Object: AnyObject> { weak var object: Object? }
    private var periodic: [WeakReference<Periodic>] = []
    private var boundaries: [WeakReference<Boundary>] = []
    /// Up to where play has been accounted for; what lies at the landing of a seek fires when play goes on from it.
    private var position: MediaTime = .zero
    private var includesPosition = true
    /// While an interstitial is on, its clock is nothing to those who follow the presentation.
    var isHeld = false

    /// - Parameter deliver: how the handler is called; at once unless something else is given.
    func addPeriodic(
        interval: MediaTime, through deliver: @escaping Delivery = { $0() }, _ handler: @escaping @MainActor (MediaTime) -> Void
    ) -> AnyObject {
        precondition(interval > .zero, "a period is positive")
        let observer = Periodic(interval: interval, deliver, handler: handler)
        periodic.append(WeakReference(object: observer))
        return observer
    }

    /// - Parameter deliver: how the handler is called; at once unless something else is given.
    func addBoundary(
        times: [MediaTime], through deliver: @escaping Delivery = { $0() }, _ handler: @escaping @MainActor () -> Void
    ) -> AnyObject {
        let observer = Boundary(times: times, deliver, handler: handler)
        boundaries.append(WeakReference(object: observer))
        return observer
    }

    /// Play begins: periodic observers are told.
    func start(at time: MediaTime) { if !isHeld { tellPeriodic(time) } }

    /// Play stops.
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

    /// Play has come to a time without a jump, forward or backward.
    func advance(to time: MediaTime) {
        guard !isHeld, time != position else { return }
        let isForward = time > position
        for reference in boundaries {
            guard let observer = reference.object else { continue }
            for boundary in isForward ? observer.times : observer.times.reversed() where isPassed(boundary, to: time) {
                observer.tell()
            }
        }
        position = time
        includesPosition = false
        for reference in periodic {
            // One call however many periods have passed: a late client is told where things are, not where they were.
            guard let observer = reference.object, let next = observer.next else { continue }
            guard isForward ? time >= next : time <= next - observer.interval else { continue }
            observer.next = Self.multiple(after: time, of: observer.interval)
            observer.tell(time)
        }
        periodic.removeAll { $0.object == nil }
        boundaries.removeAll { $0.object == nil }
    }

    /// The first time behind a place at which anybody is told, going forward; nil: nobody is.
    func nextDue(after time: MediaTime) -> MediaTime? {
        guard !isHeld else { return nil }
        var due: MediaTime?
        for reference in periodic {
            if let next = reference.object?.next { due = min(due ?? next, next) }
        }
        for reference in boundaries {
            if let next = reference.object?.times.first(where: { $0 > time }) { due = min(due ?? next, next) }
        }
        return due
    }

    private func isPassed(_ boundary: MediaTime, to time: MediaTime) -> Bool {
        if boundary == position { return includesPosition }
        return time > position ? boundary > position && boundary <= time : boundary < position && boundary >= time
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
