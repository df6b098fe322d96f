import Glibc
import MediaModel
import PlayerInterface
import TestSupport
import Testing

@testable import Drawing

private let folder = Fixtures.path + "/pictures"
private let rewrites = getenv("MARQUEE_REWRITE_GOLDENS").map { String(cString: $0) } == "1"

/// The main screens as they were last agreed on: pictures of a quarter of each side, made of block means so that another version of a font or of
/// Cairo does not matter, and beside each a text with the places of layers and words. `MARQUEE_REWRITE_GOLDENS=1` writes them anew; the
/// difference is looked at before it is kept.
@Suite("The main screens look as agreed", .serialized)
@MainActor
struct GoldenTests {
    nonisolated static let themes: [(suffix: String, appearance: Appearance, names: [String])] = [
        ("", Appearance(), Samples.all.map(\.name)),
        ("-rtl", Appearance(isRightToLeft: true), ["actions", "info", "chapters", "home", "ad-with-bar"]),
        ("-large", Appearance(hasLargerText: true), ["actions", "info", "home", "error"]),
        ("-contrast", Appearance(hasHighContrast: true), ["playing", "info", "error"]),
    ]

    @Test("pictures at 1280x720 and the places of words", arguments: themes.map(\.suffix))
    func screens(suffix: String) throws {
        let (_, appearance, names) = try #require(Self.themes.first { $0.suffix == suffix })
        let easel = try Easel(appearance: appearance)
        defer { easel.stop() }
        for name in names {
            let state = try #require(Samples.all.first { $0.name == name }).state
            let layers = easel.show(state)
            let background: Background = state.screen == .home ? .plain(InterfaceRenderer.background(for: state)) : .busy
            let picture = try easel.picture(of: layers, over: background, video: state.video.frame)
            let blocks = try picture.blockMeans(4)
            let words = dump(layers, easel.renderer.drawnTexts)
            let path = "\(folder)/\(name)\(suffix)"
            if rewrites {
                mkdir(folder, 0o755)
                try PNGFile.write(blocks, to: path + ".png")
                #expect(write(words.map(\.line).joined(separator: "\n") + "\n", to: path + ".txt"))
                continue
            }
            let difference = try blocks.difference(from: PNGFile.read(path + ".png"))
            #expect(difference.mean < 1.5, "\(name)\(suffix): mean difference")
            #expect(difference.farOff < 0.005, "\(name)\(suffix): part of the blocks that are another colour")
            compare(words, with: try #require(read(path + ".txt"), "\(path).txt is missing"), name + suffix)
        }
    }

    private struct Line {
        var words: String
        var numbers: [Int]
        var line: String { "\(numbers.map(String.init).joined(separator: " ")) \(words)" }

        init(_ words: String, _ numbers: [Double]) {
            self.words = words
            self.numbers = numbers.map { Int($0.rounded()) }
        }

        init(_ line: Substring) {
            let parts = line.split(separator: " ", maxSplits: 4)
            numbers = parts.prefix(4).compactMap { Int($0) }
            words = parts.count > 4 ? String(parts[4]) : ""
        }
    }

    /// Layers in pixels, words in design pixels, in the order in which they lie over one another.
    private func dump(_ layers: [InterfaceLayer], _ texts: [String: [DrawnText]]) -> [Line] {
        layers.flatMap { layer -> [Line] in
            let place = layer.destination
            let head = Line("layer \(layer.id)", [place.x, place.y, place.width, place.height].map(Double.init))
            return [head] + (texts[layer.id] ?? []).map { Line("“\($0.text)”", [$0.x, $0.y, $0.width, $0.height]) }
        }
    }

    /// Words and their order must be equal; places may differ by what another version of a font makes.
    private func compare(_ found: [Line], with text: String, _ name: String) {
        let wanted = text.split(separator: "\n").map { Line($0) }
        #expect(found.map(\.words) == wanted.map(\.words), "\(name)")
        for (one, other) in zip(found, wanted) {
            let far = zip(one.numbers, other.numbers).map { abs($0 - $1) }.max() ?? 0
            #expect(far <= 6 && one.numbers.count == other.numbers.count, "\(name): \(one.line) was \(other.line)")
        }
    }

    private func write(_ text: String, to path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        defer { fclose(file) }
        return fputs(text, file) >= 0
    }

    private func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension PixelBuffer {
    /// A picture whose pixels are the means of blocks of this one.
    func blockMeans(_ side: Int) throws -> PixelBuffer {
        let small = try MemoryAllocator().makeBuffer(format: .xrgb8888, width: width / side, height: height / side)
        let rows = self.rows()
        small.withMutableBytes { bytes in
            for y in 0..<small.height {
                for x in 0..<small.width {
                    var sums = (0, 0, 0)
                    for row in y * side..<(y + 1) * side {
                        for column in x * side..<(x + 1) * side {
                            let offset = (row * width + column) * 4
                            sums = (sums.0 + Int(rows[offset]), sums.1 + Int(rows[offset + 1]), sums.2 + Int(rows[offset + 2]))
                        }
                    }
                    let target = small.planes[0].offset + y * small.planes[0].stride + x * 4
                    bytes[target] = UInt8(sums.0 / (side * side))
                    bytes[target + 1] = UInt8(sums.1 / (side * side))
                    bytes[target + 2] = UInt8(sums.2 / (side * side))
                    bytes[target + 3] = 255
                }
            }
        }
        return small
    }

    /// How far two pictures are from one another.
    ///
    /// - Returns: the mean difference of a channel, and the part of the pixels with a channel that differs by more than 40.
    func difference(from other: PixelBuffer) -> (mean: Double, farOff: Double) {
        guard width == other.width, height == other.height else { return (255, 1) }
        let one = rows(), two = other.rows()
        var sum = 0, far = 0
        for pixel in stride(from: 0, to: one.count, by: 4) {
            let steps = (0..<3).map { abs(Int(one[pixel + $0]) - Int(two[pixel + $0])) }
            sum += steps.reduce(0, +)
            if steps.max()! > 40 { far += 1 }
        }
        return (Double(sum) / Double(width * height * 3), Double(far) / Double(width * height))
    }
}
