import Synchronization

/// Carries what is found on another thread to the main loop.
package final class Relay<Item: Sendable>: Sendable {
    private final class Found: Sendable {
        let waiting = Mutex<[Item]>([])
    }
    private let found = Found()
    private let most: Int
    private let bell: Doorbell

    /// - Parameters:
    ///   - most: how many items may wait between two turns of the main loop. More are noise, and are dropped.
    ///   - receive: called on the main loop with what was found, in order.
    @MainActor
    package init(clock: any HostClock, most: Int, _ receive: @escaping @MainActor ([Item]) -> Void) {
        self.most = most
        bell = clock.makeDoorbell(rank: .media) { [found] in
            let items = found.waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            if !items.isEmpty { receive(items) }
        }
    }

    /// Any thread.
    package func add(_ item: Item) {
        let isTaken = found.waiting.withLock { waiting in
            guard waiting.count < most else { return false }
            waiting.append(item)
            return true
        }
        if isTaken { bell.ring() }
    }
}
