import Captions
import MediaModel
import Screens

/// A colour as Cairo takes it: not premultiplied, components 0…1 in sRGB.
struct Tint: Sendable, Hashable {
    var red, green, blue, alpha: Double

    init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    init(_ colour: Colour) {
        self.init(Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255, Double(colour.alpha) / 255)
    }

    /// A grey.
    static func white(_ white: Double, _ alpha: Double = 1) -> Tint { Tint(white, white, white, alpha) }

    /// The same colour with another opacity.
    func faded(_ alpha: Double) -> Tint { Tint(red, green, blue, alpha) }

    /// The same colour with less light.
    func darkened(_ factor: Double) -> Tint { Tint(red * factor, green * factor, blue * factor, alpha) }

    /// The opaque colour that results over an opaque background.
    func over(_ ground: Tint) -> Tint {
        Tint(
            red * alpha + ground.red * (1 - alpha), green * alpha + ground.green * (1 - alpha),
            blue * alpha + ground.blue * (1 - alpha))
    }

    init(_ colour: CaptionColour) {
        self.init(
            Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255, Double(colour.alpha) / 255)
    }

    init(_ colour: CaptionStyle.Colour) {
        let components = colour.components
        self.init(Double(components.red) / 255, Double(components.green) / 255, Double(components.blue) / 255)
    }

    /// Relative luminance of WCAG 2.
    var luminance: Double {
        func linear(_ value: Double) -> Double {
            // The exponent 2.4 of sRGB's curve as 12/5, so that no maths library is needed.
            value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055)
        }
        func power(_ base: Double) -> Double {
            // base^2.4 = base^2 * (base^2)^(1/5); the fifth root by Newton's method.
            let square = base * base
            var root = 0.8
            for _ in 0..<12 { root = (4 * root + square / (root * root * root * root)) / 5 }
            return square * root
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// WCAG 2 contrast between opaque colours: 1…21.
    func contrast(with other: Tint) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// Interpolates to another colour by a share of 0…1; the opacity does not change.
    func mixed(with other: Tint, _ share: Double) -> Tint {
        Tint(
            red + (other.red - red) * share, green + (other.green - green) * share, blue + (other.blue - blue) * share, alpha)
    }
}

extension Tint {
    private static let tiles = [
        Tint(0.08, 0.24, 0.42), Tint(0.38, 0.13, 0.20), Tint(0.10, 0.30, 0.22), Tint(0.29, 0.19, 0.42), Tint(0.36, 0.24, 0.09),
        Tint(0.10, 0.28, 0.34),
    ]

    /// The colour of what has no picture, always the same for an id. White text on it has a contrast of at least 8:1.
    static func tile(_ id: String) -> Tint {
        tiles[Int(id.utf8.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) } % UInt32(tiles.count))]
    }
}

