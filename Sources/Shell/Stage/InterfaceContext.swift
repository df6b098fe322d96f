import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Viewing

/// What parts of the interface are told about one another at one instant: from it come the data of pages, menus, panel, cards and Home.
/// Each of these asks for its own and knows nothing of the stage.
struct InterfaceContext: Sendable {
    /// What plays.
    struct Playing: Sendable {
        let played: PlayedItem
        /// Whether position and rate are locked.
        let isLinear: Bool
        /// Whether the viewer may navigate now.
        let canNavigate: Bool
        /// The viewer's speed.
        let speed: Ratio
        /// Whether the video is in the corner of Home.
        let isInCorner: Bool
    }

    /// The state besides what is on the screen.
    struct Parts: Sendable {
        let home: HomeModel
        let schedule: Schedule
        let preferences: Preferences
        let policy: InterfacePolicy
        let sleep: SleepTimer
        let pinLock: PINLock
        let searches: SearchHistory
        let firstRun: FirstRunCourse
        let now: HostTime
    }

    let playing: Playing
    let parts: Parts

    var policy: InterfacePolicy { parts.policy }
    var now: HostTime { parts.now }
    var strings: StringCatalogue { parts.preferences.strings }
    private var played: PlayedItem { playing.played }

    var isPINLocked: Bool { parts.pinLock.isLocked(at: now) }

    /// Whether Settings and search can be opened: in a kiosk only by the operator.
    var isOpenToViewer: Bool { !policy.isKiosk || parts.pinLock.isOperator }

    /// Whether there is something to find, and search is allowed.
    var hasSearch: Bool { isOpenToViewer && !parts.home.content.searchable.isEmpty }

    /// The arrangement of rows of posters.
    private var grid: Metrics.Home.Grid { parts.preferences.settings[.largerText] ? .larger : .standard }

    /// Whether the Wi-Fi page can be opened: where there is an adapter, in a kiosk by the operator.
    var hasWireless: Bool { isOpenToViewer && parts.preferences.wireless.radio != .absent }

    var wireless: WirelessContext {
        WirelessContext(
            status: parts.preferences.wireless, configured: policy.configuredNetwork, phoneCode: parts.preferences.phoneCode,
            strings: strings)
    }

    var firstRun: FirstRunContext {
        FirstRunContext(
            course: parts.firstRun, settings: parts.preferences.settings, policy: policy,
            wireless: hasWireless ? wireless : nil, phoneCode: parts.preferences.phoneCode, strings: strings)
    }

    /// The data shown by the pages and the banner.
    var browsing: BrowsingContext {
        BrowsingContext(
            home: parts.home, playing: played.playingID, played: played, schedule: parts.schedule, now: now, strings: strings,
            recentSearches: parts.searches.queries, phoneCode: parts.preferences.phoneCode, hasReminders: !policy.isKiosk,
            grid: grid)
    }

    var settingsMenu: SettingsMenu {
        SettingsMenu(
            rows: MenuRows(strings: strings, settings: parts.preferences.settings), policy: policy,
            facts: parts.preferences.facts, wireless: hasWireless ? parts.preferences.wireless : nil, sleep: parts.sleep,
            now: now, fitKey: played.fitKey,
            canSleepAtEnd: played.item?.isLive == false, channels: parts.home.channels)
    }

    var delays: Delays {
        let options = played.snapshot.options
        let shown = options.subtitles.first { $0.id == options.shownSubtitles }
        return Delays(
            settings: parts.preferences.settings, policy: policy, key: played.fitKey,
            hasClosedCaptions: shown?.badges.contains(.closedCaptions) == true)
    }

    /// What is on the live channel that plays; nil on demand, and where the guide does not have the channel.
    var broadcast: Broadcast? { parts.schedule.broadcast(of: played, hasReminders: !policy.isKiosk, at: now) }

    /// nil if nothing plays.
    var panel: PanelContent? {
        let menus = Menus(
            settings: settingsMenu, snapshot: played.snapshot, isLive: played.item?.isLive == true,
            isLinear: playing.isLinear, canNavigate: playing.canNavigate, speed: playing.speed, delays: delays,
            signal: parts.preferences.signal)
        return PanelContent(played, broadcast: broadcast, isLinear: playing.isLinear, menus: menus, strings: strings)
    }

    var homeScreen: HomeModel.Context {
        var buttons: [HomeButton] = []
        if hasSearch { buttons.append(.search) }
        if parts.schedule.isReadable { buttons.append(.guide) }
        if isOpenToViewer { buttons.append(.settings) }
        return HomeModel.Context(
            hasVideo: playing.isInCorner, playing: played.item?.title, buttons: buttons,
            grid: grid, browsing: browsing)
    }

    var card: Card.Context {
        Card.Context(
            strings: strings, title: played.item?.title, subtitle: played.item?.subtitle,
            artwork: played.item?.artwork ?? played.item?.poster, isChannel: played.isChannel,
            hasChannels: !browsing.lineup.isEmpty, hasHome: policy.hasHome,
            session: policy.session, nextEpisode: played.item?.nextEpisode != nil,
            secondsToSleep: parts.sleep.secondsLeft(at: now), sleepTitle: parts.sleep.title, isOffline: parts.home.isOffline,
            grid: grid, now: now)
    }

    /// The screen saver after a number of moves: the time of day, and the pictures of Home, one after the other.
    func screenSaver(moves: Int) -> ScreenSaverView {
        let content = parts.home.content
        let pictures = content.rows.flatMap(\.entries).filter { !$0.isLocked }.compactMap(\.artwork)
        let places = Metrics.ScreenSaver.places
        return ScreenSaverView(
            artwork: pictures.isEmpty ? nil : pictures[moves % pictures.count],
            clock: parts.schedule.timeOfDay(at: now).map { strings.timeOfDay(Int64($0)) }, hint: strings.text(.anyKeyForHome),
            frame: places[moves % places.count])
    }
}
