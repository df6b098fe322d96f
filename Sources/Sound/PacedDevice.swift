import Glibc

/// Whether a device plays at the rate of its frames. One without a clock, such as alsa-lib's `null` and `file`, takes all that it is given at once, and playback,
/// which follows what was heard, would run away with it.
struct DevicePace {
    /// How far ahead of time it is within a second. What a sound server says of its delay jumps by less, and clocks differ by much less.
    private static let limit = 2.0
    private static let window: Int64 = 1_000_000_000

    private let sampleRate: Double
    private var first: (frame: Int, instant: Int64)?
    private var wasAhead = false

    init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

    /// Counting begins anew: the device is empty.
    mutating func restart() { (first, wasAhead) = (nil, false) }

    /// Whether the device was too far ahead of time twice in a row: once may be a wrong number.
    ///
    /// - Parameters:
    ///   - frame: the frame that is heard, counted from any one of the device.
    ///   - instant: when, by CLOCK_MONOTONIC in nanoseconds.
    mutating func isAhead(frame: Int, at instant: Int64) -> Bool {
        guard let start = first, instant >= start.instant, instant - start.instant < Self.window else {
            (first, wasAhead) = ((frame, instant), false)
            return false
        }
        let heard = Double(frame - start.frame) / sampleRate
        guard heard - Double(instant - start.instant) / 1e9 > Self.limit else { return false }
        defer { (first, wasAhead) = ((frame, instant), true) }
        return wasAhead
    }
}

/// A device without a clock of its own, which is given its frames when they are due, by CLOCK_MONOTONIC.
final class PacedDevice: PlaybackDevice {
    private let device: any PlaybackDevice
    private let sampleRate: Int
    private let now: @Sendable () -> Int64
    /// When its first frame is heard; nil before it was started.
    private var begin: Int64?
    /// The frames that were written since it was prepared.
    private var written = 0

    /// - Parameters:
    ///   - device: in any state; it is prepared before it is used.
    ///   - now: the instant of CLOCK_MONOTONIC in nanoseconds.
    init(_ device: any PlaybackDevice, sampleRate: Int, now: @escaping @Sendable () -> Int64 = monotonicNanoseconds) {
        self.device = device
        self.sampleRate = sampleRate
        self.now = now
    }

    var encoding: SampleEncoding { device.encoding }
    var route: ChannelRoute? { device.route }
    var bufferFrames: Int { device.bufferFrames }

    func status() -> DeviceStatus {
        let instant = now()
        let isLost = device.status().state == .lost
        let queued = queued(at: instant)
        return DeviceStatus(
            state: isLost ? .lost : begin == nil ? .prepared : .running, delay: queued, queued: queued, nanoseconds: instant)
    }

    func available() -> Int { bufferFrames - queued(at: now()) }

    func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
        let taken = device.write(frames, count: count)
        written += max(taken, 0)
        return taken
    }

    // What it was given it has already used.
    func rewindable() -> Int { 0 }
    func rewind(_ frames: Int) -> Int { 0 }

    func forward(_ frames: Int) -> Int {
        written += frames
        return frames
    }

    func start() -> Int32 {
        begin = now()
        return device.start()
    }

    func prepare() -> Int32 {
        (begin, written) = (nil, 0)
        return device.prepare()
    }

    func resume() -> Int32 { device.resume() }

    /// Waits until a fifth of the buffer has been heard, the bell is rung, or the time is up. It never hangs, because it does not wait for the device.
    func wait(bell: Int32, milliseconds: Int32) -> Bool {
        let excess = queued(at: now()) - bufferFrames * 4 / 5
        let pause = Int32(clamping: max(excess, 0) * 1000 / sampleRate + 1)
        var descriptor = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, min(pause, milliseconds))
        return true
    }

    private func queued(at instant: Int64) -> Int {
        guard let begin else { return written }
        return written - Int(Double(instant - begin) * Double(sampleRate) / 1e9)
    }
}