/// The colours used in drawing: those of `Palette`, and others derived from them.
struct ThemeTints: Sendable, Hashable {
    /// Primary text.
    var text = Tint(Palette.text)
    /// Secondary text: opaque, as it looks on a panel, so that strokes may overlap.
    var secondaryText = Tint(Palette.secondaryText).over(Tint(Palette.panel).faded(1))
    /// Secondary text on the scrim, which is lighter over a light picture.
    var secondaryTextOnScrim = Tint.white(0.88)
    /// Secondary text on a row, a key or a programme, over a light picture too.
    var secondaryTextOnSurface = Tint.white(0.85)
    /// The text of a row that cannot be chosen now. In high contrast it is still 7:1 to black, and the only grey.
    var disabledText = Tint(Palette.secondaryText).over(Tint(Palette.panel).faded(1))
    /// Text on a focused element.
    var focusedText = Tint(Palette.textOnFocused)
    /// The background of a focused element.
    var focusedGround = Tint(Palette.focused)
    /// The focus ring.
    var focusRing = Tint(Palette.focusRing)
    /// The dark line on both sides of the ring, which makes it visible on a white picture.
    var focusEdge = Tint.white(0, 0.6)
    /// Panels and cards.
    var panel = Tint(Palette.panel)
    /// A line around panels, buttons and pills; only in high contrast.
    var edge = Tint.white(1, 0)
    /// A line around what lies on the picture, visible on a dark one.
    var overlayEdge = Tint.white(1, 0.3)
    /// Buttons and rows on a panel.
    var control = Tint(Palette.control)
    /// Rows, keys and programmes that can have focus.
    var surface = Tint.white(1, 0.16)
    /// Those that are current.
    var currentSurface = Tint.white(1, 0.24)
    /// A button over the scrim, and its edge.
    var scrimControl = Tint.white(1, 0.22)
    var scrimControlEdge = Tint.white(1, 0.5)
    /// The transport bar where it is loaded, and the line around the rest.
    var barBuffered = Tint(Palette.buffered)
    /// The rest of a bar that shows progress; on a row, which is lighter than a panel, the next one.
    var track = Tint.white(1, 0.35)
    var rowTrack = Tint.white(1, 0.3)
    /// A dark margin around such a bar on a picture.
    var trackMargin = Tint.white(0, 0.75)
    /// Text backgrounds directly on the picture: as dark as a panel.
    var pill = Tint(Palette.panel).faded(0.84)
    /// The scrim at its darkest.
    var scrim = Tint(Palette.scrim)
    /// The background of a missing picture.
    var placeholder = Tint(Palette.control).over(Tint(Palette.background))

    static let standard = ThemeTints()

    /// High contrast: black backgrounds, white outlines, no grey text.
    static let highContrast: ThemeTints = {
        var tints = ThemeTints()
        tints.secondaryText = .white(1)
        tints.secondaryTextOnScrim = .white(1)
        tints.secondaryTextOnSurface = .white(1)
        tints.disabledText = .white(0.62)
        tints.focusedText = .white(0)
        tints.focusEdge = .white(0)
        tints.panel = .white(0, 0.97)
        tints.edge = .white(1)
        tints.overlayEdge = .white(1)
        tints.control = .white(0)
        tints.surface = .white(0.1)
        tints.currentSurface = .white(0.25)
        tints.scrimControl = .white(0)
        tints.scrimControlEdge = .white(1)
        tints.barBuffered = .white(1, 0.5)
        tints.track = .white(1, 0.5)
        tints.trackMargin = .white(0, 0.9)
        tints.pill = .white(0, 0.97)
        tints.scrim = .white(0, 0.92)
        tints.placeholder = .white(0.15)
        return tints
    }()
}

/// The theme: the viewer's choices from the presentation state.
struct InterfaceTheme: Sendable, Hashable {
    /// Black backgrounds, white outlines, no grey text.
    var hasHighContrast = false
    /// Type 1.25 times as large.
    var hasLargerText = false
    /// Panels, tabs, lists and rows of buttons run from right to left. The time bar and the playback symbols never do.
    var isRightToLeft = false
    /// Nothing slides, shakes or grows; changes are cross-faded in 100 ms.
    var reducesMotion = false
    /// BCP 47 tag of the interface's language; selects the Han variant.
    var language = "en"

    var tints: ThemeTints { hasHighContrast ? .highContrast : .standard }

    /// The factor for type sizes.
    var typeScale: Double { hasLargerText ? 1.25 : 1 }

    /// The side at which lines start.
    var leading: TextStyle.Alignment { isRightToLeft ? .right : .left }

    /// The side at which lines end.
    var trailing: TextStyle.Alignment { isRightToLeft ? .left : .right }
}

extension InterfaceTheme {
    init(_ appearance: Appearance) {
        self.init(
            hasHighContrast: appearance.hasHighContrast, hasLargerText: appearance.hasLargerText,
            isRightToLeft: appearance.isRightToLeft, reducesMotion: appearance.reducesMotion, language: appearance.language)
    }
}
