/// A colour as captions name it: red, green, blue and opacity, 0…255, not premultiplied.
package struct CaptionColour: Sendable, Hashable {
    /// The components.
    package var red, green, blue, alpha: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// White, opaque.
    package static let white = CaptionColour(red: 255, green: 255, blue: 255)
    /// Black, opaque.
    package static let black = CaptionColour(red: 0, green: 0, blue: 0)
    /// Nothing.
    package static let transparent = CaptionColour(red: 0, green: 0, blue: 0, alpha: 0)
}

/// How a piece of text looks where its file says so; nil: as the text around it.
package struct CaptionTextStyle: Sendable, Hashable {
    /// The kind of type.
    package enum Family: String, Sendable, Hashable {
        case standard, serif, sans, monospaced, monospacedSerif, casual, cursive, smallCapitals
    }

    /// What surrounds the strokes.
    package enum Edge: String, Sendable, Hashable {
        case none, raised, depressed, uniform, dropShadow
    }

    /// Colour of the strokes.
    package var colour: CaptionColour?
    /// Colour right behind the text.
    package var background: CaptionColour?
    /// Size over that of the text around it; 1 is the same.
    package var scale: Double?
    /// Whether it is slanted.
    package var isItalic: Bool?
    /// Whether it is heavy.
    package var isBold: Bool?
    /// Whether there is a line below.
    package var isUnderlined: Bool?
    /// Whether there is a line through it.
    package var isStruckThrough: Bool?
    /// The kind of type.
    package var family: Family?
    /// What surrounds the strokes.
    package var edge: Edge?

    package init() {}

    /// Whether it changes nothing.
    package var isEmpty: Bool { self == CaptionTextStyle() }

    /// This style inside another: what this one leaves open is the other's; sizes multiply.
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

/// A box that captions themselves put their text in: a region of TTML, a window of CEA-708, the rows of CEA-608, a place of ASS.
/// Lengths are parts of the video's width or height, 0…1.
package struct CaptionBox: Sendable, Hashable {
    /// Where along an axis something lies.
    package enum Side: String, Sendable, Hashable {
        case before, middle, after
    }

    /// Left edge.
    package var x: Double
    /// Upper edge.
    package var y: Double
    /// Width.
    package var width: Double
    /// Height; the text may need more or less.
    package var height: Double
    /// Where in the box its lines lie: at the upper edge, in the middle, at the lower edge.
    package var displayAlignment: Side
    /// Colour of the whole box; nil: none.
    package var window: CaptionColour?
    /// Whether lines follow the characters' own grid (CEA-608): nothing is wrapped.
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

/// A caption that is a picture (DVB, PGS, pictures of IMSC and SMPTE-TT).
package struct CaptionImage: Sendable, Hashable {
    /// How the picture is written.
    package enum Coding: String, Sendable, Hashable {
        /// B G R A in memory order, premultiplied, row by row without gaps.
        case bgra
        /// A PNG file.
        case png
    }

    /// How `pixels` are written.
    package var coding: Coding
    /// The picture.
    package var pixels: [UInt8]
    /// Width in pixels.
    package var width: Int
    /// Height in pixels.
    package var height: Int

    package init(coding: Coding, pixels: [UInt8], width: Int, height: Int) {
        self.coding = coding
        self.pixels = pixels
        self.width = width
        self.height = height
    }

    /// The size that a PNG file states; nil for what is none.
    static func sizeOfPNG(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        let width = Int(BoxReader.uint32(bytes[...], 16)), height = Int(BoxReader.uint32(bytes[...], 20))
        return (1...8192).contains(width) && (1...8192).contains(height) ? (width, height) : nil
    }
}
