import CLinux
// CLinux declares what this loop needs of it; the import has it linked.
import Dispatch
import Glibc

/// The loop of the main thread: timers, descriptors, and the jobs of the main actor, one after another.
///
/// All decisions (player, item and source state, interface, input) are made here, on `@MainActor`; nothing here may block. Other
/// threads reach it through events of its clock. With the simulated clock the loop advances time only when no work is pending.
@MainActor
package final class MainLoop {
    /// The kind of time of the loop.
    package enum Time: Sendable {
        /// The machine's own time.
        case real
        /// Simulated: see `SimulatedClock`.
        case simulated
    }

    /// A watched descriptor. Releasing this object ends the watch.
    @MainActor
    package final class Watch {
        private weak var loop: MainLoop?
        private let tag: UInt64
        private let number: Int32

        init(loop: MainLoop, tag: UInt64, number: Int32) {
            self.loop = loop
            self.tag = tag
            self.number = number
        }

        /// Stops watching; call it before the descriptor is closed.
        package func cancel() {
            guard let loop, loop.handlers.removeValue(forKey: tag) != nil else { return }
            loop.poller.unwatch(number)
        }
    }

    /// The loop's clock: pass it to everything that needs time.
    package let clock: any HostClock
    private let eventClock: any QueueBackedClock
    private let poller: Poller
    private let bell: FileDescriptor
    private struct Watched {
        let number: Int32
        let handler: @MainActor () -> Void
    }
    private var handlers: [UInt64: Watched] = [:]
    private var nextTag: UInt64 = 2
    /// Events since the descriptors were last polled, in real time.
    private var eventsInARow = 0
    private static let mostEventsInARow = 8
    private let mainQueue: Int32
    private static let bellTag: UInt64 = 0
    private static let mainQueueTag: UInt64 = 1

    /// Makes the loop of the main thread.
    ///
    /// - Throws: `SystemError` when the kernel has no descriptor left.
    package init(time: Time) throws(SystemError) {
        poller = try Poller()
        let bell = try FileDescriptor.event()
        self.bell = bell
        switch time {
        case .real: eventClock = RealClock(wake: { bell.ring() })
        case .simulated: eventClock = SimulatedClock(wake: { bell.ring() })
        }
        clock = eventClock
        try poller.watch(bell.number, tag: Self.bellTag)
        mainQueue = _dispatch_get_main_queue_handle_4CF()
        if mainQueue >= 0 { try poller.watch(mainQueue, tag: Self.mainQueueTag) }
    }

    deinit { eventClock.queue.close() }

    /// Calls `handler` whenever a descriptor is readable, until the watch is cancelled.
    ///
    /// It is also called when the descriptor has failed or was hung up, and reads the error. A descriptor that is still in that state afterwards
    /// is no longer watched: it would keep the loop busy for ever.
    ///
    /// - Throws: `SystemError` when the kernel cannot watch it (a plain file, a closed descriptor).
    package func watch(_ number: Int32, _ handler: @escaping @MainActor () -> Void) throws(SystemError) -> Watch {
        let tag = nextTag
        nextTag += 1
        try poller.watch(number, tag: tag)
        handlers[tag] = Watched(number: number, handler: handler)
        return Watch(loop: self, tag: tag, number: number)
    }

    /// Runs until `isDone` returns true; it is called after every event.
    package func run(until isDone: @MainActor () -> Bool) {
        while !isDone() {
            if let simulated = eventClock as? SimulatedClock {
                turn(simulated)
            } else {
                turnInRealTime()
            }
        }
    }

    private func turnInRealTime() {
        if let action = eventClock.queue.pop(dueBy: clock.now) {
            action()
            // Descriptors are served between events, but not after every one: polling costs a system call.
            eventsInARow += 1
            if eventsInARow == Self.mostEventsInARow {
                eventsInARow = 0
                serveDescriptors(timeout: .zero)
            }
        } else {
            eventsInARow = 0
            let due = eventClock.queue.prepareToWait()
            serveDescriptors(timeout: due.map { max($0 - clock.now, .zero) })
            eventClock.queue.endWaiting()
        }
    }

    /// Takes nothing from the queue while work is pending, not even events that are due now: only then is the order always the
    /// same.
    private func turn(_ simulated: SimulatedClock) {
        serveDescriptors(timeout: .zero)
        guard simulated.ledger?.isQuiet == true, let due = simulated.queue.nextDue else {
            // Checked again after the queue knows that the loop waits, so that an event in between is not missed.
            if simulated.queue.prepareToWait() == nil || simulated.ledger?.isQuiet != true { serveDescriptors(timeout: nil) }
            return simulated.queue.endWaiting()
        }
        simulated.advance(to: due)
        simulated.queue.pop(dueBy: due)?()
    }

    private func serveDescriptors(timeout: Duration?) {
        for tag in poller.wait(timeout: timeout) {
            switch tag {
            case Self.bellTag: bell.clear()
            case Self.mainQueueTag: drainMainQueue()
            default: serve(tag)
            }
        }
    }

    private func serve(_ tag: UInt64) {
        guard let watched = handlers[tag] else { return }
        watched.handler()
        // The handler may have cancelled the watch and closed the descriptor.
        guard handlers[tag] != nil, Poller.isBroken(watched.number) else { return }
        handlers[tag] = nil
        poller.unwatch(watched.number)
    }

    private func drainMainQueue() {
        var count: UInt64 = 0
        _ = read(mainQueue, &count, 8)
        _dispatch_main_queue_callback_4CF(nil)
    }
}
