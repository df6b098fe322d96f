/// A colour with alpha, eight bits per channel, not premultiplied.
package struct Colour: Sendable, Hashable {
    /// Red, green and blue: 0…255.
    package let red, green, blue: UInt8
    /// 0 transparent … 255 opaque.
    package let alpha: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// A grey.
    package static func grey(_ level: UInt8, percent: Int = 100) -> Colour {
        Colour(red: level, green: level, blue: level, alpha: UInt8(percent * 255 / 100))
    }
}

/// Every colour of the interface.
package enum Palette {
    /// The played part of the bar.
    package static let played = Colour.grey(255)
    /// The loaded part of the bar, and the line around the rest, which is hollow: 3:1 to the played part and to the scrim, also over white.
    package static let buffered = Colour.grey(255, percent: 42)
    /// The scrim at its darkest.
    package static let scrim = Colour.grey(0, percent: 75)
    /// Text and symbols.
    package static let text = Colour.grey(255)
    /// Secondary text; still 4.5:1 over panel and scrim.
    package static let secondaryText = Colour.grey(255, percent: 70)
    /// Background of panels and cards. Large white letters of the picture are not readable through it.
    package static let panel = Colour(red: 24, green: 24, blue: 28, alpha: 245)
    /// Background of the focused element.
    package static let focused = Colour.grey(255)
    /// Text on the focused element.
    package static let textOnFocused = Colour.grey(16)
    /// Ring around a focused element whose background cannot change, such as a poster.
    package static let focusRing = Colour.grey(255)
    /// A button or a row without focus.
    package static let control = Colour.grey(255, percent: 16)
    /// The dot of an unwatched interstitial.
    package static let dot = Colour(red: 255, green: 204, blue: 0)
    /// The dot of a watched one, which is hollow.
    package static let watchedDot = Colour.grey(255, percent: 45)
    /// Ring around dots.
    package static let dotRing = Colour.grey(0, percent: 80)
    /// Notches of chapters.
    package static let chapterTick = Colour.grey(0, percent: 80)
    /// Over the picture behind a card.
    package static let dim = Colour.grey(0, percent: 60)
    /// Live.
    package static let live = Colour(red: 232, green: 38, blue: 44)
    /// The background without video.
    package static let background = Colour(red: 12, green: 12, blue: 16)
}
