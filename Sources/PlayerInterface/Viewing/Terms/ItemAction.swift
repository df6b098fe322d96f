/// An action on the item as a whole: on the Info tab and in the row above the bar.
enum ItemAction: Sendable, Hashable {
    case info, nextEpisode, fromBeginning, restart, goLive

    var intent: Intent {
        switch self {
        case .info: .openPanel(.info)
        case .nextEpisode: .nextEpisode
        case .fromBeginning: .fromBeginning
        case .restart: .restartLive
        case .goLive: .goLive
        }
    }

    func title(in strings: StringCatalogue) -> String {
        switch self {
        case .info: strings.text(.info)
        case .nextEpisode: strings.text(.nextEpisode)
        case .fromBeginning: strings.text(.fromBeginning)
        case .restart: strings.text(.restart)
        case .goLive: strings.text(.goLive)
        }
    }
}

extension PlayedItem {
    /// The actions of the Info tab.
    var infoActions: [ItemAction] {
        guard let item else { return [] }
        guard item.isLive else { return (item.nextEpisode == nil ? [] : [.nextEpisode]) + [.fromBeginning] }
        return isLiveWithoutWindow ? [] : isBehindLive ? [.restart, .goLive] : [.restart]
    }

    /// Whether the panel has an Info tab.
    var hasInfo: Bool { item?.hasInformation == true || !infoActions.isEmpty }

    /// The row above the bar.
    var rowActions: [ItemAction] { item == nil ? [] : (hasInfo ? [.info] : []) + infoActions }
}
