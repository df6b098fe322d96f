import MediaModel

/// A digital output with more than two speakers, as its screen or receiver reports (ELD).
package struct SurroundOutput: Sendable, Hashable {
    package var device: String
    /// 6 or 8: 5.1 or 7.1.
    package var channels: Int
    /// The name of the screen, or of the receiver before it; empty if it gives none.
    package var screenName: String

    /// Finds the output for sound with more than two channels.
    ///
    /// - Parameter device: alsa-lib's name of the device for samples; nil is any. Only HDMI devices report what is connected.
    @MainActor
    package static func find(for device: String?) -> SurroundOutput? {
        let cards = SoundCards(library: InstalledALSA())
        return find(for: device, cards: cards.all(), screens: cards.screens(of:))
    }

    static func find(for device: String?, cards: [(number: Int, id: String)], screens: (Int) -> [ELD?]) -> SurroundOutput? {
        let kind = device?.prefix { $0 != ":" } ?? "default"
        guard kind == "hdmi" || kind == "default" else { return nil }
        let output = PassthroughOutput.find(for: device, cards: cards, screens: screens) { $0.sampleChannels > 2 }
        guard let output, output.sampleChannels > 2 else { return nil }
        return SurroundOutput(
            device: kind == "hdmi" ? device! : output.name, channels: output.sampleChannels,
            screenName: output.screen?.monitorName ?? "")
    }

    /// The format of a sink for a device.
    @MainActor
    package static func format(for device: String?) -> AudioFormat {
        AudioFormat(sampleRate: 48_000, channels: find(for: device)?.channels ?? 2)
    }
}
