import MediaModel
import MediaTime

/// Single frames.
extension Player {
    /// Pauses, and goes on or back by a number of frames.
    ///
    /// Frames that were decoded a moment ago are shown at once; the others are reached by an exact seek. Where there are not so many frames, the last or the first
    /// is shown.
    ///
    /// - Parameters:
    ///   - count: how many frames further; negative goes back.
    ///   - completion: true once the frame is on the screen; false where another seek took its place, or the item has no pictures.
    package func step(byCount count: Int, completion: (@MainActor (Bool) -> Void)? = nil) {
        guard let item = activeItem, item.canStepForward, var (from, until) = standing(item) else {
            completion?(false)
            return
        }
        pause()
        var left = count
        let usual = until - from
        while left > 0 {
            guard left > 1 else { return step(to: until, completion) }
            guard let next = pictures.cache.frame(at: until) else { return step(to: until + usual * (left - 1), completion) }
            (from, until) = (next.time, next.end)
            left -= 1
        }
        while left < 0 {
            guard let before = pictures.cache.frame(before: from) else {
                return step(to: max(from - usual * (-left - 1) - .nanoseconds(1), lowerBound), completion)
            }
            (from, until) = (before.time, before.end)
            left += 1
        }
        step(to: from, completion)
    }

    /// Where the frame on the screen begins and ends; of a seek that is under way, the frame that it will bring, as far as that is known.
    private func standing(_ item: PlayerItem) -> (MediaTime, MediaTime)? {
        let length = item.videoTrack?.frameRate?.period ?? MediaTime(1, 25)
        if let pendingSeek = session?.pendingSeek {
            return pictures.cache.frame(at: pendingSeek.target).map { ($0.time, $0.end) } ?? (
                pendingSeek.target, pendingSeek.target + length
            )
        }
        guard let run else { return nil }
        if let from = run.shownFrom, let until = run.shownUntil { return (from, until) }
        return (run.target, run.target + length)
    }

    private func step(to time: MediaTime, _ completion: (@MainActor (Bool) -> Void)?) {
        seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero, completion: completion)
    }
}
