/// The viewer's style for captions (the choices of 47 CFR 79.102). Each value takes precedence over the captions' own; nil leaves
/// it to the captions, and to the default if they set nothing.
package struct CaptionStyle: Sendable, Hashable {
    /// The eight colours of every caption system.
    package enum Colour: String, Sendable, Hashable, CaseIterable, DumpWritable {
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

    /// The eight kinds of font.
    package enum Font: String, Sendable, Hashable, CaseIterable, DumpWritable {
        case automatic, monospacedSerif, proportionalSerif, monospacedSans, proportionalSans, casual, cursive, smallCapitals
    }

    /// The edge of each letter.
    package enum Edge: String, Sendable, Hashable, CaseIterable, DumpWritable {
        case none, raised, depressed, uniform, dropShadow
    }

    /// Text colour.
    package var colour: Colour?
    /// Text opacity, 25…100 percent.
    package var opacityPercent: Int?
    /// Text size, 50…200 percent.
    package var sizePercent = 100
    package var font = Font.automatic
    package var edge: Edge?
    /// Background colour of each line.
    package var background: Colour?
    /// Background opacity, 0…100 percent.
    package var backgroundOpacityPercent: Int?
    /// Colour of the window around all lines.
    package var window: Colour?
    /// Window opacity, 0…100 percent.
    package var windowOpacityPercent: Int?

    /// - Parameter build: sets the differences from the captions' own style.
    package init(_ build: (inout CaptionStyle) -> Void = { _ in }) { build(&self) }
}

extension CaptionStyle: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("colour", \.colour), .init("opacityPercent", \.opacityPercent), .init("sizePercent", \.sizePercent),
            .init("font", \.font), .init("edge", \.edge), .init("background", \.background),
            .init("backgroundOpacityPercent", \.backgroundOpacityPercent), .init("window", \.window),
            .init("windowOpacityPercent", \.windowOpacityPercent),
        ]
    }
}
