import LinuxSupport
import MediaModel
import Playback
import PlayerInterface

/// The viewer's sound: loudness, what is made of loud sounds and speech, and who has the device.
extension Appliance {
    /// What the settings say of the sound is in force at once, without a stop.
    func applySound(_ settings: ViewerSettings) {
        let shaping = SoundShaping(
            reducesLoudSounds: settings.reducesLoudSounds, enhancesDialogue: settings.enhancesDialogue,
            gain: settings.reducesLoudSounds ? channelGain : 0)
        guard shaping != parts.player.soundShaping else { return }
        do throws(MediaError) {
            try parts.player.setSoundShaping(shaping)
        } catch {
            parts.log.note(error.description)
        }
    }

    /// All channels come to be as loud as EBU R 128 has it, as far as so much does it.
    private static let (commonLoudness, mostGain) = (-23.0, 12.0)

    /// What the present channel lacks of the loudness that all are to have, in decibels; 0 until it has been measured.
    private var channelGain: Double {
        guard let loudness = programme?.channelID.flatMap({ channelLoudness[$0] }) else { return 0 }
        let gain = max(-Self.mostGain, min(Self.mostGain, Self.commonLoudness - loudness))
        return (gain * 10).rounded() / 10
    }

    /// Remembers how loud the channel is that is being left.
    func rememberLoudness() {
        guard let channel = programme?.channelID, let loudness = parts.services.codecs.measuredLoudness else { return }
        channelLoudness[channel] = loudness
    }

    /// Louder, softer, or with no steps muted and not.
    func changeVolume(_ steps: Int) {
        let player = parts.player
        if steps == 0 {
            player.isMuted.toggle()
        } else {
            player.isMuted = false
            player.volume += Float(steps) * 0.05
        }
        send(.volumeChanged(percent: Int((player.volume * 100).rounded()), isMuted: player.isMuted))
    }

    /// So long after the last programme the sound device is let go of.
    private static let keepsDevice = Duration.seconds(10)

    /// Nothing plays any more: others may have the sound device, in standby at once.
    func letGoOfSound(after length: Duration? = nil) {
        soundRelease?.cancel()
        soundRelease = parts.clock.schedule(after: length ?? Self.keepsDevice, rank: .timer) { [weak self] in
            guard let self, self.programme == nil else { return }
            self.parts.services.sink.release()
            self.parts.dump?.note("sound-released")
        }
    }
}
