/// How a viewer wants captions to look (the choices of 47 CFR 79.102). It goes before what the captions themselves ask for, value by
/// value; nil leaves a value to them, and to the box's own look where they ask for nothing.
package struct CaptionStyle: Sendable, Hashable {
    /// The eight colours that every caption system has.
    package enum Colour: String, Sendable, Hashable, CaseIterable {
        case white, black, red, green, blue, yellow, magenta, cyan

        /// Red, green and blue: 0…255.
        package var components: (red: UInt8, green: UInt8, blue: UInt8) {
            switch self {
            case .white: (255, 255, 255)
            case .black: (0, 0, 0)
            case .red: (255, 0, 0)
            case .green: (0, 255, 0)
            case .blue: (0, 0, 255)
            case .yellow: (255, 255, 0)
            case .magenta: (255, 0, 255)
            case .cyan: (0, 255, 255)
            }
        }
    }

    /// The eight kinds of type.
    package enum Font: String, Sendable, Hashable, CaseIterable {
        case automatic, monospacedSerif, proportionalSerif, monospacedSans, proportionalSans, casual, cursive, smallCapitals
    }

    /// What surrounds each letter.
    package enum Edge: String, Sendable, Hashable, CaseIterable {
        case none, raised, depressed, uniform, dropShadow
    }

    /// Colour of the letters.
    package var colour: Colour?
    /// How opaque the letters are, 25…100 percent.
    package var opacityPercent: Int?
    /// Their size, 50…200 percent.
    package var sizePercent: Int
    /// Their type.
    package var font: Font
    /// What surrounds them.
    package var edge: Edge?
    /// Colour behind each line.
    package var background: Colour?
    /// How opaque that is, 0…100 percent.
    package var backgroundOpacityPercent: Int?
    /// Colour of the box round all lines.
    package var window: Colour?
    /// How opaque that is, 0…100 percent.
    package var windowOpacityPercent: Int?

    /// Makes a style; without arguments the captions' own.
    package init(
        colour: Colour? = nil, opacityPercent: Int? = nil, sizePercent: Int = 100, font: Font = .automatic, edge: Edge? = nil,
        background: Colour? = nil, backgroundOpacityPercent: Int? = nil, window: Colour? = nil, windowOpacityPercent: Int? = nil
    ) {
        self.colour = colour
        self.opacityPercent = opacityPercent
        self.sizePercent = sizePercent
        self.font = font
        self.edge = edge
        self.background = background
        self.backgroundOpacityPercent = backgroundOpacityPercent
        self.window = window
        self.windowOpacityPercent = windowOpacityPercent
    }
}
