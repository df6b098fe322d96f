import Testing

@testable import Sound

@Suite("What a screen accepts")
struct PassthroughOutputTests {
    /// The bytes that the kernel keeps for a screen.
    static func eld(_ name: String, _ descriptors: [[UInt8]], speakers: UInt8 = 1) -> [UInt8] {
        var bytes: [UInt8] = [2 << 3, 0, 0, 0]
        bytes += [3 << 5 | UInt8(name.utf8.count), UInt8(descriptors.count) << 4, 0, speakers] + [UInt8](repeating: 0, count: 12)
        bytes += Array(name.utf8) + descriptors.flatMap { $0 }
        while bytes.count % 4 != 0 { bytes.append(0) }
        bytes[2] = UInt8((bytes.count - 4) / 4)
        // The control is longer than its contents.
        return bytes + [UInt8](repeating: 0, count: 40)
    }

    /// Samples in 2 channels up to 192 kHz; AC-3 at 32, 44.1 and 48 kHz; Enhanced AC-3 at 48 kHz.
    static let samples: [UInt8] = [0x09, 0x7F, 0x07]
    private static let ac3: [UInt8] = [0x15, 0x07, 0x50]
    private static let eac3: [UInt8] = [0x57, 0x04, 0x01]

    @Test("its name and accepted formats are read from its ELD")
    func reading() throws {
        let eld = try #require(ELD(Self.eld("LG TV SSCR2", [Self.samples, Self.ac3, Self.eac3])))
        #expect(eld.monitorName == "LG TV SSCR2")
        #expect(eld.descriptors.map(\.format) == [1, 2, 10])
        #expect(eld.descriptors.map(\.channels) == [2, 6, 8])
        #expect(eld.descriptors[0].sampleRates.count == 7 && eld.descriptors[1].sampleRates == [32_000, 44_100, 48_000])
        #expect(eld.takes(.ac3, sampleRate: 44_100) && eld.takes(.eac3, sampleRate: 48_000))
        #expect(!eld.takes(.eac3, sampleRate: 44_100) && !eld.takes(.ac3, sampleRate: 96_000))
    }

    @Test("a screen that accepts only samples, or nothing, accepts no encoded sound")
    func poor() throws {
        let plain = try #require(ELD(Self.eld("", [Self.samples])))
        #expect(plain.monitorName == "" && !plain.takes(.ac3, sampleRate: 48_000))
        #expect(try #require(ELD(Self.eld("X", []))).descriptors.isEmpty)
        for bytes in [
            [], [UInt8](repeating: 0, count: 84), [UInt8](repeating: 0xFF, count: 84), Array(Self.eld("TV", [Self.ac3])[..<22]),
        ] {
            #expect(ELD(bytes) == nil)
        }
        // More descriptors than there is room for.
        var bytes = Self.eld("TV", [Self.ac3])
        bytes[5] = 0xF0
        #expect(ELD(bytes) == nil)
    }

    @Test(
        "the output that belongs to a device, and its name with the channel status of the link",
        arguments: [
            (nil, "hdmi:CARD=1,DEV=1"), ("default", "hdmi:CARD=1,DEV=1"), ("plughw:CARD=vc4hdmi0", "hdmi:CARD=1,DEV=1"),
            ("hdmi:CARD=vc4hdmi0,DEV=1", "hdmi:CARD=1,DEV=1"), ("hdmi:1,1", "hdmi:CARD=1,DEV=1"),
            ("hdmi:CARD=1", "hdmi:CARD=1,DEV=0"), ("plughw:CARD=0", nil), ("hdmi:CARD=0", nil), ("hw:CARD=nobody", nil),
            ("iec958:CARD=0", "iec958:CARD=0"),
        ] as [(String?, String?)])
    func finding(device: String?, wanted: String?) {
        let plain = ELD(Self.eld("OLD", [Self.samples]))
        let good = ELD(Self.eld("NEW", [Self.samples, Self.ac3]))
        let output = PassthroughOutput.find(for: device, cards: [(0, "PCH"), (1, "vc4hdmi0")]) { $0 == 1 ? [plain, good] : [] }
        #expect(output?.name == wanted)
        if let wanted { #expect(output?.device(carrierRate: 48_000) == "\(wanted),AES0=0x06,AES1=0x82,AES2=0x00,AES3=0x02") }
    }

    @Test(
        "more than two channels are output if the screen accepts them and has speakers for them",
        arguments: [
            (0x09, 0x0F, 2), (0x0D, 0x0F, 6), (0x0D, 0x01, 2), (0x0F, 0x0F, 6), (0x0F, 0x4F, 8), (0x0F, 0x01, 2),
        ] as [(UInt8, UInt8, Int)])
    func speakers(samples: UInt8, speakers: UInt8, channels: Int) throws {
        let eld = try #require(ELD(Self.eld("AVR", [[samples, 0x07, 0x07], Self.ac3], speakers: speakers)))
        #expect(eld.sampleChannels(sampleRate: 48_000) == channels)
        #expect(eld.sampleChannels(sampleRate: 96_000) == 2)
    }

    @Test(
        "they use the HDMI output that accepts them, never a device that cannot describe its receiver",
        arguments: [
            (nil, "hdmi:CARD=1,DEV=1"), ("default", "hdmi:CARD=1,DEV=1"),
            ("hdmi:CARD=vc4hdmi0,DEV=1", "hdmi:CARD=vc4hdmi0,DEV=1"),
            ("hdmi:CARD=1", nil), ("plughw:CARD=vc4hdmi0", nil), ("hw:1,3", nil), ("iec958:CARD=0", nil),
        ] as [(String?, String?)])
    func surround(device: String?, wanted: String?) {
        let plain = ELD(Self.eld("OLD", [Self.samples, Self.ac3]))
        let good = ELD(Self.eld("AVR", [[0x0F, 0x07, 0x07]], speakers: 0x4F))
        let output = SurroundOutput.find(for: device, cards: [(0, "PCH"), (1, "vc4hdmi0")]) { $0 == 1 ? [plain, good] : [] }
        #expect(output == wanted.map { SurroundOutput(device: $0, channels: 8, screenName: "AVR") })
    }

    @Test("encoded sound is not passed through when HDMI has no link rate for it")
    func impossibleLink() throws {
        let output = PassthroughOutput(name: "hdmi", screen: ELD(Self.eld("AVR", [Self.ac3, [0x57, 0x07, 0x01]])))
        #expect(output.takes(.eac3, sampleRate: 48_000) && output.takes(.eac3, sampleRate: 44_100))
        #expect(!output.takes(.eac3, sampleRate: 32_000) && output.takes(.ac3, sampleRate: 32_000))
    }

    @Test("each link rate has its code, and the description lists what is accepted")
    func status() {
        let output = PassthroughOutput(name: "hdmi", screen: ELD(Self.eld("AVR", [Self.samples, Self.ac3, Self.eac3])))
        #expect(output.device(carrierRate: 192_000) == "hdmi:AES0=0x06,AES1=0x82,AES2=0x00,AES3=0x0e")
        #expect(output.device(carrierRate: 44_100).hasSuffix("AES3=0x00"))
        #expect(output.words == "hdmi: AVR takes ac3 and eac3")
        #expect(PassthroughOutput(name: "iec958", screen: nil).words == "iec958: the connected device takes ac3")
        #expect(!PassthroughOutput(name: "iec958", screen: nil).takes(.eac3, sampleRate: 48_000))
    }
}
