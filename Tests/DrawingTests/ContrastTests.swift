import MediaModel
import Screens
import Testing

@testable import Drawing

@Suite("Contrast")
struct ContrastTests {
    @Test(
        "text has a contrast of 4.5:1 over any picture, or 3:1 from 48 px on; in high contrast 7:1",
        arguments: [false, true], Mixer.Ground.allCases)
    func overPictures(hasHighContrast: Bool, ground: Mixer.Ground) throws {
        let appearance = Appearance(hasHighContrast: hasHighContrast)
        let scale = Scale(width: 1280, height: 720)
        let fonts = try FontSet()
        let painter = LayerPainter(fonts: fonts)
        painter.drawsText = false
        let kit = Kit(fonts: fonts, theme: InterfaceTheme(appearance), scale: scale)
        for (name, state) in Samples.all {
            var shelf = ImageShelf(byteLimit: 64 << 20)
            for request in state.imageRequests(scale) {
                shelf.insert(request, ground.picture(request.width, request.height), at: .zero)
            }
            let plans = InterfacePlan(state: state, kit: kit, shelf: shelf, spinnerPhase: 0).layers()
            let result = painter.paint(plans, scale: scale, theme: kit.theme, allocator: MemoryAllocator())
            let seen = Mixer(
                layers: result.layers.map(\.layer), width: 1280, height: 720,
                background: InterfaceRenderer.background(for: state), ground: ground,
                picture: state.video.frame.isEmpty ? nil : scale.pixels(Rect(state.video.frame)))
            for plan in plans {
                for text in result.texts[plan.id] ?? [] {
                    let place = scale.pixels(
                        Rect(x: text.x, y: text.y + plan.offsetY, width: text.width, height: text.height))
                    let least = seen.leastContrast(of: text.colour, in: place)
                    let wanted = hasHighContrast ? 7.0 : text.size >= 48 ? 3.0 : 4.5
                    #expect(least >= wanted, "\(name), \(plan.id): “\(text.text)” has \(least):1")
                }
            }
        }
    }

    @Test("a row that cannot be chosen looks like it, also in high contrast", arguments: [false, true])
    func disabledRows(hasHighContrast: Bool) throws {
        let scale = Scale(width: 1280, height: 720)
        let fonts = try FontSet()
        let kit = Kit(fonts: fonts, theme: InterfaceTheme(Appearance(hasHighContrast: hasHighContrast)), scale: scale)
        func drawn(isEnabled: Bool) throws -> (colour: [Double], pixels: Int) {
            var state = Samples.settings
            let row = MenuView.Row(title: "Speak Selection", isEnabled: isEnabled)
            state.page = .settings(SettingsView(page: "accessibility", title: "", menu: MenuView(rows: [row])))
            let plans = InterfacePlan(state: state, kit: kit, shelf: ImageShelf(byteLimit: 1), spinnerPhase: 0).layers()
            let result = LayerPainter(fonts: fonts).paint(plans, scale: scale, theme: kit.theme, allocator: MemoryAllocator())
            let text = try #require(result.texts.values.joined().first { $0.text == row.title })
            let pixels = result.layers.reduce(0) { sum, layer in sum + layer.layer.pixels.rows().count { $0 != 0 } }
            return (text.colour, pixels)
        }
        let (enabled, disabled) = (try drawn(isEnabled: true), try drawn(isEnabled: false))
        #expect(enabled.colour != disabled.colour)
        #expect(disabled.pixels < enabled.pixels, "it has neither ground nor edge")
    }
}

/// Blends layers over a picture where needed, and measures contrast as WCAG 2 defines it.
struct Mixer {
    /// Red, green and blue, 0…1.
    typealias Colour = (red: Double, green: Double, blue: Double)

    private let layers: [(layer: InterfaceLayer, rows: [UInt8])]
    private let width, height: Int
    private let background: OpaqueColour
    private let picture: PixelRect?
    /// The colours of the picture.
    private let colour: (Int, Int) -> Colour
    /// The distance of the pixels that are measured.
    private let step: Int

    /// What is under the interface.
    enum Ground: String, CaseIterable, Sendable {
        /// The worst case for light text.
        case white
        /// The worst case for dark text.
        case black
        /// Squares of white, black and strong colours, 24 pixels wide.
        case busy

