import MediaModel
import Screens

/// The menus for the caption style.
struct CaptionStyleMenu: Sendable {
    let rows: MenuRows

    private var strings: StringCatalogue { rows.strings }
    private var style: CaptionStyle { rows.settings.captionStyle }

    func entries(of page: MenuPage) -> [MenuEntry] {
        switch page {
        case .captionColour: return colourEntries(\.colour)
        case .captionBackground: return colourEntries(\.background)
        case .captionWindow: return colourEntries(\.window)
        case .captionOpacity: return opacityEntries(\.opacityPercent, [25, 50, 75, 100])
        case .captionBackgroundOpacity: return opacityEntries(\.backgroundOpacityPercent, [0, 25, 50, 75, 100])
        case .captionWindowOpacity: return opacityEntries(\.windowOpacityPercent, [0, 25, 50, 75, 100])
        case .captionSize:
            return [50, 75, 100, 125, 150, 200].map { value in
                rows.choice(rows.percent(value), isCurrent: value == style.sizePercent) { $0.captionStyle.sizePercent = value }
            }
        case .captionFont:
            return CaptionStyle.Font.allCases.map { font in
                rows.choice(title(of: font), isCurrent: font == style.font) { $0.captionStyle.font = font }
            }
        case .captionEdge:
            return [rows.choice(strings.text(.asProgramme), isCurrent: style.edge == nil) { $0.captionStyle.edge = nil }]
                + CaptionStyle.Edge.allCases.map { edge in
                    rows.choice(title(of: edge), isCurrent: edge == style.edge) { $0.captionStyle.edge = edge }
                }
        default: return styleEntries
        }
    }

    private var styleEntries: [MenuEntry] {
        let asProgramme = strings.text(.asProgramme)
        var entries = [
            rows.submenu(.captionSize, .captionSize, value: rows.percent(style.sizePercent)),
            rows.submenu(
                .captionColour, .captionColour, value: style.colour.map(title) ?? asProgramme, swatch: style.colour),
            rows.submenu(.captionFont, .captionFont, value: title(of: style.font)),
            rows.submenu(.captionEdge, .captionEdge, value: style.edge.map(title) ?? asProgramme),
            rows.submenu(
                .captionBackground, .captionBackground, value: style.background.map(title) ?? asProgramme,
                swatch: style.background),
            rows.submenu(
                .captionBackgroundOpacity, .captionBackgroundOpacity,
                value: style.backgroundOpacityPercent.map(rows.percent) ?? asProgramme),
            rows.submenu(.captionOpacity, .captionOpacity, value: style.opacityPercent.map(rows.percent) ?? asProgramme),
            rows.submenu(
                .captionWindow, .captionWindow, value: style.window.map(title) ?? asProgramme, swatch: style.window),
            rows.submenu(
                .captionWindowOpacity, .captionWindowOpacity, value: style.windowOpacityPercent.map(rows.percent) ?? asProgramme),
        ]
        var plain = rows.settings
        plain.captionStyle = CaptionStyle()
        entries.append(
            MenuEntry(action: .toggle(plain), title: strings.text(.captionReset), isEnabled: style != CaptionStyle()))
        return entries
    }

    private func colourEntries(_ path: WritableKeyPath<CaptionStyle, CaptionStyle.Colour?>) -> [MenuEntry] {
        let current = style[keyPath: path]
        let asProgramme = rows.choice(strings.text(.asProgramme), isCurrent: current == nil) {
            $0.captionStyle[keyPath: path] = nil
        }
        let colours = CaptionStyle.Colour.allCases.map { (colour: CaptionStyle.Colour) -> MenuEntry in
            rows.choice(title(of: colour), isCurrent: colour == current, swatch: colour) {
                $0.captionStyle[keyPath: path] = colour
            }
        }
        return [asProgramme] + colours
    }

    private func opacityEntries(_ path: WritableKeyPath<CaptionStyle, Int?>, _ values: [Int]) -> [MenuEntry] {
        let current = style[keyPath: path]
        return [
            rows.choice(strings.text(.asProgramme), isCurrent: current == nil) { $0.captionStyle[keyPath: path] = nil }
        ]
            + values.map { value in
                rows.choice(rows.percent(value), isCurrent: value == current) { $0.captionStyle[keyPath: path] = value }
            }
    }

    private func title(of colour: CaptionStyle.Colour) -> String {
        let phrase: Phrase =
            switch colour {
            case .white: .white
            case .black: .black
            case .red: .red
            case .green: .green
            case .blue: .blue
            case .yellow: .yellow
            case .magenta: .magenta
            case .cyan: .cyan
            }
        return strings.text(phrase)
    }

    private func title(of font: CaptionStyle.Font) -> String {
        let phrase: Phrase =
            switch font {
            case .automatic: .automatic
            case .monospacedSerif: .fontMonospacedSerif
            case .proportionalSerif: .fontSerif
            case .monospacedSans: .fontMonospacedSans
            case .proportionalSans: .fontSans
            case .casual: .fontCasual
            case .cursive: .fontCursive
            case .smallCapitals: .fontSmallCapitals
            }
        return strings.text(phrase)
    }

    private func title(of edge: CaptionStyle.Edge) -> String {
        let phrase: Phrase =
            switch edge {
            case .none: .edgeNone
            case .raised: .edgeRaised
            case .depressed: .edgeDepressed
            case .uniform: .edgeUniform
            case .dropShadow: .edgeDropShadow
            }
        return strings.text(phrase)
    }

    /// The caption style with the focused row applied.
    func preview(_ focused: MenuEntry?) -> CaptionPreviewView {
        var tried = style
        if case .set(let settings) = focused?.action { tried = settings.captionStyle }
        return CaptionPreviewView(words: strings.text(.captionPreview), style: tried)
    }
}
