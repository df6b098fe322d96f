import BoxModel
import Screens
import Viewing

/// The page of a programme of the guide that has not begun: what it is, and whether the viewer wants to be reminded of it.
struct ListingPage: Sendable, Equatable {
    private enum Focus: Sendable, Equatable {
        /// The summary, which OK opens in full.
        case summary
        case reminder
    }

    /// As it was when the page was opened.
    private let programme: GuideContent.Programme
    /// Without its programmes.
    private let channel: GuideContent.Channel
    private var focus = Focus.reminder

    init(_ programme: GuideContent.Programme, on channel: GuideContent.Channel) {
        self.programme = programme
        var channel = channel
        channel.programmes = []
        self.channel = channel
    }

    /// The programme in the guide of now; nil if the guide no longer has it.
    private func known(_ context: BrowsingContext) -> GuideContent.Programme? {
        context.schedule.channel(channel.id)?.programmes.first { $0.start == programme.start && $0.title == programme.title }
    }

    /// The programme, if the viewer can be reminded of it.
    private func awaited(_ context: BrowsingContext) -> GuideContent.Programme? {
        guard context.hasReminders, let programme = known(context), let time = context.timeOfDay, programme.start > time else {
            return nil
        }
        return programme
    }

    /// What can have focus, from the top.
    private func places(_ context: BrowsingContext) -> [Focus] {
        (programme.summary == nil ? [] : [.summary]) + (awaited(context) == nil ? [] : [.reminder])
    }

    // MARK: Keys

    mutating func act(_ key: RemoteKey, in context: BrowsingContext) -> KeyOutcome {
        let places = places(context)
        if !places.contains(focus), let first = places.first { focus = first }
        switch key {
        case .back: return .closed
        case .up, .down:
            let wanted: Focus = key == .up ? .summary : .reminder
            guard wanted != focus, places.contains(wanted) else { return .refused(.noChange) }
            focus = wanted
            return .done
        case .ok:
            guard places.contains(focus) else { return .refused(.notReady) }
            switch focus {
            case .summary: return .wants(.read(programme.summary ?? "", title: programme.title, artwork: programme.artwork))
            case .reminder:
                guard let programme = awaited(context) else { return .refused(.notReady) }
                return .wants(.request(.setReminder(Reminder(channel: channel.id, programme: programme), !programme.hasReminder)))
            }
        default: return .refused(.notSupported)
        }
    }

    // MARK: View

    func view(_ context: BrowsingContext) -> ProgrammeView {
        let strings = context.strings
        let places = places(context)
        let focus = places.contains(focus) ? focus : places.first
        let day = strings.day(of: programme.start)
        return ProgrammeView(
            title: programme.title, subtitle: programme.subtitle,
            facts: [strings.station(channel), day, strings.times(of: programme)] + programme.facts
                + [programme.rating].compactMap { $0 },
            summary: programme.summary, isSummaryFocused: focus == .summary, more: strings.text(.more),
            backdrop: programme.artwork,
            buttons: awaited(context).map {
                [ButtonView(title: strings.text($0.hasReminder ? .removeReminder : .remindMe), isFocused: focus == .reminder)]
            } ?? [])
    }
}
