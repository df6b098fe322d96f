import Captions
import MediaModel

/// How captions look: the viewer's style before what the captions ask for, that before the box's own look, value by value.
struct CaptionLook: Sendable, Hashable {
    /// The viewer's style.
    let style: CaptionStyle
    /// Height of the type in design pixels.
    let size: Double
    /// BCP 47 tag of the captions: picks between the Han variants.
    let language: String?

    /// The height of type of ordinary captions over that of the video: 50 pixels of 1080.
    static let ordinarySize = 50.0 / 1080
    /// How dark the box's own background is.
    static let ordinaryBackground = Tint(0, 0, 0, 0.75)
    /// The least contrast of the box's own look over a white picture.
    static let leastContrast = 4.5

    /// - Parameter videoHeight: of the picture on the screen, in design pixels.
    init(style: CaptionStyle, videoHeight: Double, language: String?) {
        self.style = style
        self.language = language
        size = max(videoHeight * Self.ordinarySize, 24) * Double(min(max(style.sizePercent, 50), 200)) / 100
    }

    /// What is behind each line; nil: nothing.
    func background(_ own: CaptionTextStyle) -> Tint? {
        var tint = own.background.map { Tint($0) }
        if tint == nil { tint = own.edge.map { $0 != .none } == true ? Tint(0, 0, 0, 0) : Self.ordinaryBackground }
        guard var tint else { return nil }
        if let colour = style.background {
            tint = Tint(colour).faded(tint.alpha > 0 ? tint.alpha : Self.ordinaryBackground.alpha)
        }
        if let percent = style.backgroundOpacityPercent { tint = tint.faded(Double(percent) / 100) }
        return tint.alpha > 0 ? tint : nil
    }

    /// What is behind all lines; nil: nothing.
    func window(_ own: CaptionColour?) -> Tint? {
        var tint = own.map { Tint($0) }
        if let colour = style.window { tint = Tint(colour).faded(tint?.alpha ?? 1) }
        if let percent = style.windowOpacityPercent { tint = (tint ?? Tint(0, 0, 0, 1)).faded(Double(percent) / 100) }
        return tint.flatMap { $0.alpha > 0 ? $0 : nil }
    }

    /// The colour of letters that ask for one, over a background.
    ///
    /// What captions ask for is made lighter (or darker) until it can be read over a white picture; what the viewer asks for stays.
    func foreground(_ own: CaptionColour?, over background: Tint?) -> Tint {
        var tint = own.map { Tint($0) } ?? .white(1)
        let isOwn = style.colour == nil
        if let colour = style.colour { tint = Tint(colour) }
        tint = tint.faded(Double(style.opacityPercent ?? 100) / 100 * (isOwn ? tint.alpha : 1))
        guard isOwn, let background else { return tint }
        let ground = background.over(.white(1))
        let target: Tint = ground.luminance < 0.18 ? .white(1, tint.alpha) : .white(0, tint.alpha)
        for step in 0...10 {
            let mixed = tint.mixed(with: target, Double(step) / 10)
            if mixed.faded(1).contrast(with: ground) >= Self.leastContrast { return mixed }
        }
        return target
    }

    /// What surrounds the letters.
    func edge(_ own: CaptionTextStyle.Edge?) -> CaptionStyle.Edge {
        if let edge = style.edge { return edge }
        switch own {
        case nil, CaptionTextStyle.Edge.none?: return .none
        case .raised?: return .raised
        case .depressed?: return .depressed
        case .uniform?: return .uniform
        case .dropShadow?: return .dropShadow
        }
    }

    /// The kind of type.
    func font(_ own: CaptionTextStyle.Family?) -> CaptionStyle.Font {
        if style.font != .automatic { return style.font }
        switch own {
        case nil, .standard?: return .automatic
        case .serif?: return .proportionalSerif
        case .sans?: return .proportionalSans
        case .monospaced?: return .monospacedSans
        case .monospacedSerif?: return .monospacedSerif
        case .casual?: return .casual
        case .cursive?: return .cursive
        case .smallCapitals?: return .smallCapitals
        }
    }
}

extension CaptionStyle.Font {
    /// Families in order; the interface's own stand behind them for the characters that they lack.
    var families: String? {
        switch self {
        case .automatic, .proportionalSans, .smallCapitals: nil
        case .monospacedSerif: "FreeMono,Courier Prime,Liberation Mono,Noto Sans Mono,DejaVu Sans Mono"
        case .monospacedSans: "Noto Sans Mono,DejaVu Sans Mono"
        case .proportionalSerif: "Noto Serif"
        case .casual: "Comic Neue,Noto Sans Display"
        case .cursive: "Noto Serif Display,Noto Serif"
        }
    }
}

extension Tint {
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
            // The exponent 2.4 of sRGB's curve as 12/5, so that no mathematics library is needed.
            value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055)
        }
        func power(_ base: Double) -> Double {
            // base^2.4 = base^2 * (base^2)^(1/5), the fifth root by Newton's steps.
            let square = base * base
            var root = 0.8
            for _ in 0..<12 { root = (4 * root + square / (root * root * root * root)) / 5 }
            return square * root
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Contrast of WCAG 2 between opaque colours: 1…21.
    func contrast(with other: Tint) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// The way to another colour, 0…1; the opacity stays.
    func mixed(with other: Tint, _ share: Double) -> Tint {
        Tint(
            red + (other.red - red) * share, green + (other.green - green) * share, blue + (other.blue - blue) * share, alpha)
    }
}
