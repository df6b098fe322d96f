import BoxModel
import MediaTime
import Screens
import Viewing

/// What the pages of Settings show and change: the viewer's settings, the strings of the resulting language, and facts about the box.
struct Preferences: Sendable {
    private(set) var settings = ViewerSettings()
    /// The texts of the interface.
    private(set) var strings: StringCatalogue
    /// Facts about the box.
    private(set) var facts = BoxFacts()
    /// The wireless networks.
    private(set) var wireless = WirelessStatus()
    /// What is played and what goes out, when the panel was opened.
    var signal = SignalFacts()
    /// What the code for phones has; nil for no code.
    var phoneAddress: String?

    /// The code for phones on pages where letters are typed.
    var phoneCode: PhoneCode? { phoneAddress.map { PhoneCode(address: $0, caption: strings.text(.typeWithPhone)) } }

    /// - Parameter strings: the texts until the viewer's settings are known.
    init(strings: StringCatalogue) { self.strings = strings }

    /// The appearance.
    func appearance(_ policy: InterfacePolicy) -> Appearance {
        Appearance(
            language: strings.language, isRightToLeft: strings.isRightToLeft, hasLargerText: settings[.largerText],
            hasHighContrast: settings[.highContrast], reducesMotion: settings[.reducedMotion],
            overscanPercent: settings.overscanPercent ?? policy.overscanPercent)
    }

    /// The facts have changed.
    ///
    /// - Returns: what the viewer is told: one who has plugged a stick in, where to go.
    mutating func take(_ new: BoxFacts) -> String? {
        defer { facts = new }
        guard case .found? = new.stickUpdate, new.stickUpdate != facts.stickUpdate else { return nil }
        return strings.text(.updateFromStickFound, strings.text(.settings), strings.text(.about))
    }

    /// The wireless networks have changed.
    ///
    /// - Returns: what the viewer is told, on whatever page: that the box has joined one.
    mutating func take(_ new: WirelessStatus) -> String? {
        defer { wireless = new }
        guard let attempt = new.attempt, attempt.step == .connected, attempt != wireless.attempt else { return nil }
        return strings.text(.wirelessJoined, strings.isolated(attempt.name))
    }

    /// The changes of clocks around today.
    mutating func take(_ changes: ClockChanges) { if strings.changes != changes { strings = strings.with(changes) } }

    /// The viewer has changed settings, or they were restored.
    ///
    /// - Parameters:
    ///   - languages: the configured ones, best first, for viewers who have not chosen one.
    ///   - fitKey: the key for choices about what plays; nil if nothing does.
    /// - Returns: the effects that apply the settings outside the interface.
    mutating func take(_ new: ViewerSettings, languages: [String], fitKey: String?) -> [InterfaceEffect] {
        let old = settings
        settings = new
        strings = .best(for: (new.language.map { [$0] } ?? []) + languages).with(strings.changes)
        var effects: [InterfaceEffect] = []
        if new.captionStyle != old.captionStyle { effects.append(.setCaptionStyle(new.captionStyle)) }
        if new.captionDelay(of: fitKey) != old.captionDelay(of: fitKey) {
            effects.append(.setCaptionDelay(new.captionDelay(of: fitKey)))
        }
        if new.fit(of: fitKey) != old.fit(of: fitKey) { effects.append(.setVideoFit(new.fit(of: fitKey))) }
        return effects
    }
}
