import LinuxSupport
import MediaModel
import MediaTime

/// What the parts are given to look at.
extension InterfaceMachine {
    var settings: ViewerSettings { preferences.settings }

    /// The data that the pages and the banner show.
    var browsing: BrowsingContext {
        BrowsingContext(content: home.content, playing: playingID, schedule: tuner.schedule, now: now, strings: strings)
    }

    var settingsMenu: SettingsMenu {
        SettingsMenu(
            rows: MenuRows(strings: strings, settings: settings), policy: policy, facts: preferences.facts, sleep: sleep,
            now: now,
            fitKey: fitKey, canSleepAtEnd: item?.isLive == false)
    }

    var panelContent: PanelContent? {
        let menus = Menus(
            settings: settingsMenu, snapshot: snapshot, isLive: item?.isLive == true, isLinear: isLinear,
            canNavigate: viewing.transport.navigationRefusal == nil, speed: session.speed.chosen)
        return PanelContent(viewing.played, isLinear: isLinear, menus: menus, strings: strings)
    }

    var homeContext: HomeModel.Context {
        var buttons: [HomeButton] = []
        if hasSearch { buttons.append(.search) }
        if tuner.schedule.isReadable { buttons.append(.guide) }
        if isOpenToViewer { buttons.append(.settings) }
        return HomeModel.Context(hasVideo: hasCornerVideo, buttons: buttons, browsing: browsing)
    }

    /// Whether sound is all that the viewer gets.
    var isSoundOnly: Bool { screen == .player && viewing.isSoundOnly(isListening: session.isListening) }

    /// Whether the video goes on in the corner.
    var hasCornerVideo: Bool { screen == .home && item != nil }

    /// Whether Settings and search can be opened: in a kiosk only by the operator.
    var isOpenToViewer: Bool { !policy.isKiosk || pinLock.isOperator }

    /// There is something to be found, and the operator allows looking.
    var hasSearch: Bool { isOpenToViewer && !home.content.searchable.isEmpty }

    var playingID: String? { opening?.id ?? item?.channel ?? item?.id }

    var hasChannels: Bool { !browsing.lineup.isEmpty }

    /// What a choice of how pictures are fitted is kept for: the channel, else the series, else the item.
    var fitKey: String? { item.map { $0.channel ?? $0.series ?? $0.id } }

    // MARK: What is asked most

    var pin: PINEntry? { overlays.pin }
    var card: Card? { overlays.card }
    var page: Page? { overlays.page }
    var item: ItemPresentation? { viewing.played.item }
    var opening: HomeContent.Entry? { viewing.played.opening }
    var snapshot: PlaybackSnapshot { viewing.played.snapshot }
    var position: MediaTime? { viewing.played.position }
    var isLoading: Bool { viewing.played.isLoading }
    var isLiveWithoutWindow: Bool { viewing.played.isLiveWithoutWindow }
    var isLinear: Bool { viewing.transport.isLinear }
    var wantsToPlay: Bool { viewing.orders.wantsToPlay }
    var mode: Seeking.Mode { viewing.seeking.mode }
    var bar: BarModel {
        get { viewing.transport.bar }
        set { viewing.transport.bar = newValue }
    }
}
