@testable import Screens

extension SettingsView {
    /// What can be chosen: the buttons of a question, otherwise the rows.
    var choices: [String] { card?.buttons.map(\.title) ?? menu.rows.map(\.title) }
    /// The one that has focus.
    var focusedChoice: String? {
        if let card { return card.buttons.first(where: \.isFocused)?.title }
        return menu.focusedRow.map { menu.rows[$0].title }
    }
    /// What is said about it.
    var words: String? { card?.message ?? explanation }
}

extension PresentationState {
    /// The open page of Settings.
    var settings: SettingsView? { if case .settings(let view)? = page { view } else { nil } }
    /// The open search.
    var search: SearchView? { if case .search(let view)? = page { view } else { nil } }
    /// The open guide.
    var guide: GuideView? { if case .guide(let view)? = page { view } else { nil } }
    /// The open page of a programme.
    var programme: ProgrammeView? { if case .programme(let view)? = page { view } else { nil } }
    /// The open line for a delay.
    var delay: DelayView? { if case .delay(let view)? = page { view } else { nil } }
    /// The page on which a passphrase is typed.
    var passphrase: PassphraseView? { if case .passphrase(let view)? = page { view } else { nil } }
    /// The open channel list.
    var channelList: ChannelListView? { if case .channels(let view)? = page { view } else { nil } }
}
