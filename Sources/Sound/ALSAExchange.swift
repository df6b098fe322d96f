import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// The state shared by the main loop and the sound thread: a ring of samples and a few numbers, each with one writer, and no
/// lock.
///
/// Frames are counted from the opening of the sink and never wrap; the frame n lies at n modulo `capacity`. The main loop writes
/// samples and then `written`. The sound thread publishes in `kept` the first frame it may still need: frames in the device that
/// are not yet heard can be taken back, so their samples stay in the ring until they have been heard.
// Unchecked because of `samples`: frames in kept..<written are only read, by the sound thread; all others are only written, by
// the main loop; the atomic counters hand them over.
final class ALSAExchange: @unchecked Sendable {
    /// The position of playback, as the sound thread last saw it.
    struct Report: Equatable {
        /// The frame being heard, or the next one.
        var frame = 0
        /// The instant of CLOCK_MONOTONIC at which `frame` is heard, in nanoseconds; the instant of the report when the frame is
        /// not in the device.
        var nanoseconds: Int64 = 0
        /// The end of the sound that follows `frame` in the device without a gap; equal to `frame` when it is not in the device.
        var end = 0
        /// How often there was nothing to play.
        var underruns = 0
        /// Whether there is a device.
        var isPresent = true

        /// The position of playback at an instant, by this report (the contract of `AudioSink.timing`).
        ///
        /// - Parameters:
        ///   - anchor: `nanoseconds` on the clock of `now`.
        ///   - flushed: the frame at which counting starts.
        ///   - isPlaying: whether the last order was to play.
        func timing(at now: HostTime, anchor: HostTime, flushed: Int, isPlaying: Bool, sampleRate: Int) -> AudioTiming? {
            guard frame >= flushed else { return nil }
            let isOnItsWay = end > frame
            var heard = frame
            if isOnItsWay, now > anchor {
                let elapsed = MediaTime.nanoseconds((now - anchor).wholeNanoseconds).unitsRoundedDown(of: Int32(sampleRate))
                heard = min(frame + Int(elapsed), end)
            }
            let isRunning = isPlaying && isOnItsWay && now >= anchor && heard < end
            guard isRunning || heard > flushed else { return nil }
            // Use the exact instant of that whole frame if it is known, so that fractions of a frame do not look like drift.
            var host = now
            if isOnItsWay { host = anchor + .nanoseconds(MediaTime(Int64(heard - frame), Int32(sampleRate)).nanoseconds) }
            return AudioTiming(frame: Int64(heard - flushed), hostTime: host, isRunning: isRunning, underruns: underruns)
        }
    }

    /// The size of the ring in frames: a power of two, larger than what the sink accepts, so that there is room right after a
    /// flush.
    static let capacity = 1 << 16
    /// Samples per frame.
    let channels: Int
    private let samples: UnsafeMutablePointer<Float>

    // Written by the main loop.
    let written = Atomic<Int>(0)
    /// Frames before this one are void. It marks the generation of the samples by position.
    let flushed = Atomic<Int>(0)
    /// The frame that fades in from silence although a generation begins with it; -1: none. Written before `flushed` or `written`
    /// reach it.
    let rising = Atomic<Int>(-1)
    /// The last order: a sequence number, and in the lowest bit whether to play.
    let order = Atomic<UInt64>(0)
    /// The instant of CLOCK_MONOTONIC from which an order to play applies. Written before the order.
    let start = Atomic<Int64>(0)
    /// The bit pattern of the wanted volume.
    let volume = Atomic<UInt32>(Float(1).bitPattern)
    /// The sound of the interface that was asked for last: a sequence number, and in the two lowest bits its place among `NavigationSound.allCases`.
    let sound = Atomic<UInt64>(0)
    /// The instant of CLOCK_MONOTONIC after which it must not begin. Written before `sound`.
    let soundDeadline = Atomic<Int64>(0)
    let isClosing = Atomic<Bool>(false)

    // Written by the sound thread.
    let kept = Atomic<Int>(0)
    /// Whether it is playing and has nothing to play. It must then be woken as soon as there are new samples.
    let isDry = Atomic<Bool>(false)

    // The report is five numbers that belong together. Readers try again when the count is odd or changed while they read.
    private let reportCount = Atomic<UInt64>(0)
    private let reportFrame = Atomic<Int>(0)
    private let reportNanoseconds = Atomic<Int64>(0)
    private let reportEnd = Atomic<Int>(0)
    private let reportUnderruns = Atomic<Int>(0)
    private let reportIsPresent = Atomic<Bool>(true)

    init(channels: Int) {
        self.channels = channels
        samples = .allocate(capacity: Self.capacity * channels)
        samples.initialize(repeating: 0, count: Self.capacity * channels)
    }

    deinit { samples.deallocate() }

    /// Adds frames, for which there must be room. Main loop only.
    func write(_ source: UnsafeBufferPointer<Float>) {
        guard let start = source.baseAddress else { return }
        let (first, frames) = (written.load(ordering: .relaxed), source.count / channels)
        let place = first & (Self.capacity - 1)
        let whole = min(frames, Self.capacity - place)
        (samples + place * channels).update(from: start, count: whole * channels)
        samples.update(from: start + whole * channels, count: (frames - whole) * channels)
        written.store(first + frames, ordering: .releasing)
    }

    /// The samples of frames that are kept, and how many frames are contiguous there. Sound thread only.
    func read(_ frame: Int) -> (samples: UnsafePointer<Float>, frames: Int) {
        let place = frame & (Self.capacity - 1)
        return (UnsafePointer(samples + place * channels), Self.capacity - place)
    }

    /// Publishes the position of playback. Sound thread only.
    func publish(_ report: Report) {
        let count = reportCount.load(ordering: .relaxed)
        reportCount.store(count + 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        reportFrame.store(report.frame, ordering: .relaxed)
        reportNanoseconds.store(report.nanoseconds, ordering: .relaxed)
        reportEnd.store(report.end, ordering: .relaxed)
        reportUnderruns.store(report.underruns, ordering: .relaxed)
        reportIsPresent.store(report.isPresent, ordering: .relaxed)
        reportCount.store(count + 2, ordering: .releasing)
    }

    /// The position of playback when the sound thread last looked. Any thread.
    func report() -> Report {
        while true {
            let count = reportCount.load(ordering: .acquiring)
            let report = Report(
                frame: reportFrame.load(ordering: .relaxed), nanoseconds: reportNanoseconds.load(ordering: .relaxed),
                end: reportEnd.load(ordering: .relaxed), underruns: reportUnderruns.load(ordering: .relaxed),
                isPresent: reportIsPresent.load(ordering: .relaxed))
            atomicMemoryFence(ordering: .acquiring)
            if count & 1 == 0, reportCount.load(ordering: .relaxed) == count { return report }
        }
    }
}
