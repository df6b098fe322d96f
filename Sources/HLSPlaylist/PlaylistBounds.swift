import MediaTime

/// The ranges of the numbers in a playlist. A value beyond its range is reported and treated as an invalid one, so that everything that
/// works with playlists can add and multiply their numbers in 64 bits.
enum PlaylistBounds {
    /// Counts, versions, and ends of byte ranges: up to 2^62, more than the largest file. Sequence numbers have all 64 bits of a decimal-integer (RFC 8216, 4.2).
    static let largestInteger: Int64 = 1 << 62
    /// The longest segment, part, target duration, date range, offset or window, in nanoseconds: a leap year.
    static let longestSpan: Int64 = 366 * 86_400_000_000_000
    /// The sum of the durations of all segments, in nanoseconds: ten years.
    static let longestTimeline: Int64 = 10 * longestSpan
    /// The highest bit rate, in bits per second: 100 Gbit/s.
    static let highestBitrate: Int64 = 100_000_000_000
    /// The largest width or height of a picture.
    static let longestSide = 16_384
    /// The highest frame rate, in billionths of a frame per second.
    static let highestFrameRate: Int64 = 1000 * 1_000_000_000
    /// Years of dates. Any two dates are less than 292 years apart, which nanoseconds can count.
    static let years: ClosedRange<Int64> = 1900...2189
    /// Attributes of a tag, and of a date range of several tags; each is compared with those before it.
    static let attributes = 256
    /// Keys in effect, one for each KEYFORMAT.
    static let keys = 8
    static let variants = 500
    /// A week of segments of two seconds.
    static let segments = 302_400
    static let renditions = 2000
    static let dateRanges = 10_000
    /// The names and values of all date ranges, in bytes.
    static let dateRangeBytes = 4 << 20
    /// The longest text with its variables substituted, in bytes; the same for the sum of the values of all variables.
    static let longestText = 64 << 10
    /// The sum of all texts of a playlist with variables, in bytes.
    static let substitutedTotal = 16 << 20
}
