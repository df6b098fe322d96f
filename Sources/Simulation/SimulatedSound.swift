import LinuxSupport
import MediaModel
import Sound

/// The output of the machine into which a sound card is plugged. Main loop only.
@MainActor
final class SoundSocket {
    /// A low rate, which makes sound cheap: the samples are counted and not heard.
    private static let format = AudioFormat(sampleRate: 1000, channels: 1)

    private let clock: any HostClock
    private(set) var isPlugged = true
    /// The card that the box has open.
    private weak var card: SimulatedSoundCard?

    init(clock: any HostClock) { self.clock = clock }

    /// Whether sound is heard now.
    var isHeard: Bool { card?.isHeard ?? false }

    /// An output for one process, which opens the card as for ALSA.
    func makeSink() -> any AudioSink {
        ClaimedSink(name: "simulated", findFormat: { Self.format }, clock: clock, onFailure: { _ in }) {
            [self] (format: AudioFormat) throws(MediaError) in
            guard isPlugged else { throw MediaError(.soundLost, "There is no sound card.") }
            let card = SimulatedSoundCard(clock: clock, format: format)
            self.card = card
            return card
        }
    }

    /// Unplugs the card or plugs it in.
    func plug(_ isPlugged: Bool) {
        guard isPlugged != self.isPlugged else { return }
        self.isPlugged = isPlugged
        card?.isThere(isPlugged)
    }

    /// Lets the card play nothing for a while, or ends that.
    func stall(_ isStalled: Bool) { card?.isStalled = isStalled }
}

/// A sound card that plays exactly, can be lost and can stall. It keeps what was not heard meanwhile, as `ALSASink` does. Main loop only.
@MainActor
private final class SimulatedSoundCard: AudioSink {
    /// More than a real one takes, so that it wakes the box less often.
    private static let buffer = Duration.seconds(2)

    private let clock: any HostClock
    private let output: NullSink
    /// When it was told to play; nil in a pause.
    private var start: HostTime?
    private var isLost = false
    var isStalled = false { didSet { if isStalled != oldValue { presenceChanged() } } }
    let deviceChanges = EventSource<AudioDeviceChange>()

    init(clock: any HostClock, format: AudioFormat) {
        self.clock = clock
        output = NullSink(clock: clock, format: format, buffer: Self.buffer)
    }

    var name: String { "simulated" }
    var format: AudioFormat { output.format }
    var room: Int { output.room }
    var volume: Float = 1
    var isHeard: Bool { output.timing()?.isRunning ?? false }

    func enqueue(_ samples: ArraySlice<Float>) -> Int { output.enqueue(samples) }
    func flush() { output.flush() }
    func timing() -> AudioTiming? { output.timing() }
    func close() { start = nil }

    func play(at time: HostTime) {
        start = time
        if plays { output.play(at: time) }
    }

    func pause() {
        start = nil
        output.pause()
    }

    func isThere(_ isThere: Bool) {
        isLost = !isThere
        presenceChanged()
        deviceChanges.send(isThere ? .returned : .lost)
    }

    private var plays: Bool { !isLost && !isStalled }

    private func presenceChanged() {
        if !plays { output.pause() } else if let start { output.play(at: max(start, clock.now)) }
    }
}
