import CALSA
import Glibc

/// One control of a card's mixer, as it was when it was looked at.
struct MixerControl: Equatable {
    /// alsa-lib's name for it: `Master`, `PCM`, `Speaker`, `IEC958`.
    var name: String
    /// Tells controls of one name apart.
    var index = 0
    /// Whether its switch lets every channel through; nil: it has no switch for playback.
    var isOn: Bool?
    /// Its loudness in steps of the card's own, and how far they reach; nil: it has none.
    var level: Int?
    var levels = 0...0
    /// The same in hundredths of a decibel; nil where the card does not say.
    var decibels: Int?
    var decibelRange: ClosedRange<Int>?
}

/// How loud a control is made.
enum MixerLevel: Equatable {
    /// As loud as the samples are, or the next lower step.
    case unchanged
    /// As loud as it goes: where even that is softer than the samples, or nobody knows.
    case top
}

/// What unmuting needs of a card's mixer; the seam right above alsa-lib. No call waits.
protocol CardMixer {
    /// Its controls in the card's order.
    func controls() -> [MixerControl]
    func switchOn(_ control: MixerControl) throws(ALSAError)
    func set(_ level: MixerLevel, of control: MixerControl) throws(ALSAError)
}

/// The mixer of one card by alsa-lib, let go of when the object goes away. One thread at a time.
final class ALSAMixer: CardMixer {
    private let handle: OpaquePointer
    private let device: String

    /// Opens the mixer of a card, by its number. A card without one has no controls.
    init(card: Int32) throws(ALSAError) {
        marquee_alsa_be_quiet()
        device = "hw:\(card)"
        var opened: OpaquePointer?
        try Self.check("snd_mixer_open", device, snd_mixer_open(&opened, 0))
        handle = opened!
        // What throws from here on lets go of the mixer by deinit.
        var control: OpaquePointer?
        try Self.check("snd_hctl_open", device, snd_hctl_open(&control, device, Int32(SND_CTL_NONBLOCK)))
        // The mixer owns it now, and closes it when it refuses.
        try Self.check("snd_mixer_attach_hctl", device, snd_mixer_attach_hctl(handle, control))
        try Self.check("snd_mixer_selem_register", device, snd_mixer_selem_register(handle, nil, nil))
        try Self.check("snd_mixer_load", device, snd_mixer_load(handle))
    }

    deinit { snd_mixer_close(handle) }

    func controls() -> [MixerControl] { elements().map(Self.look) }

    func switchOn(_ control: MixerControl) throws(ALSAError) {
        let element = try find(control)
        try Self.check("snd_mixer_selem_set_playback_switch_all", device, snd_mixer_selem_set_playback_switch_all(element, 1))
    }

    func set(_ level: MixerLevel, of control: MixerControl) throws(ALSAError) {
        let element = try find(control)
        switch level {
        case .unchanged:
            // -1: the next lower step where the card has none at 0 dB.
            try Self.check("snd_mixer_selem_set_playback_dB_all", device, snd_mixer_selem_set_playback_dB_all(element, 0, -1))
        case .top:
            let top = control.levels.upperBound
            try Self.check(
                "snd_mixer_selem_set_playback_volume_all", device, snd_mixer_selem_set_playback_volume_all(element, top))
        }
    }

    private func elements() -> [OpaquePointer] {
        var found: [OpaquePointer] = []
        var next = snd_mixer_first_elem(handle)
        while let element = next {
            if snd_mixer_elem_get_type(element) == SND_MIXER_ELEM_SIMPLE { found.append(element) }
            next = snd_mixer_elem_next(element)
        }
        return found
    }

    private func find(_ control: MixerControl) throws(ALSAError) -> OpaquePointer {
        let found = elements().first { Self.name(of: $0) == control.name && Int(snd_mixer_selem_get_index($0)) == control.index }
        guard let found else { throw ALSAError(call: "the search for the control \(control.name)", device: device, code: ENOENT) }
        return found
    }

    private static func name(of element: OpaquePointer) -> String {
        snd_mixer_selem_get_name(element).map { String(cString: $0) } ?? ""
    }

    private static func look(at element: OpaquePointer) -> MixerControl {
        var control = MixerControl(name: name(of: element), index: Int(snd_mixer_selem_get_index(element)))
        let channels = (0...SND_MIXER_SCHN_LAST.rawValue).map { snd_mixer_selem_channel_id_t(rawValue: $0) }
            .filter { snd_mixer_selem_has_playback_channel(element, $0) == 1 }
        if snd_mixer_selem_has_playback_switch(element) == 1 {
            control.isOn = channels.allSatisfy {
                var value: Int32 = 1
                return snd_mixer_selem_get_playback_switch(element, $0, &value) < 0 || value != 0
            }
        }
        guard snd_mixer_selem_has_playback_volume(element) == 1, let first = channels.first else { return control }
        var lowest = 0
        var highest = 0
        var value = 0
        guard snd_mixer_selem_get_playback_volume_range(element, &lowest, &highest) >= 0, lowest <= highest,
            snd_mixer_selem_get_playback_volume(element, first, &value) >= 0
        else { return control }
        control.level = value
        control.levels = lowest...highest
        if snd_mixer_selem_get_playback_dB(element, first, &value) >= 0 { control.decibels = value }
        if snd_mixer_selem_get_playback_dB_range(element, &lowest, &highest) >= 0, lowest < highest {
            control.decibelRange = lowest...highest
        }
        return control
    }

    private static func check(_ call: String, _ device: String, _ code: Int32) throws(ALSAError) {
        if code < 0 { throw ALSAError(call: call, device: device, code: code) }
    }
}
