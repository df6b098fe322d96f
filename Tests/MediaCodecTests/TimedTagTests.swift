import Testing

@testable import MediaCodec

@Suite("ID3 tags of transport streams are whole")
struct TimedTagTests {
    /// A tag with frames of these sizes.
    private func tag(version: UInt8, _ sizes: [Int], padding: Int = 0) -> [UInt8] {
        func number(_ value: Int, _ bits: Int) -> [UInt8] {
            (0..<4).reversed().map { UInt8(value >> ($0 * bits) & (1 << bits - 1)) }
        }
        var frames: [UInt8] = []
        for size in sizes {
            frames += Array("TXXX".utf8) + number(size, version == 4 ? 7 : 8) + [0, 0]
            frames += [UInt8](repeating: 0x41, count: size)
        }
        frames += [UInt8](repeating: 0, count: padding)
        return Array("ID3".utf8) + [version, 0, 0] + number(frames.count, 7) + frames
    }

    @Test(
        "the five bytes that libavformat removes are put back, with the version to which the sizes of the frames belong",
        arguments: [4, 3] as [UInt8], [[200], [20, 300, 5], [130, 127]])
    func restored(version: UInt8, sizes: [Int]) {
        for padding in [0, 7] {
            let whole = tag(version: version, sizes, padding: padding)
            #expect(TimedTag.whole(Array(whole.dropFirst(5))) == whole)
            // A demuxer that leaves them in place.
            #expect(TimedTag.whole(whole) == whole)
        }
    }

    @Test(
        "what is no tag stays as it is",
        arguments: [[], [0], [0, 0, 0, 0], [0, 0, 0, 0, 9, 1], [0, 0x80, 0, 0, 0, 1, 2]] as [[UInt8]])
    func noise(bytes: [UInt8]) { #expect(TimedTag.whole(bytes) == bytes) }
}
