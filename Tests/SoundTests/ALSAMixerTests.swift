import CALSA
import Glibc
import LinuxSupport
import MediaModel
import Testing

@testable import Sound

extension SoftwareCard.Control {
    /// A switch with a channel for each value.
    static func playbackSwitch(_ name: String, _ values: [Int], index: Int = 0) -> Self {
        Self(name: "\(name) Playback Switch", kind: .boolean, values: values, index: index)
    }

    /// - Parameter decibels: the lowest step and the steps, in hundredths.
    static func playbackVolume(
        _ name: String, _ values: [Int], _ range: ClosedRange<Int>, decibels: (lowest: Int, step: Int)? = nil
    ) -> Self {
        Self(name: "\(name) Playback Volume", kind: .integer, values: values, range: range, decibels: decibels)
    }
}

@Suite("A card's mixer through alsa-lib")
struct ALSAMixerTests {
    private let card = SoftwareCard([
        .playbackSwitch("Master", [0, 1]), .playbackVolume("Master", [10, 12], 0...87, decibels: (lowest: -6525, step: 75)),
        .playbackSwitch("IEC958", [1], index: 0), .playbackSwitch("IEC958", [0], index: 1), .playbackVolume("PCM", [3], 0...7),
        .init(name: "Capture Volume", kind: .integer, values: [1], range: 0...3),
    ])

    private func mixer() throws -> ALSAMixer { try ALSAMixer(card: 2, library: SoftwareALSA(cards: [2: card])) }

    @Test("each control has its switch, its volume, and its decibels where the card says them")
    func controls() throws {
        let controls = try mixer().controls()
        #expect(
            controls.first { $0.name == "Master" }
                == MixerControl(name: "Master", isOn: false, level: 10, levels: 0...87, decibels: -5775, decibelRange: -6525...0))
        #expect(controls.first { $0.name == "PCM" } == MixerControl(name: "PCM", level: 3, levels: 0...7))
        #expect(controls.filter { $0.name == "IEC958" }.sorted { $0.index < $1.index }.map(\.isOn) == [true, false])
        #expect(controls.first { $0.name == "Capture" } == MixerControl(name: "Capture"))
        #expect(controls.count == 5)
    }

    @Test("a control is on if the switches of all its channels are on")
    func switches() throws {
        card.monitor.update { $0.controls[0].values = [1, 0] }
        #expect(try mixer().controls().first { $0.name == "Master" }?.isOn == false)
        card.monitor.update { $0.controls[0].values = [1, 1] }
        #expect(try mixer().controls().first { $0.name == "Master" }?.isOn == true)
    }

    @Test("a volume at the end of its range, and of one step, is told")
    func ends() throws {
        card.monitor.update { state in
            state.controls[1].values = [87, 87]
            state.controls[4].values = [0]
            state.controls[4].range = 0...0
        }
        let controls = try mixer().controls()
        #expect(controls.first { $0.name == "Master" }?.level == 87 && controls.first { $0.name == "Master" }?.decibels == 0)
        #expect(controls.first { $0.name == "PCM" }.map { [$0.level, $0.levels.upperBound] } == [0, 0])
    }

    @Test("a switch is switched on in all channels, and that of its index only")
    func switchOn() throws {
        let mixer = try mixer()
        try mixer.switchOn(MixerControl(name: "Master"))
        #expect(card.values("Master Playback Switch") == [1, 1] && card.values("Master Playback Volume") == [10, 12])
        card.monitor.update { $0.controls[2].values = [0] }
        try mixer.switchOn(MixerControl(name: "IEC958", index: 1))
        #expect(card.values("IEC958 Playback Switch", 0) == [0] && card.values("IEC958 Playback Switch", 1) == [1])
    }

    @Test("the volume is set to 0 dB or the next lower step, or to the top")
    func levels() throws {
        // 0 dB is between the steps 10 and 11.
        card.monitor.update { $0.controls[1].decibels = (lowest: -1050, step: 100) }
        let mixer = try mixer()
        let master = try #require(mixer.controls().first { $0.name == "Master" })
        try mixer.set(.unchanged, of: master)
        #expect(card.values("Master Playback Volume") == [10, 10])
        try mixer.set(.top, of: master)
        #expect(card.values("Master Playback Volume") == [87, 87])
        #expect(card.values("PCM Playback Volume") == [3])
    }

    @Test("a control that is gone, and a refusal, are errors that name the card")
    func errors() throws {
        let mixer = try mixer()
        for missing in [MixerControl(name: "Speaker"), MixerControl(name: "Master", index: 1)] {
            let error = #expect(throws: ALSAError.self) { try mixer.switchOn(missing) }
            #expect(error?.device == "hw:2" && error?.code == ENOENT)
        }
        card.monitor.update { state in
            for index in state.controls.indices { state.controls[index].refusal = -EPERM }
        }
        let master = MixerControl(name: "Master", levels: 0...87)
        #expect(throws: ALSAError(call: "snd_mixer_selem_set_playback_switch_all", device: "hw:2", code: EPERM)) {
            try mixer.switchOn(master)
        }
        #expect(throws: ALSAError(call: "snd_mixer_selem_set_playback_dB_all", device: "hw:2", code: EPERM)) {
            try mixer.set(.unchanged, of: master)
        }
        #expect(throws: ALSAError(call: "snd_mixer_selem_set_playback_volume_all", device: "hw:2", code: EPERM)) {
            try mixer.set(.top, of: master)
        }
    }

    @Test("the controls of a card are closed with the mixer")
    func closed() throws {
        do {
            let mixer = try mixer()
            #expect(mixer.controls().count == 5 && card.monitor.read(\.closings) == 0)
        }
        #expect(card.monitor.read(\.openings) == 1 && card.monitor.read(\.closings) == 1)
    }

    // MARK: The cards of a machine

    @Test("a muted card is unmuted, and it is told; a card that is on is left alone")
    func remarks() {
        let library = SoftwareALSA(cards: [2: card])
        #expect(
            Unmuting.remarks(card: 2, library: library) == ["the mixer of card 2 (Test) was muted: Master, IEC958 switched on"])
        #expect(card.values("Master Playback Switch") == [1, 1] && card.values("Master Playback Volume") == [87, 87])
        #expect(Unmuting.remarks(card: 2, library: library) == [])
        let lines = Unmuting.remarks(card: 7, library: library)
        #expect(lines.count == 1 && lines[0].hasPrefix("the mixer of card 7 could not be opened: snd_ctl_open on hw:7 failed"))
    }

    @Test("the diagnosis describes the mixer of each card")
    func diagnosis() {
        let library = SoftwareALSA(cards: [2: card, 0: SoftwareCard(id: "PCH", [.playbackSwitch("Front", [1])])])
        let found = CardMixers.all(library)
        #expect(found.map(\.card) == ["card 0 (PCH)", "card 2 (Test)"])
        #expect(found.map(\.words) == ["Front on", "Master muted at -57.8 dB, IEC958 on, IEC958 muted"])
    }
}

