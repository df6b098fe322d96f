/// A colour in captions: red, green, blue and opacity, 0…255, not premultiplied.
package struct CaptionColour: Sendable, Hashable {
    package var red, green, blue, alpha: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    package static let white = CaptionColour(red: 255, green: 255, blue: 255)
    package static let black = CaptionColour(red: 0, green: 0, blue: 0)
    package static let transparent = CaptionColour(red: 0, green: 0, blue: 0, alpha: 0)
}

/// The style of a piece of text; nil: the style of the surrounding text.
package struct CaptionTextStyle: Sendable, Hashable {
    /// The font.
    package enum Family: String, Sendable, Hashable {
        case standard, serif, sans, monospaced, monospacedSerif, casual, cursive, smallCapitals
    }

    /// The edge of the letters.
    package enum Edge: String, Sendable, Hashable {
        case none, raised, depressed, uniform, dropShadow
    }

    /// Text colour.
    package var colour: CaptionColour?
    /// Background colour of the text.
    package var background: CaptionColour?
    /// Size relative to the surrounding text; 1 is the same.
    package var scale: Double?
    package var isItalic: Bool?
    package var isBold: Bool?
    package var isUnderlined: Bool?
    package var isStruckThrough: Bool?
    package var family: Family?
    package var edge: Edge?

    package init() {}

    /// Whether it changes nothing.
    package var isEmpty: Bool { self == CaptionTextStyle() }

    /// This style inside another: unset values come from the other; sizes multiply.
    package func inside(_ outer: CaptionTextStyle) -> CaptionTextStyle {
        var style = self
        style.colour = colour ?? outer.colour
        style.background = background ?? outer.background
        style.isItalic = isItalic ?? outer.isItalic
        style.isBold = isBold ?? outer.isBold
        style.isUnderlined = isUnderlined ?? outer.isUnderlined
        style.isStruckThrough = isStruckThrough ?? outer.isStruckThrough
        style.family = family ?? outer.family
        style.edge = edge ?? outer.edge
        if let mine = scale, let others = outer.scale { style.scale = mine * others } else { style.scale = scale ?? outer.scale }
        return style
    }
}

/// A box in which captions place their text: a region of TTML, a window of CEA-708, the rows of CEA-608, a position in ASS.
/// Lengths are fractions of the video's width or height, 0…1.
package struct CaptionBox: Sendable, Hashable {
    /// An alignment along an axis.
    package enum Side: String, Sendable, Hashable {
        case before, middle, after
    }

    package var x: Double
    package var y: Double
    package var width: Double
    /// The text may need more or less.
    package var height: Double
    /// The vertical alignment of lines in the box: at the upper edge, in the middle, at the lower edge.
    package var displayAlignment: Side
    /// Background colour of the whole box; nil: none.
    package var window: CaptionColour?
    /// Whether lines follow a character grid (CEA-608): nothing is wrapped.
    package var isGrid: Bool

    package init(
        x: Double, y: Double, width: Double, height: Double, displayAlignment: Side = .after, window: CaptionColour? = nil,
        isGrid: Bool = false
    ) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.displayAlignment = displayAlignment
        self.window = window
        self.isGrid = isGrid
    }
}

/// A caption that is an image (DVB, PGS, image profiles of IMSC and SMPTE-TT).
package struct CaptionImage: Sendable, Hashable {
    package enum Coding: String, Sendable, Hashable {
        /// B, G, R, A in memory order, premultiplied, row by row without gaps.
        case bgra
        case png
    }

    /// The format of `pixels`.
    package var coding: Coding
    package var pixels: [UInt8]
    /// In pixels.
    package var width: Int
    /// In pixels.
    package var height: Int

    package init(coding: Coding, pixels: [UInt8], width: Int, height: Int) {
        self.coding = coding
        self.pixels = pixels
        self.width = width
        self.height = height
    }

    /// The size stated in a PNG file; nil when the bytes are not PNG.
    static func sizeOfPNG(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        let width = Int(BoxReader.uint32(bytes[...], 16)), height = Int(BoxReader.uint32(bytes[...], 20))
        return (1...8192).contains(width) && (1...8192).contains(height) ? (width, height) : nil
    }
}
