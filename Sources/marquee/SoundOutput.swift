import BoxModel
import LinuxSupport
import MediaModel
import Sound
import StatusModel

/// Makes the audio output.
@MainActor
struct SoundOutput {
    let loop: MainLoop
    let log: LogBook
    /// Whether sound cards are opened. Without them no sound is heard, and `alsa` is an error.
    let opensCards: Bool
    /// Whether a muted card is unmuted when it is opened.
    let unmutes: Bool

    /// - Throws: `CommandFailure` or `MediaError` with one sentence if a requested device is unavailable.
    func make(_ choice: AudioChoice) throws -> any AudioSink {
        let clock = loop.clock
        switch choice {
        case .null: return NullSink(clock: clock)
        case .wav(let path): return try WAVSink(path: path, clock: clock)
        case .alsa(let device):
            guard opensCards else {
                throw CommandFailure(
                    "--audio alsa plays in real time only; with --clock simulated give wav:FILE or null.", code: 2)
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
        let (loop, log) = (loop, log)
        let note: @MainActor (String) -> Void = { log.note($0) }
        let tell = unmutes ? note : nil
        let door = DigitalDoor(device: device, loop: loop, onRemark: tell) { passage, sink in
            log.note("sound \(sink.name), \(passage.codec) passed through")
        }
        return ClaimedSink(name: name, findFormat: { SurroundOutput.format(for: device) }, clock: loop.clock, door: door) {
            log.note("no sound: \($0.sentence)")
        } open: { (format: AudioFormat) throws(MediaError) in
            let surround = format.channels > 2 ? SurroundOutput.find(for: device) : nil
            let sink: ALSASink
            do throws(MediaError) {
                sink = try ALSASink(device: device, surround: surround, channels: format.channels, loop: loop, onRemark: tell)
            } catch {
                guard fallsBack else { throw error }
                sink = try ALSASink(device: nil, surround: surround, channels: format.channels, loop: loop, onRemark: tell)
                log.note("audio.output: \(error.sentence)")
            }
            log.note("sound \(sink.name), \(sink.layoutWords)")
            return sink
        }
    }
}
