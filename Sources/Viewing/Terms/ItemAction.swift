import Screens

/// An action on the item as a whole: on the Info tab and in the row above the bar.
enum ItemAction: Sendable, Hashable {
    case info, nextEpisode, fromBeginning, startOver, goLive
    /// Remind the viewer of the next programme of the channel, or no longer.
    case remind(Reminder)

    var intent: Intent {
        switch self {
        case .info: .openPanel(.info)
        case .nextEpisode: .nextEpisode
        case .fromBeginning: .fromBeginning
        case .startOver: .startOver
        case .goLive: .goLive
        case .remind(let reminder): .request(.setReminder(reminder, !reminder.programme.hasReminder))
        }
    }

    /// Whether it leaves the picture as it is, so that the panel stays open.
    var keepsPanel: Bool { if case .remind = self { true } else { false } }

    func title(in strings: StringCatalogue) -> String {
        switch self {
        case .info: strings.text(.info)
        case .nextEpisode: strings.text(.nextEpisode)
        case .fromBeginning: strings.text(.fromBeginning)
        case .startOver: strings.text(.startOver)
        case .goLive: strings.text(.goLive)
        case .remind(let reminder): strings.text(reminder.programme.hasReminder ? .removeReminder : .remindMe)
        }
    }
}
