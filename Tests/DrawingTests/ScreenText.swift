import Cryptography
import Glibc
import MediaModel

@testable import Drawing

/// What is on a screen, as text that a person can review: layers in stacking order with a checksum of their pixels; in each, the areas of one colour, found in the
/// pixels, and the texts with type size, colour, fonts other than Noto Sans, and words; at last the mean colours of 16x9 blocks of the screen. Positions of texts are in pixels of 1920x1080, all others in those of the screen.
struct ScreenText {
    let name: String
    private let lines: [String]
    private static let heading = "screen "

    /// - Parameters:
    ///   - texts: by the id of their layer.
    ///   - picture: the layers over their ground, as large as the screen.
    init(_ name: String, layers: [InterfaceLayer], texts: [String: [DrawnText]], picture: PixelBuffer) throws {
        self.name = name
        lines =
            layers.sorted { ($0.z, $0.id) < ($1.z, $1.id) }.flatMap { layer in
                let texts = texts[layer.id] ?? []
                let areas = FlatAreas(layer, texts: texts, screenHeight: picture.height)
                return [Self.line(layer)] + areas.lines + texts.map(Self.line)
            } + (try picture.blocks().map(Self.blocks))
    }

    var text: String { (["\(Self.heading)\(name)"] + lines).joined(separator: "\n") + "\n" }

    /// What differs from the golden lines, a line each; empty if nothing does.
    ///
    /// - Parameter isExact: whether the same libraries drew both. Others round in another way: places may then differ by two pixels and blocks by what an
    ///   edge changes that is so far off; checksums and areas are not compared.
    func changes(from golden: [String], isExact: Bool) -> [String] {
        if isExact { return Self.words(lines.difference(from: golden)) }
        let (wanted, found) = (golden.filter(Self.isPlace), lines.filter(Self.isPlace))
        guard wanted.count == found.count else { return Self.words(found.difference(from: wanted)) }
        return zip(wanted, found).filter { !Self.areNear($0, $1) }.flatMap { ["expected: \($0)", "actual:   \($1)"] }
    }

    private static func words(_ changes: CollectionDifference<String>) -> [String] {
        let lines = (changes.removals + changes.insertions).map { change in
            switch change {
            case .remove(let place, let line, _): (place, "expected: \(line)")
            case .insert(let place, let line, _): (place, "actual:   \(line)")
            }
        }
        return lines.sorted { ($0.0, $1.1) < ($1.0, $0.1) }.map(\.1)
    }

    /// Whether a line is of a layer, a text, or blocks: what other libraries draw nearly so.
    private static func isPlace(_ line: String) -> Bool {
        line.hasPrefix("layer ") || line.hasPrefix("  text ") || line.hasPrefix(blockHeading)
    }

    /// Whether the numbers of two lines are nearly the same, and the rest is. Colours and words are the rest, a layer's checksum is nothing.
    private static func areNear(_ one: String, _ other: String) -> Bool {
        if let left = channels(one), let right = channels(other) {
            return left.count == right.count && zip(left, right).allSatisfy { abs($0 - $1) <= 6 }
        }
        func parts(_ line: String) -> (place: [Substring], rest: Substring) {
            let isLayer = line.hasPrefix("layer ")
            let end = (isLayer ? line.lastIndex(of: " ") : line.firstIndex(of: "#")) ?? line.endIndex
            return (line[..<end].split { $0 == " " || $0 == "," || $0 == "x" }, isLayer ? "" : line[end...])
        }
        let (left, right) = (parts(one), parts(other))
        guard left.rest == right.rest, left.place.count == right.place.count else { return false }
        return zip(left.place, right.place).enumerated().allSatisfy { index, pair in
            guard let one = Double(pair.0), let other = Double(pair.1) else { return pair.0 == pair.1 }
            // "te", "t", the place and the width come before the height of a text. Libraries do not agree how high an empty line between its paragraphs is.
            return abs(one - other) <= (left.rest.first == "#" && index == 5 && one > 100 ? 8 : 2)
        }
    }

    private static let blockHeading = "blocks "

