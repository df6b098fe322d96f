import Appliance
import BoxAssembly
import BoxModel
import Housekeeping
import LinuxSupport
import MediaModel
import Playback
import StatusModel

/// The status of the box for the local page: what plays by the appliance, feed and health by the housekeeping.
@MainActor
final class PublishedBox: StatusPublishing {
    let statusEvents = EventSource<StatusEvent>()
    private let appliance: Appliance
    private weak var box: Box?
    /// Nil for a player without housekeeping.
    private var life: BoxLife?
    private var listening: [Subscription] = []

    init(_ box: Box) {
        appliance = box.appliance
        self.box = box
        listening.append(appliance.events.listen { [weak self] in self?.take($0) })
    }

    /// Publishes the status of a housekeeping too.
    func add(_ life: BoxLife) {
        self.life = life
        listening.append(life.feedChanges.listen { [weak self] in self?.statusEvents.send(.feed) })
    }

    var nowPlaying: NowPlaying { appliance.nowPlaying }

    var feedStatus: FeedStatus { life?.feedStatus ?? FeedStatus() }

    var health: BoxHealth {
        BoxHealth(
            faults: (appliance.isScreenLost ? [.screenLost] : []) + (life?.faults ?? []),
            flips: box?.player.scheduler.flipCount ?? 0, isInStandby: appliance.isInStandby)
    }

    var metrics: [MetricFamily] { life?.makeReport().metrics ?? [] }

    /// Takes a document of settings; see `BoxLife.takeSettings`.
    func takeSettings(_ document: [UInt8], _ signature: [UInt8]) -> String? {
        guard let life else { return "This player takes no settings." }
        return life.takeSettings(document, signature: signature)
    }

    var downloadDoor: (any DownloadDoor)? { life?.downloadDoor }

    var boxDescription: BoxDescription? { life?.description }

    var librarySearch: LibrarySearch { appliance.published.librarySearch }

    func library(_ query: LibraryQuery) -> LibraryPage { appliance.published.library(query) }

    func home(_ query: HomeQuery) -> [HomeRow] { appliance.published.home(query) }

    func readArtwork(
        of id: String, width: Int, height: Int, _ then: @escaping @MainActor @Sendable (PixelBuffer?) -> Void
    ) {
        guard let box, let reference = appliance.published.artwork(of: id) else { return then(nil) }
        box.loadPicture(reference, width: width, height: height, then)
    }

    func lastErrors(_ count: Int) -> [PlaybackFault] { appliance.lastErrors(count) }

    func logTail(_ count: Int) -> [String] { appliance.logTail(count) }

    func playbackLog(errors: Bool, session: String?) -> LazyText? { appliance.playbackLog(errors: errors, session: session) }

    func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) { appliance.readScreen(then) }

    private func take(_ event: Appliance.Event) {
        switch event {
        case .presentationChanged, .programmeChanged, .standby, .outcome: statusEvents.send(.nowPlaying)
        case .asked, .firstRun: break
        case .viewing(let event):
            let now = nowPlaying
            statusEvents.send(
                .viewing(
                    ViewingReport(event: event, item: now.id, session: now.session, date: box?.player.services.wallClock())))
        case .player(let event): take(event)
        }
    }

    private func take(_ event: PlayerEvent) {
        switch event {
        case .frame, .position, .audioRun, .captions: break
        case .newErrorLogEntry(let entry):
            statusEvents.send(.error(PlaybackFault(entry)))
        case .metric(let event): statusEvents.send(.metric(event))
        default: statusEvents.send(.nowPlaying)
        }
    }
}
