import LinuxSupport
import MediaModel
import Screens
import Viewing

/// The data that the pages and the banner show: entries, guide, and texts.
struct BrowsingContext: Sendable {
    let content: HomeContent
    /// All channels, ordered by number, each number once.
    let channels: [HomeContent.Entry]
    /// The same as the viewer wants them, without those that are hidden.
    let lineup: [HomeContent.Entry]
    /// The channel or item that plays or is being opened.
    let playing: String?
    private let played: PlayedItem
    var schedule: Schedule
    let now: HostTime
    let strings: StringCatalogue
    /// The newest first.
    let recentSearches: [String]
    /// For pages where letters are typed; nil if no phone reaches the box.
    let phoneCode: PhoneCode?
    /// Whether the viewer can be reminded of programmes: the viewers of a kiosk are strangers to one another.
    let hasReminders: Bool
    /// Whether there is no network, so that only what is on the box plays.
    let isOffline: Bool
    /// The arrangement of rows of posters.
    let grid: Metrics.Home.Grid

    init(
        home: HomeModel, playing: String?, played: PlayedItem = PlayedItem(), schedule: Schedule, now: HostTime,
        strings: StringCatalogue,
        recentSearches: [String] = [], phoneCode: PhoneCode? = nil,
        hasReminders: Bool = true, grid: Metrics.Home.Grid = .standard
    ) {
        content = home.content
        channels = home.channels
        lineup = home.lineup
        isOffline = home.isOffline
        self.playing = playing
        self.played = played
        self.schedule = schedule
        self.now = now
        self.strings = strings
        self.recentSearches = recentSearches
        self.phoneCode = phoneCode
        self.hasReminders = hasReminders
        self.grid = grid
    }

    /// A channel of the guide as something to tune to.
    func channel(_ id: String) -> HomeContent.Entry {
        channels.first { $0.id == id } ?? HomeContent.Entry(id: id, title: schedule.channel(id)?.title ?? id)
    }

    /// What is on the live channel that plays.
    var broadcast: Broadcast? { schedule.broadcast(of: played, hasReminders: hasReminders, at: now) }

    var timeOfDay: Int? { schedule.timeOfDay(at: now) }

    func onNow(_ channel: String) -> GuideContent.Programme? { schedule.programme(on: channel, at: now) }

    /// The next programme of a channel: "Next: 20:40 The Long Pier".
    func next(on channel: String) -> String? {
        schedule.next(on: channel, at: now).map { strings.text(.upNextAt, strings.timeOfDay(Int64($0.start)), $0.title) }
    }

    func progress(of programme: GuideContent.Programme) -> Int? { schedule.progress(of: programme, at: now) }
}
