import CFFmpeg
import MediaTime

extension MediaTime {
    /// Times further from zero than this (about 127 years) come from damaged input; twice as far would overflow in nanoseconds. Packagers of live streams
    /// count from 1970.
    private static let furthest: Int128 = 4_000_000_000

    /// A timestamp of FFmpeg; nil when it is unknown or out of range.
    init?(stamp: Int64, timeBase: AVRational) {
        guard stamp != marquee_no_pts, timeBase.den > 0, timeBase.num > 0 else { return nil }
        let top = Int128(stamp) * Int128(timeBase.num)
        guard top.magnitude < (Self.furthest * Int128(timeBase.den)).magnitude else { return nil }
        self.init(Int64(top), timeBase.den)
    }
}

extension Ratio {
    /// A rational of FFmpeg; nil when it is unknown or not positive.
    init?(positive rational: AVRational) {
        guard rational.num > 0, rational.den > 0 else { return nil }
        self.init(Int64(rational.num), Int64(rational.den))
    }

    /// A plausible frame rate: estimates outside 1…300 are the ticks of a clock.
    init?(frameRate rational: AVRational) {
        guard let ratio = Ratio(positive: rational), ratio >= Ratio(1), ratio <= Ratio(300) else { return nil }
        self = ratio
    }
}

/// Continues 33-bit timestamps over their wrap: each is moved by whole periods to the value nearest to the previous one.
struct StampUnwrapper {
    /// The period of MPEG-2 timestamps, 2^33 ticks of 90 kHz.
    static let period = MediaTime(1 << 33, 90000)
    private var reference: MediaTime?

    /// The time nearest to the last decode time. The first one is unchanged.
    mutating func unwrap(decode: MediaTime, presentation: MediaTime) -> (decode: MediaTime, presentation: MediaTime) {
        let decode = Self.nearest(decode, to: reference ?? decode)
        reference = decode
        return (decode, Self.nearest(presentation, to: decode))
    }

    private static func nearest(_ time: MediaTime, to reference: MediaTime) -> MediaTime {
        let periods = (reference - time + period / 2).wholeSteps(of: period)
        return periods == 0 ? time : time + period * Int(periods)
    }
}
