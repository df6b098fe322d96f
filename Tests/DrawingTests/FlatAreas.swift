import Glibc
import MediaModel

@testable import Drawing

/// The areas of one colour in a layer: surfaces, buttons, bars, rings, parts of drawings. They are found in the pixels and not recorded while drawing, so that they
/// are what is seen. Shapes of letters are left out, and the many areas of a gradient are one.
struct FlatAreas {
    /// As the golden texts have them.
    let lines: [String]
    /// A layer has at most so many lines: a code of squares has hundreds of areas.
    private static let most = 40

    init(_ layer: InterfaceLayer, texts: [DrawnText], screenHeight: Int) {
        let place = layer.destination, pixels = layer.pixels
        // In a scaled layer a pixel is not where it seems to be.
        let isScaled = place.width != pixels.width || place.height != pixels.height
        let scale = Double(screenHeight) / 1080
        let inks = texts.map {
            Rect(x: $0.x * scale, y: $0.y * scale, width: $0.width * scale, height: $0.height * scale).inset(-2)
        }
        var scan = AreaScan(grain: isScaled ? 1 : max(screenHeight / 360, 1))
        scan.read(pixels)
        let areas = scan.areas(of: pixels).map { area in
            var area = area
            if !isScaled { (area.left, area.right) = (area.left + place.x, area.right + place.x) }
            if !isScaled { (area.top, area.bottom) = (area.top + place.y, area.bottom + place.y) }
            return area
        }.filter { area in !inks.contains { $0.contains(area.rect) } }
        let flat = areas.filter { !$0.isShade }
        let largest = flat.sorted { ($1.size, $0.top, $0.left) < ($0.size, $1.top, $1.left) }.prefix(Self.most)
        var lines = largest.sorted { ($0.top, $0.left, $0.size) < ($1.top, $1.left, $1.size) }.map {
            "  area \($0.place) \(Self.name($0.colour))"
        }
        if flat.count > largest.count { lines.append("  … and \(flat.count - largest.count) smaller areas") }
        let shades = areas.filter(\.isShade).sorted { ($0.top, $0.left) < ($1.top, $1.left) }
        if let first = shades.first, let last = shades.last {
            let whole = shades.dropFirst().reduce(first) { $0.united(with: $1) }
            lines.append("  gradient \(whole.place) \(Self.name(first.colour)) to \(Self.name(last.colour))")
        }
        self.lines = lines
    }

    /// A premultiplied pixel as a colour: red, green, blue, and alpha where it is not opaque.
    private static func name(_ pixel: UInt32) -> String {
        let alpha = Int(pixel >> 24)
        func part(_ shift: UInt32) -> UInt8 {
            UInt8(min((Int(pixel >> shift & 0xFF) * 255 + alpha / 2) / max(alpha, 1), 255))
        }
        return "#" + ScreenText.hexadecimal([part(16), part(8), part(0)] + (alpha == 255 ? [] : [UInt8(alpha)]))
    }
}

/// A connected area of one colour, in pixels of its layer or of the screen.
private struct Area {
    var colour: UInt32
    var left, right, top, bottom: Int
    /// Where its first and its last row were found.
    var firstColumn, lastColumn: Int
    /// Whether a colour beside it is nearly the same.
    var isShade = false

    var size: Int { (right - left) * (bottom - top) }
    var place: String { "\(left),\(top) \(right - left)x\(bottom - top)" }
    var rect: Rect { Rect(x: Double(left), y: Double(top), width: Double(right - left), height: Double(bottom - top)) }

    func united(with other: Area) -> Area {
        var both = self
        (both.left, both.right) = (min(left, other.left), max(right, other.right))
        (both.top, both.bottom) = (min(top, other.top), max(bottom, other.bottom))
        if other.bottom > bottom { both.lastColumn = other.lastColumn }
        if other.top < top { both.firstColumn = other.firstColumn }
        return both
    }
}

/// Finds areas row by row: runs of one colour that touch runs of that colour in the row above. Rows and columns between those that are read are looked at only
/// where an area ends, for debug builds.
private struct AreaScan {
    private struct Run {
        var start, end, area: Int
        var colour: UInt32
    }

