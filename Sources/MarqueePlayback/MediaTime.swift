import EngineAssembly
import MediaTime

/// A point on, or a length of, a media timeline: exactly `value / timescale` seconds. The counterpart of `CMTime`.
///
/// Times are kept in lowest terms, so that equal times are equal values. An unknown time is `nil`. Nothing traps on a large number: a result that
/// does not fit is rounded to nanoseconds, then to seconds, and beyond that it is the largest or smallest time.
public struct MediaTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    let exact: ExactTime

    init(_ exact: ExactTime) { self.exact = exact }

    /// Makes the time of `value / timescale` seconds.
    ///
    /// - Precondition: `timescale > 0`.
    public init(value: Int64, timescale: Int32) { exact = ExactTime(value, timescale) }

    /// Makes the time nearest to a number of seconds, to the nanosecond; nil when the number is not finite.
    public init?(approximateSeconds seconds: Double) {
        guard let exact = ExactTime(approximateSeconds: seconds) else { return nil }
        self.exact = exact
    }

    /// The start of a timeline.
    public static let zero = MediaTime(.zero)

    /// A whole number of seconds.
    public static func seconds(_ seconds: Int64) -> MediaTime { MediaTime(.seconds(seconds)) }

    /// A whole number of milliseconds.
    public static func milliseconds(_ milliseconds: Int64) -> MediaTime { MediaTime(.milliseconds(milliseconds)) }

    /// The number of units of `1 / timescale` seconds, in lowest terms.
    public var value: Int64 { exact.value }
    /// Units per second, in lowest terms; positive.
    public var timescale: Int32 { exact.timescale }
    /// The nearest number of seconds, for what need not be exact.
    public var approximateSeconds: Double { Double(value) / Double(timescale) }
    /// Decimal seconds with three to nine decimal places, e.g. `12.480`.
    public var description: String { exact.description }

    /// Whether a time is earlier. Exact.
    public static func < (left: MediaTime, right: MediaTime) -> Bool { left.exact < right.exact }
    /// The sum.
    public static func + (left: MediaTime, right: MediaTime) -> MediaTime { MediaTime(left.exact + right.exact) }
    /// The difference.
    public static func - (left: MediaTime, right: MediaTime) -> MediaTime { MediaTime(left.exact - right.exact) }
    /// A multiple.
    public static func * (time: MediaTime, factor: Int) -> MediaTime { MediaTime(time.exact * factor) }
}

/// A range of a media timeline, without its end. The counterpart of `CMTimeRange`.
public struct TimeRange: Sendable, Hashable, CustomStringConvertible {
    let exact: ExactRange

    init(_ exact: ExactRange) { self.exact = exact }

    /// Its first time.
    public var start: MediaTime { MediaTime(exact.start) }
    /// The first time after it.
    public var end: MediaTime { MediaTime(exact.end) }
    /// Its length.
    public var duration: MediaTime { MediaTime(exact.duration) }
    /// Whether a time is in it.
    public func contains(_ time: MediaTime) -> Bool { exact.contains(time.exact) }
    /// Such as `[1.000, 2.500)`.
    public var description: String { exact.description }
}

/// How long an asset is. The counterpart of a `CMTime` with its flags.
public enum AssetDuration: Sendable, Hashable {
    /// As long as this.
    case finite(MediaTime)
    /// It has no end that is known.
    case indefinite
    /// It is being broadcast.
    case live

    init(_ duration: MediaDuration) {
        switch duration {
        case .finite(let time): self = .finite(MediaTime(time))
        case .indefinite: self = .indefinite
        case .live: self = .live
        }
    }

    /// The time; nil without a known end.
    public var time: MediaTime? { if case .finite(let time) = self { time } else { nil } }
}

/// A playback rate: exactly `numerator / denominator`; negative plays backward, zero is a pause. `AVPlayer.rate` without rounding.
public struct PlaybackRate: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    let ratio: Ratio

    init(_ ratio: Ratio) { self.ratio = ratio }

    /// Makes a rate.
    ///
    /// - Precondition: `denominator != 0`.
    public init(_ numerator: Int, _ denominator: Int = 1) { ratio = Ratio(Int64(numerator), Int64(denominator)) }

    /// Makes a whole rate.
    public init(integerLiteral value: Int) { self.init(value) }

    /// Whether a rate is less. Exact.
    public static func < (left: PlaybackRate, right: PlaybackRate) -> Bool { left.ratio < right.ratio }
    /// Such as `2` or `1/2`.
    public var description: String { ratio.description }
}
