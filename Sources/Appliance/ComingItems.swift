import ChannelFeed
import Playback
import StatusModel

/// The items after the current one. The player gets the next item of a queue in advance, so that there is no gap between two items. Where the end
/// needs a decision or preparation (a proposal, a PIN, a saved position), it does not, and the next item is opened when the current one has ended.
/// Main loop only.
@MainActor
final class ComingItems {
    private struct Given {
        var programme: Programme
        var item: PlayerItem
        /// The index of its stream.
        var stream: Int
    }

    /// Whether an unplayable item is replaced by the next of the feed, as in a queue.
    var movesOnAfterFailure = false
    private let player: Player
    private let log: LogBook
    private var given: Given?
    /// Programmes that could not be opened in advance.
    private var unplayable: Set<String> = []
    /// Programmes that are excluded because they have crashed the box too often.
    private var leftOut: Set<String> = []

    init(_ parts: ApplianceParts) {
        player = parts.player
        log = parts.log
    }

    /// Makes an item of one of a programme's streams.
    typealias Make = (_ programme: Programme, _ stream: Int) -> PlayerItem

    /// Gives the player the next item, or removes it if another one follows.
    func give(_ wanted: Programme?, make: Make) {
        guard wanted != given?.programme else { return }
        forget()
        if let wanted { give(wanted, stream: 0, make) }
    }

    private func give(_ programme: Programme, stream: Int, _ make: Make) {
        let item = make(programme, stream)
        given = Given(programme: programme, item: item, stream: stream)
        player.insert(item, after: nil)
    }

    /// Removes the given item.
    func forget() {
        guard given != nil else { return }
        given = nil
        player.removeFollowingItems()
    }

    /// The viewer chose a programme, so unplayable ones are tried again.
    func startAfresh() {
        forget()
        unplayable = []
    }

    /// Excludes these ids.
    func leaveOut(_ ids: [String]) { leftOut = Set(ids) }

    /// Whether a programme is excluded.
    func isLeftOut(_ programme: Programme) -> Bool { leftOut.contains(programme.id) }

    /// The next item of a queue that is not excluded.
    func nextNotLeftOut(after programme: Programme, in feed: Feed) -> Programme? {
        programme.next(in: feed) { !isLeftOut($0) }
    }

    /// The programme that follows automatically.
    func next(after playing: PlayingItem, in feed: Feed?) -> Programme? {
        if let next = nextOfQueue(after: playing.programme, in: feed) { return next }
        return movesOnAfterFailure && playing.error != nil ? feed.flatMap { playing.programme.following(in: $0) } : nil
    }

    /// The next item of the queue, without those that were found unplayable.
    func nextOfQueue(after programme: Programme, in feed: Feed?) -> Programme? {
        programme.next(in: feed) { !unplayable.contains($0.id) }
    }

    /// Whether an item is the given one.
    func isGiven(_ item: PlayerItem?) -> Bool { item.map { given?.item === $0 } ?? false }

    /// The player continues with the given item in any case, so nothing is given any more.
    func drop() { given = nil }

    /// The player has skipped an unplayable item.
    ///
    /// - Returns: the programme that failed; nil if the item was not the given one, or if another of its streams is tried.
    func skipped(_ item: PlayerItem, make: Make) -> Programme? {
        guard let failed = given, isGiven(item) else { return nil }
        given = nil
        if failed.stream + 1 < failed.programme.streams.count {
            log.note("trying stream \(failed.stream + 2) of \(failed.programme.streams.count)")
            give(failed.programme, stream: failed.stream + 1, make)
            return nil
        }
        unplayable.insert(failed.programme.id)
        return failed.programme
    }

    /// The given item when the player has advanced to it or advances now; nil if none was given.
    func take() -> (programme: Programme, stream: Int, hasBegun: Bool)? {
        guard let given else { return nil }
        let hasBegun = given.item === player.currentItem
        guard hasBegun || player.items().dropFirst().first === given.item else { return nil }
        self.given = nil
        unplayable = []
        return (given.programme, given.stream, hasBegun)
    }

    /// Starts the item returned by `take` if it has not started.
    func advance() {
        player.advanceToNextItem()
        player.play()
    }
}
