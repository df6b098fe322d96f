import Synchronization

/// What the main loop and the sound thread share: a ring of samples and a few numbers, each with one writer, and no lock.
///
/// Frames are counted from the opening of the sink and never wrap; the frame n lies at n modulo `capacity`. The main loop writes samples and
/// then `written`; the sound thread says in `kept` what it may still need: frames that are in the device and not yet heard can be taken back
/// out of it, so their samples stay in the ring until they have been heard.
// Unchecked for the sake of `samples`: frames in kept..<written are only read, by the sound thread; all others are only written, by the main loop; the atomic counters
// hand them over.
final class ALSAExchange: @unchecked Sendable {
    /// Where the sound is, as the sound thread last saw it.
    struct Report: Equatable {
        /// The next frame to be heard, or the one that is being heard.
        var frame = 0
        /// The instant of CLOCK_MONOTONIC at which it is heard, in nanoseconds; for a frame that is not on its way to the device, the instant of the report.
        var nanoseconds: Int64 = 0
        /// The frame after the last one that follows it in the device without silence between; equal to `frame` when it is not on its way.
        var end = 0
        /// How often there was nothing to play.
        var underruns = 0
        /// Whether there is a device.
        var isPresent = true
    }

    /// Frames in the ring: a power of two, more than the sink offers, so that there is room right after a flush.
    static let capacity = 1 << 16
    /// Samples a frame.
    let channels: Int
    private let samples: UnsafeMutablePointer<Float>

    // Written by the main loop.
    let written = Atomic<Int>(0)
    /// Frames before this one are void: the generation of the samples, told by their place.
    let flushed = Atomic<Int>(0)
    /// The frame that rises from silence although a generation begins with it; -1: none. Written before `flushed` or `written` lead to it.
    let rising = Atomic<Int>(-1)
    /// The last order: a sequence number, and in the lowest bit whether to play.
    let order = Atomic<UInt64>(0)
    /// From which instant of CLOCK_MONOTONIC on an order to play is meant. Written before the order.
    let start = Atomic<Int64>(0)
    /// Bit pattern of the wanted loudness.
    let volume = Atomic<UInt32>(Float(1).bitPattern)
    let isClosing = Atomic<Bool>(false)

    // Written by the sound thread.
    let kept = Atomic<Int>(0)
    /// Whether it plays and has nothing to play, so that it wants to be told of new samples at once.
    let isDry = Atomic<Bool>(false)

    // The report is five numbers that belong together: readers try again when the count changed meanwhile or is odd.
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

    /// Adds frames for which there is room. Main loop only.
    func write(_ source: UnsafeBufferPointer<Float>) {
        guard let start = source.baseAddress else { return }
        let (first, frames) = (written.load(ordering: .relaxed), source.count / channels)
        let place = first & (Self.capacity - 1)
        let whole = min(frames, Self.capacity - place)
        (samples + place * channels).update(from: start, count: whole * channels)
        samples.update(from: start + whole * channels, count: (frames - whole) * channels)
        written.store(first + frames, ordering: .releasing)
    }

    /// The samples of frames that are kept, and how many frames lie there side by side. Sound thread only.
    func read(_ frame: Int) -> (samples: UnsafePointer<Float>, frames: Int) {
        let place = frame & (Self.capacity - 1)
        return (UnsafePointer(samples + place * channels), Self.capacity - place)
    }

    /// Says where the sound is. Sound thread only.
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

    /// Where the sound was when the sound thread last looked. Any thread.
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
