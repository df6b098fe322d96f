/// How a text is set. Sizes are design pixels, i.e. pixels of a 1920x1080 screen.
struct TextStyle: Sendable, Hashable {
    /// How heavy the strokes are. Nothing is thinner than 500.
    enum Weight: Sendable, Hashable {
        /// 500. The installed Noto families have 400 and 700 only, so it is 400 with its outline drawn along.
        case medium
        /// 700.
        case bold
    }

    /// On which side the lines of a text begin.
    enum Alignment: Sendable, Hashable {
        case left, centre, right
    }

    /// What picks a font description.
    struct Face: Hashable {
        var thousandths: Int
        var isBold: Bool
        var hanVariant: HanVariant
        var family = Family.sans
        var isItalic = false
    }

    /// The kind of type: the interface has one, captions have more.
    enum Family: Sendable, Hashable {
        case sans, serif, monospaced
    }

    /// The forms that Han characters take, named as the Noto families are.
    enum HanVariant: String, Hashable {
        case japanese = "JP"
        case korean = "KR"
        case simplified = "SC"
        case traditional = "TC"
        case hongKong = "HK"

        /// The forms that a language takes; those of a language without Han characters are as good as any.
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

    /// The height of the type.
    var size: Double
    /// How heavy it is.
    var weight: Weight
    /// Where longer texts are broken; nil never breaks a line.
    var width: Double?
    /// At most so many lines; what does not fit ends in an ellipsis.
    var lines: Int
    /// The side that lines begin on, whatever the direction of the text itself.
    var alignment: Alignment
    /// Digits of equal width, for what counts.
    var tabularDigits: Bool
    /// BCP 47 tag of the text: picks between the Han variants.
    var language: String?
    /// The distance from line to line over `size`.
    var leading: Double
    /// The kind of type.
    var family = Family.sans
    /// Whether it leans.
    var isItalic = false
    /// Whether `lines` limits all paragraphs together; else each of them.
    var limitsWhole = false
    /// Small letters as small capitals.
    var smallCapitals = false

    init(
        _ size: Double, _ weight: Weight = .medium, width: Double? = nil, lines: Int = 1, alignment: Alignment = .left,
        tabularDigits: Bool = false, language: String? = nil, leading: Double = 1.2
    ) {
        self.size = size
        self.weight = weight
        self.width = width
        self.lines = lines
        self.alignment = alignment
        self.tabularDigits = tabularDigits
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
    /// The text between FSI and PDI, so that its direction cannot disturb what stands beside it in one line (UAX 9).
    var isolated: String { "\u{2068}\(self)\u{2069}" }

    /// Parts in the order of the interface, whatever their own direction, between dots: the facts line.
    static func facts(_ parts: [String], isRightToLeft: Bool) -> String {
        guard !parts.isEmpty else { return "" }
        // The mark at the front gives the line its direction: Pango takes that of the first strong character.
        return (isRightToLeft ? "\u{200F}" : "\u{200E}") + parts.map(\.isolated).joined(separator: "  ·  ")
    }
}
