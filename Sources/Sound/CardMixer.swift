import CALSA
import Glibc

/// A snapshot of one control of a card's mixer.
struct MixerControl: Equatable {
    /// alsa-lib's name for it: `Master`, `PCM`, `Speaker`, `IEC958`.
    var name: String
    /// Distinguishes controls with the same name.
    var index = 0
    /// Whether its switch lets every channel through; nil: it has no switch for playback.
    var isOn: Bool?
    /// Its volume in the card's own steps, and their range; nil: it has no volume.
    var level: Int?
    var levels = 0...0
    /// The same in hundredths of a decibel; nil when the card does not say.
    var decibels: Int?
    var decibelRange: ClosedRange<Int>?
}

/// The volume to set a control to.
enum MixerLevel: Equatable {
    /// 0 dB, or the next lower step.
    case unchanged
    /// The highest step: for a control whose range ends below 0 dB, or is unknown.
    case top
}

/// What unmuting needs of a card's mixer: the seam right above alsa-lib. No call waits.
protocol CardMixer {
    /// Its controls in the card's order.
    func controls() -> [MixerControl]
    func switchOn(_ control: MixerControl) throws(ALSAError)
    func set(_ level: MixerLevel, of control: MixerControl) throws(ALSAError)
}

/// The mixer of one card through alsa-lib, closed in `deinit`. One thread at a time.
final class ALSAMixer: CardMixer {
    private let handle: OpaquePointer
    private let check: ALSACheck

    /// Opens the mixer of a card, by its number. A card without one has no controls.
    init(card: Int32, library: any ALSALibrary) throws(ALSAError) {
        check = ALSACheck(device: library.deviceName(of: card))
        let control = try library.openControl(of: card, mode: Int(SND_CTL_NONBLOCK))
        var (mixer, elements): (OpaquePointer?, OpaquePointer?)
        do {
            try check("snd_mixer_open", snd_mixer_open(&mixer, 0))
            try check("snd_hctl_open_ctl", snd_hctl_open_ctl(&elements, control))
        } catch {
            snd_ctl_close(control)
            if let mixer { snd_mixer_close(mixer) }
            throw error
        }
        handle = mixer!
        // The mixer owns the control interface now, and closes it on failure. If the calls below throw, deinit closes the mixer.
        try check("snd_mixer_attach_hctl", snd_mixer_attach_hctl(handle, elements))
        try check("snd_mixer_selem_register", snd_mixer_selem_register(handle, nil, nil))
        try check("snd_mixer_load", snd_mixer_load(handle))
    }

    deinit { snd_mixer_close(handle) }

    func controls() -> [MixerControl] { elements().map(Self.look) }

    func switchOn(_ control: MixerControl) throws(ALSAError) {
        let element = try find(control)
        try check("snd_mixer_selem_set_playback_switch_all", snd_mixer_selem_set_playback_switch_all(element, 1))
    }

    func set(_ level: MixerLevel, of control: MixerControl) throws(ALSAError) {
        let element = try find(control)
        switch level {
        case .unchanged:
            // -1: take the next lower step if the card has none at 0 dB.
            try check("snd_mixer_selem_set_playback_dB_all", snd_mixer_selem_set_playback_dB_all(element, 0, -1))
        case .top:
            let top = control.levels.upperBound
            try check("snd_mixer_selem_set_playback_volume_all", snd_mixer_selem_set_playback_volume_all(element, top))
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
        guard let found else {
            throw ALSAError(call: "the search for the control \(control.name)", device: check.device, code: ENOENT)
        }
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
}