        static let colours: [Colour] = [
            (1, 1, 1), (0, 0, 0), (1, 0.8, 0), (0.9, 0.1, 0.1), (0.2, 0.5, 1), (0.5, 0.5, 0.5),
        ]

        func colour(_ x: Int, _ y: Int) -> Colour {
            switch self {
            case .white: (1, 1, 1)
            case .black: (0, 0, 0)
            case .busy: Self.colours[(x / 24 * 7 + y / 24 * 5) % Self.colours.count]
            }
        }

        /// Artwork of this kind.
        func picture(_ width: Int, _ height: Int) -> PixelBuffer? { Mixer.picture(width, height, colour) }

        /// Every pixel over white, where text has the least contrast; fewer elsewhere, which take a minute less.
        var step: Int { self == .white ? 1 : 3 }
    }

    /// - Parameter picture: the rectangle of the picture.
    init(
        layers: [InterfaceLayer], width: Int, height: Int, background: OpaqueColour, ground: Ground, picture: PixelRect?
    ) {
        self.init(
            layers: layers, width: width, height: height, background: background, picture: picture, step: ground.step,
            colour: ground.colour)
    }

    /// - Parameters:
    ///   - picture: the rectangle of the picture.
    ///   - colour: its colour at a place.
    init(
        layers: [InterfaceLayer], width: Int, height: Int, background: OpaqueColour, picture: PixelRect?, step: Int = 1,
        colour: @escaping (Int, Int) -> Colour
    ) {
        self.layers = layers.sorted { ($0.z, $0.id) < ($1.z, $1.id) }.map { ($0, $0.pixels.rows()) }
        self.width = width
        self.height = height
        self.background = background
        self.picture = picture
        self.step = step
        self.colour = colour
    }

    /// A picture, from the colours of its places.
    static func picture(_ width: Int, _ height: Int, _ colour: (Int, Int) -> Colour) -> PixelBuffer? {
        let pixels = try? MemoryAllocator().makeBuffer(format: .argb8888, width: width, height: height)
        pixels?.withMutableBytes { bytes in
            for y in 0..<height {
                let row = (pixels?.planes[0].offset ?? 0) + y * (pixels?.planes[0].stride ?? 0)
                for x in 0..<width {
                    let (red, green, blue) = colour(x, y)
                    bytes[row + x * 4] = UInt8(blue * 255)
                    bytes[row + x * 4 + 1] = UInt8(green * 255)
                    bytes[row + x * 4 + 2] = UInt8(red * 255)
                    bytes[row + x * 4 + 3] = 255
                }
            }
        }
        return pixels
    }

    /// The least contrast of a colour to any pixel of a rectangle.
    func leastContrast(of colour: [Double], in place: PixelRect) -> Double {
        let text = Self.luminance(colour[0], colour[1], colour[2])
        var least = 21.0
        let under = layers.filter { Rect($0.layer.destination).intersects(Rect(place)) }
        for y in stride(from: max(place.y, 0), to: min(place.y + place.height, height), by: step) {
            for x in stride(from: max(place.x, 0), to: min(place.x + place.width, width), by: step) {
                least = min(least, Self.contrast(text, luminance(x, y, under)))
            }
        }
        return least
    }

    /// The luminance of a pixel.
    func luminance(_ x: Int, _ y: Int) -> Double { luminance(x, y, layers) }

    private func luminance(_ x: Int, _ y: Int, _ layers: [(layer: InterfaceLayer, rows: [UInt8])]) -> Double {
        var red = Double(background.red) / 255, green = Double(background.green) / 255, blue = Double(background.blue) / 255
        if let picture, x >= picture.x, y >= picture.y, x < picture.x + picture.width, y < picture.y + picture.height {
            (red, green, blue) = colour(x, y)
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

    /// The contrast of two opaque colours.
    static func contrast(_ one: Tint, _ other: Tint) -> Double {
        contrast(luminance(one.red, one.green, one.blue), luminance(other.red, other.green, other.blue))
    }

    /// The contrast of two luminances.
    static func contrast(_ one: Double, _ other: Double) -> Double { (max(one, other) + 0.05) / (min(one, other) + 0.05) }

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
