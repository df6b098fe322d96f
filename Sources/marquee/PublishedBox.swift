import Appliance
import Housekeeping
import LinuxSupport
import MediaModel
import Playback

/// The status of the box for the local page: what plays by the appliance, feed and health by the housekeeping.
@MainActor
final class PublishedBox: StatusPublishing {
    let statusEvents = EventSource<StatusEvent>()
    private let appliance: Appliance
    /// Nil for a player without housekeeping.
    private var life: BoxLife?
    private var isScreenLost = false
    private var listening: [Subscription] = []

    init(_ box: Box) {
        appliance = box.appliance
        listening.append(appliance.events.listen { [weak self] in self?.take($0) })
    }

    /// Publishes the status of a housekeeping too.
    func add(_ life: BoxLife) {
        self.life = life
        listening.append(life.feedChanges.listen { [weak self] in self?.statusEvents.send(.feed) })
    }

    var nowPlaying: NowPlaying { appliance.nowPlaying }

    var feedStatus: FeedStatus { life?.feedStatus ?? FeedStatus() }

    var health: BoxHealth { BoxHealth(faults: (isScreenLost ? [.screenLost] : []) + (life?.faults ?? [])) }

    var metrics: [MetricFamily] { life?.makeReport().metrics ?? [] }

    var downloadDoor: (any DownloadDoor)? { life?.downloadDoor }

    func library(_ query: LibraryQuery) -> LibraryPage { appliance.library(query) }

    func logTail(_ count: Int) -> [String] { appliance.logTail(count) }

    func playbackLog(errors: Bool, session: String?) -> String? { appliance.playbackLog(errors: errors, session: session) }

    func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) { appliance.readScreen(then) }

    private func take(_ event: Appliance.Event) {
        switch event {
        case .presentationChanged, .programmeChanged, .standby, .outcome: statusEvents.send(.nowPlaying)
        case .factoryResetAsked: break
        case .player(let event): take(event)
        }
    }

    private func take(_ event: PlayerEvent) {
        switch event {
        case .frame, .position, .audioRun, .captions: break
        case .newErrorLogEntry(let entry):
            statusEvents.send(
                .error(
                    PlaybackFault(
                        code: entry.errorDomain, sentence: entry.errorComment, session: entry.playbackSessionID,
                        isFatal: entry.isFatal)))
        case .metric(let event): statusEvents.send(.metric(event))
        case .display(let mode):
            isScreenLost = mode == nil
            statusEvents.send(.nowPlaying)
        default: statusEvents.send(.nowPlaying)
        }
    }
}
