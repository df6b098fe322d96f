import Glibc
import Testing

@testable import Sound

/// A mixer with the test's controls, which records what was done to them.
private final class FakeMixer: CardMixer {
    var all: [MixerControl]
    var refuses: Set<String> = []
    private(set) var calls: [String] = []

    init(_ all: [MixerControl]) { self.all = all }

    func controls() -> [MixerControl] { all }

    func switchOn(_ control: MixerControl) throws(ALSAError) {
        guard !refuses.contains(control.name) else { throw ALSAError(call: "switch", device: "hw:0", code: EPERM) }
        let index = all.firstIndex { $0.name == control.name && $0.index == control.index }!
        all[index].isOn = true
        calls.append("\(control.name) \(control.index) on")
    }

    func set(_ level: MixerLevel, of control: MixerControl) throws(ALSAError) {
        calls.append("\(control.name) \(control.index) \(level)")
    }
}

@Suite("A card that the kernel left muted is unmuted")
struct UnmutingTests {
    private let muted = MixerControl(
        name: "Master", isOn: false, level: 0, levels: 0...74, decibels: -7400, decibelRange: -7400...0)

    @Test("a muted output is set to 0 dB, and then switched on")
    func master() {
        let mixer = FakeMixer([muted])
        #expect(Unmuting.run(mixer) == Unmuting.Outcome(unmuted: ["Master"]))
        #expect(mixer.calls == ["Master 0 unchanged", "Master 0 on"])
    }

    @Test(
        "an output whose maximum is below 0 dB or unknown is set to its maximum; one without a volume is only switched on"
    )
    func levels() {
        var soft = muted
        soft.decibelRange = -9000 ... -600
        var unknown = muted
        unknown.name = "Speaker"
        unknown.decibelRange = nil
        let mixer = FakeMixer([soft, unknown, MixerControl(name: "IEC958", index: 1, isOn: false)])
        _ = Unmuting.run(mixer)
        #expect(mixer.calls == ["Master 0 top", "Master 0 on", "Speaker 0 top", "Speaker 0 on", "IEC958 1 on"])
    }

    @Test("a control that is on keeps its volume; controls without a switch and inputs are unchanged")
    func others() {
        var on = muted
        on.isOn = true
        var volume = muted
        volume.name = "PCM"
        volume.isOn = nil
        let names = ["Mic", "Front Mic", "Line", "CD", "Beep", "PCM Loopback", "Sidetone", "Auto Gain Control", "Mic Playback"]
        let mixer = FakeMixer([on, volume] + names.map { MixerControl(name: $0, isOn: false, level: 0, levels: 0...3) })
        #expect(Unmuting.run(mixer) == Unmuting.Outcome())
        #expect(mixer.calls.isEmpty)
    }

    @Test(
        "outputs are recognised by the names that cards give them",
        arguments: [
            "Master", "PCM", "Speaker", "Headphone", "Line Out", "HDMI", "IEC958", "S/PDIF Digital", "Front", "Surround",
            "Center", "LFE", "Master Mono", "Headset",
        ])
    func names(_ name: String) { #expect(Unmuting.isWayOut(name)) }

    @Test("a control that refuses does not prevent the others from being unmuted, and is reported in a sentence")
    func refusal() {
        let mixer = FakeMixer([muted, MixerControl(name: "Speaker", isOn: false)])
        mixer.refuses = ["Master"]
        let outcome = Unmuting.run(mixer)
        #expect(outcome.unmuted == ["Speaker"] && outcome.failures.map(\.code) == [EPERM])
        let words = Unmuting.words(outcome, card: "card 0 (HDA)")
        #expect(words.first == "the mixer of card 0 (HDA) was muted: Speaker switched on")
        #expect(words.count == 2 && words[1].contains("Operation not permitted") && words[1].contains("alsamixer"))
        #expect(Unmuting.words(Unmuting.Outcome(), card: "card 0").isEmpty)
    }

    @Test("a missing card is reported, and has no mixer")
    func absent() {
        #expect(throws: ALSAError.self) { try ALSAMixer(card: 31, library: InstalledALSA()) }
        #expect(Unmuting.remarks(card: 31, library: InstalledALSA()).count == 1)
    }

    @Test("the diagnosis names each output with its volume")
    func words() {
        var on = MixerControl(name: "PCM", isOn: true, level: 12, levels: 0...31)
        on.decibels = -325
        let mic = MixerControl(name: "Mic", isOn: false)
        #expect(
            CardMixers.describe([muted, on, MixerControl(name: "Speaker", isOn: true, level: 3, levels: 0...7), mic])
                == "Master muted at -74.0 dB, PCM on at -3.3 dB, Speaker on at 3 of 7")
        #expect(CardMixers.describe([mic]) == "no mixer that could mute it")
    }
}
