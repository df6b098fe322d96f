import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Synchronization
import Viewing

/// The sample screens. Each is a state of the interface's machine, reached by events (`SampleBox`); its words are those of the catalogue and of a
/// feed (`SampleFeed`).
enum Samples {
    /// A box that plays the episode at a content time.
    static func watching(
        _ seconds: Int64 = 866, _ settings: ViewerSettings = ViewerSettings(),
        _ adjust: (inout ItemPresentation) -> Void = { _ in }
    ) -> SampleBox {
        var box = SampleBox(settings)
        box.send(.homeChanged(SampleFeed.home))
        box.send(.guideChanged(SampleFeed.guide))
        box.player.options = SampleFeed.options
        box.player.speeds = [Ratio(1, 2), .one, Ratio(5, 4), Ratio(3, 2), Ratio(2, 1)]
        box.play(SampleFeed.episode(adjust), at: SampleFeed.asset(ofContent: seconds))
        return box
    }

    /// The state of such a box after some keys.
    private static func watched(
        _ seconds: Int64 = 866, _ settings: ViewerSettings = ViewerSettings(),
        _ adjust: (inout ItemPresentation) -> Void = { _ in },
        then act: (inout SampleBox) -> Void
    ) -> PresentationState {
        var box = watching(seconds, settings, adjust)
        act(&box)
        return box.state
    }

    static var playing: PresentationState {
        watched { $0.press(.ok, .ok) }
    }

    static var paused: PresentationState { watched { $0.press(.ok) } }

    static var scrubbing: PresentationState {
        watched {
            $0.press(.ok)
            $0.press(.right, times: 61)
        }
    }

    static var scanning: PresentationState {
        watched(90) {
            $0.hold(.right, for: .seconds(1))
            $0.press(.right, .right)
            $0.pass(.seconds(4))
        }
    }

    static var actions: PresentationState { watched { $0.press(.ok, .up) } }

    // MARK: Advertisements

    /// In the second of two advertisements, before it can be skipped.
    private static func inAd(at second: Int64, then act: (inout SampleBox) -> Void = { _ in }) -> PresentationState {
        watched(630, adjust: { $0.watchedInterstitials = ["pre"] }) {
            $0.player.position = .seconds(647 + second)
            $0.tell()
            $0.pass(.milliseconds(400))
            act(&$0)
        }
    }

    private static func watched(
        _ seconds: Int64, adjust: (inout ItemPresentation) -> Void, then act: (inout SampleBox) -> Void
    ) -> PresentationState { watched(seconds, ViewerSettings(), adjust, then: act) }

    static var ad: PresentationState { inAd(at: 8) }

    /// A key is refused.
    static var adWithBar: PresentationState { inAd(at: 8) { $0.press(.ok, .right) } }

    static var skipAd: PresentationState { inAd(at: 14) { $0.pass(.seconds(2)) } }

    static var skipIntro: PresentationState {
        watched(40, adjust: { $0.markers = [SampleFeed.intro] + $0.markers }) { $0.pass(.seconds(2)) }
    }

    // MARK: Live

    /// A box that plays the first channel.
    ///
    /// - Parameters:
    ///   - window: the seconds in which a viewer can go back.
    ///   - behind: the seconds behind the live edge.
    static func channel(
        window: Int64 = 0, behind: Int64 = 0, _ adjust: (inout InterfacePolicy) -> Void = { _ in }
    ) -> SampleBox {
        var box = SampleBox(ViewerSettings(), adjust)
        box.send(.homeChanged(SampleFeed.home))
        box.send(.guideChanged(SampleFeed.guide))
        if window > 0 { box.player.seekableRanges = [TimeRange(start: .seconds(7200 - window), duration: .seconds(window))] }
        box.play(SampleFeed.channel, at: .seconds(7200 - behind))
        return box
    }

    static var live: PresentationState {
        var box = channel()
        box.press(.ok)
        return box.state
    }

    // MARK: The panel

    static let summaryEnglish = """
        Ada keeps the light burning while her father is at sea. When the glass falls and the harbour master's boat does not come \
        home, she has to choose between the lamp and the lifeboat. Old Tobias knows more about the night of the wreck than he has \
        ever told, and the stranger at the inn has begun to ask the right questions. A film about weather, and about those who \
        stay awake in it.
        """

