/// A colour as captions name it: red, green, blue and opacity, 0…255, not premultiplied.
public struct CaptionColour: Sendable, Hashable {
    /// The components.
    public var red, green, blue, alpha: UInt8

    /// Makes a colour.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// White, opaque.
    public static let white = CaptionColour(red: 255, green: 255, blue: 255)
    /// Black, opaque.
    public static let black = CaptionColour(red: 0, green: 0, blue: 0)
    /// Nothing.
    public static let transparent = CaptionColour(red: 0, green: 0, blue: 0, alpha: 0)
}

/// How a piece of text looks where its file says so; nil: as the text around it.
public struct CaptionTextStyle: Sendable, Hashable {
    /// The kind of type.
    public enum Family: String, Sendable, Hashable {
        case standard, serif, sans, monospaced, monospacedSerif, casual, cursive, smallCapitals
    }

    /// What surrounds the strokes.
    public enum Edge: String, Sendable, Hashable {
        case none, raised, depressed, uniform, dropShadow
    }

    /// Colour of the strokes.
    public var colour: CaptionColour?
    /// Colour right behind the text.
    public var background: CaptionColour?
    /// Size over that of the text around it; 1 is the same.
    public var scale: Double?
    /// Whether it is slanted.
    public var isItalic: Bool?
    /// Whether it is heavy.
    public var isBold: Bool?
    /// Whether there is a line below.
    public var isUnderlined: Bool?
    /// Whether there is a line through it.
    public var isStruckThrough: Bool?
    /// The kind of type.
    public var family: Family?
    /// What surrounds the strokes.
    public var edge: Edge?

    /// Makes a style that changes nothing.
    public init() {}

    /// Whether it changes nothing.
    public var isEmpty: Bool { self == CaptionTextStyle() }

    /// This style inside another: what this one leaves open is the other's; sizes multiply.
    public func inside(_ outer: CaptionTextStyle) -> CaptionTextStyle {
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
public struct CaptionBox: Sendable, Hashable {
    /// Where along an axis something lies.
    public enum Side: String, Sendable, Hashable {
        case before, middle, after
    }

    /// Left edge.
    public var x: Double
    /// Upper edge.
    public var y: Double
    /// Width.
    public var width: Double
    /// Height; the text may need more or less.
    public var height: Double
    /// Where in the box its lines lie: at the upper edge, in the middle, at the lower edge.
    public var displayAlignment: Side
    /// Colour of the whole box; nil: none.
    public var window: CaptionColour?
    /// Whether lines follow the characters' own grid (CEA-608): nothing is wrapped.
    public var isGrid: Bool

    /// Makes a box.
    public init(
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
public struct CaptionImage: Sendable, Hashable {
    /// How the picture is written.
    public enum Coding: String, Sendable, Hashable {
        /// B G R A in memory order, premultiplied, row by row without gaps.
        case bgra
        /// A PNG file.
        case png
    }

    /// How `pixels` are written.
    public var coding: Coding
    /// The picture.
    public var pixels: [UInt8]
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int

    /// Makes a picture.
    public init(coding: Coding, pixels: [UInt8], width: Int, height: Int) {
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
