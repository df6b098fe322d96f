import WireFormats

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

        /// The font for the first generic name of CSS or TTML that is supported; nil for others.
        init?(genericName list: String) {
            for name in list.split(separator: ",") {
                switch name.trimmed.lowercased().trimmingQuotes {
                case "monospace", "monospacesansserif": self = .monospaced
                case "monospaceserif": self = .monospacedSerif
                case "serif", "proportionalserif": self = .serif
                case "sans-serif", "sansserif", "proportionalsansserif": self = .sans
                case "cursive": self = .cursive
                case "fantasy": self = .casual
                default: continue
                }
                return
            }
            return nil
        }
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
        self.x = Self.bounded(x)
        self.y = Self.bounded(y)
        self.width = Self.bounded(width)
        self.height = Self.bounded(height)
        self.displayAlignment = displayAlignment
        self.window = window
        self.isGrid = isGrid
    }

    /// Files may state any number, also by division: what is not a number is zero, and a box ends ten screens away.
    private static func bounded(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, -10), 10) }
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
        let width = Int(bytes[16..<20].bigEndian), height = Int(bytes[20..<24].bigEndian)
        return (1...8192).contains(width) && (1...8192).contains(height) ? (width, height) : nil
    }
}

/// Colours in the syntax of CSS, TTML, SubRip and WebVTT.
extension CaptionColour {
    /// `#f00`, `#ff0000`, `#ff000080`, `rgb(255, 0, 0)`, `rgba(255, 0, 0, 128)` with opacity up to 1 (CSS) or 255 (TTML), or a
    /// name; nil for anything else.
    ///
    /// - Parameter css: case-insensitive.
    package init?(css text: String) {
        let text = text.lowercased()
        if text.hasPrefix("#") {
            guard let colour = Self.hexadecimal(text.dropFirst()) else { return nil }
            self = colour
        } else if let open = text.firstIndex(of: "("), text.hasSuffix(")"), text.hasPrefix("rgb") {
            let inner = text[text.index(after: open)...].dropLast()
            let parts = inner.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "/" }).map(String.init)
            guard parts.count == 3 || parts.count == 4 else { return nil }
            let channels = parts.prefix(3).compactMap { Self.channel($0) }
            guard channels.count == 3 else { return nil }
            var alpha: UInt8 = 255
            if parts.count == 4 {
                // A fraction is CSS's opacity; an integer is TTML's, of 255.
                guard let value = Double(parts[3]), value >= 0 else { return nil }
                alpha = UInt8(min(255, (parts[3].contains(".") || value <= 1 ? value * 255 : value).rounded()))
            }
            self.init(red: channels[0], green: channels[1], blue: channels[2], alpha: alpha)
        } else if let named = Self.names[text] {
            self.init(
                red: UInt8(truncatingIfNeeded: named >> 24), green: UInt8(truncatingIfNeeded: named >> 16),
                blue: UInt8(truncatingIfNeeded: named >> 8), alpha: UInt8(truncatingIfNeeded: named))
        } else {
            return nil
        }
    }

    private static func channel(_ text: String) -> UInt8? {
        if text.hasSuffix("%") {
            return Double(finite: text.dropLast()).map { UInt8((min(max($0, 0), 100) * 2.55).rounded()) }
        }
        return Double(finite: text).map { UInt8(min(max($0, 0), 255)) }
    }

    private static func hexadecimal(_ digits: Substring) -> CaptionColour? {
        guard [3, 4, 6, 8].contains(digits.utf8.count), let value = UInt32(digits, radix: 16) else { return nil }
        func byte(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        func nibble(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift & 15) * 17 }
        switch digits.utf8.count {
        case 3: return CaptionColour(red: nibble(8), green: nibble(4), blue: nibble(0))
        case 4: return CaptionColour(red: nibble(12), green: nibble(8), blue: nibble(4), alpha: nibble(0))
        case 6: return CaptionColour(red: byte(16), green: byte(8), blue: byte(0))
        default: return CaptionColour(red: byte(24), green: byte(16), blue: byte(8), alpha: byte(0))
        }
    }

    /// The names of CSS level 1, of TTML, and others used in caption files.
    private static let names: [String: UInt32] = [
        "transparent": 0, "black": 0x0000_00FF, "silver": 0xC0C0_C0FF, "gray": 0x8080_80FF, "grey": 0x8080_80FF,
        "white": 0xFFFF_FFFF, "maroon": 0x8000_00FF, "red": 0xFF00_00FF, "purple": 0x8000_80FF, "fuchsia": 0xFF00_FFFF,
        "magenta": 0xFF00_FFFF, "green": 0x0080_00FF, "lime": 0x00FF_00FF, "olive": 0x8080_00FF, "yellow": 0xFFFF_00FF,
        "navy": 0x0000_80FF, "blue": 0x0000_FFFF, "teal": 0x0080_80FF, "aqua": 0x00FF_FFFF, "cyan": 0x00FF_FFFF,
        "orange": 0xFFA5_00FF, "pink": 0xFFC0_CBFF, "brown": 0xA52A_2AFF, "gold": 0xFFD7_00FF, "violet": 0xEE82_EEFF,
        "indigo": 0x4B00_82FF, "turquoise": 0x40E0_D0FF, "salmon": 0xFA80_72FF, "coral": 0xFF7F_50FF, "khaki": 0xF0E6_8CFF,
        "papayawhip": 0xFFEF_D5FF, "peachpuff": 0xFFDA_B9FF, "darkgray": 0xA9A9_A9FF, "darkgrey": 0xA9A9_A9FF,
        "lightgray": 0xD3D3_D3FF, "lightgrey": 0xD3D3_D3FF, "lightblue": 0xADD8_E6FF, "lightgreen": 0x90EE_90FF,
    ]

    /// The eight classes that have colours in WebVTT without a style sheet (section 5.1): `yellow`, `bg_blue`.
    package static func webVTTClass(_ name: String) -> CaptionColour? {
        switch name {
        case "lime": CaptionColour(red: 0, green: 255, blue: 0)
        case "white", "cyan", "red", "yellow", "magenta", "blue", "black": CaptionColour(css: name)
        default: nil
        }
    }
}
