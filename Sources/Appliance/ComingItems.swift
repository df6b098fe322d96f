import ChannelFeed
import MediaModel
import Playback

/// The items after the current one. The player is given the next item of a queue in advance, so that there is no gap between two items. Where something is to
/// be decided at the end (a proposal, a PIN, a place to go on at), it is not: then the next item is opened when its turn has come. Main loop only.
@MainActor
final class ComingItems {
    private struct Given {
        var programme: Programme
        var item: PlayerItem
        /// Which of its streams.
        var stream: Int
    }

    /// Whether an item that cannot be played gives way to the next of the feed by itself, as in a queue.
    var movesOnAfterFailure = false
    private let player: Player
    private let log: LogBook
    private var given: Given?
    /// What could not be opened when its turn was about to come.
    private var unplayable: Set<String> = []
    /// What is not played at all, because it has stopped the box too often.
    private var leftOut: Set<String> = []

    init(_ parts: ApplianceParts) {
        player = parts.player
        log = parts.log
    }

    /// Makes an item of one of a programme's streams.
    typealias Make = (_ programme: Programme, _ stream: Int) -> PlayerItem

    /// Gives the player what follows, or takes it back where something else does.
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

    /// Takes back what was given.
    func forget() {
        guard given != nil else { return }
        given = nil
        player.removeFollowingItems()
    }

    /// Another programme was chosen: what was not playable may be now.
    func startAfresh() {
        forget()
        unplayable = []
    }

    /// These are not played from now on.
    func leaveOut(_ ids: [String]) { leftOut = Set(ids) }

    /// Whether a programme is not to be played.
    func isLeftOut(_ programme: Programme) -> Bool { leftOut.contains(programme.id) }

    /// The next of a queue that is not left out.
    func nextNotLeftOut(after programme: Programme, in feed: Feed) -> Programme? {
        var candidate = programme.next(in: feed)
        // A queue that loops comes round to where it began.
        for _ in 0...(programme.queue?.channel.items.count ?? 0) {
            guard let next = candidate else { return nil }
            if !isLeftOut(next) { return next }
            candidate = next.next(in: feed)
        }
        return nil
    }

    /// What comes after what plays without anybody's wish.
    func next(after playing: PlayingItem, in feed: Feed?) -> Programme? {
        if let next = nextOfQueue(after: playing.programme, in: feed) { return next }
        return movesOnAfterFailure && playing.error != nil ? feed.flatMap { playing.programme.following(in: $0) } : nil
    }

    /// The next of the queue, without what turned out to be unplayable a moment ago.
    func nextOfQueue(after programme: Programme, in feed: Feed?) -> Programme? {
        var candidate = programme.next(in: feed)
        for _ in 0...max(programme.queue?.channel.items.count ?? 0, programme.addresses.count) {
            guard let next = candidate, unplayable.contains(next.id) else { return candidate }
            candidate = next.next(in: feed)
        }
        return nil
    }

    /// Whether an item is what was given.
    func isGiven(_ item: PlayerItem?) -> Bool { item.map { given?.item === $0 } ?? false }

    /// The player goes on with what was given, whatever was decided: nothing is given any more.
    func drop() { given = nil }

    /// The player has passed over an item that does not play.
    ///
    /// - Returns: the programme that is given up; nil: it was not what was given, or another of its streams is tried.
    func skipped(_ item: PlayerItem, make: Make) -> Programme? {
        guard let failed = given, isGiven(item) else { return nil }
        given = nil
        if failed.stream + 1 < failed.programme.urls.count {
            log.note("trying stream \(failed.stream + 2) of \(failed.programme.urls.count)")
            give(failed.programme, stream: failed.stream + 1, make)
            return nil
        }
        unplayable.insert(failed.programme.id)
        return failed.programme
    }

    /// What the player has gone on to by itself, or goes on to now; nil: it was given nothing.
    func take() -> (programme: Programme, stream: Int, hasBegun: Bool)? {
        guard let given else { return nil }
        let hasBegun = given.item === player.currentItem
        guard hasBegun || player.items().dropFirst().first === given.item else { return nil }
        self.given = nil
        unplayable = []
        return (given.programme, given.stream, hasBegun)
    }

    /// Begins with what `take` answered and has not begun.
    func advance() {
        player.advanceToNextItem()
        player.play()
    }
}
