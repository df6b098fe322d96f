import LinuxSupport
import MediaTime

/// The playback position: asset time as a linear function of host time. A value; each start, pause, seek or correction makes a new one.
package struct MediaClock: Sendable, Hashable {
    /// An instant…
    package let anchorHost: HostTime
    /// …and the asset time that plays at it.
    package let anchorTime: MediaTime
    /// Asset seconds per host second: zero while stopped, negative for backward playback.
    package let rate: Ratio
    /// Asset time never passes this limit: the end of the item, or a boundary that holds playback; backward, the position where that ends.
    package let limit: MediaTime?

    package init(anchorHost: HostTime, anchorTime: MediaTime, rate: Ratio, limit: MediaTime? = nil) {
        self.anchorHost = anchorHost
        self.anchorTime = anchorTime
        self.rate = rate
        self.limit = limit
    }

    /// The asset time at an instant. Before the anchor it is the anchor's time, because the clock starts there.
    package func time(at instant: HostTime) -> MediaTime {
        guard rate != .zero, instant > anchorHost else { return anchorTime }
        let elapsed = MediaTime.nanoseconds((instant - anchorHost).wholeNanoseconds)
        let time = anchorTime + elapsed.scaled(by: rate)
        return limit.map { rate < .zero ? max($0, time) : min($0, time) } ?? time
    }

    /// The instant at which an asset time is reached; nil while the clock is stopped.
    package func instant(of time: MediaTime) -> HostTime? {
        guard rate != .zero else { return nil }
        let ahead = (time - anchorTime).scaled(by: Ratio(rate.denominator, rate.numerator))
        return anchorHost + .nanoseconds(ahead.nanoseconds)
    }

    /// The same clock for an asset whose times are later by an offset.
    func shifted(by shift: MediaTime, limit: MediaTime?) -> MediaClock {
        MediaClock(anchorHost: anchorHost, anchorTime: anchorTime + shift, rate: rate, limit: limit)
    }
}
