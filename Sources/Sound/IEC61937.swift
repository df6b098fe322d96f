/// Packs compressed sound into bursts that a receiver accepts in place of samples (IEC 61937): 16-bit words, little-endian, in
/// two channels.
///
/// A value: access units in, bursts out. Input that is not whole sync frames of AC-3 or Enhanced AC-3 gives nothing.
package struct IEC61937: Sendable {
    /// The codecs that can be carried.
    package enum Codec: String, Sendable, Hashable, CaseIterable {
        /// AC-3: IEC 61937-3, at the stream's own rate.
        case ac3
        /// Enhanced AC-3: four times that rate.
        case eac3

        /// The carrier's rate: frames of two channels per second.
        package func carrierRate(ofSampleRate rate: Int) -> Int { self == .ac3 ? rate : rate * 4 }

        /// Frames of two channels in a burst: as long as the 1536 samples in it.
        package var burstFrames: Int { self == .ac3 ? 1536 : 4 * 1536 }

        /// CTA-861's format code of the codec.
        var audioFormatCode: Int { self == .ac3 ? 2 : 10 }
    }

    private let codec: Codec
    /// The sync frames of an incomplete burst, and their number.
    private var held: [UInt8] = []
    private var heldCount = 0

    package init(_ codec: Codec) { self.codec = codec }

    private var burstBytes: Int { codec.burstFrames * 4 }

    /// Whether sync frames are held back until their burst is complete.
    var isMidBurst: Bool { heldCount > 0 }

    /// The sample rate in a sync frame; nil when it is not one, or for half the usual rates.
    static func sampleRate(of frame: [UInt8]) -> Int? {
        guard frame.count > 6, frame[0] == 0x0B, frame[1] == 0x77 else { return nil }
        return [48_000, 44_100, 32_000, nil][Int(frame[4] >> 6)]
    }

    /// Takes one sync frame.
    ///
    /// - Returns: a whole burst, or nil while more frames are needed.
    package mutating func burst(_ frame: [UInt8]) -> [UInt8]? {
        guard frame.count > 6, frame[0] == 0x0B, frame[1] == 0x77 else { return nil }
        switch codec {
        case .ac3: return burst(type: 1 | UInt16(frame[5] & 7) << 8, length: UInt16(truncatingIfNeeded: frame.count * 8), frame)
        case .eac3:
            held += frame
            heldCount += 1
            guard heldCount >= Self.framesNeeded(frame) else { return nil }
            defer {
                held = []
                heldCount = 0
            }
            return burst(type: 0x15, length: UInt16(truncatingIfNeeded: held.count), held)
        }
    }

    /// The number of sync frames that make six blocks of sound.
    private static func framesNeeded(_ frame: [UInt8]) -> Int {
        // Frames at half the rate, and AC-3 frames in an Enhanced AC-3 stream, have six blocks.
        guard frame[5] >> 3 > 10, frame[4] & 0xC0 != 0xC0 else { return 1 }
        return [6, 3, 2, 1][Int(frame[4] >> 4 & 3)]
    }

    private func burst(type: UInt16, length: UInt16, _ payload: [UInt8]) -> [UInt8]? {
        guard payload.count + 8 <= burstBytes else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(burstBytes)
        for word in [0xF872, 0x4E1F, type, length] { bytes += [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)] }
        // Each word holds two bytes of the stream, the first one in the upper half.
        for index in stride(from: 0, to: payload.count, by: 2) {
            bytes += [index + 1 < payload.count ? payload[index + 1] : 0, payload[index]]
        }
        return bytes + [UInt8](repeating: 0, count: burstBytes - bytes.count)
    }
}
