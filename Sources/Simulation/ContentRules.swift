import LinuxSupport
import MediaTime

/// The rules about what may be shown: nothing that is withdrawn or locked, nothing that was opened outside of its window or of its time in the schedule, and
/// no part of the film that follows its advertisement before that was watched. A value: it is told each new picture.
struct ContentRules {
    /// A picture that has just appeared.
    struct Sight {
        var now: Duration
        /// The stream that it is from.
        var stream: UInt32
        /// Its position in the stream.
        var time: MediaTime
        /// The box has a feed that withdraws the film, since this time; nil if the film may be shown.
        var filmWithdrawnSince: Duration?
        /// Whether the box plays at normal speed. During a scan or a jump along the bar the screen shows where playback would go on; what must be watched
        /// first is played when that ends.
        var isPlayed = true
        /// Whether the first channel may be shown now.
        var isOffered = true
        /// Whether a programme of the schedule may be shown now, if it is from one.
        var isScheduled = true
        /// Since when no fault of the world lasts; nil while one does.
        var healthySince: Duration?
    }

    /// Pictures of withdrawn content end within this time.
    static let longestWithdrawal = Duration.seconds(2)
    /// A fault may cost pictures of the advertisement that were buffered or loaded this long before.
    static let faultReach = Duration.seconds(120)

    /// The pictures of the advertisement that were seen, or would have been without the page in front of them.
    private var seenOfAdvertisement: Set<MediaTime> = []
    private var isWatched = false

    /// - Returns: the sentence of a breach; nil if the picture may be shown.
    mutating func check(_ sight: Sight) -> String? {
        switch sight.stream {
        case SimulatedServer.lockedFilm: return "a picture of the locked film was shown"
        case SimulatedServer.film: return withdrawnIsShown(sight) ?? advertisementIsSkipped(sight)
        case 0 where !sight.isOffered: return "a picture of the first channel was shown, which was opened outside of its window"
        case SimulatedServer.firstScheduled... where !sight.isScheduled:
            return
                "a picture of programme \(sight.stream - SimulatedServer.firstScheduled) of the schedule was shown outside of its time"
        default: return nil
        }
    }

    /// The box plays the film at normal speed behind a page that covers its picture: the advertisement is heard then.
    mutating func playsCovered(at position: MediaTime) {
        guard SimulatedServer.advertisement.contains(position) else { return }
        let interval = SyntheticSegment.pictureInterval
        seenOfAdvertisement.insert(.seconds(position.wholeSteps(of: .seconds(interval)) * interval))
    }

    private func withdrawnIsShown(_ sight: Sight) -> String? {
        guard let since = sight.filmWithdrawnSince, sight.now - since > Self.longestWithdrawal else { return nil }
        return "a picture of the withdrawn film was shown \((sight.now - since).seconds) s after the feed had withdrawn it"
    }

    private mutating func advertisementIsSkipped(_ sight: Sight) -> String? {
        guard sight.isPlayed else { return nil }
        let advertisement = SimulatedServer.advertisement
        if advertisement.contains(sight.time) { seenOfAdvertisement.insert(sight.time) }
        guard !isWatched, sight.time >= advertisement.end else { return nil }
        isWatched = true
        // While a fault lasts, and shortly after, pictures may be lost; the box then goes on after the gap.
        guard let healthySince = sight.healthySince, sight.now - healthySince > Self.faultReach else { return nil }
        let all = Int(advertisement.duration.wholeSteps(of: .seconds(SyntheticSegment.pictureInterval)))
        guard seenOfAdvertisement.count * 2 < all else { return nil }
        return "the film went on after its advertisement, of which \(seenOfAdvertisement.count) of \(all) pictures were seen"
    }
}
