import MediaTime

/// Displayed durations and positions. Digits are Latin; the fonts make them equally wide.
package enum TimeText {
    /// The sign before what is left or behind: that of numbers (U+2212), which is as wide as the plus sign.
    package static let minus = "\u{2212}"

    /// `0:07`, `12:34`, `1:02:03`.
    package static func clock(_ seconds: Int64) -> String {
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension MediaTime {
    /// Whole seconds, rounded down.
    package var wholeSeconds: Int64 { unitsRoundedDown(of: 1) }

    /// Whole seconds, rounded up: for countdowns.
    package var wholeSecondsUp: Int64 { -(-self).unitsRoundedDown(of: 1) }
}

extension Duration {
    /// The same duration as a media time, to the nanosecond.
    package var mediaTime: MediaTime { .nanoseconds(wholeNanoseconds) }

    /// Whole seconds, rounded up: for countdowns.
    package var wholeSecondsUp: Int64 { mediaTime.wholeSecondsUp }
}

extension MediaTime {
    /// The same duration of wall time, to the nanosecond.
    package var wallDuration: Duration { .nanoseconds(nanoseconds) }
}
