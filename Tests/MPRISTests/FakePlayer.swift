import BoxModel
import LinuxSupport
import MediaModel
import StatusModel

/// A box that records commands and says what the test wants.
@MainActor
final class FakePlayer: CommandDoor, StatusPublishing {
    var commands: [RemoteCommand] = []
    var origins: Set<String> = []
    var answer = CommandResult.success
    var nowPlaying = NowPlaying(state: .home, hostTime: .zero)
    let statusEvents = EventSource<StatusEvent>()
    let feedStatus = FeedStatus()
    let health = BoxHealth()
    let metrics: [MetricFamily] = []
    let downloadDoor: (any DownloadDoor)? = nil

    func handle(_ event: RemoteEvent) -> CommandResult { answer }

    func perform(_ command: RemoteCommand, from origin: String) -> CommandResult {
        commands.append(command)
        origins.insert(origin)
        return answer
    }

    func library(_ query: LibraryQuery) -> LibraryPage { LibraryPage() }
    func logTail(_ count: Int) -> [String] { [] }
    let boxDescription: BoxDescription? = nil
    let librarySearch = LibrarySearch { _ in [] }

    func home(_ query: HomeQuery) -> [HomeRow] { [] }
    func readArtwork(
        of id: String, width: Int, height: Int, _ then: @escaping @MainActor @Sendable (PixelBuffer?) -> Void
    ) { then(nil) }
    func lastErrors(_ count: Int) -> [PlaybackFault] { [] }
    func playbackLog(errors: Bool, session: String?) -> LazyText? { nil }
    func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) { then(nil) }
}
