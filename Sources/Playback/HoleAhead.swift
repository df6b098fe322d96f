import MediaTime

/// Finds whether playback has reached a stretch in which no track has anything. A value.
struct HoleAhead {
    /// A longer stretch is passed over.
    static let longest = MediaTime.seconds(2)
    /// The same where pictures come and go: a slide may stand in silence.
    static let longestSlide = MediaTime.seconds(10)

    private let least: MediaTime
    private let now: MediaTime
    /// The earliest that any track has behind the stretch.
    private var next: MediaTime?
    private var isNone = false

    /// - Parameter least: a stretch that is not longer is none.
    init(at now: MediaTime, longerThan least: MediaTime) { (self.now, self.least) = (now, least) }

    /// The end of the stretch; nil if there is none.
    var end: MediaTime? { isNone ? nil : next }

    /// Adds a track.
    ///
    /// - Parameters:
    ///   - time: where it goes on; nil if that is not known.
    ///   - last: the end of what it has presented.
    mutating func add(_ time: MediaTime?, behind last: MediaTime?) {
        guard let time, let last, now >= last, time - now > least else {
            isNone = true
            return
        }
        next = min(next ?? time, time)
    }
}
