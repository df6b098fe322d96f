/// What the pages of Settings show and change: the viewer's settings, the strings of the resulting language, and facts about the box.
struct Preferences: Sendable {
    private(set) var settings = ViewerSettings()
    /// The texts of the interface.
    private(set) var strings: StringCatalogue
    /// Facts about the box.
    var facts = BoxFacts()

    /// - Parameter strings: the texts until the viewer's settings are known.
    init(strings: StringCatalogue) { self.strings = strings }

    /// The appearance.
    func appearance(_ policy: InterfacePolicy) -> Appearance {
        Appearance(
            language: strings.language, isRightToLeft: strings.isRightToLeft, hasLargerText: settings.hasLargerText,
            hasHighContrast: settings.hasHighContrast, reducesMotion: settings.reducesMotion,
            overscanPercent: settings.overscanPercent ?? policy.overscanPercent)
    }

    /// - Parameter languages: the configured ones, best first, for viewers who have not chosen one.
    mutating func take(_ settings: ViewerSettings, languages: [String]) {
        self.settings = settings
        strings = .best(for: (settings.language.map { [$0] } ?? []) + languages)
    }
}
