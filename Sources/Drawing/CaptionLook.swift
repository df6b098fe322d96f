import Captions
import MediaModel

/// The look of captions. For each value, the viewer's style comes first, then the captions' own, then the default.
struct CaptionLook: Sendable, Hashable {
    let style: CaptionStyle
    /// The type size in design pixels.
    let size: Double
    /// BCP 47 tag of the captions; selects the Han variant.
    let language: String?

    /// The default type size over the height of the video: 50 pixels of 1080.
    static let ordinarySize = 50.0 / 1080
    /// The default background.
    static let ordinaryBackground = Tint(0, 0, 0, 0.75)
    /// The minimum contrast over a white picture.
    static let leastContrast = 4.5

    /// - Parameter videoHeight: the height of the picture on the screen, in design pixels.
    init(style: CaptionStyle, videoHeight: Double, language: String?) {
        self.style = style
        self.language = language
        size = max(videoHeight * Self.ordinarySize, 24) * Double(min(max(style.sizePercent, 50), 200)) / 100
    }

    /// The background of each line; nil: none.
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

    /// The background of all lines; nil: none.
    func window(_ own: CaptionColour?) -> Tint? {
        var tint = own.map { Tint($0) }
        if let colour = style.window { tint = Tint(colour).faded(tint?.alpha ?? 1) }
        if let percent = style.windowOpacityPercent { tint = (tint ?? Tint(0, 0, 0, 1)).faded(Double(percent) / 100) }
        return tint.flatMap { $0.alpha > 0 ? $0 : nil }
    }

    /// The colour of letters over a background.
    ///
    /// A colour that the captions request is made lighter (or darker) until it is readable over a white picture. A colour that
    /// the viewer chose is not changed.
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

    /// The edge of the letters.
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

    /// The font.
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
    /// Font families in order; the interface's own families follow for missing characters.
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
