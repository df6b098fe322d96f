import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Sound

/// Sync frames with the fields that matter: A/52, sections 5.3 and E.1.2.
private enum SyncFrame {
    /// - Parameters:
    ///   - rate: `fscod`: 0 is 48 kHz, 1 is 44.1, 2 is 32, 3 is half a rate.
    ///   - blocks: `numblkscod`: 1, 2, 3 or 6 blocks.
    static func eac3(rate: UInt8 = 0, blocks: UInt8 = 3, stream: UInt8 = 16, length: Int = 100, fill: UInt8 = 0xAA) -> [UInt8] {
        [0x0B, 0x77, 0, 0, rate << 6 | blocks << 4, stream << 3] + [UInt8](repeating: fill, count: length - 6)
    }

    static func ac3(rate: UInt8 = 0, mode: UInt8 = 0, length: Int = 100) -> [UInt8] {
        [0x0B, 0x77, 0, 0, rate << 6, 8 << 3 | mode] + [UInt8](repeating: 0xAA, count: length - 6)
    }
}

@Suite("Bursts of encoded sound (IEC 61937)")
struct BurstTests {
    /// The first words of a burst.
    private func words(_ burst: [UInt8]?, _ count: Int = 4) -> [Int]? {
        burst.map { bytes in (0..<count).map { Int(bytes[2 * $0]) | Int(bytes[2 * $0 + 1]) << 8 } }
    }

    @Test("a burst of AC-3 has the preamble, the mode, the length in bits, and is as long as its 1536 samples")
    func ac3() {
        var framer = IEC61937(.ac3)
        let burst = framer.burst(SyncFrame.ac3(mode: 5, length: 200))
        #expect(words(burst, 6) == [0xF872, 0x4E1F, 0x0501, 1600, 0x0B77, 0x0000] && burst?.count == 1536 * 4)
        #expect(burst?.dropFirst(208).allSatisfy { $0 == 0 } == true && burst?[207] == 0xAA)
        #expect(!framer.isMidBurst)
    }

    @Test("the last byte of an odd frame is in the upper half of its word")
    func odd() {
        var framer = IEC61937(.ac3)
        let burst = framer.burst(SyncFrame.ac3(length: 7))
        #expect(burst.map { Array($0[8..<18]) } == [0x77, 0x0B, 0, 0, 0x40, 0, 0, 0xAA, 0, 0])
    }

    @Test(
        "frames of Enhanced AC-3 are collected until they make six blocks",
        arguments: [(0, 6), (1, 3), (2, 2), (3, 1)])
    func blocks(_ code: Int, _ count: Int) {
        var framer = IEC61937(.eac3)
        for turn in 1...2 {
            for number in 1..<count {
                #expect(framer.burst(SyncFrame.eac3(blocks: UInt8(code))) == nil)
                #expect(framer.isMidBurst, "frame \(number) of burst \(turn)")
            }
            let burst = framer.burst(SyncFrame.eac3(blocks: UInt8(code)))
            #expect(words(burst) == [0xF872, 0x4E1F, 0x15, 100 * count] && burst?.count == 4 * 1536 * 4)
            #expect(!framer.isMidBurst)
        }
    }

    @Test("frames at half a rate, and AC-3 frames in the stream, always have six blocks")
    func sixBlocks() {
        var framer = IEC61937(.eac3)
        #expect(framer.burst(SyncFrame.eac3(rate: 3, blocks: 0)) != nil)
        #expect(framer.burst(SyncFrame.eac3(blocks: 0, stream: 10)) != nil)
        #expect(framer.burst(SyncFrame.eac3(blocks: 0, stream: 11)) == nil)
    }

    @Test("a frame that does not fit into its burst with the preamble is refused")
    func length() {
        var framer = IEC61937(.ac3)
        #expect(framer.burst(SyncFrame.ac3(length: 1536 * 4 - 8))?.count == 1536 * 4)
        #expect(framer.burst(SyncFrame.ac3(length: 1536 * 4 - 7)) == nil)
        #expect(framer.burst(SyncFrame.ac3(length: 7)) != nil && framer.burst([0x0B, 0x77, 0, 0, 0, 0]) == nil)
        #expect(framer.burst([0x0B, 0x78] + [UInt8](repeating: 0, count: 20)) == nil)
        #expect(framer.burst([0x0C, 0x77] + [UInt8](repeating: 0, count: 20)) == nil)
    }

