import Screens

/// What of a programme can be delayed against its pictures.
package enum DelayedPart: String, Sendable, Hashable, CaseIterable {
    case sound, subtitles

    /// The change of one press, in milliseconds.
    var step: Int {
        switch self {
        case .sound: 10
        case .subtitles: 50
        }
    }

    /// The largest delay in either direction, in milliseconds.
    package var most: Int {
        switch self {
        case .sound: 1000
        case .subtitles: 10_000
        }
    }

    /// A stored delay; nil if it is none that can be set.
    func delay(_ text: String) -> Int? { Int(text).flatMap { (-most...most).contains($0) ? $0 : nil } }
}

/// The delays in force, and how they are changed. The sound has one for each output, because each needs another time; captions have one for each
/// channel, series or item, because it makes up for an error of theirs.
package struct Delays: Sendable {
    let settings: ViewerSettings
    let policy: InterfacePolicy
    /// The key for choices about what plays; nil if nothing does.
    let key: String?
    /// Whether the captions on the screen are inside the pictures. They are not known earlier than those.
    let hasClosedCaptions: Bool

    package init(settings: ViewerSettings, policy: InterfacePolicy, key: String?, hasClosedCaptions: Bool) {
        self.settings = settings
        self.policy = policy
        self.key = key
        self.hasClosedCaptions = hasClosedCaptions
    }

    /// In milliseconds; positive means later than the pictures.
    package func value(of part: DelayedPart) -> Int {
        switch part {
        case .sound: settings.soundDelays[policy.soundOutput] ?? policy.soundDelay
        case .subtitles: settings.captionDelay(of: key)
        }
    }

    func range(of part: DelayedPart) -> ClosedRange<Int> {
        part == .subtitles && hasClosedCaptions ? 0...part.most : -part.most...part.most
    }

    /// The settings with another delay.
    package func setting(_ part: DelayedPart, to value: Int) -> ViewerSettings {
        var changed = settings
        switch part {
        case .sound: changed.soundDelays[policy.soundOutput] = value == policy.soundDelay ? nil : value
        case .subtitles: if let key { changed.captionDelays[key] = value == 0 ? nil : value }
        }
        return changed
    }
}

extension StringCatalogue {
    /// A delay: "+120 ms".
    func delay(_ milliseconds: Int) -> String {
        let sign = milliseconds > 0 ? "+" : milliseconds < 0 ? TimeText.minus : ""
        // The sign is before the digits in every language, and the number before its unit in the direction of the language.
        let (line, number) = isRightToLeft ? ("\u{200F}", "\u{200E}") : ("", "")
        return line + text(.milliseconds, number + sign + "\(milliseconds.magnitude)")
    }
}
