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

extension PlayedItem {
    /// What can be done with what plays.
    ///
    /// - Parameter broadcast: what is on, by the guide of the live channel; nil without one.
    private func ways(_ broadcast: Broadcast?) -> [ItemAction] {
        guard let item else { return [] }
        guard item.isLive else { return (item.nextEpisode == nil ? [] : [.nextEpisode]) + [.fromBeginning] }
        return (broadcast?.startOfProgramme == nil ? [] : [.startOver]) + (isBehindLive ? [.goLive] : [])
    }

    /// The actions of the Info tab.
    func infoActions(_ broadcast: Broadcast?) -> [ItemAction] {
        ways(broadcast) + [broadcast?.awaited.map { .remind($0) }].compactMap { $0 }
    }

    /// Whether the panel has an Info tab.
    func hasInfo(_ broadcast: Broadcast?) -> Bool {
        item?.hasInformation == true || broadcast?.programme != nil || !infoActions(broadcast).isEmpty
    }

    /// The row above the bar. What is nearer elsewhere is last: Down leads to the tab Info, and there to the next episode.
    func rowActions(_ broadcast: Broadcast?) -> [ItemAction] {
        guard let item else { return [] }
        let ways = ways(broadcast)
        return (item.isLive ? ways : ways.reversed()) + (hasInfo(broadcast) ? [.info] : [])
    }
}
