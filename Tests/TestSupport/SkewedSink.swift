import LinuxSupport
import MediaModel
import MediaTime

/// A sound card whose clock differs from that of the computer.
@MainActor
package final class SkewedSink: AudioSink {
    private let clock: any HostClock
    private let capacity: Int64
    private let rate: Ratio
    private var queued: Int64 = 0
    /// Frame `frame` is heard at `host`, when running.
    private var anchor: (frame: Int64, host: HostTime)?
    private var pausedFrame: Int64 = 0

    /// - Parameters:
    ///   - gain: by how much its clock is faster, in parts per million; negative is slower.
    ///   - buffer: how much sound it takes in advance.
    package init(
        clock: any HostClock, gain: Int, format: AudioFormat = AudioFormat(sampleRate: 48_000, channels: 1),
        buffer: Duration = .milliseconds(500)
    ) {
        self.clock = clock
        self.format = format
        rate = Ratio(Int64(format.sampleRate) * Int64(1_000_000 + gain), 1_000_000)
        capacity = Int64(buffer / .seconds(1) * Double(format.sampleRate))
    }

    package var name: String { "skewed" }
    package let format: AudioFormat
    package var volume: Float = 1
    package let deviceChanges = EventSource<AudioDeviceChange>()

    /// The first frame that has not been heard, exactly.
    private func position(at instant: HostTime) -> MediaTime {
        guard let anchor, instant > anchor.host else { return MediaTime(anchor?.frame ?? pausedFrame, 1) }
        let elapsed = MediaTime.nanoseconds((instant - anchor.host).wholeNanoseconds).scaled(by: rate)
        return min(MediaTime(anchor.frame, 1) + elapsed, MediaTime(queued, 1))
    }

    private func frame(at instant: HostTime) -> Int64 { position(at: instant).unitsRoundedDown(of: 1) }

    package var room: Int { Int(capacity - (queued - frame(at: clock.now))) }

    package func enqueue(_ samples: ArraySlice<Float>) -> Int {
        let frames = min(samples.count / format.channels, room)
        if let anchor, clock.now > anchor.host, frame(at: clock.now) == queued { self.anchor = (queued, clock.now) }
        queued += Int64(frames)
        return frames
    }

    package func play(at time: HostTime) { anchor = (frame(at: clock.now), max(time, clock.now)) }

    package func pause() {
        pausedFrame = frame(at: clock.now)
        anchor = nil
    }

    package func flush() {
        (queued, pausedFrame) = (0, 0)
        if anchor != nil { anchor = (0, clock.now) }
    }

    package func timing() -> AudioTiming? {
        guard let anchor else { return nil }
        let now = clock.now
        if now < anchor.host { return nil }
        let frame = frame(at: now)
        let host =
            anchor.host
            + .nanoseconds(MediaTime(frame - anchor.frame, 1).scaled(by: Ratio(rate.denominator, rate.numerator)).nanoseconds)
        return AudioTiming(frame: frame, hostTime: frame < queued ? host : now, isRunning: frame < queued, underruns: 0)
    }

    package func close() {}
}
