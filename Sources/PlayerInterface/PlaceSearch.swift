import LinuxSupport
import MediaModel
import MediaTime

/// What the viewer does with the time of the item.
enum Mode: Sendable, Equatable {
    /// It plays or stands still.
    case watching
    /// The viewer looks for a place while it stands still.
    case scrubbing(Scrub)
    /// The viewer looks for a place at a multiple of its speed.
    case scanning(Scan)
}

/// A search for a place while paused.
struct Scrub: Sendable, Equatable {
    /// Where Back returns to, in asset time.
    let origin: MediaTime
    /// Where the search is, in content time.
    var content: MediaTime
    /// The direction of the last tap: 1 or -1.
    var direction: Int
    /// When the viewer turned round last.
    var turned: HostTime?
    /// A key is held: since when, and when the last step was.
    var hold: (since: HostTime, stepped: HostTime)?

    /// What a tap walks: ten seconds, or one when it turns round and within a second after that.
    func step(_ direction: Int, at now: HostTime) -> MediaTime {
        let turned = direction == self.direction ? turned : now
        let isFine = turned.map { now - $0 <= Timing.fineStepWindow } ?? false
        return (isFine ? Timing.fineStep : Timing.skip) * direction
    }

    static func == (left: Scrub, right: Scrub) -> Bool {
        left.origin == right.origin && left.content == right.content && left.direction == right.direction
            && left.turned == right.turned
            && left.hold?.since == right.hold?.since && left.hold?.stepped == right.hold?.stepped
    }
}

/// A search at a multiple of the speed.
struct Scan: Sendable, Equatable {
    /// Where Back returns to, in asset time.
    let origin: MediaTime
    /// Whether it played before.
    let wasPlaying: Bool
    /// Where the search is, in content time.
    var content: MediaTime
    /// -4…4; 0 is ordinary speed on the way through it.
    var level: Int
    /// When the last step was.
    var stepped: HostTime
    /// Since when the level is 0.
    var settling: HostTime?
    /// The rate at which the player passes over key pictures; nil: passing pictures are sought one by one.
    var rate: Ratio?
}

/// A seek that is under way.
struct PendingSeek: Sendable, Equatable {
    let id: SeekID
    /// In asset time.
    let target: MediaTime
    /// Whether it only shows what scanning or scrubbing passes.
    let isPreview: Bool
}

/// Taps that follow each other closely: one navigation.
struct TapRun: Sendable, Equatable {
    /// Where the viewer was before the first, in asset time.
    let origin: MediaTime
    /// Where they lead, in content time.
    var target: MediaTime
    var lastTap: HostTime
}
