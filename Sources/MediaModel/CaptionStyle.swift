/// How a viewer wants captions to look (the choices of 47 CFR 79.102). It goes before what the captions themselves ask for, value by
/// value; nil leaves a value to them, and to the box's own look where they ask for nothing.
public struct CaptionStyle: Sendable, Hashable {
    /// The eight colours that every caption system has.
    public enum Colour: String, Sendable, Hashable, CaseIterable {
        case white, black, red, green, blue, yellow, magenta, cyan

        /// Red, green and blue: 0…255.
        public var components: (red: UInt8, green: UInt8, blue: UInt8) {
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
    public enum Font: String, Sendable, Hashable, CaseIterable {
        case automatic, monospacedSerif, proportionalSerif, monospacedSans, proportionalSans, casual, cursive, smallCapitals
    }

    /// What surrounds each letter.
    public enum Edge: String, Sendable, Hashable, CaseIterable {
        case none, raised, depressed, uniform, dropShadow
    }

    /// Colour of the letters.
    public var colour: Colour?
    /// How opaque the letters are, 25…100 percent.
    public var opacityPercent: Int?
    /// Their size, 50…200 percent.
    public var sizePercent: Int
    /// Their type.
    public var font: Font
    /// What surrounds them.
    public var edge: Edge?
    /// Colour behind each line.
    public var background: Colour?
    /// How opaque that is, 0…100 percent.
    public var backgroundOpacityPercent: Int?
    /// Colour of the box round all lines.
    public var window: Colour?
    /// How opaque that is, 0…100 percent.
    public var windowOpacityPercent: Int?

    /// Makes a style; without arguments the captions' own.
    public init(
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
