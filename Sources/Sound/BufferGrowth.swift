/// The length of the device's buffer: short, so that orders take effect at once; doubled, up to a limit, when an emulated or
/// overloaded machine wakes the thread too late. A value, used on the sound thread.
struct BufferGrowth: Equatable {
    /// The buffer to open the device with.
    private(set) var milliseconds = Self.first

    static let first = 50
    static let most = 400
    /// A chunk is this fraction of the buffer.
    static let chunks = 25
    /// This many late rounds within this many nanoseconds are not an accident.
    private static let lateRounds = 4
    private static let window: Int64 = 3_000_000_000

    private var windowStart: Int64 = 0
    private var count = 0
    /// The largest buffer that the device accepts.
    private var limit = Self.most
    private var former = Self.first

    var isLargest: Bool { milliseconds >= limit }

    /// Records late rounds.
    ///
    /// - Returns: true when the device is to be reopened with the buffer that `milliseconds` now gives.
    mutating func note(late rounds: Int, at nanoseconds: Int64) -> Bool {
        guard rounds > 0, !isLargest else { return false }
        if nanoseconds - windowStart > Self.window {
            windowStart = nanoseconds
            count = 0
        }
        count += rounds
        guard count >= Self.lateRounds else { return false }
        count = 0
        // Late rounds right after the change count from here.
        windowStart = nanoseconds
        former = milliseconds
        milliseconds = min(milliseconds * 2, Self.most)
        return true
    }

    /// The device cannot be opened with that buffer: return to the previous size.
    mutating func takeBack() {
        milliseconds = former
        limit = former
    }
}
