import MediaModel

/// The viewer's appearance settings, which change no texts and no rules. They are part of the presentation state, so that drawing depends on that
/// state alone.
package struct Appearance: Sendable, Hashable {
    /// BCP 47 tag of the interface's language: selects the catalogue and the Han forms.
    package var language: String
    /// Panels, tabs, lists and rows of buttons run from right to left. The time bar and the transport symbols never do.
    package var isRightToLeft: Bool
    /// Type 1.25 times as large.
    package var hasLargerText: Bool
    /// Black backgrounds, white lines, no grey text.
    package var hasHighContrast: Bool
    /// Nothing slides, shakes or grows; changes are cross-faded in 100 ms.
    package var reducesMotion: Bool
    /// How much the interface is shrunk on each side, 0…5 percent; the video is not.
    package var overscanPercent: Int

    package init(
        language: String = "en", isRightToLeft: Bool = false, hasLargerText: Bool = false, hasHighContrast: Bool = false,
        reducesMotion: Bool = false, overscanPercent: Int = 0
    ) {
        self.language = language
        self.isRightToLeft = isRightToLeft
        self.hasLargerText = hasLargerText
        self.hasHighContrast = hasHighContrast
        self.reducesMotion = reducesMotion
        self.overscanPercent = overscanPercent
    }
}

extension Appearance: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("language", \.language), .init("isRightToLeft", \.isRightToLeft), .init("hasLargerText", \.hasLargerText),
            .init("hasHighContrast", \.hasHighContrast), .init("reducesMotion", \.reducesMotion),
            .init("overscanPercent", \.overscanPercent),
        ]
    }
}
