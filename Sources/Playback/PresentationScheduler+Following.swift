import LinuxSupport
import MediaModel
import MediaTime

/// One item behind the other without a blank between: the frames of the next take over at the very blank at which the clock comes to the end of the last.
extension PresentationScheduler {
    /// What is to take over.
    struct Following {
        var queue: BoundedQueue<Decoded<VideoFrame>>
        var generation: Int
        /// The place of the present item at which it takes over; nil: where its last frame ends.
        var end: MediaTime?
        /// The asset time of what takes over at that place.
        var start: MediaTime
        /// Where it is held itself.
        var boundary: MediaTime?
    }

    /// What has taken over and is not known yet to whoever sets the clock.
    struct Followed {
        /// The run before, and its clock.
        var generation: Int
        var clock: MediaClock
        var end: MediaTime
        /// From the times of the one before to its own.
        var shift: MediaTime
        var limit: MediaTime?
        /// Whether it was told: first come the flips of the frames before.
        var isTold = false
    }

    /// Says what takes over.
    ///
    /// - Returns: the number of its run.
    func follow(
        with queue: BoundedQueue<Decoded<VideoFrame>>, from start: MediaTime, behind end: MediaTime?, boundary: MediaTime?
    ) -> Int {
        state.withLock { state in
            let generation = state.generation + 1
            state.following = Following(queue: queue, generation: generation, end: end, start: start, boundary: boundary)
            // The end may have been noticed a moment ago: it is none.
            state.isEnded = false
            state.events.removeAll { if case .exhausted = $0 { true } else { false } }
            return generation
        }
    }

    /// Whoever sets the clock knows now, and sets that of the new item from here on.
    func becomeFollower(_ clock: MediaClock) {
        state.withLock { state in
            state.followed = nil
            state.clock = clock
        }
        display.wake()
    }

    /// Takes over, when it is time.
    ///
    /// - Returns: the new frames, and the new item's time for this blank.
    static func follow(_ state: inout State, _ wanted: MediaTime) -> (BoundedQueue<Decoded<VideoFrame>>, MediaTime)? {
        guard let next = state.following, state.clock.rate > .zero, !state.wantsFirst,
            let end = next.end ?? state.current?.frame.end, wanted >= end
        else { return nil }
        let shift = next.start - end
        state.followed = Followed(
            generation: state.generation, clock: state.clock, end: end, shift: shift, limit: next.boundary)
        state.following = nil
        state.clock = state.clock.shifted(by: shift, limit: next.boundary)
        state.queue = next.queue
        state.generation = next.generation
        state.boundary = next.boundary
        state.isStarved = false
        state.isEnded = false
        if !state.pendingFrames.contains(where: { $0.generation == state.followed?.generation }) { tellFollowed(&state) }
        return (next.queue, wanted + shift)
    }

    /// Tells it, once.
    static func tellFollowed(_ state: inout State) {
        guard let followed = state.followed, !followed.isTold else { return }
        state.followed?.isTold = true
        state.events.append(.followed(end: followed.end))
    }
}

extension MediaClock {
    /// The same line for an asset whose times are later by so much.
    func shifted(by shift: MediaTime, limit: MediaTime?) -> MediaClock {
        MediaClock(anchorHost: anchorHost, anchorTime: anchorTime + shift, rate: rate, limit: limit)
    }
}
