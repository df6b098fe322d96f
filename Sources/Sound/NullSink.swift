import LinuxSupport
import MediaModel

/// Takes sound at exactly the rate at which a device would, and lets nobody hear it.
@MainActor
public final class NullSink: AudioSink {
    private let clock: any HostClock
    private var counter: FrameCounter
    private let capacity: Int64

    /// Makes a sink that keeps the clock's time.
    public init(clock: any HostClock, format: AudioFormat = AudioFormat(sampleRate: 48_000, channels: 2)) {
        self.clock = clock
        self.format = format
        counter = FrameCounter(sampleRate: format.sampleRate)
        capacity = Int64(format.sampleRate / 2)
    }

    public var name: String { "null" }
    public let format: AudioFormat
    public var volume: Float = 1
    public var onDeviceChange: (@MainActor (Bool) -> Void)?

    public var room: Int { Int(capacity - (counter.enqueued - counter.frame(at: clock.now))) }

    public func enqueue(_ samples: ArraySlice<Float>) -> Int {
        let frames = min(samples.count / format.channels, room)
        counter.enqueue(frames, at: clock.now)
        return frames
    }

    public func play(at time: HostTime) { counter.play(at: time, now: clock.now) }
    public func pause() { counter.pause(at: clock.now) }
    public func flush() { counter.flush(at: clock.now) }
    public func timing() -> AudioTiming? { counter.timing(at: clock.now) }
    public func close() {}
}