    /// A row of blocks: greys as one number, and equal neighbours once with their count.
    private static func blocks(_ row: [UInt8]) -> String {
        var runs: [(colour: String, count: Int)] = []
        for place in stride(from: 0, to: row.count, by: 3) {
            let colour = row[place..<place + 3]
            let isGrey = colour.allSatisfy { $0 == row[place] }
            let name = hexadecimal(isGrey ? colour.prefix(1) : colour)
            if runs.last?.colour == name { runs[runs.count - 1].count += 1 } else { runs.append((name, 1)) }
        }
        return blockHeading + runs.map { $0.count == 1 ? $0.colour : "\($0.colour)*\($0.count)" }.joined(separator: " ")
    }

    /// The channels of a line of blocks; nil when it is none.
    private static func channels(_ line: String) -> [Int]? {
        guard line.hasPrefix(blockHeading) else { return nil }
        return line.dropFirst(blockHeading.count).split(separator: " ").flatMap { run -> [Int] in
            let parts = run.split(separator: "*")
            let colour = Int(parts[0], radix: 16) ?? 0
            let channels = parts[0].count == 2 ? [colour, colour, colour] : [16, 8, 0].map { colour >> $0 & 0xFF }
            let count = parts.count == 2 ? min(Int(parts[1]) ?? 1, 16) : 1
            return Array(repeating: channels, count: count).flatMap { $0 }
        }
    }

    /// The screens of a text that was made of several.
    static func screens(in text: String) -> [(name: String, lines: [String])] {
        var screens: [(name: String, lines: [String])] = []
        for line in text.split(separator: "\n").map(String.init) {
            if line.hasPrefix(heading) {
                screens.append((String(line.dropFirst(heading.count)), []))
            } else if !screens.isEmpty {
                screens[screens.count - 1].lines.append(line)
            }
        }
        return screens
    }

    private static func line(_ layer: InterfaceLayer) -> String {
        let place = layer.destination
        let (width, height) = (layer.pixels.width, layer.pixels.height)
        let size = width == place.width && height == place.height ? "" : " of \(width)x\(height)"
        let alpha = layer.alpha == 255 ? "" : " alpha \(layer.alpha)"
        return "layer \(layer.id) \(place.x),\(place.y) \(place.width)x\(place.height)\(size)\(alpha) \(sum(layer.pixels))"
    }

    private static func line(_ text: DrawnText) -> String {
        let words = text.text.split(separator: "\n").joined(separator: "/")
        return "  text \(tenths(text.x)),\(tenths(text.y)) \(tenths(text.width))x\(tenths(text.height))"
            + " \(Int(text.size.rounded()))\(text.isBold ? " bold" : "") \(colour(text.colour))"
            + (text.families.isEmpty || text.families == ["Noto Sans"] ? "" : " [\(text.families.joined(separator: ", "))]")
            + (text.missingGlyphs == 0 ? "" : " \(text.missingGlyphs) missing glyphs") + (text.isEllipsized ? " cut" : "")
            + " “\(words)”"
    }

    private static func tenths(_ value: Double) -> String {
        let number = Int((value * 10).rounded())
        return (number < 0 ? "-" : "") + "\(abs(number) / 10).\(abs(number) % 10)"
    }

    private static func colour(_ parts: [Double]) -> String {
        "#" + hexadecimal(parts.prefix(parts.last == 1 ? 3 : 4).map { UInt8(min(max($0, 0), 1) * 255 + 0.5) })
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The first digits of the SHA-256 of the visible pixels.
    static func sum(_ pixels: PixelBuffer) -> String {
        let (plane, length) = (pixels.planes[0], pixels.width * 4)
        let bytes = [UInt8](unsafeUninitializedCapacity: length * pixels.height) { target, count in
            pixels.withBytes { source in
                for row in 0..<pixels.height {
                    memcpy(target.baseAddress! + row * length, source.baseAddress! + plane.offset + row * plane.stride, length)
                }
            }
            count = length * pixels.height
        }
        return hexadecimal(SHA256.digest(bytes).prefix(4))
    }
}
