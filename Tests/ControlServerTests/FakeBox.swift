import BoxModel
import LinuxSupport
import MediaModel
import StatusModel

@testable import ControlServer

/// A fake box that records requests and shows the test's screen.
@MainActor
final class FakeBox: CommandDoor, StatusPublishing, DownloadDoor, PhoneDoor {
    var events: [RemoteEvent] = []
    var commands: [RemoteCommand] = []
    var origins: [String] = []
    var answer = CommandResult.success
    var nowPlaying = NowPlaying(state: .home, hostTime: .zero)
    var lines: [String] = []
    var playbackLogs = (access: "", errors: "")
    /// The id of the only playback.
    var session = "A-1"
    var feedStatus = FeedStatus()
    var health = BoxHealth()
    var room = RoomState()
    var metrics: [MetricFamily] = []
    let statusEvents = EventSource<StatusEvent>()
    var statuses: [DownloadStatus] = []
    var freeBytes: Int64?
    var trouble: StorageTrouble?
    /// Whether it stores programmes.
    var stores = true
    /// The orders about downloads: `add film required`.
    var downloadOrders: [String] = []
    /// The entries of each list.
    var entries: [LibraryPage.Entry] = []
    var queries: [LibraryQuery] = []
    /// Serial of the picture on the screen; nil when it cannot be read.
    var screen: UInt64? = 1
    /// How often the screen was read.
    var reads = 0
    /// Called before each read, so that a test can change the screen during a watch.
    var onRead: (FakeBox) -> Void = { _ in }
    /// Called with each event of a key.
    var onEvent: (RemoteEvent) -> Void = { _ in }
    /// Whether the display never answers, like one that was stopped.
    var isDeaf = false

    var boxDescription: BoxDescription?
    /// The errors of playbacks, newest first.
    var faults: [PlaybackFault] = []
    var rows: [HomeRow] = []
    var homeQueries: [HomeQuery] = []
    /// Ids of what has a picture.
    var pictured: Set<String> = []
    /// Requests for pictures that are not answered yet, if the test answers them.
    var heldPictures: [@MainActor () -> Void]?
    /// How many pictures were asked for.
    var pictureRequests = 0

    var asked: AskedText? { didSet { if asked != oldValue { changes.send(()) } } }
    let changes = EventSource<Void>()
    /// What phones have typed.
    var typed: [String] = []
    var typingRefusal: TypingRefusal?
    /// What pairs a phone.
    var secret: String? = "right"

    func type(_ text: String, field: UInt64, serial: UInt64, isPrivate: Bool) -> TypingRefusal? {
        guard typingRefusal == nil else { return typingRefusal }
        typed.append("\(field) \(serial) \(isPrivate ? "private" : "clear") \(text)")
        return nil
    }

    func pair(_ secret: String) -> String? {
        guard secret == self.secret else { return nil }
        self.secret = nil
        return "token-1"
    }

    func home(_ query: HomeQuery) -> [HomeRow] {
        homeQueries.append(query)
        return rows
    }

    var librarySearch: LibrarySearch {
        let entries = entries
        return LibrarySearch { text in entries.filter { $0.title.hasPrefix(text) } }
    }

    func readArtwork(
        of id: String, width: Int, height: Int, _ then: @escaping @MainActor @Sendable (PixelBuffer?) -> Void
    ) {
        pictureRequests += 1
        let pixels =
            pictured.contains(id) ? try? MemoryAllocator().makeBuffer(format: .xrgb8888, width: width, height: height) : nil
        if heldPictures == nil { then(pixels) } else { heldPictures?.append { then(pixels) } }
    }

    func lastErrors(_ count: Int) -> [PlaybackFault] { Array(faults.prefix(count)) }

    func playbackLog(errors: Bool, session: String?) -> LazyText? {
        guard session == nil || session == self.session else { return nil }
        let logs = playbackLogs
        return LazyText { errors ? logs.errors : logs.access }
    }

    var downloadDoor: (any DownloadDoor)? { stores ? self : nil }

    func downloads(_ range: Range<Int>) -> (total: Int, downloads: [DownloadStatus]) {
        (statuses.count, Array(statuses.dropFirst(range.lowerBound).prefix(range.count)))
    }

    func addDownload(_ id: String, isRequired: Bool) -> CommandResult {
        order("add \(id) \(isRequired ? "required" : "optional")")
    }

    func removeDownload(_ id: String) -> CommandResult { order("remove \(id)") }

    func verifyDownload(_ id: String) -> CommandResult { order("verify \(id)") }

    private func order(_ words: String) -> CommandResult {
        downloadOrders.append(words)
        return answer
    }

    func library(_ query: LibraryQuery) -> LibraryPage {
        queries.append(query)
        return LibraryPage(total: entries.count, entries: Array(entries.dropFirst(query.offset).prefix(query.limit)))
    }

    func handle(_ event: RemoteEvent) -> CommandResult {
        events.append(event)
        onEvent(event)
        return answer
    }

    func perform(_ command: RemoteCommand, from origin: String) -> CommandResult {
        commands.append(command)
        origins.append(origin)
        return answer
    }

    func logTail(_ count: Int) -> [String] { Array(lines.suffix(count)) }

    func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) {
        reads += 1
        onRead(self)
        guard !isDeaf else { return }
        guard let screen, let pixels = try? MemoryAllocator().makeBuffer(format: .xrgb8888, width: 2, height: 2) else {
            return then(nil)
        }
        then(ScreenPicture(pixels: pixels, frameTime: nil, time: .zero, serial: screen))
    }

    /// The phases of the events so far, with their keys: `down press`.
    var keys: [String] { events.map { "\($0.key.rawValue) \($0.phase.rawValue)" } }
}