    /// The distance of the rows that are read.
    private let grain: Int
    private var leastWidth: Int { 6 * grain }
    private var found: [Area] = []
    /// An area that was found to be part of another one has its index here, others have their own.
    private var owners: [Int] = []

    init(grain: Int) { self.grain = grain }

    mutating func read(_ pixels: PixelBuffer) {
        var above: [Run] = []
        for y in stride(from: 0, to: pixels.height, by: grain) {
            var runs = pixels.withRow(y) { Self.runs(in: $0, width: pixels.width, least: leastWidth, step: 2 * grain) }
            for index in runs.indices { join(&runs[index], above, y) }
            above = runs
        }
    }

    /// The runs of a row that are wide enough and not transparent.
    private static func runs(in row: UnsafePointer<UInt32>, width: Int, least: Int, step: Int) -> [Run] {
        var runs: [Run] = []
        var place = 0, end = 0
        while place + step < width {
            guard row[place] == row[place + step], isOneColour(row + place, step + 1) else {
                place += step
                continue
            }
            let colour = row[place]
            var start = place
            while start > end, row[start - 1] == colour { start -= 1 }
            end = place + step + 1
            while end + 16 <= width, isOneColour(row + end - 1, 17) { end += 16 }
            while end < width, row[end] == colour { end += 1 }
            if colour >> 24 != 0, end - start >= least { runs.append(Run(start: start, end: end, area: 0, colour: colour)) }
            place = end
        }
        return runs
    }

    private static func isOneColour(_ row: UnsafePointer<UInt32>, _ count: Int) -> Bool {
        memcmp(row, row + 1, (count - 1) * 4) == 0
    }

    /// Gives a run its area: a new one, or those of the runs above it.
    private mutating func join(_ run: inout Run, _ above: [Run], _ y: Int) {
        let middle = (run.start + run.end) / 2
        let piece = Area(
            colour: run.colour, left: run.start, right: run.end, top: y, bottom: y + 1, firstColumn: middle, lastColumn: middle)
        var owner: Int?
        for other in above where other.colour == run.colour && other.start < run.end && other.end > run.start {
            let root = root(of: other.area)
            guard let known = owner else {
                found[root] = found[root].united(with: piece)
                owner = root
                continue
            }
            guard known != root else { continue }
            found[known] = found[known].united(with: found[root])
            owners[root] = known
        }
        if let owner {
            run.area = owner
        } else {
            run.area = found.count
            owners.append(found.count)
            found.append(piece)
        }
    }

    private func root(of area: Int) -> Int {
        var area = area
        while owners[area] != area { area = owners[area] }
        return area
    }

    /// The areas with their exact upper and lower edges. Those lower than `grain` are left out.
    func areas(of pixels: PixelBuffer) -> [Area] {
        found.indices.filter { owners[$0] == $0 }.compactMap { index in
            var area = found[index]
            func colour(_ x: Int, _ y: Int) -> UInt32? {
                guard x >= 0, x < pixels.width, y >= 0, y < pixels.height else { return nil }
                return pixels.withRow(y) { $0[x] }
            }
            while colour(area.firstColumn, area.top - 1) == area.colour { area.top -= 1 }
            while colour(area.lastColumn, area.bottom) == area.colour { area.bottom += 1 }
            guard area.bottom - area.top >= grain else { return nil }
            let middle = (area.top + area.bottom) / 2
            let around = [
                colour(area.firstColumn, area.top - 1), colour(area.lastColumn, area.bottom), colour(area.left - 1, middle),
                colour(area.right, middle),
            ]
            area.isShade = around.contains { $0.map { Self.areNear($0, area.colour) } ?? false }
            return area
        }
    }

    private static func areNear(_ one: UInt32, _ other: UInt32) -> Bool {
        one != other
            && [UInt32(0), 8, 16, 24].allSatisfy { abs(Int(one >> $0 & 0xFF) - Int(other >> $0 & 0xFF)) <= 3 }
    }
}

extension PixelBuffer {
    /// Lends the pixels of a row.
    fileprivate func withRow<Result>(_ y: Int, _ body: (UnsafePointer<UInt32>) -> Result) -> Result {
        withBytes { bytes in
            let row = bytes.baseAddress! + planes[0].offset + y * planes[0].stride
            return body(row.assumingMemoryBound(to: UInt32.self))
        }
    }
}
