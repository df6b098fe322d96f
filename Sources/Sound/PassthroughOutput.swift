import LinuxSupport
import MediaModel

/// A digital output that takes encoded sound, and what is connected to it.
package struct PassthroughOutput: Sendable, Hashable {
    /// alsa-lib's name of it without channel status, e.g. `hdmi:CARD=0,DEV=0`.
    package var name: String
    /// What the screen accepts; nil for S/PDIF, which has no way to report it.
    package var screen: ELD?

    /// Whether sound of a codec may be sent there. Over S/PDIF only AC-3 may: a viewer who asks for passthrough has a decoder
    /// connected, and the link has no room for more.
    ///
    /// Enhanced AC-3 at 32 kHz would need a link of 128 kHz, which does not exist.
    package func takes(_ codec: IEC61937.Codec, sampleRate: Int) -> Bool {
        guard Self.linkRates[codec.carrierRate(ofSampleRate: sampleRate)] != nil else { return false }
        return screen.map { $0.takes(codec, sampleRate: sampleRate) } ?? (codec == .ac3)
    }

    /// The rates of a link, and their codes in the channel status.
    private static let linkRates = [32_000: 0x03, 44_100: 0x00, 48_000: 0x02, 176_400: 0x0C, 192_000: 0x0E]

    /// alsa-lib's name with the channel status for non-PCM data at this rate of the link (IEC 60958-3).
    package func device(carrierRate: Int) -> String {
        let rate = Self.linkRates[carrierRate] ?? 0x01
        let digits = String(rate, radix: 16)
        return "\(name)\(name.contains(":") ? "," : ":")AES0=0x06,AES1=0x82,AES2=0x00,AES3=0x\(rate < 16 ? "0" : "")\(digits)"
    }

    /// A description for diagnosis.
    package var words: String {
        let codecs = IEC61937.Codec.allCases.filter { takes($0, sampleRate: 48_000) }.map(\.rawValue)
        let behind = screen.map { $0.monitorName.isEmpty ? "the screen" : $0.monitorName } ?? "the connected device"
        return "\(name): \(behind) takes \(codecs.isEmpty ? "PCM only" : codecs.joined(separator: " and "))"
    }

    // MARK: Finding

    /// The output that belongs to a device.
    ///
    /// - Parameter device: alsa-lib's name of the device for samples; nil is any.
    /// - Returns: nil when the device is neither HDMI nor S/PDIF, nor on a card with a screen that accepts encoded sound.
    @MainActor
    package static func find(for device: String?) -> PassthroughOutput? {
        find(for: device, in: SoundCards(library: InstalledALSA()))
    }

    static func find(for device: String?, in cards: SoundCards) -> PassthroughOutput? {
        find(for: device, cards: cards.all(), screens: cards.screens(of:))
    }

    /// - Parameters:
    ///   - cards: the numbers of the cards, each with its identifier.
    ///   - screens: the ELD of each digital output of a card in order; nil where nothing is connected.
    ///   - isWanted: whether an output that was not named will do.
    static func find(
        for device: String?, cards: [(number: Int, id: String)], screens: (Int) -> [ELD?],
        where isWanted: (PassthroughOutput) -> Bool = { output in
            IEC61937.Codec.allCases.contains { output.takes($0, sampleRate: 48_000) }
        }
    ) -> PassthroughOutput? {
        let kind = device.map { String($0.prefix { $0 != ":" }) } ?? "default"
        let arguments = ALSAArguments(ofDevice: device ?? "")
        if kind == "iec958" || kind == "spdif" { return PassthroughOutput(name: device!, screen: nil) }
        let isHDMI = kind == "hdmi"
        let named = arguments.card.map { name in cards.filter { $0.id == name || String($0.number) == name } }
        // `hdmi` alone means the first card's.
        for card in named ?? (isHDMI ? Array(cards.prefix(1)) : cards) {
            for (index, screen) in screens(card.number).enumerated() {
                guard let screen, !isHDMI || index == arguments.device ?? 0 else { continue }
                let output = PassthroughOutput(name: "hdmi:CARD=\(card.number),DEV=\(index)", screen: screen)
                if isHDMI || isWanted(output) { return output }
            }
        }
        return nil
    }

    var sampleChannels: Int { screen?.sampleChannels(sampleRate: 48_000) ?? 2 }
}

/// Opens the digital output that belongs to the device for samples.
@MainActor
package final class DigitalDoor: PassthroughDoor {
    private let device: @MainActor () -> String?
    private let permits: @MainActor () -> Bool
    private let loop: MainLoop
    private let library: any ALSALibrary
    private let onRemark: (@MainActor (String) -> Void)?
    private let onOpen: @MainActor (SoundPassage, ALSASink) -> Void

    /// - Parameters:
    ///   - device: alsa-lib's name of the device for samples, each time that it is needed; nil is any.
    ///   - permits: whether sound may go to a digital output now.
    ///   - onRemark: as in `ALSASink`.
    ///   - onOpen: called each time an output for encoded sound is opened.
    package convenience init(
        device: @autoclosure @escaping @MainActor () -> String?, permits: @autoclosure @escaping @MainActor () -> Bool,
        loop: MainLoop, onRemark: (@MainActor (String) -> Void)? = nil,
        onOpen: @escaping @MainActor (SoundPassage, ALSASink) -> Void
    ) {
        self.init(
            device: device(), permits: permits(), loop: loop, library: InstalledALSA(), onRemark: onRemark, onOpen: onOpen)
    }

    init(
        device: @autoclosure @escaping @MainActor () -> String?,
        permits: @autoclosure @escaping @MainActor () -> Bool = true, loop: MainLoop, library: any ALSALibrary,
        onRemark: (@MainActor (String) -> Void)?, onOpen: @escaping @MainActor (SoundPassage, ALSASink) -> Void
    ) {
        self.device = device
        self.permits = permits
        self.loop = loop
        self.library = library
        self.onRemark = onRemark
        self.onOpen = onOpen
    }

    package func passage(codec: String, sampleRate: Int) -> SoundPassage? {
        guard permits(), let codec = IEC61937.Codec(rawValue: codec), findOutput()?.takes(codec, sampleRate: sampleRate) == true
        else {
            return nil
        }
        return .iec61937(codec, sampleRate: sampleRate)
    }

    package func open(_ passage: SoundPassage) throws(MediaError) -> any AudioSink {
        guard let output = findOutput() else {
            throw MediaError(
                .soundLost,
                "Passing \(passage.codec) through failed: the screen that accepted it was disconnected; connect it, or set audio.passthrough = false."
            )
        }
        let sink = try ALSASink(
            device: output.device(carrierRate: passage.format.sampleRate), surround: nil, passage.format, loop: loop,
            library: library, isCarrying: true, onRemark: onRemark)
        onOpen(passage, sink)
        return sink
    }

    private func findOutput() -> PassthroughOutput? { .find(for: device(), in: SoundCards(library: library)) }
}
