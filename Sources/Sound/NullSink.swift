import LinuxSupport
import MediaModel

/// Discards sound at exactly the rate at which a device would play it.
@MainActor
package final class NullSink: AudioSink {
    private let clock: any HostClock
    private var counter: FrameCounter
    private let capacity: Int64

    /// - Parameter buffer: how much sound it takes in advance.
    package init(
        clock: any HostClock, format: AudioFormat = AudioFormat(sampleRate: 48_000, channels: 2),
        buffer: Duration = .milliseconds(500)
    ) {
        self.clock = clock
        self.format = format
        counter = FrameCounter(sampleRate: format.sampleRate)
        capacity = Int64(buffer / .seconds(1) * Double(format.sampleRate))
    }

    package var name: String { "null" }
    package let format: AudioFormat
    package var volume: Float = 1
    package let deviceChanges = EventSource<AudioDeviceChange>()

    package var room: Int { Int(capacity - (counter.enqueued - counter.frame(at: clock.now))) }

    package func enqueue(_ samples: ArraySlice<Float>) -> Int {
        let frames = min(samples.count / format.channels, room)
        counter.enqueue(frames, at: clock.now)
        return frames
    }

    package func play(at time: HostTime) { counter.play(at: time, now: clock.now) }
    package func pause() { counter.pause(at: clock.now) }
    package func flush() { counter.flush(at: clock.now) }
    package func timing() -> AudioTiming? { counter.timing(at: clock.now) }
    package func close() {}
}
