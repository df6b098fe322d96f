import MediaModel
import MediaTime

/// The screen to use, as configured: `auto`, `kms[:CARD]`, `headless[:WxH@HZ]` or `window[:WxH]`.
package enum DisplayChoice: Sendable, Hashable, CustomStringConvertible {
    /// In the session of a desktop a window, where one is wanted; else the first card with a connected screen; without one, a headless display.
    case auto
    /// A kernel mode-setting card: `card1`, `/dev/dri/card1`, or nil for the first with a connector.
    case kms(card: String?)
    /// A screen in memory, at a mode.
    case headless(DisplayMode)
    /// A window of a desktop, of a size, or of the usual one (nil).
    case window(WindowSize?)

    /// The size of a window at the start.
    package struct WindowSize: Sendable, Hashable {
        package var width: Int
        package var height: Int
    }

    /// The mode of `headless` without a mode.
    package static let defaultHeadlessMode = DisplayMode(width: 1920, height: 1080, refresh: Ratio(60))

    /// Parses the text of the `--display` option.
    ///
    /// `HZ` is a whole number, a decimal such as `59.94` (taken as 60000/1001 when that rate rounds to it), or a ratio such as
    /// `60000/1001`.
    ///
    /// - Returns: nil when the text has none of these forms.
    package init?(_ text: String) {
        let (word, rest) = text.split(at: ":")
        switch (word, rest) {
        case ("auto", nil): self = .auto
        case ("kms", nil): self = .kms(card: nil)
        case ("kms", .some(let card)) where !card.isEmpty: self = .kms(card: card)
        case ("headless", nil): self = .headless(Self.defaultHeadlessMode)
        case ("headless", .some(let mode)):
            guard let mode = DisplayMode(text: mode) else { return nil }
            self = .headless(mode)
        case ("window", nil): self = .window(nil)
        case ("window", .some(let size)):
            guard !size.contains("@"), let mode = DisplayMode(text: size) else { return nil }
            self = .window(WindowSize(width: mode.width, height: mode.height))
        default: return nil
        }
    }

    package var description: String {
        switch self {
        case .auto: "auto"
        case .kms(nil): "kms"
        case .kms(.some(let card)): "kms:\(card)"
        case .headless(let mode): "headless:\(mode)"
        case .window(nil): "window"
        case .window(.some(let size)): "window:\(size.width)x\(size.height)"
        }
    }
}

extension DisplayMode {
    /// Parses `1280x720@50` or `1280x720` (60 Hz).
    ///
    /// - Returns: nil unless the size is 16…16384 and the rate 1…480.
    package init?(text: String) {
        let (size, rate) = text.split(at: "@")
        let (width, height) = size.split(at: "x")
        guard let width = Int(width), let height = height.flatMap({ Int($0) }) else { return nil }
        guard (16...16384).contains(width), (16...16384).contains(height) else { return nil }
        guard let refresh = Self.rate(rate ?? "60"), refresh >= Ratio(1), refresh <= Ratio(480) else { return nil }
        self.init(width: width, height: height, refresh: refresh)
    }

    private static func rate(_ text: String) -> Ratio? {
        let (upper, lower) = text.split(at: "/")
        if let lower {
            guard let upper = Int64(upper), let lower = Int64(lower), upper > 0, lower > 0 else { return nil }
            return Ratio(upper, lower)
        }
        let (whole, fraction) = text.split(at: ".")
        guard let whole = Int64(whole), whole >= 0, whole <= 1000 else { return nil }
        guard let fraction else { return Ratio(whole) }
        guard let digits = Int64(fraction), digits >= 0, (1...6).contains(fraction.count), fraction.first != "+" else {
            return nil
        }
        let scale = (0..<fraction.count).reduce(Int64(1)) { scale, _ in scale * 10 }
        let said = Ratio(whole * scale + digits, scale)
        // 59.94, 29.97 and 23.976 are roundings of n * 1000/1001.
        let dropped = Ratio((whole + 1) * 1000, 1001)
        let difference = abs(dropped.numerator * said.denominator - said.numerator * dropped.denominator)
        return difference * scale <= dropped.denominator * said.denominator ? dropped : said
    }
}

extension String {
    /// The parts before and after the first occurrence of a character; nil for the second part when there is none.
    fileprivate func split(at separator: Character) -> (String, String?) {
        guard let place = firstIndex(of: separator) else { return (self, nil) }
        return (String(self[..<place]), String(self[index(after: place)...]))
    }
}
