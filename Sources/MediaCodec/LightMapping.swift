import CZimg
import MediaModel

/// Maps rows of red, green and blue from the code values of a programme to those of a screen: through light, where the colours are changed. What zimg and
/// libplacebo calculate for each code value is in tables, because few processors have fast powers; the primaries are zimg's work. Used by one thread at
/// a time.
final class LightMapping {
    /// For each 16-bit code value of the programme its light, where 1 is white.
    private let light: UnsafeMutablePointer<Float>
    /// For each light in half precision (its bits) the 16-bit code value of the screen. Above white all is cut off.
    private let codes: UnsafeMutablePointer<UInt16>
    private let primaries: ColourGraph
    private let memory: AlignedMemory
    /// One row before and after the change of primaries.
    private let before, after: PlanePointers
    private let width: Int

    private static let count = 65_536
    private static let side = 256

    /// - Parameters:
    ///   - transfer: that of the code values.
    ///   - target: transfer function and primaries of the screen.
    ///   - usesCurve: whether libplacebo's curve is used for a high dynamic range if it is installed.
    ///   - width: samples in a row.
    /// - Throws: why zimg cannot calculate this.
    init(
        _ colour: ColourDescription, transfer: zimg_transfer_characteristics_e,
        to target: (transfer: zimg_transfer_characteristics_e, primaries: zimg_color_primaries_e), usesCurve: Bool, width: Int
    ) throws(ColourGraphError) {
        self.width = width
        let stride = AlignedMemory.rounded(4 * width)
        memory = AlignedMemory(byteCount: 6 * stride)
        let base = memory.base
        before = PlanePointers(data: (base, base + stride, base + 2 * stride), strides: (stride, stride, stride))
        after = PlanePointers(data: (base + 3 * stride, base + 4 * stride, base + 5 * stride), strides: (stride, stride, stride))
        var linear = Self.rows(width: width, height: 1, ZIMG_PIXEL_FLOAT, ZIMG_TRANSFER_LINEAR)
        linear.color_primaries = zimg_color_primaries_e(colour.primaries)
        var shown = Self.rows(width: width, height: 1, ZIMG_PIXEL_HALF, ZIMG_TRANSFER_LINEAR)
        shown.color_primaries = target.primaries
        primaries = try ColourGraph(from: linear, to: shown, white: ToneCurve.white, isDithered: false)
        let lights = try Self.lights(transfer)
        let curve = colour.isHDR && usesCurve ? ToneCurve.codes(peak: ToneCurve.peak(of: colour)) : nil
        let encoded = try Self.encoded(target.transfer)
        light = .allocate(capacity: Self.count)
        codes = .allocate(capacity: Self.count)
        for code in 0..<Self.count {
            light[code] = lights[curve.map { Int($0[code]) } ?? code]
            codes[code] = encoded[code]
        }
    }

    deinit {
        light.deallocate()
        codes.deallocate()
    }

    /// Maps one row in place.
    ///
    /// - Returns: whether zimg did its part.
    func map(
        _ first: UnsafeMutablePointer<UInt16>, _ second: UnsafeMutablePointer<UInt16>, _ third: UnsafeMutablePointer<UInt16>
    ) -> Bool {
        decode(first, to: before.data.0)
        decode(second, to: before.data.1)
        decode(third, to: before.data.2)
        do throws(ColourGraphError) { try primaries.run(from: before, to: after) } catch { return false }
        encode(after.data.0, to: first)
        encode(after.data.1, to: second)
        encode(after.data.2, to: third)
        return true
    }

    private func decode(_ row: UnsafeMutablePointer<UInt16>, to target: UnsafeMutableRawPointer) {
        let target = target.assumingMemoryBound(to: Float.self)
        for column in 0..<width { target[column] = light[Int(row[column])] }
    }

    private func encode(_ source: UnsafeMutableRawPointer, to row: UnsafeMutablePointer<UInt16>) {
        let source = source.assumingMemoryBound(to: UInt16.self)
        for column in 0..<width { row[column] = codes[Int(source[column])] }
    }

    // MARK: The tables

    /// The light of each 16-bit code value.
    private static func lights(_ transfer: zimg_transfer_characteristics_e) throws(ColourGraphError) -> [Float] {
        try table(from: rows(width: side, height: side, ZIMG_PIXEL_WORD, transfer), to: ZIMG_PIXEL_FLOAT, ZIMG_TRANSFER_LINEAR) {
            UInt16($0)
        } reading: {
            $0.load(as: Float.self)
        }
    }

    /// The code value of each number in half precision.
    private static func encoded(_ transfer: zimg_transfer_characteristics_e) throws(ColourGraphError) -> [UInt16] {
        let source = rows(width: side, height: side, ZIMG_PIXEL_HALF, ZIMG_TRANSFER_LINEAR)
        return try table(from: source, to: ZIMG_PIXEL_WORD, transfer) { bits in
            // Negative numbers, and what is none, are black; above 1, whose bits are 0x3C00, all is white.
            bits >= 0x8000 || bits > 0x7C00 ? 0 : UInt16(min(bits, 0x3C00))
        } reading: {
            $0.load(as: UInt16.self)
        }
    }

    /// What zimg makes of each of 65,536 numbers.
    private static func table<Value>(
        from source: zimg_image_format, to type: zimg_pixel_type_e, _ transfer: zimg_transfer_characteristics_e,
        writing: (Int) -> UInt16, reading: (UnsafeMutableRawPointer) -> Value
    ) throws(ColourGraphError) -> [Value] {
        let target = rows(width: side, height: side, type, transfer)
        let graph = try ColourGraph(from: source, to: target, white: ToneCurve.white, isDithered: false)
        let size = MemoryLayout<Value>.size
        // A grey picture: all three planes of the source are the same. zimg works in the memory of the result, of which each plane has its own.
        let (input, output) = (AlignedMemory(byteCount: 2 * count), AlignedMemory(byteCount: 3 * size * count))
        for number in 0..<count { input.base.storeBytes(of: writing(number), toByteOffset: 2 * number, as: UInt16.self) }
        try graph.run(
            from: PlanePointers(data: (input.base, input.base, input.base), strides: (2 * side, 2 * side, 2 * side)),
            to: PlanePointers(
                data: (output.base, output.base + size * count, output.base + 2 * size * count),
                strides: (size * side, size * side, size * side)))
        return (0..<count).map { reading(output.base + size * $0) }
    }

    /// Red, green and blue with the primaries of BT.709.
    private static func rows(
        width: Int, height: Int, _ type: zimg_pixel_type_e, _ transfer: zimg_transfer_characteristics_e
    ) -> zimg_image_format {
        var format = zimg_image_format()
        zimg_image_format_default(&format, marquee_zimg_version)
        format.width = UInt32(width)
        format.height = UInt32(height)
        format.pixel_type = type
        if type == ZIMG_PIXEL_WORD { format.depth = 16 }
        format.color_family = ZIMG_COLOR_RGB
        format.matrix_coefficients = ZIMG_MATRIX_RGB
        format.transfer_characteristics = transfer
        format.color_primaries = ZIMG_PRIMARIES_BT709
        format.pixel_range = ZIMG_RANGE_FULL
        return format
    }
}
