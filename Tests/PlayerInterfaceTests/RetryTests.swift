import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// What is wanted and cannot be played is tried again by itself, with words and a countdown.
@Suite struct RetryTests {
    private static let noNetwork = MediaError(.networkDown, "No route.", fault: .unreachable)

    /// A viewer whose item cannot be opened.
    private static func failing(
        _ error: MediaError = noNetwork, _ item: ItemPresentation = Items.plain, policy: InterfacePolicy = InterfacePolicy()
    ) -> Viewer {
        var viewer = Viewer(policy: policy)
        viewer.failsAlways = true
        viewer.open(item)
        viewer.failure = error
        viewer.tell()
        return viewer
    }

    private static func retries(_ viewer: Viewer) -> Int {
        viewer.effects.count { if case .retry = $0 { true } else { false } }
    }

    private static func live(_ change: (inout ItemPresentation) -> Void = { _ in }) -> ItemPresentation {
        ItemPresentation(id: "c1") {
            $0.title = "News"
            $0.isLive = true
            change(&$0)
        }
    }

    @Test("without a connection the card says what can be checked, and does not speak of saved programmes")
    func wordsWithoutConnection() {
        #expect(Self.failing().state.card?.message == "No connection. Check the network cable or the Wi-Fi.")
    }

    @Test("while the clock is not set, a connection that is not secure has words of its own, and is tried again")
    func wordsWithoutClock() {
        let viewer = Self.failing(MediaError(.clockUntrusted, "No date.", fault: .insecure))
        #expect(viewer.state.card?.message == "Setting the clock…" && viewer.state.card?.code == "TIME-BAD")
        #expect(viewer.state.card?.buttons.first?.title == "Try Again (5)")
    }

    @Test func theCardCountsDownToTheNextTry() {
        var viewer = Self.failing()
        #expect(viewer.state.card?.kind == .error)
        #expect(viewer.state.card?.buttons.first?.title == "Try Again (5)")
        viewer.run(.seconds(2))
        #expect(viewer.state.card?.buttons.first?.title == "Try Again (3)")
        #expect(viewer.state.card?.buttons.first?.isFocused == true)
        viewer.run(.milliseconds(3100))
        #expect(Self.retries(viewer) == 1)
    }

    @Test func theTriesBecomeFewerButNeverEnd() {
        var viewer = Self.failing()
        viewer.run(.seconds(36))
        #expect(Self.retries(viewer) == 3, "after 5, 10 and 20 seconds")
        viewer.effects = []
        viewer.run(.seconds(3600))
        #expect((178...181).contains(Self.retries(viewer)), "every 20 seconds")
        #expect(viewer.state.screenSaver != nil, "also under the screen saver")
        viewer.press(.up)
        #expect(viewer.state.card?.buttons.first?.title.hasPrefix("Try Again (") == true)
        viewer.failsAlways = false
        viewer.run(.seconds(21))
        #expect(viewer.state.card == nil)
        #expect(viewer.position != nil)
        viewer.failure = Self.noNetwork
        viewer.run(.milliseconds(100))
        #expect(viewer.state.card?.buttons.first?.title == "Try Again (5)", "it played, so the first delay is short again")
    }

    @Test("a try that waits ten seconds for a server shortens the pause after it: tries begin every 20 seconds")
    func timeOfATryCounts() {
        var viewer = Self.failing()
        viewer.run(.seconds(36))
        #expect(Self.retries(viewer) == 3, "after 5, 10 and 20 seconds")
        viewer.failsAlways = false
        viewer.isStalled = true
        viewer.run(.seconds(20))
        viewer.effects = []
        for _ in 0..<5 {
            viewer.run(.seconds(10))
            viewer.failure = Self.noNetwork
            viewer.run(.seconds(10))
        }
        #expect(Self.retries(viewer) == 5, "every 20 seconds")
    }

