import LinuxSupport
import MediaModel
import Sound
import StatusModel

/// Where sound goes.
package enum AudioChoice: Hashable, Sendable {
    /// The machine's default device; without one, silence.
    case automatic
    /// A device of ALSA, or nil for the default one; it is an error if it cannot be opened.
    case alsa(device: String?)
    /// The configured audio device; if it cannot be opened, the default one is used.
    case preferred(device: String)
    /// A file.
    case wav(path: String)
    /// Nowhere.
    case null

    /// Whether sound goes to a card, so that there may be several outputs.
    package var isOfCards: Bool {
        switch self {
        case .automatic, .alsa, .preferred: true
        case .wav, .null: false
        }
    }

    /// The device that is named; nil: a viewer may choose.
    package var device: String? {
        switch self {
        case .alsa(let device): device
        case .preferred(let device): device
        case .automatic, .wav, .null: nil
        }
    }

    /// Parses the text of the `--audio` option; nil when it is none.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.dropFirst().first) {
        case ("auto", nil): self = .automatic
        case ("alsa", let device): self = .alsa(device: device)
        case ("wav", let path?): self = .wav(path: path)
        case ("null", nil): self = .null
        default: return nil
        }
    }
}

/// Makes the audio output.
@MainActor
package struct SoundFactory {
    private let loop: MainLoop
    private let log: LogBook
    private let opensCards: Bool
    private let unmutes: Bool
    private let outputs: SoundOutputs?

    /// - Parameters:
    ///   - opensCards: whether sound cards are opened. Without them no sound is heard, and `alsa` is an error.
    ///   - unmutes: whether a muted card is unmuted when it is opened.
    ///   - outputs: what viewers may choose from; nil: what `make` is given stays as it is.
    package init(loop: MainLoop, log: LogBook, opensCards: Bool, unmutes: Bool, outputs: SoundOutputs? = nil) {
        (self.loop, self.log, self.opensCards, self.unmutes) = (loop, log, opensCards, unmutes)
        self.outputs = outputs
    }

    /// - Throws: `MediaError` with one sentence if a requested device is unavailable.
    package func make(_ choice: AudioChoice) throws(MediaError) -> any AudioSink {
        let clock = loop.clock
        switch choice {
        case .null: return NullSink(clock: clock)
        case .wav(let path): return try WAVSink(path: path, clock: clock)
        case .alsa(let device):
            guard opensCards else {
                throw MediaError(
                    .internal,
                    "Opening a sound card was refused: cards play in real time only; with a simulated clock record to a file, or play no sound."
                )
            }
            // Opened once now, so that a missing device is reported at the start.
            try ALSASink(device: device, loop: loop).close()
            return claimed("alsa:\(device ?? "default")", device)
        case .preferred(let device):
            guard opensCards else { return NullSink(clock: clock) }
            return claimed("alsa:\(device)", device, fallsBack: true)
        case .automatic:
            guard opensCards else { return NullSink(clock: clock) }
            return claimed("alsa:default", nil)
        }
    }

    /// A device that is held during playback. Without sound the pictures still play: the null sink drives the clock.
    ///
    /// - Parameter fallsBack: whether any device may be used while this one cannot be opened: a wrong name in the settings, or a card that
    ///   appears late, must not prevent sound.
    private func claimed(_ name: String, _ device: String?, fallsBack: Bool = false) -> any AudioSink {
        let (loop, log, outputs) = (loop, log, outputs)
        let note: @MainActor (String) -> Void = { log.note($0) }
        let tell = unmutes ? note : nil
        let wanted: @MainActor () -> String? = { device ?? outputs?.device }
        let door = DigitalDoor(
            device: wanted(), permits: outputs?.permitsPassthrough ?? true, loop: loop, onRemark: tell
        ) { passage, sink in
            log.note("sound \(sink.name), \(passage.codec) passed through")
            outputs?.opened(sink)
        }
        return ClaimedSink(name: name, findFormat: { SurroundOutput.format(for: wanted()) }, clock: loop.clock, door: door) {
            log.note("no sound: \($0.sentence)")
            outputs?.opened(nil)
        } open: { (format: AudioFormat) throws(MediaError) in
            let device = wanted()
            let surround = format.channels > 2 ? SurroundOutput.find(for: device) : nil
            let sink: ALSASink
            do throws(MediaError) {
                sink = try ALSASink(device: device, surround: surround, channels: format.channels, loop: loop, onRemark: tell)
            } catch {
                guard device != nil, fallsBack || outputs?.fallsBack == true else { throw error }
                sink = try ALSASink(device: nil, surround: surround, channels: format.channels, loop: loop, onRemark: tell)
                log.note("\(fallsBack ? "audio.output" : "the chosen output"): \(error.sentence)")
            }
            log.note("sound \(sink.name), \(sink.layoutWords)")
            outputs?.opened(sink)
            return sink
        }
    }
}
