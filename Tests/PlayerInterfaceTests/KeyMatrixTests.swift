import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// Every key in every state: it is answered once, identically for every origin, and loses nothing.
@Suite struct KeyMatrixTests {
    enum State: String, CaseIterable {
        case home, corner, loading, playing, bar, actionsRow, paused, scrubbing, scanning, linear, live, liveWindow, panel, menu,
            submenu
        case longText, proposal, endCard, errorCard, settings, search, guide, channels, programme, pin, standby, sleepCard
    }

    private func viewer(in state: State) -> Viewer {
        var policy = InterfacePolicy()
        policy.hasPIN = true
        var viewer = Viewer(policy: policy)
        viewer.options = Items.options
        viewer.locked = ["m1"]
        viewer.send(.wallClock(secondsSinceMidnight: 72900))
        viewer.send(.guideChanged(Items.guide))
        viewer.send(.homeChanged(HomeContent(rows: Items.channels.rows + Items.home.rows, searchable: Items.channels.searchable)))
        func play(_ item: ItemPresentation = Items.plain, at place: Int64 = 30) {
            viewer.open(item)
            viewer.run(.milliseconds(200))
            viewer.press(.ok)
            viewer.press(.ok)
            viewer.run(.seconds(6))
            viewer.place(.seconds(place))
            viewer.run(.milliseconds(100))
        }
        switch state {
        case .home: break
        case .corner:
            play()
            viewer.press(.back)
        case .loading: viewer.open(Items.plain)
        case .playing: play()
        case .bar:
            play()
            viewer.press(.up)
        case .actionsRow:
            play()
            for key in [RemoteKey.pause, .up] { viewer.press(key) }
        case .paused:
            play()
            viewer.press(.pause)
        case .scrubbing:
            play()
            for key in [RemoteKey.pause, .right] { viewer.press(key) }
        case .scanning:
            play()
            viewer.press(.ff)
        case .linear: play(Items.episode(), at: 22)
        case .live: play(Items.live())
        case .liveWindow:
            viewer.seekable = [TimeRange(start: .zero, end: .seconds(100))]
            play(Items.live())
        case .panel:
            play()
            viewer.press(.down)
        case .menu:
            play()
            viewer.openTab(.subtitles)
        case .submenu:
            play()
            viewer.openTab(.picture)
            viewer.press(.ok)
        case .longText:
            play()
            for key in [RemoteKey.down, .down, .left, .ok] { viewer.press(key) }
        case .proposal:
            play(Items.episode(interstitials: [], proposal: ProposalTests.offer(at: 90, accepts: -5)), at: 91)
        case .endCard:
            play(at: 109)
            viewer.run(.seconds(2))
        case .errorCard:
            play()
            viewer.failure = MediaError(.sourceMissing, "It is gone.")
            viewer.run(.milliseconds(100))
        case .settings: viewer.press(.menu)
        case .search:
            viewer.press(.up)
            viewer.press(.ok)
        case .guide:
            for key in [RemoteKey.up, .right, .ok] { viewer.press(key) }
        case .channels:
            play(Items.live())
            viewer.press(.up)
        case .programme: for key in [RemoteKey.down, .ok] { viewer.press(key) }
        case .pin:
            viewer.command(.open(id: "m1"))
        case .standby: viewer.press(.power)
        case .sleepCard:
            play()
            viewer.machine.setSleep(.minutes(15))
            viewer.pass(.seconds(14 * 60 + 5))
        }
        viewer.run(.milliseconds(1200))
        return viewer
    }

    @Test func theStatesMatchTheirNames() {
        func context(_ state: State) -> KeyContext { viewer(in: state).machine.stage.context }
        let wanted: [State: KeyContext] = [
            .home: .home, .corner: .home, .playing: .watching, .bar: .watching, .actionsRow: .actionsRow, .paused: .watching,
            .scrubbing: .scrubbing, .scanning: .scanning, .linear: .watching, .live: .watching, .liveWindow: .watching,
            .panel: .panel,
            .menu: .panel, .submenu: .panel, .longText: .longText, .proposal: .proposal, .endCard: .card, .errorCard: .card,
            .settings: .page, .search: .page, .guide: .page, .channels: .page, .programme: .page, .pin: .pin, .standby: .standby,
            .sleepCard: .card,
        ]
        for state in State.allCases where state != .loading { #expect(context(state) == wanted[state], "\(state)") }
    }

    @Test(arguments: State.allCases) func everyKeyIsAnsweredOnceAndTheSameFromEveryDoor(_ state: State) {
        let start = viewer(in: state)
        for key in RemoteKey.allCases {
            var (remote, web, cec) = (start, start, start)
            let pressed = remote.down(key)
            #expect(pressed.count { if case .answer = $0 { true } else { false } } == 1, "\(key) in \(state)")
            let released = remote.up(key)
            let answer = Viewer.answer(in: pressed) == .success ? Viewer.answer(in: released) : Viewer.answer(in: pressed)
            #expect(web.command(.key(key)) == answer, "\(key) in \(state)")
            #expect(web.state == remote.state, "\(key) in \(state)")
            let told = cec.down(key, sendsReleases: false)
            #expect(told.count { if case .answer = $0 { true } else { false } } == 1)
            #expect(Viewer.answer(in: told) == answer, "\(key) in \(state)")
            #expect(cec.state == remote.state, "\(key) in \(state)")
        }
    }

    @Test(arguments: State.allCases) func backLeadsHomeFromEverywhere(_ state: State) {
        var viewer = viewer(in: state)
        for _ in 0..<8 {
            if viewer.state.screen == .home, viewer.state.home != nil, viewer.state.card == nil { break }
            viewer.press(viewer.state.screen == .standby ? .ok : .back)
            viewer.run(.milliseconds(200))
        }
        #expect(viewer.state.screen == .home && viewer.state.home != nil)
    }

    @Test func anOpeningItemCanBePausedAtItsFirstFrame() {
        var viewer = viewer(in: .home)
        viewer.open(Items.plain)
        #expect(viewer.command(.play) == .failed(.notReady))
        #expect(viewer.command(.pause) == .success)
        viewer.run(.seconds(1))
        #expect(!viewer.isPlaying && viewer.state.bar?.glyph == .pause)
        #expect(viewer.press(.ok) == .success)
        #expect(viewer.isPlaying)
    }

    @Test(arguments: [RemoteCommand.play, .togglePlayPause])
    func anOpeningItemThatWasPausedCanBeToldToPlay(_ command: RemoteCommand) {
        var viewer = viewer(in: .home)
        viewer.open(Items.plain)
        #expect(viewer.command(.pause) == .success)
        #expect(viewer.command(command) == .success)
        #expect(viewer.command(command) == .failed(.notReady), "it plays as soon as it can")
        viewer.run(.seconds(1))
        #expect(viewer.isPlaying && viewer.position ?? .zero > .zero)
    }

    @Test func backFromASearchReturnsToItsOrigin() {
        for state in [State.scrubbing, .scanning] {
            var viewer = viewer(in: state)
            let origin = viewer.machine.stage.viewing.seeking.search?.origin
            viewer.effects = []
            viewer.press(.back)
            #expect(viewer.exactSeeks == [origin].compactMap { $0 } && origin != nil)
            #expect(viewer.state.screen == .player)
        }
    }
}