@Suite("The screens at the outputs of a machine's cards")
@MainActor
struct SoundCardsTests {
    /// The control of an output whose screen accepts samples and AC-3, or of one without a screen.
    private func output(_ device: Int, _ name: String?) -> SoftwareCard.Control {
        var bytes: [UInt8] = []
        if let name {
            bytes = [2 << 3, 0, 0, 0, UInt8(name.utf8.count), 2 << 4, 0, 1] + [UInt8](repeating: 0, count: 12)
            bytes += Array(name.utf8) + [0x09, 0x7F, 0x07, 0x15, 0x07, 0x50]
            bytes[2] = UInt8((bytes.count - 1) / 4)
        }
        return .init(
            name: "ELD", kind: .bytes, values: (bytes + [UInt8](repeating: 0, count: 40)).map(Int.init), device: device,
            isMixer: false)
    }

    private func library() -> SoftwareALSA {
        SoftwareALSA(cards: [
            0: SoftwareCard(id: "PCH", [.playbackSwitch("Master", [1])]),
            1: SoftwareCard(
                id: "HDMI",
                [
                    output(8, "SECOND"), output(3, nil),
                    .init(name: "ELD", kind: .integer, values: [1], device: 9, isMixer: false),
                    output(7, "FIRST"), .playbackSwitch("IEC958", [1]),
                ]),
        ])
    }

    @Test("each card has its number and identifier")
    func all() {
        let library = library()
        let found = SoundCards(library: library).all()
        #expect(found.map(\.number) == [0, 1] && found.map(\.id) == ["PCH", "HDMI"])
        #expect(library.monitor.read { $0.cards.values.allSatisfy { $0.monitor.read { $0.openings == 1 && $0.closings == 1 } } })
    }

    @Test("its screens are in the order of its outputs; an output without a screen has its place")
    func screens() {
        let library = library()
        let cards = SoundCards(library: library)
        #expect(cards.screens(of: 1).map { $0?.monitorName } == [nil, "FIRST", "SECOND", nil])
        #expect(cards.screens(of: 1)[1]?.takes(.ac3, sampleRate: 48_000) == true)
        #expect(cards.screens(of: 0).isEmpty && cards.screens(of: 5).isEmpty)
        #expect(library.monitor.read { $0.cards[1]!.monitor.read { $0.openings == $0.closings && $0.openings == 2 } })
    }

    @Test("the output for encoded sound is the first whose screen accepts it, and is opened with the link's rate")
    func passthrough() throws {
        let name = "hdmi:CARD=1,DEV=1,AES0=0x06,AES1=0x82,AES2=0x00,AES3=0x02"
        let library = library()
        library.monitor.update { $0.devices[name] = .init() }
        var opened: [SoundPassage] = []
        let door = DigitalDoor(device: nil, loop: try MainLoop(time: .real), library: library, onRemark: nil) { passage, _ in
            opened.append(passage)
        }
        #expect(PassthroughOutput.find(for: nil, in: SoundCards(library: library))?.name == "hdmi:CARD=1,DEV=1")
        #expect(door.passage(codec: "eac3", sampleRate: 48_000) == nil && door.passage(codec: "aac", sampleRate: 48_000) == nil)
        let passage = try #require(door.passage(codec: "ac3", sampleRate: 48_000))
        let sink = try door.open(passage)
        #expect(sink.name == "alsa:\(name)" && sink.format == passage.format && opened.map(\.codec) == ["ac3"])
        #expect(library.pcm.monitor.read(\.parameters)?.format == SND_PCM_FORMAT_S16_LE)
        sink.close()
        // The screen is disconnected.
        library.monitor.update { $0.cards[1] = nil }
        #expect(door.passage(codec: "ac3", sampleRate: 48_000) == nil)
        let error = #expect(throws: MediaError.self) { try door.open(passage) }
        #expect(error?.code == .soundLost && "\(error!)".contains("Passing ac3 through failed") && opened.count == 1)
    }
}