    @Test("the rate is in the sync frame, except for half a rate")
    func rates() {
        #expect((0...3).map { IEC61937.sampleRate(of: SyncFrame.ac3(rate: $0)) } == [48_000, 44_100, 32_000, nil])
        #expect(
            IEC61937.sampleRate(of: [0x0B, 0x77, 0, 0, 0, 0]) == nil && IEC61937.sampleRate(of: [1, 0x77, 0, 0, 0, 0, 0]) == nil)
        #expect(IEC61937.sampleRate(of: [0x0B, 1, 0, 0, 0, 0, 0]) == nil)
        #expect(
            IEC61937.Codec.ac3.carrierRate(ofSampleRate: 44_100) == 44_100
                && IEC61937.Codec.eac3.carrierRate(ofSampleRate: 44_100) == 176_400)
    }

    // MARK: In place of a decoder

    private final class Bytes: SamplePayload {
        let bytes: [UInt8]
        init(bytes: [UInt8]) { self.bytes = bytes }
        var byteCount: Int { bytes.count }
        func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try bytes.withUnsafeBytes(body)
        }
    }

    private final class Parameters: CodecParameters {
        let codecName: String
        init(_ name: String) { codecName = name }
        func canContinue(as other: any CodecParameters) -> Bool { other.codecName == codecName }
    }

    private func sample(_ bytes: [UInt8], at time: Int64, codec: String = "eac3") -> EncodedSample {
        EncodedSample(
            track: TrackID(1), presentationTime: .milliseconds(time), decodeTime: .milliseconds(time), duration: nil,
            isSync: true,
            payload: Bytes(bytes: bytes), parameters: Parameters(codec))
    }

    @Test("the packer gives whole bursts as samples, at the time of their first frame")
    func packer() throws {
        let packer = BurstPacker(.eac3, sampleRate: 48_000)
        #expect(try packer.decode(sample(SyncFrame.eac3(blocks: 2), at: 1000)).isEmpty)
        let buffers = try packer.decode(sample(SyncFrame.eac3(blocks: 2), at: 1016))
        let buffer = try #require(buffers.first)
        #expect(
            buffers.count == 1 && buffer.time == .seconds(1) && buffer.format == AudioFormat(sampleRate: 192_000, channels: 2))
        #expect(buffer.samples.count == 6144 * 2)
        #expect(buffer.samples.prefix(4).map { UInt16(bitPattern: BurstWords.word($0)) } == [0xF872, 0x4E1F, 0x15, 200])
        // The next one has its own time.
        #expect(try packer.decode(sample(SyncFrame.eac3(blocks: 3), at: 1032)).first?.time == .milliseconds(1032))
    }

    @Test("a flush and the end discard frames that were held back")
    func packerFlush() throws {
        let packer = BurstPacker(.eac3, sampleRate: 48_000)
        for forget in [{ packer.flush() }, { _ = try? packer.decode(nil) }] {
            #expect(try packer.decode(sample(SyncFrame.eac3(blocks: 2, fill: 1), at: 0)).isEmpty)
            forget()
            #expect(try packer.decode(sample(SyncFrame.eac3(blocks: 2, fill: 2), at: 5000)).isEmpty)
            let buffer = try packer.decode(sample(SyncFrame.eac3(blocks: 2, fill: 2), at: 5016)).first
            #expect(buffer?.time == .seconds(5))
            #expect(buffer.map { BurstWords.word($0.samples[7]) } == 0x0202)
        }
    }

    @Test("a change of codec or sample rate is refused; bytes that are not a frame are ignored")
    func packerChange() throws {
        let packer = BurstPacker(.eac3, sampleRate: 48_000)
        for wrong in [sample(SyncFrame.eac3(), at: 0, codec: "aac"), sample(SyncFrame.eac3(rate: 1), at: 0)] {
            let error = #expect(throws: MediaError.self) { try packer.decode(wrong) }
            #expect(error?.code == .decoderUnsupported)
        }
        #expect(try packer.decode(sample([1, 2, 3], at: 0)).isEmpty)
        #expect(try packer.decode(sample(SyncFrame.eac3(), at: 0)).count == 1)
    }

    @Test("a passage has the carrier's rate and the burst's length")
    func passages() {
        let ac3 = SoundPassage.iec61937(.ac3, sampleRate: 44_100), eac3 = SoundPassage.iec61937(.eac3, sampleRate: 48_000)
        #expect(
            ac3.codec == "ac3" && ac3.sampleRate == 44_100 && ac3.format == AudioFormat(sampleRate: 44_100, channels: 2)
                && ac3.burstFrames == 1536)
        #expect(eac3.codec == "eac3" && eac3.format.sampleRate == 192_000 && eac3.burstFrames == 6144)
        #expect(ac3.open() is BurstPacker)
    }
}

