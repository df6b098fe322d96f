import Glibc
import LinuxSupport
import MediaModel
import TestSupport
import Testing

@testable import Sound

@Suite("The outputs that viewers can choose")
struct FoundOutputTests {
    private static let screen = ELD(monitorName: "TELEVISION")

    private static func card(
        _ number: Int, _ id: String, _ name: String, driver: String = "", devices: [String], screens: [ELD?] = []
    ) -> CardFacts {
        CardFacts(
            number: number, id: id, name: name, driver: driver,
            devices: devices.enumerated().map { .init(number: $0, name: $1) }, screens: screens)
    }

    private static func texts(_ found: [FoundOutput]) -> [String] {
        found.map { $0.output.text + ($0.output.number > 1 ? " #\($0.output.number)" : "") }
    }

    @Test("a small computer: each HDMI plug with a screen by its number, and its headphones")
    func small() {
        let found = FoundOutput.all(
            cards: [
                Self.card(0, "vc4hdmi0", "vc4-hdmi-0", driver: "vc4-hdmi", devices: ["MAI PCM i2s-hifi-0"], screens: [nil]),
                Self.card(
                    1, "vc4hdmi1", "vc4-hdmi-1", driver: "vc4-hdmi", devices: ["MAI PCM i2s-hifi-0"], screens: [Self.screen]),
                Self.card(2, "Headphones", "bcm2835 Headphones", driver: "bcm2835_headpho", devices: ["bcm2835 Headphones"]),
            ], devices: [.init(name: "null", description: "Discard"), .init(name: "default", description: "Default")])
        #expect(
            Self.texts(found) == ["hdmi hdmi:CARD=vc4hdmi1,DEV=0 HDMI 2", "headphones plughw:CARD=Headphones,DEV=0 "])
        #expect(found.map(\.card) == [1, 2])
    }

    @Test("a computer: its analogue, S/PDIF and HDMI plugs, two headsets of the same make, and a Bluetooth speaker by its name")
    func computer() {
        let headset = Self.card(1, "Headset", "Acme Headset", driver: "USB-Audio", devices: ["USB Audio"])
        var other = headset
        (other.number, other.id) = (2, "Headset_1")
        let found = FoundOutput.all(
            cards: [
                Self.card(
                    0, "PCH", "HDA Intel PCH", driver: "HDA-Intel",
                    devices: ["ALC887-VD Analog", "ALC887-VD Digital", "HDMI 0", "HDMI 1"], screens: [nil, Self.screen]),
                headset, other,
            ],
            devices: [
                .init(name: "bluealsa:DEV=00:1E:7C:00:00:01,PROFILE=a2dp", description: "Kitchen, speaker\nBluetooth Audio"),
                .init(name: "bluealsa:DEV=bad name", description: "Bad"),
            ])
        #expect(
            Self.texts(found) == [
                "lineOut plughw:CARD=PCH,DEV=0 ", "digital iec958:CARD=PCH,DEV=0 ", "hdmi hdmi:CARD=PCH,DEV=1 HDMI 2",
                "usb plughw:CARD=Headset,DEV=0 Acme Headset", "usb plughw:CARD=Headset_1,DEV=0 Acme Headset #2",
                "bluetooth bluealsa:DEV=00:1E:7C:00:00:01,PROFILE=a2dp Kitchen, speaker",
            ])
    }

    @Test("no card, and a card without a device for playback")
    func none() {
        #expect(FoundOutput.all(cards: [], devices: []).isEmpty)
        #expect(FoundOutput.all(cards: [Self.card(0, "Mic", "Microphone", devices: [])], devices: []).isEmpty)
    }

    @Test(
        "names from outside become one line that can be shown, and identifiers never become arguments of another device",
        arguments: [
            ("a\u{1B}[31m\nb\u{202E}", "a\u{FFFD}[31m\u{FFFD}b\u{FFFD}"),
            (String(repeating: "x", count: 500), String(repeating: "x", count: 64)),
            ("\u{0}\u{7}", ""), ("   ", ""), ("  Two   words ", "Two words"), ("مكبر الصوت", "مكبر الصوت"),
        ])
    func hostile(name: String, shown: String) throws {
        let found = FoundOutput.all(
            cards: [Self.card(3, "x,DEV=9 ", name, driver: "USB-Audio", devices: ["USB Audio"])], devices: [])
        let output = try #require(found.first?.output)
        #expect(output.name == shown && output.id == "plughw:CARD=3,DEV=0")
        #expect(SoundPort(text: output.text) == output, "it is read as it was kept")
    }

    @Test(
        "what is kept and is no output is not read", arguments: ["", "hdmi", "hdmi x", "radio x y", "hdmi  y", "usb a\u{1}b c"])
    func unreadable(text: String) { #expect(SoundPort(text: text) == nil) }

    @Test(
        "the output behind an open device",
        arguments: [
            ("hdmi:CARD=A,DEV=1", 0, "hdmi:CARD=A,DEV=1"), ("hdmi:CARD=0,DEV=1", 0, "hdmi:CARD=A,DEV=1"), ("hdmi:CARD=0", 0, nil),
            ("hdmi:CARD=A,DEV=1,AES0=0x06", 0, "hdmi:CARD=A,DEV=1"), ("default", 0, "plughw:CARD=A,DEV=0"),
            ("plughw:CARD=0", 0, "plughw:CARD=A,DEV=0"), ("default", 1, "hdmi:CARD=B,DEV=0"), ("default", nil, nil),
            ("default", 7, nil), ("bluealsa:DEV=1", nil, "bluealsa:DEV=1"),
        ] as [(String, Int?, String?)])
    func opened(name: String, card: Int?, id: String?) {
        let found = FoundOutput.all(
            cards: [
                Self.card(0, "A", "A", devices: ["Analog", "HDMI 0", "HDMI 1"], screens: [nil, Self.screen]),
                Self.card(1, "B", "B", driver: "vc4-hdmi", devices: ["PCM"]),
            ], devices: [.init(name: "bluealsa:DEV=1", description: "")])
        #expect(FoundOutput.opened(name, card: card, among: found)?.id == id)
    }
}

