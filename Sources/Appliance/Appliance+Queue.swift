import ChannelFeed
import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// What was given to the player to go on with behind what plays.
struct FollowingProgramme {
    var programme: Programme
    var item: PlayerItem
    /// Which of its streams.
    var stream: Int
}

/// The player is told beforehand what follows in a queue, so that nothing stands still between two items. Where something is to be decided at the end (a proposal, a
/// PIN, a place to go on at), it is not: then the next item is opened when its turn has come.
extension Appliance {
    func isURL(_ programme: Programme) -> Bool { if case .url = programme.subject { true } else { false } }

    /// An item of a programme as it is played.
    func makeItem(of programme: Programme, stream: Int, at place: MediaTime?) -> PlayerItem {
        let presentation = presentations.presentation(of: programme, source: nil)
        let item = PlayerItem(asset: Asset(url: programme.urls[stream], services: parts.services))
        prepareSelection(of: item, for: programme)
        item.forwardPlaybackEndTime = presentation.trimEnd
        item.reversePlaybackEndTime = presentation.trimStart
        item.startTime = place ?? (presentation.trimStart > .zero ? presentation.trimStart : nil)
        return item
    }

    /// The next of the queue, without what turned out to be unplayable a moment ago.
    func nextPlayable(after programme: Programme) -> Programme? {
        var candidate = programme.next(in: feed)
        for _ in 0...max(programme.queue?.channel.items.count ?? 0, programme.addresses.count) {
            guard let next = candidate, unplayable.contains(next.id) else { return candidate }
            candidate = next.next(in: feed)
        }
        return nil
    }

    /// The queue goes on, or is over.
    func playNextInQueue() {
        if followsAlready() { return }
        guard let next else {
            send(.queueIsOver)
            onOutcome?(lastError.map { .failed($0) } ?? .ended)
            return
        }
        open(next)
    }

    /// What comes after what plays without anybody's wish.
    var next: Programme? {
        guard let programme else { return nil }
        if let next = nextPlayable(after: programme) { return next }
        return movesOnAfterFailure && lastError != nil ? feed.flatMap { programme.following(in: $0) } : nil
    }

    /// Gives the player what follows, or takes it back where something else does.
    func updateFollowing() {
        let wanted = followingByItself
        guard wanted != following?.programme else { return }
        forgetFollowing()
        guard let wanted else { return }
        let item = makeItem(of: wanted, stream: 0, at: nil)
        following = FollowingProgramme(programme: wanted, item: item, stream: 0)
        parts.player.insert(item, after: nil)
    }

    func forgetFollowing() {
        guard following != nil else { return }
        following = nil
        parts.player.removeFollowingItems()
    }

    /// What follows without anybody being asked anything.
    private var followingByItself: Programme? {
        guard let programme, programme.isInQueue, machine.goesOnByItself, parts.player.currentItem?.status == .readyToPlay,
            let next = nextPlayable(after: programme), !next.urls.isEmpty, !leftOut.contains(next.id), !isLocked(next)
        else { return nil }
        let presentation = presentations.presentation(of: next, source: nil)
        guard presentation.resume.map({ $0.time <= presentation.trimStart }) ?? true,
            !presentation.interstitials.contains(where: { $0.range.start <= presentation.trimStart })
        else { return nil }
        return next
    }

    /// What the player tells of its queue.
    func take(queue event: PlayerEvent) {
        switch event {
        case .currentItem(let item):
            guard let following, item === following.item else { return }
            // The last picture of the one before is gone: it has ended.
            send(.playback(machine.endedSnapshot))
            // What follows that may have been given to the player already.
            guard self.following?.item === item else { return }
            // Something else was decided, against all expectation: nothing plays behind it.
            self.following = nil
            parts.player.replaceCurrentItem(with: nil)
        case .itemSkipped(let item, let error):
            parts.log.note(error.description)
            guard let failed = following, item === failed.item else { return }
            following = nil
            if failed.stream + 1 < failed.programme.urls.count {
                parts.log.note("trying stream \(failed.stream + 2) of \(failed.programme.urls.count)")
                let item = makeItem(of: failed.programme, stream: failed.stream + 1, at: nil)
                following = FollowingProgramme(programme: failed.programme, item: item, stream: failed.stream + 1)
                return parts.player.insert(item, after: nil)
            }
            parts.dump?.note("skipped", isURL(failed.programme) ? "url" : failed.programme.id)
            firstFailure = firstFailure ?? error
            unplayable.insert(failed.programme.id)
            updateFollowing()
        default: break
        }
    }

    /// The player has gone on by itself to what it was given, or does now: that is what plays from now on.
    ///
    /// - Returns: false when it was given nothing.
    func followsAlready() -> Bool {
        guard let following else { return false }
        let isJoined = following.item === parts.player.currentItem
        guard isJoined || parts.player.items().dropFirst().first === following.item else { return false }
        self.following = nil
        unplayable = []
        resuming = nil
        programme = following.programme
        streamIndex = following.stream
        lastError = nil
        memory.speed = .one
        position = isJoined ? parts.player.currentTime : nil
        parts.log.note("open \(following.programme.id)")
        parts.dump?.note("open", isURL(following.programme) ? "url" : following.programme.id)
        parts.drawing.setEmbeddedArtwork(nil)
        thumbnails.close(parts.drawing)
        if !isJoined {
            parts.player.advanceToNextItem()
            parts.player.play()
        }
        send(.itemChanged(present(following.programme, source: parts.player.currentItem?.description)))
        stateChanged(parts.player.state)
        return true
    }
}
