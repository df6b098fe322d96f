/// How much sound lies in the device ahead of what is heard: little, so that orders take effect at once, until the machine has shown that it
/// comes too late for that (an emulated or overloaded one); then twice as much, up to a bound. A value, used on the sound thread.
struct BufferGrowth: Equatable {
    /// What the device is opened with.
    private(set) var milliseconds = Self.first

    static let first = 50
    static let most = 400
    /// A write is so small a part of the buffer.
    static let chunks = 25
    /// So many rounds that came too late, within so many nanoseconds, are no accident.
    private static let lateRounds = 4
    private static let window: Int64 = 3_000_000_000

    private var windowStart: Int64 = 0
    private var count = 0
    /// What the device takes.
    private var limit = Self.most
    private var former = Self.first

    /// Whether the buffer is as large as it gets.
    var isLargest: Bool { milliseconds >= limit }

    /// Notes rounds that came too late.
    ///
    /// - Returns: true when the device is to be opened anew with the buffer that `milliseconds` now says.
    mutating func note(late rounds: Int, at nanoseconds: Int64) -> Bool {
        guard rounds > 0, !isLargest else { return false }
        if nanoseconds - windowStart > Self.window {
            windowStart = nanoseconds
            count = 0
        }
        count += rounds
        guard count >= Self.lateRounds else { return false }
        count = 0
        // What comes late right after it is counted from there on.
        windowStart = nanoseconds
        former = milliseconds
        milliseconds = min(milliseconds * 2, Self.most)
        return true
    }

    /// The device cannot be opened with so large a buffer: it keeps the one that it had before.
    mutating func takeBack() {
        milliseconds = former
        limit = former
    }
}