extension ELD {
    fileprivate init(monitorName: String) {
        var bytes = [UInt8](repeating: 0, count: 20) + Array(monitorName.utf8)
        (bytes[0], bytes[4]) = (2 << 3, UInt8(monitorName.utf8.count))
        while bytes.count % 4 != 0 { bytes.append(0) }
        bytes[2] = UInt8((bytes.count - 4) / 4)
        self.init(bytes)!
    }
}

@Suite("The outputs of a machine whose cards come and go")
@MainActor
struct SoundOutputsTests {
    private let loop: MainLoop
    private let library: SoftwareALSA
    private let folder = ScratchFolder("cards")
    private static let headset = SoftwareCard(
        id: "Headset", driver: "USB-Audio", devices: [.init(number: 0, name: "USB Audio")])
    private static let analog = SoftwareCard(id: "PCH", driver: "HDA-Intel", devices: [.init(number: 0, name: "ALC Analog")])

    init() throws {
        loop = try MainLoop(time: .real)
        library = SoftwareALSA(
            devices: ["default": .init(), "plughw:CARD=Headset,DEV=0": .init()], cards: [0: Self.analog],
            cardOfDevice: ["default": 0, "plughw:CARD=Headset,DEV=0": 1])
    }

    private func outputs(fixed: String? = nil) -> SoundOutputs {
        SoundOutputs(fixed: fixed, library: library, folder: folder.path + "/snd", loop: loop) { Issue.record("\($0)") }
    }

    /// A card is plugged in or pulled out: its node comes or goes.
    private func plug(_ card: SoftwareCard?, _ number: Int32) {
        library.monitor.update { $0.cards[number] = card }
        if card == nil { return #expect(unlink("\(folder.path)/snd/controlC\(number)") == 0) }
        folder.put("", "snd/controlC\(number)")
    }

    private func open(_ outputs: SoundOutputs) throws {
        let sink = try ALSASink(
            device: outputs.device, surround: nil, AudioFormat(sampleRate: 48_000, channels: 2), loop: loop, library: library,
            isCarrying: false, onRemark: nil)
        outputs.opened(sink)
        sink.close()
    }

    @Test("a card that comes is listed, also the first one, and one that goes is not; the choice is its device while it is there")
    func comeAndGo() throws {
        let outputs = outputs()
        var changes = 0
        let listening = outputs.changes.listen { _ in changes += 1 }
        defer { listening.cancel() }
        #expect(outputs.route.outputs.map(\.id) == ["plughw:CARD=PCH,DEV=0"])
        plug(Self.headset, 1)
        loop.run(until: { changes == 1 })
        #expect(outputs.route.outputs.map(\.name) == ["", "Headset"] && outputs.device == nil)
        outputs.choose(outputs.route.outputs[1])
        #expect(outputs.device == "plughw:CARD=Headset,DEV=0" && !outputs.permitsPassthrough && outputs.fallsBack)
        try open(outputs)
        #expect(outputs.route.current?.name == "Headset" && changes == 1, "it is told after the call")
        loop.run(until: { changes == 2 })
        plug(nil, 1)
        loop.run(until: { changes == 3 })
        #expect(outputs.route.outputs.map(\.id) == ["plughw:CARD=PCH,DEV=0"] && outputs.device == nil)
        try open(outputs)
        loop.run(until: { changes == 4 })
        #expect(outputs.route.current?.id == "plughw:CARD=PCH,DEV=0" && outputs.permitsPassthrough)
        plug(Self.headset, 1)
        loop.run(until: { changes == 5 })
        #expect(outputs.device == "plughw:CARD=Headset,DEV=0", "the choice is kept")
        outputs.opened(nil)
        loop.run(until: { changes == 6 })
        #expect(outputs.route.current == nil)
    }

    @Test("what the operator has set is told by the name of its output, and no choice changes it")
    func fixed() throws {
        library.monitor.update { $0.cards[1] = Self.headset }
        let outputs = outputs(fixed: "plughw:CARD=Headset")
        #expect(outputs.route.fixed?.name == "Headset")
        outputs.choose(outputs.route.outputs[0])
        #expect(outputs.device == "plughw:CARD=Headset" && !outputs.fallsBack)
        #expect(self.outputs(fixed: "dmix:7").route.fixed?.name == "dmix:7")
    }

    @Test(
        "the card of a real kernel is listed by its name, opened and told",
        .enabled(if: LoopbackRecorder.isPresent, "no card named Loopback: runs in the test machine"))
    func real() throws {
        let outputs = SoundOutputs(fixed: nil, loop: loop) { Issue.record("\($0)") }
        let output = try #require(outputs.route.output("plughw:CARD=Loopback,DEV=0"))
        #expect(output.kind == .lineOut && output.name == "Loopback")
        outputs.choose(output)
        let sink = try ALSASink(device: outputs.device, loop: loop)
        outputs.opened(sink)
        sink.close()
        #expect(outputs.route.current == output)
    }

    @Test("a machine without a card has no outputs")
    func none() {
        library.monitor.update { $0.cards = [:] }
        #expect(outputs().route == SoundRoute())
    }
}