    static var summary: String { s(summaryEnglish) }

    static var infoPanel: PresentationState { watched { $0.press(.down) } }

    static var infoSummary: PresentationState {
        watched {
            $0.openPanel(.info)
            $0.press($0.backward)
        }
    }

    static var infoAction: PresentationState { watched { $0.openPanel(.info) } }

    /// An episode that another one follows, which has focus.
    static var infoNext: PresentationState {
        watched(866, adjust: { $0.nextEpisode = SampleFeed.home.rows[0].entries[1] }) { $0.openPanel(.info) }
    }

    static var wholeSummary: PresentationState {
        watched {
            $0.openPanel(.info)
            $0.press($0.backward, .ok)
        }
    }

    static var chapters: PresentationState {
        watched {
            $0.openPanel(.chapters)
            $0.press($0.forward)
        }
    }

    // MARK: The end of an item

    /// - Parameter seconds: until the proposal is accepted, at most 15.
    static func proposal(
        _ place: ProposalPresentation.VideoPlace = .preferred, seconds: Int64 = 12, isPlain: Bool = false,
        then act: (inout SampleBox) -> Void = { _ in }
    ) -> PresentationState {
        var box = watching(2400, ViewerSettings()) { $0.proposal = SampleFeed.proposal(place, isPlain: isPlain) }
        box.player.position = .seconds(2545)
        box.tell()
        box.pass(.seconds(15 - seconds))
        act(&box)
        return box.state
    }

    private static func ended(
        _ adjust: (inout ItemPresentation) -> Void = { _ in }, then act: (inout SampleBox) -> Void
    ) -> PresentationState {
        watched(2500, adjust: adjust) {
            $0.player.position = .seconds(2605)
            $0.player.state = .ended
            $0.tell()
            act(&$0)
        }
    }

    static var endCard: PresentationState { ended { _ in } }
    /// The end of an episode that another one follows.
    static var endNext: PresentationState { ended({ $0.nextEpisode = SampleFeed.home.rows[0].entries[1] }) { _ in } }
    /// With focus on the second of what is like it.
    static var endRelated: PresentationState { ended { $0.press(.down, $0.forward) } }

    /// An item that cannot be played.
    ///
    /// - Parameter isInQueue: whether another one follows.
    static func error(isInQueue: Bool) -> PresentationState {
        watched(866, adjust: { $0.isInQueue = isInQueue }) {
            $0.player.state = .failed(MediaError(.sourceMissing, "HTTP 404"))
            $0.tell()
            $0.pass(.seconds(1))
        }
    }

    /// A live channel whose server fails: it leads to the others.
    static var errorChannel: PresentationState {
        var box = channel()
        box.player.state = .failed(.loading("https://cdn.example/1.m3u8", failed: .status(503)))
        box.tell()
        box.pass(.seconds(1))
        return box.state
    }

    /// The queue goes on by itself.
    static var errorCard: PresentationState { error(isInQueue: true) }

    // MARK: Waits

    private static func opened(_ item: ItemPresentation, for length: Duration, key: RemoteKey? = nil) -> PresentationState {
        var box = SampleBox()
        box.send(.homeChanged(SampleFeed.home))
        box.open(item)
        if let key { box.press(key) }
        box.pass(length)
        return box.state
    }

    static var slowCard: PresentationState { opened(SampleFeed.episode(), for: .seconds(23)) }

    static var loading: PresentationState { opened(SampleFeed.episode(), for: .seconds(3), key: .up) }

    static var buffering: PresentationState {
        watched {
            $0.isStalled = true
            $0.player.state = .waiting
            $0.tell()
            $0.pass(.seconds(9))
        }
    }

    /// A channel without a picture of its own.
    static var untitledPoster: PresentationState {
        var box = SampleBox()
        box.send(.homeChanged(SampleFeed.home))
        box.press(.down, .ok)
        box.pass(.seconds(1))
        return box.state
    }

    // MARK: Music

    private static func music(for length: Duration, key: RemoteKey? = nil) -> PresentationState {
        var box = SampleBox()
        box.player.hasVideo = false
        box.play(SampleFeed.music, at: .seconds(866))
        box.pass(length)
        if let key { box.press(key, key) }
        return box.state
    }