    @Test func theTriesEndWhenTheViewerLeaves() {
        var viewer = Self.failing()
        viewer.press(.back)
        #expect(viewer.state.screen == .home)
        viewer.effects = []
        viewer.run(.seconds(60))
        #expect(Self.retries(viewer) == 0)
    }

    @Test func theNetworkThatReturnsEndsTheWait() {
        var viewer = Self.failing()
        viewer.failsAlways = false
        viewer.run(.seconds(1))
        viewer.send(.connectionChanged(isConnected: true))
        #expect(Self.retries(viewer) == 1)
        viewer.run(.seconds(1))
        #expect(viewer.state.card == nil && viewer.position != nil)
        viewer.effects = []
        viewer.send(.connectionChanged(isConnected: true))
        #expect(Self.retries(viewer) == 0, "nothing waits")
    }

    @Test func aRetryOfAPausedItemLeavesItPaused() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.pause)
        viewer.failure = Self.noNetwork
        viewer.run(.seconds(6))
        #expect(Self.retries(viewer) == 1)
        #expect(!viewer.isPlaying && viewer.state.card == nil)
        viewer.failure = Self.noNetwork
        viewer.run(.milliseconds(100))
        viewer.press(.ok)
        viewer.run(.seconds(1))
        #expect(viewer.isPlaying, "the viewer has asked for it")
    }

    @Test func aLiveItemIsTriedAgainAtItsEdge() {
        var viewer = Self.failing(MediaError(.sourceFormat, "A half-written playlist."), Self.live())
        viewer.run(.seconds(6))
        #expect(viewer.effects.contains(.retry(at: nil)))
    }

    @Test func whatNoRetryCanMendIsOnlyRetriedInAKiosk() {
        let error = MediaError(.decoderUnsupported, "No decoder.")
        var viewer = Self.failing(error)
        viewer.run(.seconds(60))
        #expect(Self.retries(viewer) == 0)
        #expect(viewer.state.card?.buttons.map(\.title) == ["Try Again", "Home"])
        var kiosk = Self.failing(error, policy: InterfacePolicy(isKiosk: true))
        kiosk.run(.seconds(6))
        #expect(Self.retries(kiosk) == 1)
    }

    /// The code and the words of each cause, for a programme and for a channel.
    struct Cause: Sendable {
        let code: String
        let programme: String
        let channel: String
    }

    private static let denied = Cause(
        code: "SRC-DENIED", programme: "The provider doesn’t allow this box to play this programme.",
        channel: "The provider doesn’t allow this box to play this channel.")
    private static let missing = Cause(
        code: "SRC-404", programme: "This programme isn’t available right now.",
        channel: "This channel isn’t available right now.")
    private static let server = Cause(
        code: "SRC-SERVER", programme: "The provider’s server has a problem.", channel: "The provider’s server has a problem.")
    private static let late = Cause(code: "SRC-TIMEOUT", programme: "Still trying…", channel: "Still trying…")
    private static let network = Cause(
        code: "NET-DOWN", programme: "No connection. Check the network cable or the Wi-Fi.",
        channel: "No connection. Check the network cable or the Wi-Fi.")
    private static let format = Cause(
        code: "SRC-FORMAT", programme: "This box doesn’t support this programme’s format.",
        channel: "This box doesn’t support this channel’s format.")

    private static func cause(of status: Int) -> Cause {
        switch status {
        case 401, 402, 403, 407, 451: denied
        case 404, 410: missing
        case 408, 504: late
        default: server
        }
    }

    private static func expect(_ cause: Cause, of fault: LoadFault) {
        let error = MediaError.loading("https://test/a.m3u8", failed: fault)
        for (item, words) in [(Items.plain, cause.programme), (live(), cause.channel)] {
            let card = failing(error, item).state.card
            #expect(card?.code == cause.code && card?.message == words, "\(fault), \(item.isLive)")
            // A format that is not supported stays so: only a channel is tried again, by its operator's rule.
            let isRetried = cause.code != "SRC-FORMAT" || item.isLive
            #expect(card?.buttons.first?.title == (isRetried ? "Try Again (5)" : "Try Again"))
        }
    }

    @Test func everyStatusOfAServerHasItsCodeAndWords() {
        for status in 400...599 { Self.expect(Self.cause(of: status), of: .status(status)) }
    }

    @Test func everyOtherCauseHasItsCodeAndWords() {
        for fault in [LoadFault.unresolved, .unreachable, .broken] { Self.expect(Self.network, of: fault) }
        for fault in [LoadFault.noFirstByte, .stalled, .overdue] { Self.expect(Self.late, of: fault) }
        for fault in [LoadFault.tooLong, .refused, .unreadable] { Self.expect(Self.format, of: fault) }
        Self.expect(Self.server, of: .insecure)
    }

    private static func failingChannel() -> Viewer {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.channels))
        viewer.failsAlways = true
        viewer.open(live())
        viewer.failure = .loading("https://test/a.m3u8", failed: .status(503))
        viewer.tell()
        return viewer
    }

    @Test func aListThatIsLeftOpenDoesNotEndTheTries() {
        var viewer = Self.failingChannel()
        viewer.press(.right)
        viewer.press(.ok)
        viewer.run(.seconds(302))
        viewer.effects = []
        viewer.run(.seconds(21))
        #expect(Self.retries(viewer) > 0, "under the screen saver too")
        viewer.press(.ok)
        #expect(viewer.state.channelList == nil && viewer.state.card?.kind == .error, "the list has made way")
    }

    @Test func aChannelThatFailsLeadsToTheOthers() {
        var viewer = Self.failingChannel()
        #expect(viewer.state.card?.buttons.map(\.title) == ["Try Again (5)", "Channels", "Home"])
        viewer.press(.right)
        viewer.press(.ok)
        #expect(viewer.state.channelList != nil && viewer.state.card == nil)
        viewer.press(.back)
        #expect(viewer.state.channelList == nil && viewer.state.card?.kind == .error, "nothing stands without words")
        viewer.press(.back)
        #expect(viewer.state.screen == .home)
    }

    @Test("tries of a server that does not answer are told on one card, without a spinner between them")
    func oneWayOfWaiting() {
        var viewer = Self.failing()
        viewer.press(.right)
        viewer.failsAlways = false
        viewer.isStalled = true
        for _ in 0..<3 {
            for _ in 0..<20 {
                viewer.run(.seconds(1))
                #expect(viewer.state.card?.kind == .error && viewer.state.spinner == nil)
            }
            viewer.failure = Self.noNetwork
            viewer.run(.milliseconds(100))
            #expect(viewer.state.card?.buttons.last?.isFocused == true, "focus stays")
        }
        viewer.isStalled = false
        viewer.run(.seconds(21))
        #expect(viewer.state.card == nil && viewer.position != nil)
    }

    @Test func aChannelInTheCornerIsCalledOne() {
        var corner = Viewer()
        corner.send(.homeChanged(Items.home))
        corner.open(Self.live())
        corner.run(.seconds(1))
        corner.press(.home)
        corner.failure = MediaError(.sourceTimeout, "No answer.", fault: .noFirstByte)
        corner.run(.milliseconds(100))
        #expect(corner.state.toast == Self.missing.channel)
    }

    @Test func nothingSaysStillTryingUnlessItIs() {
        let late = MediaError(.sourceTimeout, "No answer.", fault: .noFirstByte)
        var queue = Self.failing(late, Items.episode(interstitials: [], isInQueue: true))
        queue.run(.seconds(1))
        #expect(queue.state.card?.message == "This programme isn’t available right now.")
        #expect(queue.state.card?.countdown == "Next programme in 4 s")
        var corner = Viewer(watching: Items.plain, at: 30)
        corner.send(.homeChanged(Items.home))
        corner.press(.home)
        #expect(corner.state.screen == .home)
        corner.failure = late
        corner.run(.milliseconds(100))
        #expect(corner.state.toast == "This programme isn’t available right now.")
    }
}
