/// What the viewer has set, and the texts in the language that follows from it.
struct Preferences: Sendable {
    private(set) var settings = ViewerSettings()
    /// The texts of the interface.
    private(set) var strings: StringCatalogue

    /// - Parameter strings: the texts until the viewer's settings are known.
    init(strings: StringCatalogue) { self.strings = strings }

    /// How everything looks.
    func appearance(_ policy: InterfacePolicy) -> Appearance {
        Appearance(
            language: strings.language, isRightToLeft: strings.isRightToLeft, hasLargerText: settings.hasLargerText,
            hasHighContrast: settings.hasHighContrast, reducesMotion: settings.reducesMotion,
            overscanPercent: settings.overscanPercent ?? policy.overscanPercent)
    }

    /// - Parameter languages: those that the box was set up with, best first: they count where the viewer has chosen none.
    mutating func take(_ settings: ViewerSettings, languages: [String]) {
        self.settings = settings
        strings = .best(for: (settings.language.map { [$0] } ?? []) + languages)
    }
}
