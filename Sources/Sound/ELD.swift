/// The sound formats that a screen, or the receiver before it, accepts: EDID-Like Data, as the kernel keeps it for each digital
/// output (the control `ELD`).
///
/// The layout is that of Intel's High Definition Audio specification, the descriptors are those of CTA-861. Pure.
package struct ELD: Sendable, Hashable {
    /// A short audio descriptor: one accepted format.
    package struct Descriptor: Sendable, Hashable {
        /// CTA-861's format code: 1 samples, 2 AC-3, 10 Enhanced AC-3.
        package var format: Int
        /// The most channels.
        package var channels: Int
        /// Samples per second of the sound itself.
        package var sampleRates: [Int]
    }

    /// The name of the screen; empty if it gives none.
    package var monitorName: String
    /// The descriptors in the screen's own order.
    package var descriptors: [Descriptor]
    /// The speakers, as CTA-861's speaker allocation bits.
    package var speakers: UInt8

    private static let rates = [32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000]

    /// Parses the bytes of the control.
    ///
    /// - Returns: nil when nothing is connected or the bytes are not valid.
    package init?(_ bytes: [UInt8]) {
        // A header of 4 bytes, 16 bytes of fixed fields, then the name and the descriptors.
        guard bytes.count >= 20, bytes[0] >> 3 == 2 else { return nil }
        let end = min(bytes.count, 4 + 4 * Int(bytes[2]))
        speakers = bytes[7]
        let (nameLength, count) = (Int(bytes[4] & 0x1F), Int(bytes[5] >> 4))
        let first = 20 + nameLength
        guard nameLength <= 16, first + 3 * count <= end else { return nil }
        monitorName = String(decoding: bytes[20..<first].filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
        while monitorName.last == " " { monitorName.removeLast() }
        descriptors = (0..<count).map { index in
            let place = first + 3 * index
            return Descriptor(
                format: Int(bytes[place] >> 3 & 0x0F), channels: Int(bytes[place] & 7) + 1,
                sampleRates: Self.rates.indices.filter { bytes[place + 1] >> $0 & 1 == 1 }.map { Self.rates[$0] })
        }
    }

    /// The number of channels of samples that it accepts and has speakers for: 8, 6, or 2.
    package func sampleChannels(sampleRate: Int) -> Int {
        let most = descriptors.filter { $0.format == 1 && $0.sampleRates.contains(sampleRate) }.map(\.channels).max() ?? 2
        // The centre and the surrounds; the rear speakers.
        let (surround, behind) = (UInt8(1 << 2 | 1 << 3), UInt8(1 << 6))
        guard most >= 6, speakers & surround == surround else { return 2 }
        return most >= 8 && speakers & behind != 0 ? 8 : 6
    }

    /// Whether encoded sound of a codec is accepted.
    package func takes(_ codec: IEC61937.Codec, sampleRate: Int) -> Bool {
        descriptors.contains { $0.format == codec.audioFormatCode && $0.sampleRates.contains(sampleRate) }
    }
}
