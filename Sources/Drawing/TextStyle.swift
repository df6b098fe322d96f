/// How a text is set. Sizes are design pixels: pixels of a 1920x1080 screen.
struct TextStyle: Sendable, Hashable {
    /// The weight. Nothing is thinner than 500.
    enum Weight: Sendable, Hashable {
        /// 500. The installed Noto families have only 400 and 700, so it is 400 with its outline stroked.
        case medium
        /// 700.
        case bold
    }

    /// The side on which lines start.
    enum Alignment: Sendable, Hashable {
        case left, centre, right
    }

    /// A feature of a font, as Pango names it.
    enum Feature: String, Sendable, Hashable {
        /// Digits of equal width, for counters.
        case tabularDigits = "tnum=1"
        case smallCapitals = "smcp=1"
    }

    /// The key of a font description.
    struct Face: Hashable {
        var thousandths: Int
        var isBold: Bool
        var hanVariant: HanVariant
        var family = Family.sans
        var isItalic = false
    }

    /// The kind of font: the interface uses one, captions several.
    enum Family: Sendable, Hashable {
        case sans, serif, monospaced
    }

    /// Forms of Han characters, named as the Noto families are.
    enum HanVariant: String, Hashable {
        case japanese = "JP"
        case korean = "KR"
        case simplified = "SC"
        case traditional = "TC"
        case hongKong = "HK"

        /// The forms for a language. For a language without Han characters any form will do.
        init(language: String?) {
            let parts = (language ?? "").lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" })
            switch parts.first {
            case "ko": self = .korean
            case "yue": self = parts.contains("hans") ? .simplified : .hongKong
            case "zh":
                if parts.contains("hans") {
                    self = .simplified
                } else if parts.contains("hk") || parts.contains("mo") {
                    self = .hongKong
                } else {
                    self = parts.contains("hant") || parts.contains("tw") ? .traditional : .simplified
                }
            default: self = .japanese
            }
        }
    }

    /// The type size.
    var size: Double
    var weight: Weight
    /// The line width; nil never breaks a line.
    var width: Double?
    /// The most lines; text that does not fit ends in an ellipsis.
    var lines: Int
    /// The side on which lines start, whatever the direction of the text.
    var alignment: Alignment
    /// The feature of the font that is on.
    var feature: Feature?
    /// BCP 47 tag of the text; selects the Han variant.
    var language: String?
    /// The line spacing over `size`.
    var leading: Double
    var family = Family.sans
    var isItalic = false
    /// Whether `lines` limits all paragraphs together instead of each of them.
    var limitsWhole = false
    /// Whether lines are broken a little earlier where the last one would have only a word or a few characters. The text has no more lines by that.
    var avoidsShortEnd = false

    init(
        _ size: Double, _ weight: Weight = .medium, width: Double? = nil, lines: Int = 1, alignment: Alignment = .left,
        tabularDigits: Bool = false, language: String? = nil, leading: Double = 1.2
    ) {
        self.size = size
        self.weight = weight
        self.width = width
        self.lines = lines
        self.alignment = alignment
        feature = tabularDigits ? .tabularDigits : nil
        self.language = language
        self.leading = leading
    }

    var face: Face {
        Face(
            thousandths: Int((size * 1000).rounded()), isBold: weight == .bold, hanVariant: HanVariant(language: language),
            family: family, isItalic: isItalic)
    }
}

extension String {
    /// The text between FSI and PDI, so that its direction does not affect its neighbours in a line (UAX 9).
    var isolated: String { "\u{2068}\(self)\u{2069}" }

    /// Joins parts with dots in the order of the interface, whatever their own direction: the facts line.
    static func facts(_ parts: [String], isRightToLeft: Bool) -> String {
        guard !parts.isEmpty else { return "" }
        // The mark at the start gives the line its direction: Pango uses the first strong character.
        return (isRightToLeft ? "\u{200F}" : "\u{200E}") + parts.map(\.isolated).joined(separator: "  ·  ")
    }
}
