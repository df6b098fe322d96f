import LinuxSupport
import MediaModel
import MediaTime

/// The items after the current one, in order. A value.
struct ItemQueue {
    private var items: [PlayerItem] = []

    /// The following items.
    var next: PlayerItem? { items.first }

    /// The current item and those that follow it.
    @MainActor func all(behind current: PlayerItem?) -> [PlayerItem] { (current.map { [$0] } ?? []) + items }

    /// Whether an item can be inserted after another one, or with nil at the end. An item can be in a queue once.
    @MainActor func canInsert(_ item: PlayerItem, after other: PlayerItem?, current: PlayerItem?) -> Bool {
        let all = all(behind: current)
        if case .failed = item.status { return false }
        guard !all.contains(where: { $0 === item || $0.asset === item.asset }) else { return false }
        return other.map { other in all.contains { $0 === other } } ?? true
    }

    /// Inserts an item after another one: after an item that is not here, which is the current one, at the front; with nil at the end.
    mutating func insert(_ item: PlayerItem, after other: PlayerItem?) {
        let index = other.map { other in (items.firstIndex { $0 === other } ?? -1) + 1 } ?? items.count
        items.insert(item, at: index)
    }

    mutating func remove(_ item: PlayerItem?) { items.removeAll { $0 === item } }

    mutating func removeAll() { items = [] }

    /// Removes the following items.
    mutating func takeNext() -> PlayerItem? { items.isEmpty ? nil : items.removeFirst() }
}

/// The action when an item has been played to its end; AVFoundation's `AVPlayer.ActionAtItemEnd`.
package enum ActionAtItemEnd: String, Sendable, Hashable, CaseIterable {
    /// The next item of the queue plays; without one the player pauses.
    case advance
    /// It pauses: the rate is zero.
    case pause
    /// The rate stays: playback continues after a seek.
    case none
}

/// What the queue needs to know about the current item.
@MainActor
protocol UpcomingItemsHost: SuccessionHost {
    /// The reader of the current item.
    var reader: ItemReader? { get }
}

/// The items after the current one, and the action at its end. Prepares the first of them. Main loop.
@MainActor
final class UpcomingItems {
    /// The action at the end of an item.
    var actionAtItemEnd: ActionAtItemEnd {
        didSet {
            actionChanged()
            if actionAtItemEnd != .advance { host?.reader?.endArrangement() }
        }
    }
    /// The next item, as far as it has been prepared.
    private(set) var next: Succession?
    private var queue = ItemQueue()
    private let pipeline: PlaybackPipeline
    private let transport: TransportDriver
    weak var host: (any UpcomingItemsHost)?

    init(_ action: ActionAtItemEnd, pipeline: PlaybackPipeline, transport: TransportDriver) {
        (actionAtItemEnd, self.pipeline, self.transport) = (action, pipeline, transport)
    }

    /// Whether an item follows.
    var isEmpty: Bool { queue.next == nil }

    /// The current item and those that follow it.
    func all(behind current: PlayerItem?) -> [PlayerItem] { queue.all(behind: current) }

    func canInsert(_ item: PlayerItem, after other: PlayerItem?, current: PlayerItem?) -> Bool {
        queue.canInsert(item, after: other, current: current)
    }

    func insert(_ item: PlayerItem, after other: PlayerItem?) {
        queue.insert(item, after: other)
        prepareNext()
    }

    /// An item has become current or is not played: removes it.
    func remove(_ item: PlayerItem?) {
        queue.remove(item)
        prepareNext()
    }

    func removeAll() {
        queue.removeAll()
        prepareNext()
    }

    /// The first item, which is played now; `remove` follows.
    func takeFirst() -> PlayerItem? { queue.takeNext() }

    /// Prepares the next item.
    func prepareNext() {
        let item = queue.next
        guard next?.item !== item else { return actionChanged() }
        host?.reader?.endArrangement()
        next?.close()
        next = item.map {
            Succession(
                $0, isAutomatic: actionAtItemEnd == .advance, pipeline: pipeline, transport: transport, host: host)
        }
        actionChanged()
    }

    /// Discards the preparation before an item becomes current.
    ///
    /// - Parameter item: keeps its opened asset.
    func endPreparation(for item: PlayerItem?) {
        guard let ended = next else { return }
        next = nil
        ended.close(isNext: item === ended.item)
    }

    /// The prepared item has become the current one.
    func tookOver() { next = nil }

    private func actionChanged() {
        transport.keepsRateAtEnd = actionAtItemEnd == .none || (actionAtItemEnd == .advance && next != nil)
        next?.isAutomatic = actionAtItemEnd == .advance
    }
}
