import MediaModel
import MediaTime

/// What the player may be told of a queue before an item is over.
extension InterfaceMachine {
    /// Whether the queue goes on at the end of the item without anything being shown or asked.
    public var goesOnByItself: Bool {
        item?.isInQueue == true && item?.proposal == nil && sleep?.choice != .endOfItem && card == nil && screen != .standby
    }

    /// What the player would tell had it stopped at the end of the item.
    public var endedSnapshot: PlaybackSnapshot {
        var ended = snapshot
        ended.state = .ended
        return ended
    }
}
