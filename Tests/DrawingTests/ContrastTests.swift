import MediaModel
import PlayerInterface
import Testing

@testable import Drawing

@Suite("Contrast")
struct ContrastTests {
    @Test("text has a contrast of 4.5:1 over a white picture, or 3:1 from 48 px on", arguments: [false, true])
    func overWhite(hasHighContrast: Bool) throws {
        let appearance = Appearance(hasHighContrast: hasHighContrast)
        let scale = Scale(width: 1280, height: 720)
        let fonts = try FontSet()
        let painter = LayerPainter(fonts: fonts)
        painter.drawsText = false
        let kit = Kit(fonts: fonts, theme: InterfaceTheme(appearance), scale: scale)
        for (name, state) in Samples.all {
            var shelf = ImageShelf(byteLimit: 64 << 20)
            for request in state.imageRequests(scale) {
                shelf.insert(request, whitePicture(request.width, request.height), at: .zero)
            }
            let plans = InterfacePlan(state: state, kit: kit, shelf: shelf, spinnerPhase: 0).layers()
            let result = painter.paint(plans, scale: scale, theme: kit.theme, allocator: MemoryAllocator())
            let seen = Mixer(
                layers: result.layers.map(\.layer), width: 1280, height: 720,
                background: InterfaceRenderer.background(for: state),
                white: state.video.frame.isEmpty ? nil : scale.pixels(Rect(state.video.frame)))
            for plan in plans {
                for text in result.texts[plan.id] ?? [] {
                    let place = scale.pixels(
                        Rect(x: text.x, y: text.y + plan.offsetY, width: text.width, height: text.height))
                    let least = seen.leastContrast(of: text.colour, in: place)
                    let wanted = text.size >= 48 ? 3.0 : 4.5
                    #expect(least >= wanted, "\(name), \(plan.id): “\(text.text)” has \(least):1")
                }
            }
        }
    }

    private func whitePicture(_ width: Int, _ height: Int) -> PixelBuffer? {
        let pixels = try? MemoryAllocator().makeBuffer(format: .argb8888, width: width, height: height)
        _ = pixels?.withMutableBytes { $0.initializeMemory(as: UInt8.self, repeating: 255) }
        return pixels
    }
}

/// Blends layers over a white picture where needed, and measures contrast as WCAG 2 defines it.
struct Mixer {
    private let layers: [(layer: InterfaceLayer, rows: [UInt8])]
    private let width, height: Int
    private let background: OpaqueColour
    private let white: PixelRect?

    /// - Parameter white: the rectangle of the picture, which is white.
    init(layers: [InterfaceLayer], width: Int, height: Int, background: OpaqueColour, white: PixelRect?) {
        self.layers = layers.sorted { ($0.z, $0.id) < ($1.z, $1.id) }.map { ($0, $0.pixels.rows()) }
        self.width = width
        self.height = height
        self.background = background
        self.white = white
    }

    /// The least contrast of a colour to any pixel of a rectangle.
    func leastContrast(of colour: [Double], in place: PixelRect) -> Double {
        let text = Self.luminance(colour[0], colour[1], colour[2])
        var least = 21.0
        let under = layers.filter { Rect($0.layer.destination).intersects(Rect(place)) }
        for y in max(place.y, 0)..<min(place.y + place.height, height) {
            for x in max(place.x, 0)..<min(place.x + place.width, width) {
                let ground = luminance(x, y, under)
                least = min(least, (max(text, ground) + 0.05) / (min(text, ground) + 0.05))
            }
        }
        return least
    }

    private func luminance(_ x: Int, _ y: Int, _ layers: [(layer: InterfaceLayer, rows: [UInt8])]) -> Double {
        var red = Double(background.red) / 255, green = Double(background.green) / 255, blue = Double(background.blue) / 255
        if let white, x >= white.x, y >= white.y, x < white.x + white.width, y < white.y + white.height {
            (red, green, blue) = (1, 1, 1)
        }
        for (layer, rows) in layers {
            let place = layer.destination
            guard x >= place.x, y >= place.y, x < place.x + place.width, y < place.y + place.height else { continue }
            let column = (x - place.x) * layer.pixels.width / place.width
            let row = (y - place.y) * layer.pixels.height / place.height
            let offset = (row * layer.pixels.width + column) * 4
            let alpha = Double(layer.alpha) / 255
            let rest = 1 - Double(rows[offset + 3]) / 255 * alpha
            blue = Double(rows[offset]) / 255 * alpha + blue * rest
            green = Double(rows[offset + 1]) / 255 * alpha + green * rest
            red = Double(rows[offset + 2]) / 255 * alpha + red * rest
        }
        return Self.luminance(red, green, blue)
    }

    private static func luminance(_ red: Double, _ green: Double, _ blue: Double) -> Double {
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// sRGB's transfer function from a table, because it is needed for millions of pixels.
    private static func linear(_ value: Double) -> Double { table[min(max(Int((value * 255).rounded()), 0), 255)] }

    private static let table: [Double] = (0...255).map { level in
        let value = Double(level) / 255
        guard value > 0.04045 else { return value / 12.92 }
        // ((value + 0.055) / 1.055) ^ 2.4 by Newton's method on the fifth root: x^2.4 = (x^12)^(1/5).
        let base = (value + 0.055) / 1.055
        let twelfth = (0..<12).reduce(1.0) { power, _ in power * base }
        var root = base * base
        for _ in 0..<60 { root -= (root * root * root * root * root - twelfth) / (5 * root * root * root * root) }
        return root
    }
}
