import MediaModel
import MediaTime

/// Plays items one behind the other. The counterpart of `AVQueuePlayer`.
///
/// The item that follows is opened and decoded while the current one plays, and takes over without a sample or a frame between them (`Player+Succession`). What is
/// done to the rest of the queue never touches the current item. An item that cannot be played is left out, and told by `PlayerEvent.itemSkipped`.
@MainActor
package final class QueuePlayer: Player {
    /// What comes behind the current item.
    private var following: [PlayerItem] = []

    /// Makes a player without items that advances at the end of each.
    ///
    /// - Throws: what the display throws when it cannot begin.
    package override init(services: PlaybackServices) throws(MediaError) {
        try super.init(services: services)
        actionAtItemEnd = .advance
    }

    /// The current item and those that follow it.
    package func items() -> [PlayerItem] { (currentItem.map { [$0] } ?? []) + following }

    /// Whether an item can be put behind another one; behind nil is at the end of the queue. An item can be in the queue once.
    package func canInsert(_ item: PlayerItem, after other: PlayerItem?) -> Bool {
        let items = items()
        if case .failed = item.status { return false }
        guard !items.contains(where: { $0 === item || $0.asset === item.asset }) else { return false }
        return other.map { other in items.contains { $0 === other } } ?? true
    }

    /// Puts an item behind another one; behind nil is at the end of the queue. The first one becomes the current item. What cannot be inserted is not.
    package func insert(_ item: PlayerItem, after other: PlayerItem?) {
        guard canInsert(item, after: other) else { return }
        if currentItem == nil, following.isEmpty { return replaceCurrentItem(with: item) }
        let index = other.map { other in (following.firstIndex { $0 === other } ?? -1) + 1 } ?? following.count
        following.insert(item, at: index)
        announceNext()
    }

    /// Takes an item out. Where it is the current one, the next is played.
    package func remove(_ item: PlayerItem) {
        if item === currentItem { return advanceToNextItem() }
        following.removeAll { $0 === item }
        announceNext()
    }

    /// Takes all items out: nothing plays any more.
    package func removeAllItems() {
        following = []
        announceNext()
        replaceCurrentItem(with: nil)
    }

    /// Takes out what follows the current item, which plays on.
    package func removeFollowingItems() {
        following = []
        announceNext()
    }

    /// Ends the current item and begins the next, at the rate that is wanted; without one nothing plays any more.
    package func advanceToNextItem() {
        guard !following.isEmpty else { return replaceCurrentItem(with: nil) }
        let next = following.removeFirst()
        replaceCurrentItem(with: next)
        announceNext()
    }

    override func onEnd() { if !following.isEmpty { advanceToNextItem() } }

    override func onSkip(_ item: PlayerItem) {
        following.removeAll { $0 === item }
        announceNext()
    }

    override func onCurrentItemChange() {
        following.removeAll { $0 === currentItem }
        announceNext()
    }

    override func onFailure(_ item: PlayerItem, _ error: MediaError, rate: Ratio) {
        guard actionAtItemEnd == .advance, !following.isEmpty else { return }
        skip(item, error)
        advanceToNextItem()
        setRate(rate)
    }

    private func announceNext() { setNext(following.first) }
}
