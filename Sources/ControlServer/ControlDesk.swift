import BoxModel
import LinuxSupport
import MediaModel
import StatusModel

/// Connects requests to the box, on the main actor.
@MainActor
final class ControlDesk {
    /// The live screen.
    let screen: ScreenWatch
    /// The events for clients that wait for them.
    let events: EventDesk
    /// The text that the television asks for.
    let text: TextWatch
    private let door: any CommandDoor
    private let status: any StatusPublishing
    private let phones: (any PhoneDoor)?
    private let keys: HeldKeys
    private let describe: @MainActor () -> NowAnswer
    private let recorder: MetricRecorder

    /// - Parameters:
    ///   - phones: nil where none can be paired.
    ///   - room: what a room sees and hears beside what plays.
    init(
        door: any CommandDoor, status: any StatusPublishing, clock: any HostClock, limits: ControlLimits,
        phones: (any PhoneDoor)? = nil, room: @escaping @MainActor () -> RoomState = { RoomState() }
    ) {
        self.door = door
        self.status = status
        self.phones = phones
        text = TextWatch(phones: phones, limits: limits)
        screen = ScreenWatch(status: status, limits: limits)
        keys = HeldKeys(door: door, clock: clock, timeout: limits.keyTimeout)
        let describe: @MainActor () -> NowAnswer = {
            let snapshot = status.nowPlaying
            return NowAnswer(snapshot, age: clock.now - snapshot.hostTime, room: room())
        }
        self.describe = describe
        recorder = MetricRecorder(status: status, capacity: limits.metricEvents)
        events = EventDesk(status: status, limits: limits, room: room, describe: describe) { FeedAnswer(status.feedStatus) }
    }

    /// What is playing, with the age of that information.
    func now() -> NowAnswer { describe() }

    func feed() -> FeedAnswer { FeedAnswer(status.feedStatus) }

    func health() -> HealthAnswer { HealthAnswer(status.health) }

    func metrics() -> [MetricFamily] { status.metrics + (box?.routeMetrics ?? []) }

    func library(_ query: LibraryQuery) -> LibraryAnswer { LibraryAnswer(status.library(query), of: query) }

    /// The rows of Home, each in part.
    func home(_ query: HomeQuery) -> HomeAnswer { HomeAnswer(status.home(query), of: query) }

    /// Finds entries of the library; it may leave the main actor.
    var librarySearch: LibrarySearch { status.librarySearch }

    /// Calls `then` with the picture of an item, channel or series; with nil if there is none.
    func readArtwork(
        of id: String, width: Int, height: Int, _ then: @escaping @MainActor @Sendable (PixelBuffer?) -> Void
    ) {
        status.readArtwork(of: id, width: width, height: height, then)
    }

    var box: BoxDescription? { status.boxDescription }

    /// The last errors of playbacks, newest first.
    func errors(_ count: Int) -> ErrorsAnswer { ErrorsAnswer(status.lastErrors(count)) }

    /// A part of the list of downloads.
    func downloads(offset: Int, limit: Int) -> DownloadsAnswer {
        DownloadsAnswer(status.downloadDoor, offset: offset, limit: limit)
    }

    func addDownload(_ order: AddDownloadOrder) -> CommandResult {
        status.downloadDoor?.addDownload(order.id, isRequired: order.required ?? false) ?? .failed(.notSupported)
    }

    func removeDownload(_ order: DownloadOrder) -> CommandResult {
        status.downloadDoor?.removeDownload(order.id) ?? .failed(.notSupported)
    }

    func verifyDownload(_ order: DownloadOrder) -> CommandResult {
        status.downloadDoor?.verifyDownload(order.id) ?? .failed(.notSupported)
    }

    /// The last metric events, oldest first.
    var metricEvents: [MetricEvent] { recorder.events }

    /// The last lines of the log.
    func log(_ count: Int) -> LogAnswer { LogAnswer(lines: status.logTail(count)) }

    /// The access (or error) log of playbacks, as text; nil if there is no such session.
    func playbackLog(errors: Bool, session: String?) -> LazyText? { status.playbackLog(errors: errors, session: session) }

    /// A key; without a phase it is pressed and released.
    func key(_ key: RemoteKey, _ phase: KeyPhase?) -> CommandResult {
        phase.map { keys.handle(key, $0) } ?? keys.tap(key)
    }

    /// Types what the television asks for.
    func type(_ order: TextOrder, isPrivate: Bool) -> TypingRefusal? {
        guard let phones else { return .notAsked }
        return phones.type(order.text, field: order.field, serial: order.serial, isPrivate: isPrivate)
    }

    /// - Returns: the token of a phone that is paired by this.
    func pair(_ secret: String) -> String? { phones?.pair(secret) }

    func perform(_ command: RemoteCommand) -> CommandResult { door.perform(command, from: "web").told(of: command) }

    /// Releases all keys and ends all waiting requests.
    func close() {
        keys.releaseAll()
        screen.close()
        text.close()
        events.close()
    }
}
