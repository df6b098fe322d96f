/// A QR code (ISO/IEC 18004), model 2, byte mode, error correction level M, for a phone's camera.
///
/// There is no library behind it: the box shows one code of at most a few hundred bytes, which takes only this file of
/// arithmetic; a library would add a package to the image.
struct QRCode: Sendable, Hashable {
    /// Modules in a row.
    private(set) var size: Int
    /// The modules row by row; true is dark.
    private(set) var modules: [Bool]
    /// Modules of the function patterns, which hold no data.
    private var isReserved: [Bool]

    /// The width of the quiet zone in modules.
    static let quietZone = 4

    /// Whether a module is dark.
    subscript(x: Int, y: Int) -> Bool { modules[y * size + x] }

    /// Encodes a text; nil when it is longer than the largest version supported here (412 bytes).
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = (1...Self.blocks.count).first(where: { Self.capacity($0) >= bytes.count }) else { return nil }
        size = 17 + 4 * version
        modules = [Bool](repeating: false, count: size * size)
        isReserved = modules
        drawPatterns(version)
        place(Self.codewords(bytes, version))
        let all = (0..<8).map { masked($0) }
        let penalties = all.map(\.penalty)
        self = all[all.indices.min { penalties[$0] < penalties[$1] }!]
    }

    // MARK: Data

    /// For each version, at level M: correction codewords per block, then the numbers of blocks and their data codewords (tables
    /// 7 and 9).
    private static let blocks: [(correction: Int, groups: [(count: Int, data: Int)])] = [
        (10, [(1, 16)]), (16, [(1, 28)]), (26, [(1, 44)]), (18, [(2, 32)]), (24, [(2, 43)]), (16, [(4, 27)]), (18, [(4, 31)]),
        (22, [(2, 38), (2, 39)]), (22, [(3, 36), (2, 37)]), (26, [(4, 43), (1, 44)]), (30, [(1, 50), (4, 51)]),
        (22, [(6, 36), (2, 37)]), (22, [(8, 37), (1, 38)]), (24, [(4, 40), (5, 41)]), (24, [(5, 41), (5, 42)]),
    ]

    private static func dataCodewords(_ version: Int) -> Int { blocks[version - 1].groups.reduce(0) { $0 + $1.count * $1.data } }

    private static func lengthBits(_ version: Int) -> Int { version < 10 ? 8 : 16 }

    private static func capacity(_ version: Int) -> Int { (dataCodewords(version) * 8 - 4 - lengthBits(version)) / 8 }

    /// Data and correction codewords, interleaved by block.
    private static func codewords(_ bytes: [UInt8], _ version: Int) -> [UInt8] {
        var bits: [Bool] = []
        func add(_ value: Int, _ count: Int) { for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) } }
        add(0b0100, 4)
        add(bytes.count, lengthBits(version))
        for byte in bytes { add(Int(byte), 8) }
        let room = dataCodewords(version) * 8
        add(0, min(4, room - bits.count))
        while bits.count % 8 != 0 { bits.append(false) }
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 << 1 | (bits[start + $1] ? 1 : 0) }
        }
        for index in 0..<(room / 8 - data.count) { data.append(index % 2 == 0 ? 0xEC : 0x11) }

        let (correction, groups) = blocks[version - 1]
        let divisor = GaloisField.divisor(correction)
        var parts: [[UInt8]] = []
        var start = 0
        for group in groups {
            for _ in 0..<group.count {
                parts.append(Array(data[start..<start + group.data]))
                start += group.data
            }
        }
        let checks = parts.map { GaloisField.remainder($0, divisor) }
        var all: [UInt8] = []
        for index in 0..<(parts.map(\.count).max() ?? 0) {
            for part in parts where index < part.count { all.append(part[index]) }
        }
        for index in 0..<correction { for check in checks { all.append(check[index]) } }
        return all
    }

    // MARK: Modules

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
        modules[y * size + x] = isDark
        isReserved[y * size + x] = true
    }

    private mutating func drawPatterns(_ version: Int) {
        for index in 0..<size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
        let places = Self.alignmentPlaces(version)
        for x in places {
            for y in places where !(x == 6 && y == 6 || x == 6 && y == size - 7 || x == size - 7 && y == 6) {
                for dy in -2...2 { for dx in -2...2 { set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) } }
            }
        }
        drawFormat(mask: 0)
        drawVersion(version)
    }

    /// Including its separator.
    private mutating func drawFinder(_ x: Int, _ y: Int) {
        for dy in -4...4 {
            for dx in -4...4 where (0..<size).contains(x + dx) && (0..<size).contains(y + dy) {
                let distance = max(abs(dx), abs(dy))
                set(x + dx, y + dy, distance != 2 && distance != 4)
            }
        }
    }

    /// Annex E: evenly spaced from the far edge; the first step takes up the remainder.
    private static func alignmentPlaces(_ version: Int) -> [Int] {
        guard version > 1 else { return [] }
        let count = version / 7 + 2
        let step = (version * 4 + 4 + count * 2 - 3) / (count * 2 - 2) * 2
        return [6] + (0..<count - 1).map { version * 4 + 10 - $0 * step }.reversed()
    }

    /// Level M (0b00) and the mask, twice, with their own correction (Annex C).
    private mutating func drawFormat(mask: Int) {
        var rest = mask
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (mask << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, size - 15 + index, bit(index)) }
        set(8, size - 8, true)
    }

    /// From version 7 on (Annex D).
    private mutating func drawVersion(_ version: Int) {
        guard version >= 7 else { return }
        var rest = version
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version << 12 | rest
        for index in 0..<18 {
            let (long, short) = (size - 11 + index % 3, index / 3)
            set(long, short, bits >> index & 1 == 1)
            set(short, long, bits >> index & 1 == 1)
        }
    }

    /// Two columns at a time from the right, alternately upwards and downwards.
    private mutating func place(_ codewords: [UInt8]) {
        var index = 0
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            for step in 0..<size {
                for x in [right, right - 1] {
                    let isUpward = (right + 1) & 2 == 0
                    let y = isUpward ? size - 1 - step : step
                    guard !isReserved[y * size + x], index < codewords.count * 8 else { continue }
                    modules[y * size + x] = codewords[index >> 3] >> (7 - index & 7) & 1 == 1
                    index += 1
                }
            }
            right -= 2
        }
    }

    private func masked(_ mask: Int) -> QRCode {
        var copy = self
        for y in 0..<size {
            for x in 0..<size where !isReserved[y * size + x] {
                let flips =
                    switch mask {
                    case 0: (x + y) % 2 == 0
                    case 1: y % 2 == 0
                    case 2: x % 3 == 0
                    case 3: (x + y) % 3 == 0
                    case 4: (x / 3 + y / 2) % 2 == 0
                    case 5: x * y % 2 + x * y % 3 == 0
                    case 6: (x * y % 2 + x * y % 3) % 2 == 0
                    default: ((x + y) % 2 + x * y % 3) % 2 == 0
                    }
                if flips { copy.modules[y * size + x].toggle() }
            }
        }
        copy.drawFormat(mask: mask)
        return copy
    }

    /// The penalty score (7.8.3): runs of one colour, squares, finder-like patterns, too much of one colour.
    private var penalty: Int {
        var result = 0
        for line in 0..<size {
            // A row, then a column.
            result += penalty(from: line * size, step: 1) + penalty(from: line, step: size)
        }
        for y in 1..<size {
            for place in y * size + 1..<(y + 1) * size {
                let module = modules[place]
                if module == modules[place - 1], module == modules[place - size], module == modules[place - size - 1] {
                    result += 3
                }
            }
        }
        let percent = modules.count { $0 } * 100 / modules.count
        return result + abs(percent - 50) / 5 * 10
    }

    /// That of the runs and the finder-like patterns of one line.
    private func penalty(from start: Int, step: Int) -> Int {
        var result = 0, run = 0, last: Bool?
        // The last eleven modules; a dark one is 1.
        var seen = 0
        for index in 0..<size {
            let module = modules[start + index * step]
            run = module == last ? run + 1 : 1
            last = module
            if run == 5 { result += 3 } else if run > 5 { result += 1 }
            seen = (seen << 1 | (module ? 1 : 0)) & 0b111_1111_1111
            // A finder pattern with four light modules after or before it.
            if index >= 10, seen == 0b101_1101_0000 || seen == 0b000_0101_1101 { result += 40 }
        }
        return result
    }
}

/// Reed-Solomon arithmetic: GF(256) over x^8 + x^4 + x^3 + x^2 + 1.
private enum GaloisField {
    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) * 0x11D
            result ^= Int(right >> bit & 1) * Int(left)
        }
        return UInt8(truncatingIfNeeded: result)
    }

    /// The generator polynomial of a degree, highest power first, without its leading coefficient.
    static func divisor(_ degree: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: degree)
        result[degree - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                result[index] = product(result[index], root)
                if index + 1 < degree { result[index] ^= result[index + 1] }
            }
            root = product(root, 2)
        }
        return result
    }

    static func remainder(_ data: [UInt8], _ divisor: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: divisor.count)
        for byte in data {
            let factor = byte ^ result.removeFirst()
            result.append(0)
            for index in divisor.indices { result[index] ^= product(divisor[index], factor) }
        }
        return result
    }
}
