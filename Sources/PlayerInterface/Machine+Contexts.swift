import LinuxSupport
import MediaModel
import MediaTime

/// The inputs of the parts.
extension InterfaceMachine {
    var settings: ViewerSettings { preferences.settings }

    /// The data shown by the pages and the banner.
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

    /// Whether the viewer gets sound only.
    var isSoundOnly: Bool { screen == .player && viewing.isSoundOnly(isListening: session.isListening) }

    /// Whether the video continues in the corner.
    var hasCornerVideo: Bool { screen == .home && item != nil }

    /// Whether Settings and search can be opened: in a kiosk only by the operator.
    var isOpenToViewer: Bool { !policy.isKiosk || pinLock.isOperator }

    /// Whether there is something to find, and search is allowed.
    var hasSearch: Bool { isOpenToViewer && !home.content.searchable.isEmpty }

    var playingID: String? { opening?.id ?? item?.channel ?? item?.id }

    var hasChannels: Bool { !browsing.lineup.isEmpty }

    /// The key for a choice of picture size: the channel, otherwise the series, otherwise the item.
    var fitKey: String? { item.map { $0.channel ?? $0.series ?? $0.id } }

    // MARK: Shortcuts

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
