import LinuxSupport
import MediaTime
import Screens

/// The rule about the stored position of the film at a power cut. A value.
struct PlaceRule {
    /// This much play may be lost.
    static let longestUnsaved = Duration.seconds(5)

    /// The length of the film with its advertisement.
    let film: MediaTime
    let advertisement: TimeRange

    /// - Parameters:
    ///   - stored: the position on the disk; nil if there is none.
    ///   - picture: the time of the newest picture.
    ///   - age: since when it is on the screen.
    /// - Returns: the sentence of a breach; nil if the position is good.
    func check(stored: MediaTime?, picture: MediaTime, age: Duration) -> String? {
        // A film that is watched to its end has no position.
        let isWatched = content(picture) * 100 >= content(film) * Timing.watchedPercent
        if stored == nil, isWatched { return nil }
        let lost = (content(picture) - content(stored ?? .zero)).magnitude
        guard lost > .nanoseconds((Self.longestUnsaved + age).wholeNanoseconds) else { return nil }
        let place = stored.map { "\($0) s" } ?? "missing"
        return "the power was cut at \(picture) s of the film, and its stored position is \(place)"
    }

    /// Content time: all of the advertisement is one position, which is stored as its end.
    private func content(_ time: MediaTime) -> MediaTime {
        if time < advertisement.start { return time }
        return time < advertisement.end ? advertisement.start : time - advertisement.duration
    }
}
