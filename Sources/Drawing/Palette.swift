/// A colour that is not premultiplied; components 0…1 in sRGB.
struct Colour: Sendable, Hashable {
    var red, green, blue, alpha: Double

    init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// A grey.
    static func white(_ white: Double, _ alpha: Double = 1) -> Colour { Colour(white, white, white, alpha) }

    /// The same colour with another opacity.
    func faded(_ alpha: Double) -> Colour { Colour(red, green, blue, alpha) }
}

/// The colours of the interface. White on dark throughout; the one accent is for what is live or wrong, never for focus alone.
struct Palette: Sendable, Hashable {
    /// What is read first.
    var text: Colour
    /// What is read second.
    var secondaryText: Colour
    /// Text on what has focus.
    var focusedText: Colour
    /// The ground of what has focus.
    var focusedGround: Colour
    /// The ring round what has focus.
    var focusRing: Colour
    /// The dark line that sets the ring off against a light picture.
    var focusEdge: Colour
    /// Panels and cards.
    var panel: Colour
    /// A line round panels; clear unless contrast is high.
    var panelEdge: Colour
    /// Buttons and rows on a panel.
    var control: Colour
    /// Pills that lie on the bare picture.
    var pill: Colour
    /// The ground of whole screens such as Home.
    var ground: Colour
    /// The deepest black of the scrim.
    var scrim: Double
    /// Bar: what has been played, what is loaded, what is left.
    var played, buffered, rest: Colour
    /// Interstitial dots: to come and watched.
    var dot, watchedDot: Colour
    /// The dark ring round a dot.
    var dotRing: Colour
    /// Live, and what went wrong.
    var accent: Colour
    /// Where a picture will be.
    var placeholder: Colour

    /// The usual colours: calm greys with a touch of blue.
    static let standard = Palette(
        text: .white(1), secondaryText: Colour(0.82, 0.84, 0.88), focusedText: Colour(0.07, 0.08, 0.10),
        focusedGround: .white(0.97), focusRing: .white(1), focusEdge: .white(0, 0.55), panel: Colour(0.075, 0.085, 0.105, 0.88),
        panelEdge: .white(1, 0), control: .white(1, 0.12), pill: Colour(0.06, 0.07, 0.09, 0.80), ground: Colour(0.055, 0.062, 0.078),
        scrim: 0.75, played: .white(1), buffered: .white(1, 0.45), rest: .white(1, 0.20), dot: Colour(1, 0.80, 0.30),
        watchedDot: .white(1, 0.45), dotRing: .white(0, 0.85), accent: Colour(0.93, 0.26, 0.24), placeholder: Colour(0.16, 0.18, 0.22))

    /// High contrast: pure black grounds, white lines round everything, no secondary grey.
    static let highContrast: Palette = {
        var palette = Palette.standard
        palette.secondaryText = .white(1)
        palette.focusedText = .white(0)
        palette.focusedGround = .white(1)
        palette.focusEdge = .white(0, 1)
        palette.panel = .white(0, 0.97)
        palette.panelEdge = .white(1, 1)
        palette.control = .white(0, 1)
        palette.pill = .white(0, 0.97)
        palette.ground = .white(0)
        palette.scrim = 0.92
        palette.placeholder = .white(0.15)
        return palette
    }()
}

/// How everything is drawn, besides what is drawn: the viewer's accessibility choices and the language of the interface.
struct Theme: Sendable, Hashable {
    /// Colours.
    var palette: Palette
    /// By how much type grows: 1 or 1.25.
    var typeScale: Double
    /// Whether panels, tabs, lists and rows of buttons run from right to left. Time bar and scan glyphs never do.
    var isRightToLeft: Bool
    /// BCP 47 tag of the interface's own words.
    var language: String

    init(highContrast: Bool = false, largerText: Bool = false, isRightToLeft: Bool = false, language: String = "en") {
        palette = highContrast ? .highContrast : .standard
        typeScale = largerText ? 1.25 : 1
        self.isRightToLeft = isRightToLeft
        self.language = language
    }

    /// The side at which lines begin.
    var leading: TextStyle.Alignment { isRightToLeft ? .right : .left }
}