    static var music: PresentationState { music(for: .seconds(5), key: .ok) }

    static var musicAlone: PresentationState { music(for: .seconds(5)) }

    /// Moved, so that it does not stay in one place.
    static var audioOnly: PresentationState { music(for: .seconds(65)) }

    // MARK: Home

    /// Home, with focus on an entry.
    ///
    /// - Parameters:
    ///   - firstColumn: the first visible entry.
    ///   - corner: whether the episode plays in the corner.
    static func homeBox(
        row: Int = 0, column: Int = 1, firstColumn: Int = 0, corner: Bool = true,
        _ adjust: (inout HomeContent) -> Void = { _ in }
    ) -> SampleBox {
        var content = SampleFeed.home
        adjust(&content)
        var box = corner ? watching() : SampleBox()
        box.send(.homeChanged(content))
        if corner { box.press(.back, .down) } else { box.send(.guideChanged(SampleFeed.guide)) }
        box.press(.down, times: row)
        let grid: Metrics.Home.Grid = hasLargerText ? .larger : .standard
        let last = firstColumn > 0 ? firstColumn + grid.postersPerScreen - 1 : column
        box.press(box.forward, times: last)
        box.press(box.backward, times: last - column)
        return box
    }

    static func home(row: Int = 0, column: Int = 1, firstColumn: Int = 0, corner: Bool = true) -> PresentationState {
        homeBox(row: row, column: column, firstColumn: firstColumn, corner: corner).state
    }

    private static func save(_ content: inout HomeContent) {
        let savings: [HomeContent.Saving?] = [.saving(percent: 64), .saved, nil, .waiting, .saved]
        for (index, saving) in savings.enumerated() {
            content.rows[0].entries[index].saving = saving
            content.rows[0].entries[index].playsOffline = saving == .saved
        }
    }

    /// Without a network: what does not play is dimmed, the badges say what is saved.
    static var offlineHome: PresentationState {
        var box = homeBox(column: 0, corner: false, save)
        box.send(.connectionChanged(isConnected: false))
        return box.state
    }

    static var fullHome: PresentationState {
        homeBox(corner: false) {
            save(&$0)
            $0.storageTrouble = .full
        }.state
    }

    static var emptyHome: PresentationState {
        var box = SampleBox()
        box.send(.homeChanged(HomeContent()))
        return box.state
    }

    // MARK: All

    /// Every screen by its name, in a stable order.
    static var all: [(name: String, state: PresentationState)] {
        let settings = language + (hasLargerText ? " larger" : "")
        if recorder == nil, let made = made.withLock({ $0[settings] }) { return made }
        let all =
            base + pages + more + [
                ("home-offline", offlineHome), ("settings-storage", storage), ("settings-deletion", deletionQuestion),
                ("home-storage", fullHome), ("settings-about", about),
            ] + later
        made.withLock { $0[settings] = all }
        return all
    }

    /// Keeps the boxes of the samples that are made; nil if none is kept.
    @TaskLocal static var recorder: BoxRecorder?

    /// The samples of each language and size of type, which are made once.
    private static let made = Mutex<[String: [(name: String, state: PresentationState)]]>([:])

    private static var base: [(name: String, state: PresentationState)] {
        [
            ("playing", playing), ("paused", paused), ("scrubbing", scrubbing), ("scanning", scanning), ("actions", actions),
            ("ad", ad), ("ad-with-bar", adWithBar), ("skip-intro", skipIntro), ("live", live), ("info", infoPanel),
            ("info-summary", infoSummary), ("info-action", infoAction), ("info-whole", wholeSummary), ("chapters", chapters),
            ("proposal", proposal()), ("proposal-full", proposal(.full)), ("proposal-hidden", proposal(.hidden)),
            ("end", endCard), ("error", errorCard), ("slow", slowCard), ("loading", loading), ("buffering", buffering),
            ("music", music), ("music-alone", musicAlone), ("poster-title", untitledPoster), ("home", home()),
            ("home-scrolled", home(column: 2, firstColumn: 1, corner: false)), ("home-empty", emptyHome),
        ]
    }
}
