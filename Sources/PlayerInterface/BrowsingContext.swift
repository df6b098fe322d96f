import LinuxSupport
import MediaModel

/// The data that the pages and the banner show: the entries that can be opened, the guide, and the texts.
struct BrowsingContext: Sendable {
    var content: HomeContent
    /// The channel or item that plays or is being opened.
    var playing: String?
    var schedule: Schedule
    var now: HostTime
    var strings: StringCatalogue

    /// The channels in the order of their numbers, each number once.
    var lineup: [HomeContent.Entry] {
        var seen: Set<Int> = []
        return (content.rows.flatMap(\.entries) + content.searchable).filter {
            $0.number.map { seen.insert($0).inserted } ?? false
        }
        .sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    }

    var timeOfDay: Int? { schedule.timeOfDay(at: now) }

    func onNow(_ channel: String) -> GuideContent.Programme? { schedule.programme(on: channel, at: now) }

    func progress(of programme: GuideContent.Programme) -> Int? { schedule.progress(of: programme, at: now) }
}

extension StringCatalogue {
    /// -1 towards the beginning of a line, 1 towards its end: which of Left and Right that is depends on the language.
    func step(of key: RemoteKey) -> Int { (key == .left) == isRightToLeft ? 1 : -1 }
}
