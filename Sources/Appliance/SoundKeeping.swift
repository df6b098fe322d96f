import LinuxSupport
import MediaModel
import Playback
import PlayerInterface

/// The viewer's sound: what is made of loud sounds and speech, how loud channels are beside each other, and who has the device. Main loop only.
@MainActor
final class SoundKeeping {
    private let player: Player
    private let services: PlaybackServices
    private let clock: any HostClock
    private let log: LogBook
    /// How loud channels were when they were left, in LUFS.
    private var loudness: [String: Double] = [:]
    private var release: ScheduledEvent?

    /// All channels come to be as loud as EBU R 128 has it, as far as so much does it.
    private static let (commonLoudness, mostGain) = (-23.0, 12.0)
    /// So long after the last programme the sound device is let go of.
    static let keepsDevice = Duration.seconds(10)

    init(_ parts: ApplianceParts) {
        player = parts.player
        services = parts.services
        clock = parts.clock
        log = parts.log
    }

    /// What the settings say of the sound is in force at once, without a stop.
    ///
    /// - Parameter channel: the one that plays.
    func apply(_ settings: ViewerSettings, channel: String?) {
        let shaping = SoundShaping(
            reducesLoudSounds: settings.reducesLoudSounds, enhancesDialogue: settings.enhancesDialogue,
            gain: settings.reducesLoudSounds ? gain(of: channel) : 0)
        guard shaping != player.soundShaping else { return }
        do throws(MediaError) {
            try player.setSoundShaping(shaping)
        } catch {
            log.note(error.description)
        }
    }

    /// What a channel lacks of the loudness that all are to have, in decibels; 0 until it has been measured.
    private func gain(of channel: String?) -> Double {
        guard let loudness = channel.flatMap({ self.loudness[$0] }) else { return 0 }
        let gain = max(-Self.mostGain, min(Self.mostGain, Self.commonLoudness - loudness))
        return (gain * 10).rounded() / 10
    }

    /// Remembers how loud a channel is that is being left.
    func leave(_ channel: String?) {
        guard let channel, let measured = player.measuredLoudness else { return }
        loudness[channel] = measured
    }

    /// Louder, softer, or with no steps muted and not.
    ///
    /// - Returns: what to tell the interface.
    func changeVolume(_ steps: Int) -> InterfaceEvent {
        if steps == 0 {
            player.isMuted.toggle()
        } else {
            player.isMuted = false
            player.volume += Float(steps) * 0.05
        }
        return .volumeChanged(percent: Int((player.volume * 100).rounded()), isMuted: player.isMuted)
    }

    /// Nothing plays any more: others may have the sound device after a while, unless something plays then.
    ///
    /// - Parameter released: called when it was let go of.
    func letGo(
        after length: Duration = SoundKeeping.keepsDevice, unless isPlaying: @escaping @MainActor () -> Bool,
        released: @escaping @MainActor () -> Void
    ) {
        release?.cancel()
        release = clock.schedule(after: length, rank: .timer) { [weak self] in
            guard let self, !isPlaying() else { return }
            self.services.sink.release()
            released()
        }
    }
}
