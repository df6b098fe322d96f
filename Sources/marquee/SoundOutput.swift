import LinuxSupport
import MediaModel
import Sound

/// Makes what sound leaves the box by.
@MainActor
struct SoundOutput {
    let loop: MainLoop
    let log: LogBook
    /// Whether a card that is muted is switched on when it is opened.
    let unmutes: Bool

    /// - Throws: `CommandFailure` or `MediaError` with one sentence when a device that was asked for cannot be used.
    func make(_ choice: AudioChoice) throws -> any AudioSink {
        let clock = loop.clock
        switch choice {
        case .null: return NullSink(clock: clock)
        case .wav(let path): return try WAVSink(path: path, clock: clock)
        case .alsa(let device):
            guard !clock.isSimulated else {
                throw CommandFailure(
                    "--audio alsa plays in real time only; with --clock simulated give wav:FILE or null.", code: 2)
            }
            // Once now, so that a device that is not there is told at the start.
            try ALSASink(device: device, loop: loop).close()
            return claimed("alsa:\(device ?? "default")", device)
        case .preferred(let device):
            guard !clock.isSimulated else { return NullSink(clock: clock) }
            do {
                try ALSASink(device: device, loop: loop).close()
                return claimed("alsa:\(device)", device)
            } catch {
                // A wrong name in the settings must not keep the picture away.
                log.note("audio.output: \(error.sentence)")
                return claimed("alsa:default", nil)
            }
        case .automatic:
            guard !clock.isSimulated else { return NullSink(clock: clock) }
            return claimed("alsa:default", nil)
        }
    }

    /// A device that is held while something plays. No sound is no reason for no picture: where it cannot be had the clock runs by the null sink.
    private func claimed(_ name: String, _ device: String?) -> any AudioSink {
        let (loop, log, unmutes) = (loop, log, unmutes)
        func tell(_ line: String) { log.note(line) }
        let door = DigitalDoor(device: device, loop: loop, onRemark: unmutes ? tell : nil) { passage, sink in
            log.note("sound \(sink.name), \(passage.codec) passed through")
        }
        return ClaimedSink(name: name, findFormat: { SurroundOutput.format(for: device) }, clock: loop.clock, door: door) {
            log.note("no sound: \($0.sentence)")
        } open: { (format: AudioFormat) throws(MediaError) in
            let surround = format.channels > 2 ? SurroundOutput.find(for: device) : nil
            let sink = try ALSASink(
                device: device, surround: surround, channels: format.channels, loop: loop, onRemark: unmutes ? tell : nil)
            log.note("sound \(sink.name), \(sink.layoutWords)")
            return sink
        }
    }
}
