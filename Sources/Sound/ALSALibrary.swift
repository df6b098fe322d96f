import CALSA
import Glibc

/// A failed call of alsa-lib: the call, the device, and the errno it returned.
struct ALSAError: Error, Equatable, CustomStringConvertible {
    var call: String
    var device: String
    /// Positive.
    var code: Int32

    var description: String { "\(call) on \(device) failed: \(String(cString: snd_strerror(-code))) (errno \(code))" }
}

/// Checks what the calls of alsa-lib on one device return: a negative errno is a failure.
struct ALSACheck {
    let device: String

    func callAsFunction(_ call: String, _ code: Int32) throws(ALSAError) {
        guard code >= 0 else { throw ALSAError(call: call, device: device, code: -code) }
    }
}

/// Where PCMs and the controls of cards come from: the calls of alsa-lib that need hardware. The other types of this
/// module use only the handles that it returns, so that tests can supply handles without hardware.
///
/// Any thread. A handle is closed by the caller.
protocol ALSALibrary: Sendable {
    /// The numbers of the cards.
    func cards() -> [Int32]
    /// The name of a card; nil when it is gone.
    func name(of card: Int32) -> String?
    /// The number of the card behind a PCM; nil when a plug-in or no card is behind it.
    func card(of pcm: OpaquePointer) -> Int32?
    /// Opens a `snd_pcm_t` for playback, without blocking.
    func openPCM(_ name: String) throws(ALSAError) -> OpaquePointer
    /// The devices of a card for playback, in the order of their numbers.
    func playbackDevices(of card: Int32) -> [CardFacts.Device]
    /// What the configuration offers beside the cards.
    func softwareDevices() -> [SoftwareDevice]
    /// Opens the `snd_ctl_t` of a card.
    ///
    /// - Parameter mode: `SND_CTL_NONBLOCK`, `SND_CTL_READONLY`.
    func openControl(of card: Int32, mode: Int) throws(ALSAError) -> OpaquePointer
}

extension ALSALibrary {
    /// alsa-lib's name of a card.
    func deviceName(of card: Int32) -> String { "hw:\(card)" }
}

/// alsa-lib with this machine's configuration and cards.
struct InstalledALSA: ALSALibrary {
    func cards() -> [Int32] {
        marquee_alsa_be_quiet()
        var cards: [Int32] = []
        var card: Int32 = -1
        while snd_card_next(&card) >= 0, card >= 0 { cards.append(card) }
        return cards
    }

    func name(of card: Int32) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard snd_card_get_name(card, &text) >= 0, let text else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    func playbackDevices(of card: Int32) -> [CardFacts.Device] {
        var memory: OpaquePointer?
        guard let control = try? openControl(of: card, mode: Int(SND_CTL_READONLY)) else { return [] }
        defer { snd_ctl_close(control) }
        guard snd_pcm_info_malloc(&memory) >= 0, let information = memory else { return [] }
        defer { snd_pcm_info_free(information) }
        var (devices, number): ([CardFacts.Device], Int32) = ([], -1)
        while snd_ctl_pcm_next_device(control, &number) >= 0, number >= 0 {
            snd_pcm_info_set_device(information, UInt32(number))
            snd_pcm_info_set_subdevice(information, 0)
            snd_pcm_info_set_stream(information, SND_PCM_STREAM_PLAYBACK)
            // A device for recording only has no such stream.
            guard snd_ctl_pcm_info(control, information) >= 0 else { continue }
            devices.append(.init(number: Int(number), name: String(cString: snd_pcm_info_get_name(information))))
        }
        return devices
    }

    func softwareDevices() -> [SoftwareDevice] {
        marquee_alsa_be_quiet()
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        // Also those of cards, which are left out below.
        guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        var (devices, next): ([SoftwareDevice], UnsafeMutablePointer<UnsafeMutableRawPointer?>) = ([], hints)
        while let hint = next.pointee {
            next += 1
            func text(_ field: String) -> String? {
                guard let value = snd_device_name_get_hint(hint, field) else { return nil }
                defer { free(value) }
                return String(cString: value)
            }
            guard let name = text("NAME"), !name.contains("CARD="), text("IOID") != "Input" else { continue }
            devices.append(SoftwareDevice(name: name, description: text("DESC") ?? ""))
        }
        return devices
    }

    func card(of pcm: OpaquePointer) -> Int32? {
        var memory: OpaquePointer?
        guard snd_pcm_info_malloc(&memory) >= 0, let information = memory else { return nil }
        defer { snd_pcm_info_free(information) }
        guard snd_pcm_info(pcm, information) >= 0 else { return nil }
        let number = snd_pcm_info_get_card(information)
        return number >= 0 ? number : nil
    }

    func openPCM(_ name: String) throws(ALSAError) -> OpaquePointer {
        marquee_alsa_be_quiet()
        var handle: OpaquePointer?
        let code = snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        try ALSACheck(device: name)("snd_pcm_open", code)
        return handle!
    }

    func openControl(of card: Int32, mode: Int) throws(ALSAError) -> OpaquePointer {
        marquee_alsa_be_quiet()
        var handle: OpaquePointer?
        let device = deviceName(of: card)
        try ALSACheck(device: device)("snd_ctl_open", snd_ctl_open(&handle, device, Int32(mode)))
        return handle!
    }
}

/// The part of a device's name after the colon: `CARD=x,DEV=n`, or both without their names.
struct ALSAArguments {
    private(set) var card: String?
    private(set) var device: Int?

    init(ofDevice name: String) {
        let text = name.split(separator: ":", maxSplits: 1).dropFirst().first ?? ""
        for (index, word) in text.split(separator: ",").enumerated() {
            let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
            switch (pair.count == 2 ? pair[0] : ["CARD", "DEV"].dropFirst(index).first ?? "", pair.last ?? "") {
            case ("CARD", let value): card = value
            case ("DEV", let value): device = Int(value)
            default: break
            }
        }
    }
}
