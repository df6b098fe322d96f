/// Writes grey pictures as H.264 (ISO/IEC 14496-10) without an encoder: macroblocks that change are stored as samples (`I_PCM`), all others are skipped.
/// Every decoder of the baseline profile shows exactly these pictures.
struct PlainPictures {
    /// The picture in macroblocks of 16 by 16 pixels.
    let columns, rows: Int
    private let cropsBottom: Int
    /// The brightness of each macroblock, row by row.
    private var blocks: [UInt8]
    private var frameNumber = 0

    /// The bits of `frame_num`.
    private static let numberBits = 5
    /// The colourless value of a chroma sample.
    private static let grey: UInt8 = 128

    /// - Parameters:
    ///   - width: a multiple of 16.
    ///   - height: an even number; the last row of macroblocks may reach beyond it.
    init(width: Int, height: Int) {
        columns = width / 16
        rows = (height + 15) / 16
        cropsBottom = rows * 16 - height
        blocks = Array(repeating: 0, count: columns * rows)
    }

    // MARK: Parameters

    /// The contents of an `avcC` box (ISO/IEC 14496-15, 5.3.3.1).
    var configuration: [UInt8] {
        let (sequence, picture) = (sequenceParameters, Self.pictureParameters)
        // In steps: one sum of arrays and literals is more than the compiler of the image resolves in time.
        var record: [UInt8] = [1, sequence[1], sequence[2], sequence[3], 0xFF, 0xE1]
        record += Self.length(sequence.count, bytes: 2)
        record += sequence
        record.append(1)
        record += Self.length(picture.count, bytes: 2)
        record += picture
        return record
    }

    private var sequenceParameters: [UInt8] {
        var bits = BitWriter()
        bits.put(66, bits: 8)  // baseline…
        bits.put(0xC0, bits: 8)  // …also for decoders of the main profile
        bits.put(40, bits: 8)  // level 4
        bits.putExponential(0)  // its number
        bits.putExponential(Self.numberBits - 4)
        bits.putExponential(2)  // shown in the order of the stream
        bits.putExponential(1)  // reference frames
        bits.put(0, bits: 1)
        bits.putExponential(columns - 1)
        bits.putExponential(rows - 1)
        bits.put(0b11, bits: 2)  // frames only; direct_8x8_inference_flag
        bits.put(cropsBottom > 0 ? 1 : 0, bits: 1)
        if cropsBottom > 0 {
            for edge in [0, 0, 0, cropsBottom / 2] { bits.putExponential(edge) }
        }
        bits.put(0, bits: 1)  // no usability information
        return [0x67] + bits.finished()
    }

    private static var pictureParameters: [UInt8] {
        var bits = BitWriter()
        for _ in 0..<2 { bits.putExponential(0) }  // its number, and that of its sequence
        bits.put(0, bits: 2)  // CAVLC
        for _ in 0..<3 { bits.putExponential(0) }  // one slice group, one reference in each list
        bits.put(0, bits: 3)  // no weights
        for _ in 0..<3 { bits.putExponential(0) }  // quantisers
        bits.put(0b100, bits: 3)  // slices say whether edges are smoothed
        return [0x68] + bits.finished()
    }

    // MARK: Pictures

    /// The next picture as a sample of an MP4 file, which has its length before it.
    ///
    /// - Parameters:
    ///   - new: the brightness of each macroblock, 16…235.
    ///   - isKey: whether it needs no other picture.
    mutating func sample(_ new: [UInt8], isKey: Bool) -> [UInt8] {
        precondition(new.count == blocks.count)
        frameNumber = isKey ? 0 : (frameNumber + 1) % (1 << Self.numberBits)
        var bits = BitWriter()
        bits.putExponential(0)
        bits.putExponential(isKey ? 7 : 5)
        bits.putExponential(0)
        bits.put(frameNumber, bits: Self.numberBits)
        if isKey {
            bits.putExponential(0)
            bits.put(0, bits: 2)
        } else {
            bits.put(0, bits: 3)  // one reference, in the usual order, kept as usual
        }
        bits.putExponential(0)
        bits.putExponential(1)  // edges are not smoothed
        var skipped = 0
        for (index, luma) in new.enumerated() {
            if !isKey {
                guard luma != blocks[index] else {
                    skipped += 1
                    continue
                }
                bits.putExponential(skipped)
                skipped = 0
            }
            bits.putExponential(isKey ? 25 : 30)
            bits.align()
            bits.put(luma, times: 256)
            bits.put(Self.grey, times: 128)
        }
        if !isKey, skipped > 0 { bits.putExponential(skipped) }
        blocks = new
        let unit: [UInt8] = [isKey ? 0x65 : 0x61] + bits.finished()
        return Self.length(unit.count, bytes: 4) + unit
    }

    private static func length(_ count: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: count >> (8 * (bytes - 1 - $0))) }
    }
}

/// The bits of a raw byte sequence payload.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var free = 0

    mutating func put(_ value: Int, bits: Int) {
        for place in (0..<bits).reversed() {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            free -= 1
            if value >> place & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(free) }
        }
    }

    /// An Exp-Golomb code (9.1).
    mutating func putExponential(_ value: Int) {
        let code = value + 1
        let width = Int.bitWidth - code.leadingZeroBitCount
        put(0, bits: width - 1)
        put(code, bits: width)
    }

    /// Fills the byte with zeros.
    mutating func align() { free = 0 }

    /// A byte several times; the place must be aligned.
    mutating func put(_ byte: UInt8, times: Int) { bytes += repeatElement(byte, count: times) }

    /// Ends the payload. Bytes that would look like the start of another unit are kept apart (7.4.1).
    func finished() -> [UInt8] {
        var whole = self
        whole.put(1, bits: 1)
        var result: [UInt8] = []
        result.reserveCapacity(whole.bytes.count + 16)
        var zeros = 0
        for byte in whole.bytes {
            if zeros == 2, byte <= 3 {
                result.append(3)
                zeros = 0
            }
            result.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return result
    }
}
