import BoxModel
import LinuxSupport
import MediaModel
import Playback
import StatusModel
import Viewing

/// The viewer's sound: its settings, equal loudness of channels, and ownership of the device. Main loop only.
@MainActor
final class SoundKeeping {
    private let player: Player
    private let services: PlaybackServices
    private let clock: any HostClock
    private let log: LogBook
    let amplifier = AmplifierDoor()
    let outputs: OutputKeeping
    private let volume: KeptVolume
    /// The loudness of channels when they were last left, in LUFS.
    private var loudness: [String: Double] = [:]
    private var release: ScheduledEvent?
    /// Whether the output in use is a card that the voice, which is another program, may not be able to open while the box has it open.
    private var isVoiceShutOut = false

    /// The target loudness of all channels in LUFS (EBU R 128), and the largest correction in decibels.
    private static let (commonLoudness, mostGain) = (-23.0, 12.0)
    /// The sound device is released this long after the last programme.
    static let keepsDevice = Duration.seconds(10)

    init(_ parts: ApplianceParts, driver: InterfaceDriver) {
        outputs = OutputKeeping(parts, driver: driver)
        player = parts.player
        services = parts.services
        clock = parts.clock
        log = parts.log
        volume = KeptVolume(parts)
    }

    /// Applies the sound settings at once, without a stop.
    ///
    /// - Parameter channel: the current one.
    func apply(_ settings: ViewerSettings, channel: String?) {
        outputs.apply(settings)
        applyDelay(settings)
        let shaping = SoundShaping(
            reducesLoudSounds: settings[.reducedLoudSounds], enhancesDialogue: settings[.enhancedDialogue],
            gain: settings[.reducedLoudSounds] ? gain(of: channel) : 0)
        guard shaping != player.soundShaping else { return }
        do throws(MediaError) {
            try player.setSoundShaping(shaping)
        } catch {
            log.note(error.description, .warning)
        }
    }

    /// Applies the viewer's delay for the output in use, otherwise the configured one.
    private func applyDelay(_ settings: ViewerSettings) {
        player.soundDelay = settings.soundDelays[services.sink.name].map { .milliseconds($0) } ?? services.soundDelay
    }

    /// Tells the interface which output is in use. It changes for example when a device is opened, and each has a delay of its own.
    func tellOutput(_ driver: InterfaceDriver, _ settings: ViewerSettings) {
        let (output, delay) = (services.sink.name, Int(services.soundDelay.wholeNanoseconds / 1_000_000))
        guard driver.policy.soundOutput != output || driver.policy.soundDelay != delay else { return }
        if driver.policy.soundOutput != output { isVoiceShutOut = false }
        driver.changePolicy { ($0.soundOutput, $0.soundDelay) = (output, delay) }
        applyDelay(settings)
    }

    /// The gain that brings a channel to the target loudness, in decibels; 0 until the channel has been measured.
    private func gain(of channel: String?) -> Double {
        guard let loudness = channel.flatMap({ self.loudness[$0] }) else { return 0 }
        let gain = max(-Self.mostGain, min(Self.mostGain, Self.commonLoudness - loudness))
        return (gain * 10).rounded() / 10
    }

    /// Stores the loudness of a channel that is being left.
    func leave(_ channel: String?) {
        guard let channel, let measured = player.measuredLoudness else { return }
        loudness[channel] = measured
    }

    /// Changes the volume, or with zero steps toggles muting: the amplifier's while it has the volume, otherwise the box's own.
    ///
    /// - Parameter tell: called with the event for the interface, when the volume is known.
    func changeVolume(_ steps: Int, tell: @escaping @MainActor (InterfaceEvent) -> Void) {
        if amplifier.press(steps, then: { tell(.volumeChanged(percent: $0, isMuted: $1)) }) { return }
        if steps == 0 {
            player.isMuted.toggle()
        } else {
            player.isMuted = false
            volume.set(volume.percent + steps * 5)
        }
        tell(.volumeChanged(percent: volume.percent, isMuted: player.isMuted))
    }

    /// Carries out a command about the volume of the box. An amplifier that has the volume keeps its own.
    ///
    /// - Parameter tell: called with the event for the interface.
    /// - Returns: false for any other command.
    func carryOut(_ command: RemoteCommand, tell: @MainActor (InterfaceEvent) -> Void) -> Bool {
        switch command {
        case .setVolume(let percent):
            player.isMuted = false
            volume.set(percent)
        case .setMuted(let isMuted): player.isMuted = isMuted
        default: return false
        }
        tell(.volumeChanged(percent: volume.percent, isMuted: player.isMuted))
        return true
    }

    /// The operator allows other volumes than before.
    func take(_ limits: VolumeLimits) { volume.take(limits) }

    /// Another viewer comes: the volume is that of the first start.
    func beginAgain() {
        player.isMuted = false
        volume.beginAgain()
    }

    /// Whether the box is silent.
    var isMuted: Bool { player.isMuted || player.volume == 0 }

    /// Plays a sound of the interface, unless the box is silent.
    ///
    /// With spoken focus, while nothing plays, a card that only one program can open is left to the voice.
    ///
    /// - Parameters:
    ///   - asked: the instant of its key.
    ///   - isAlone: whether there is no programme, for which the device would be open.
    ///   - isSpoken: whether focus is spoken.
    /// - Returns: whether the device was used.
    func play(_ sound: NavigationSound, asked: HostTime, isAlone: Bool, isSpoken: Bool) -> Bool {
        let isBesideVoice = isAlone && isSpoken
        guard !isMuted, !isBesideVoice || !isVoiceShutOut else { return false }
        services.sink.mix(sound, asked: asked)
        guard isBesideVoice, services.sink.occupiesCard else { return true }
        isVoiceShutOut = true
        services.sink.release()
        return false
    }

    /// Plays a tone on one side, in place of one that is heard. While something plays there is none.
    func playTone(_ side: SoundSide) {
        guard player.currentItem == nil else { return }
        let sink = services.sink
        sink.flush()
        _ = sink.enqueue(TestTone.samples(side, sink.format)[...])
        sink.play(at: clock.now)
        letGo(unless: { [weak self] in self?.player.currentItem != nil }, released: {})
    }

    /// Nothing plays any more. Releases the sound device after a while, unless something plays then.
    ///
    /// - Parameter released: called when it was released.
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
