import BoxModel
import LinuxSupport
import MediaModel
import MediaTime

/// The status that the box publishes for programs and people on other machines. Main loop only; every call returns at once.
@MainActor
package protocol StatusPublishing: AnyObject {
    var nowPlaying: NowPlaying { get }
    /// The feed in use, and what the last check of one said.
    var feedStatus: FeedStatus { get }
    var health: BoxHealth { get }
    /// What the box counts and measures. Counters only grow while the process lives.
    var metrics: [MetricFamily] { get }
    /// Nil for a box that stores nothing.
    var downloadDoor: (any DownloadDoor)? { get }
    /// Sent when something above may have changed, and when an error occurred.
    var statusEvents: EventSource<StatusEvent> { get }
    /// Nil for a player without housekeeping.
    var boxDescription: BoxDescription? { get }
    /// The rows of Home, each in part.
    func home(_ query: HomeQuery) -> [HomeRow]
    /// Finds entries among what can be opened now.
    var librarySearch: LibrarySearch { get }
    /// The picture of an item, channel or series, scaled so that it covers a rectangle of pixels. `then` is called once; with nil if there is
    /// none, or it cannot be loaded.
    func readArtwork(
        of id: String, width: Int, height: Int, _ then: @escaping @MainActor @Sendable (PixelBuffer?) -> Void)
    /// The last errors of playbacks since the box started, newest first.
    func lastErrors(_ count: Int) -> [PlaybackFault]
    /// A part of what can be opened now.
    func library(_ query: LibraryQuery) -> LibraryPage
    /// The last lines of the log, oldest first.
    func logTail(_ count: Int) -> [String]
    /// The access (or error) log of all playbacks since the box started, including the current one, in the W3C Extended Log File
    /// Format.
    ///
    /// - Parameter session: only this playback, by its id or by the short form on error cards; nil for all.
    /// - Returns: nil if there is no playback with this id any more.
    func playbackLog(errors: Bool, session: String?) -> LazyText?
    /// The picture on the screen as composed now; nil when it cannot be read.
    func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void)
}

/// A change of the published status.
package enum StatusEvent: Sendable, Equatable {
    /// `nowPlaying` may be different, apart from its times.
    case nowPlaying
    /// `feedStatus` may be different.
    case feed
    /// An error of a playback, also one after which it continued.
    case error(PlaybackFault)
    /// A measurement of a playback.
    case metric(MetricEvent)
    /// An interstitial or a proposal, and what comes of it; a date range or metadata of the stream.
    case viewing(ViewingReport)
}

/// An error of a playback, for clients.
package struct PlaybackFault: Sendable, Equatable {
    /// The code that viewers see, such as `SRC-404`.
    package var code: String
    /// One sentence, without secrets.
    package var sentence: String?
    /// The playback in whose logs it is.
    package var session: String?
    /// Whether it ended the playback.
    package var isFatal: Bool
    /// Nanoseconds since the start of 1970, UTC; nil while the box has no trusted date.
    package var date: Int64?

    package init(code: String, sentence: String?, session: String?, isFatal: Bool, date: Int64? = nil) {
        self.code = code
        self.sentence = sentence
        self.session = session
        self.isFatal = isFatal
        self.date = date
    }
}

/// What is playing, for clients: a snapshot that is renewed only when something changes. Clients extrapolate with `rate`.
package struct NowPlaying: Sendable, Equatable {
    /// The state of the box.
    package enum State: String, Sendable, CaseIterable { case standby, home, loading, playing, paused, buffering, ended, failed }
    /// One kind of media of which something is selected.
    package struct Selection: Sendable, Equatable {
        /// An option that can be selected.
        package struct Option: Sendable, Equatable {
            package var id: String
            /// BCP 47; nil if it is not known.
            package var language: String?
            package var name: String?

            package init(id: String, language: String?, name: String?) {
                self.id = id
                self.language = language
                self.name = name
            }
        }
        /// `audible`, `legible` or `visual`.
        package var characteristic: String
        package var options: [Option]
        /// The id of the selected option; nil for none.
        package var selected: String?

        package init(characteristic: String, options: [Option], selected: String?) {
            self.characteristic = characteristic
            self.options = options
            self.selected = selected
        }
    }
    package var state: State
    /// Whether nothing of the box can be seen: in standby, without a television, or while it shows another input.
    package var isScreenOff = false
    /// Id of the item or channel.
    package var id: String?
    package var title: String?
    package var subtitle: String?
    /// The address of its picture, without secrets; nil if it has none that other machines can load.
    package var artworkURL: String?
    /// Content time at `hostTime`.
    package var elapsed: MediaTime?
    /// Total content time.
    package var duration: MediaTime?
    /// Asset time at `hostTime`.
    package var assetTime: MediaTime?
    /// The date that the stream gives the position: nanoseconds since the start of 1970, UTC.
    package var date: Int64?
    /// Whether it is a live stream.
    package var isLive = false
    /// The current rate.
    package var rate = Ratio.zero
    /// The label above the bar in an interstitial, e.g. `Ad 1 of 2 · 0:12`.
    package var interstitialLabel: String?
    /// Whether a linear range is playing.
    package var requiresLinearPlayback = false
    /// What can be selected, and what is.
    package var selections: [Selection] = []
    /// The id of the playback, with which its logs are found.
    package var session: String?
    /// The code and sentence on the error card.
    package var error: MediaError?
    /// The instant of the snapshot.
    package var hostTime: HostTime

    package init(state: State, hostTime: HostTime) {
        self.state = state
        self.hostTime = hostTime
    }
}
