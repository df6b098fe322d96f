/// How everything looks to this viewer: the choices of Settings that change no words and no rules. Part of the presentation state, so
/// that what is drawn depends on that state alone.
package struct Appearance: Sendable, Hashable {
    /// BCP 47 tag of the interface's language: picks the catalogue and the Han forms.
    package var language: String
    /// Panels, tabs, lists and rows of buttons run from right to left. The time bar and the signs of time never do.
    package var isRightToLeft: Bool
    /// Type 1.25 times as large.
    package var hasLargerText: Bool
    /// Black grounds, white lines, no greys.
    package var hasHighContrast: Bool
    /// Nothing slides, shakes or grows; what changes is cross-faded in 100 ms.
    package var reducesMotion: Bool
    /// By how much the interface's planes are shrunk on each side, 0…5 percent; the video is not.
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