@Suite("EDID-like data, field by field")
struct ELDTests {
    /// A header of version 2, fixed fields, a name of `length` bytes, and descriptors.
    private func bytes(name: [UInt8] = [], descriptors: [[UInt8]] = [], baseline: UInt8? = nil) -> [UInt8] {
        let whole = name.count + descriptors.count * 3
        let words = baseline ?? UInt8((16 + whole + 3) / 4)
        let fixed: [UInt8] = [UInt8(name.count), UInt8(descriptors.count) << 4, 0, 0x4F] + [UInt8](repeating: 0, count: 12)
        return [2 << 3, 0, words, 0] + fixed + name + descriptors.flatMap { $0 }
    }

    @Test("each bit of a descriptor is a rate, its first byte the format and the channels")
    func descriptors() throws {
        let rates = [32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000]
        for (bit, rate) in rates.enumerated() {
            let eld = try #require(ELD(bytes(descriptors: [[2 << 3 | 5, 1 << bit, 0], [1 << 3, 0x80, 0]])))
            #expect(
                eld.descriptors == [
                    .init(format: 2, channels: 6, sampleRates: [rate]), .init(format: 1, channels: 1, sampleRates: []),
                ])
        }
    }

    @Test("a name has up to sixteen letters; unprintable bytes and trailing spaces are removed")
    func names() throws {
        #expect(try #require(ELD(bytes(name: Array("TV 1  ".utf8)))).monitorName == "TV 1")
        #expect(try #require(ELD(bytes(name: [0x41, 0x0A, 0x7F, 0x42, 0x20]))).monitorName == "AB")
        #expect(try #require(ELD(bytes(name: [UInt8](repeating: 0x41, count: 16)))).monitorName.count == 16)
        #expect(ELD(bytes(name: [UInt8](repeating: 0x41, count: 17))) == nil)
    }

    @Test("any change of the bytes is read within its bounds")
    func anyBytes() {
        var random = SeededGenerator(seed: 12)
        let whole = bytes(name: [0x41, 0x42], descriptors: [[0x09, 7, 0], [0x15, 7, 0], [0x0A, 0x7F, 0]])
        var read = 0
        for _ in 0..<100_000 {
            var changed = Array(whole.prefix(Int.random(in: 0...whole.count, using: &random) | 16))
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            guard let data = ELD(changed) else { continue }
            read += 1
            #expect(data.monitorName.utf8.count <= 16 && data.descriptors.count <= 15)
            #expect([2, 6, 8].contains(data.sampleChannels(sampleRate: 48_000)))
        }
        #expect(read > 4000)
    }

    @Test("another version, or descriptors behind the end, are no data")
    func damage() {
        let whole = bytes(name: [0x41], descriptors: [[0x09, 7, 0], [0x15, 7, 0]])
        #expect(ELD(whole)?.speakers == 0x4F && ELD(whole)?.descriptors.count == 2)
        #expect(ELD([1 << 3] + whole.dropFirst()) == nil && ELD([3 << 3] + whole.dropFirst()) == nil)
        #expect(ELD(Array(whole.dropLast())) == nil && ELD(Array(whole.prefix(19))) == nil)
        // The baseline's length says where the data end: 20 bytes and the descriptors.
        #expect(ELD(bytes(name: [0x41, 0x41], descriptors: [[9, 7, 0], [9, 7, 0]], baseline: 6)) != nil)
        #expect(ELD(bytes(name: [0x41, 0x41], descriptors: [[9, 7, 0], [9, 7, 0]], baseline: 5)) == nil)
        #expect(ELD(bytes())?.descriptors == [] && ELD(bytes())?.monitorName == "")
    }
}
