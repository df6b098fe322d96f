import MediaModel
import MediaTime

/// The items that follow the current one, in order. A value.
struct ItemQueue {
    private var items: [PlayerItem] = []

    /// What follows the current item.
    var next: PlayerItem? { items.first }

    /// The current item and those that follow it.
    @MainActor func all(behind current: PlayerItem?) -> [PlayerItem] { (current.map { [$0] } ?? []) + items }

    /// Whether an item can be put behind another one; behind nil is at the end. An item can be in a queue once.
    @MainActor func canInsert(_ item: PlayerItem, after other: PlayerItem?, current: PlayerItem?) -> Bool {
        let all = all(behind: current)
        if case .failed = item.status { return false }
        guard !all.contains(where: { $0 === item || $0.asset === item.asset }) else { return false }
        return other.map { other in all.contains { $0 === other } } ?? true
    }

    /// Puts an item behind another one; behind one that is not here, the current one, is at the beginning, behind nil at the end.
    mutating func insert(_ item: PlayerItem, after other: PlayerItem?) {
        let index = other.map { other in (items.firstIndex { $0 === other } ?? -1) + 1 } ?? items.count
        items.insert(item, at: index)
    }

    mutating func remove(_ item: PlayerItem?) { items.removeAll { $0 === item } }

    mutating func removeAll() { items = [] }

    /// Takes out what follows the current item.
    mutating func takeNext() -> PlayerItem? { items.isEmpty ? nil : items.removeFirst() }
}

/// Items one behind the other, as `AVQueuePlayer` has them.
///
/// The item that follows is opened and decoded while the current one plays, and takes over without a sample or a frame between them (`Succession`). What is
/// done to the rest of the queue never touches the current item. An item that cannot be played is left out, and told by `PlayerEvent.itemSkipped`.
extension Player {
    /// The current item and those that follow it.
    package func items() -> [PlayerItem] { queue.all(behind: currentItem) }

    /// Whether an item can be put behind another one; behind nil is at the end of the queue. An item can be in the queue once.
    package func canInsert(_ item: PlayerItem, after other: PlayerItem?) -> Bool {
        queue.canInsert(item, after: other, current: currentItem)
    }

    /// Puts an item behind another one; behind nil is at the end of the queue. The first one becomes the current item. What cannot be inserted is not.
    package func insert(_ item: PlayerItem, after other: PlayerItem?) {
        guard canInsert(item, after: other) else { return }
        if currentItem == nil, queue.next == nil { return replaceCurrentItem(with: item) }
        queue.insert(item, after: other)
        announceNext()
    }

    /// Takes an item out. Where it is the current one, the next is played.
    package func remove(_ item: PlayerItem) {
        if item === currentItem { return advanceToNextItem() }
        queue.remove(item)
        announceNext()
    }

    /// Takes all items out: nothing plays any more.
    package func removeAllItems() {
        removeFollowingItems()
        replaceCurrentItem(with: nil)
    }

    /// Takes out what follows the current item, which plays on.
    package func removeFollowingItems() {
        queue.removeAll()
        announceNext()
    }

    /// Ends the current item and begins the next, at the rate that is wanted; without one nothing plays any more.
    package func advanceToNextItem() {
        guard let next = queue.takeNext() else { return replaceCurrentItem(with: nil) }
        replaceCurrentItem(with: next)
        announceNext()
    }

    /// An item is the current one, or cannot be played: it is no longer one that follows.
    func leaveQueue(_ item: PlayerItem?) {
        queue.remove(item)
        announceNext()
    }

    /// The current item failed, which was told, while this rate was wanted: the next one is played.
    func advance(behind failed: PlayerItem, _ error: MediaError, rate: Ratio) {
        guard actionAtItemEnd == .advance, queue.next != nil else { return }
        skip(failed, error)
        advanceToNextItem()
        setRate(rate)
    }

    private func announceNext() { setNext(queue.next) }
}
