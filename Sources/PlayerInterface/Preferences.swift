/// What the pages of Settings show and change: what the viewer has set, the texts in the language that follows from it, and what the box knows of itself.
struct Preferences: Sendable {
    private(set) var settings = ViewerSettings()
    /// The texts of the interface.
    private(set) var strings: StringCatalogue
    /// What the box knows of itself.
    var facts = BoxFacts()

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
