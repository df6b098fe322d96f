import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

@Suite struct HomeTests {
    private func atHome() -> Viewer {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.home))
        return viewer
    }

    @Test func anEmptyHomeHasAMessage() {
        var viewer = Viewer()
        #expect(viewer.state.screen == .home)
        #expect(viewer.state.home?.emptyMessage == "Loading…")
        viewer.send(.homeChanged(HomeContent()))
        #expect(viewer.state.home?.emptyMessage == "No channels yet. They appear here once set up.")
        #expect(viewer.state.home?.buttons == [ButtonView(title: "Settings", isFocused: true)])
    }

    @Test func emptyRowsAreHidden() {
        #expect(atHome().state.home?.content.rows.map(\.id) == ["new", "live"])
    }

    @Test func arrowsMoveAndARowRemembersItsPlace() {
        var viewer = atHome()
        viewer.press(.right)
        viewer.press(.right)
        #expect(viewer.press(.right) == .failed(.noChange))
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 2))
        viewer.press(.down)
        #expect(viewer.state.home?.focus == .entry(row: 1, column: 0))
        viewer.press(.up)
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 2))
    }

    @Test(arguments: [RemoteKey.play, .playpause]) func playOpensAtOnceWithThePosterOfTheChoice(_ key: RemoteKey) {
        var viewer = atHome()
        viewer.press(.right)
        viewer.press(key)
        #expect(viewer.effects.contains(.open(id: "e2")))
        #expect(viewer.state.screen == .player)
        #expect(viewer.state.poster?.title == "Second")
        viewer.run(.seconds(1))
        #expect(viewer.state.spinner != nil)
        viewer.press(.back)
        #expect(viewer.state.screen == .home)
        #expect(viewer.effects.contains(.leavePlayer))
    }

    @Test func focusStaysOnItsEntryWhenTheRowsChange() {
        var viewer = atHome()
        viewer.press(.right)
        var changed = Items.home
        changed.rows[0].entries.insert(.init(id: "e0", title: "Nought"), at: 0)
        viewer.send(.homeChanged(changed))
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 2))
    }

    @Test func focusIsAlwaysOnTheScreen() {
        var viewer = Viewer()
        let rows = (0..<8).map { row in
            HomeContent.Row(id: "r\(row)", title: "\(row)", entries: (0..<12).map { .init(id: "\(row)-\($0)", title: "x") })
        }
        viewer.send(.homeChanged(HomeContent(rows: rows)))
        var random = SeededRandom(seed: 7)
        for _ in 0..<400 {
            viewer.press([RemoteKey.up, .down, .left, .right][random.next(upTo: 4)])
            if case .button(let index) = viewer.state.home?.focus {
                #expect(viewer.state.home?.buttons.indices.contains(index) == true)
                continue
            }
            guard let home = viewer.state.home, case .entry(let row, let column) = home.focus else {
                Issue.record("focus is lost")
                return
            }
            #expect((home.firstRow..<home.firstRow + home.grid.rowsPerScreen).contains(row))
            #expect((home.firstColumns[row]..<home.firstColumns[row] + home.grid.postersPerScreen).contains(column))
        }
    }

    @Test func largerTextHasFewerPostersAndFocusStaysOnTheScreen() throws {
        var viewer = Viewer()
        let rows = (0..<3).map { row in
            HomeContent.Row(id: "r\(row)", title: "\(row)", entries: (0..<12).map { .init(id: "\(row)-\($0)", title: "x") })
        }
        viewer.send(.homeChanged(HomeContent(rows: rows)))
        for key in [RemoteKey.right, .right, .right, .right, .down] { viewer.press(key) }
        #expect(viewer.state.home?.firstRow == 0 && viewer.state.home?.firstColumns == [0, 0, 0])
        var settings = viewer.machine.settings
        settings[.largerText] = true
        viewer.send(.settingsRestored(settings))
        let home = try #require(viewer.state.home)
        #expect(home.grid == .larger && home.grid.postersPerScreen < Metrics.Home.Grid.standard.postersPerScreen)
        #expect(home.focus == .entry(row: 1, column: 0) && home.firstRow == 1, "one row is whole")
        #expect(home.firstColumns == [1, 0, 0], "the entry that had focus in the first row stays on the screen")
        settings[.largerText] = false
        viewer.send(.settingsRestored(settings))
        #expect(viewer.state.home?.grid == .standard && viewer.state.home?.focus == .entry(row: 1, column: 0))
    }

    @Test func theClockOfHomeChangesEachMinute() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.home))
        #expect(viewer.state.home?.clock == nil, "the time is not known yet")
        viewer.send(.wallClock(secondsSinceMidnight: 72_050))
        #expect(viewer.state.home?.clock == "20:00")
        viewer.run(.seconds(9))
        #expect(viewer.state.home?.clock == "20:00")
        viewer.run(.seconds(2))
        #expect(viewer.state.home?.clock == "20:01")
    }

    @Test func channelsSayWhatIsOnAndLockedOnesDoNotSayWhatItIsAbout() {
        var viewer = Viewer()
        let programme = GuideContent.Programme(title: "Film", summary: "A crime.", start: 72_000, end: 73_800)
        let entries = [false, true].map { HomeContent.Entry(id: "c\($0)", title: "Channel", number: $0 ? 2 : 1, isLocked: $0) }
        viewer.send(.wallClock(secondsSinceMidnight: 72_050))
        viewer.send(.homeChanged(HomeContent(rows: [.init(id: "r", title: "Channels", entries: entries, style: .channels)])))
        viewer.send(
            .guideChanged(
                GuideContent(
                    channels: entries.map { .init(id: $0.id, number: $0.number, title: $0.title, programmes: [programme]) })))
        let shown = viewer.state.home?.content.rows.first?.entries
        #expect(shown?.map(\.subtitle) == ["Film", "Film"] && shown?.map(\.facts) == [["20:00–20:30"], ["20:00–20:30"]])
        #expect(shown?.map(\.summary) == ["A crime.", nil])
    }

    // MARK: the corner

    @Test func okOnTheCornerComesBackExactlyAsItWas() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.send(.homeChanged(Items.home))
        viewer.press(.pause)
        viewer.run(.milliseconds(100))
        let place = viewer.position
        #expect(viewer.state.home?.playing == nil)
        viewer.press(.back)
        #expect(viewer.state.home?.focus == .video && viewer.state.home?.playing == "Pilot")
        viewer.press(.ok)
        #expect(viewer.state.screen == .player)
        #expect(viewer.position == place)
        #expect(!viewer.isPlaying)
        #expect(viewer.state.video == .full)
    }

    @Test func arrowsOnHomeLeaveTheCornerAlone() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.send(.homeChanged(Items.home))
        viewer.press(.back)
        viewer.effects = []
        for key in [RemoteKey.down, .right, .left, .down, .up, .up] { viewer.press(key) }
        #expect(viewer.exactSeeks.isEmpty)
        #expect(viewer.state.home?.focus == .video)
        viewer.press(.playpause)
        #expect(!viewer.isPlaying)
    }

    @Test func backOnHomeStopsTheCornerWithItsPlaceSaved() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.send(.homeChanged(Items.home))
        viewer.press(.back)
        viewer.run(.seconds(1))
        #expect(viewer.press(.back) == .success)
        #expect(viewer.state.toast == "Press Back again to stop")
        #expect(!viewer.effects.contains(.leavePlayer) && viewer.isPlaying && viewer.state.home?.focus == .video)
        viewer.press(.back)
        #expect(viewer.effects.contains(.leavePlayer))
        #expect(viewer.savedPlace == .some(SavedPlace(time: viewer.lastShown)))
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 0))
        #expect(viewer.press(.back) == .failed(.notSupported))
    }

    /// The words are true for as long as they are shown.
    @Test func backStopsTheCornerOnlyWhileItIsSaid() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.send(.homeChanged(Items.home))
        viewer.press(.back)
        for _ in 0..<3 {
            viewer.press(.back)
            while viewer.state.toast != nil { viewer.run(.milliseconds(40)) }
        }
        #expect(!viewer.effects.contains(.leavePlayer) && viewer.isPlaying)
        viewer.press(.back, for: .zero)
        viewer.run(Timing.toast - .milliseconds(1))
        #expect(viewer.state.toast != nil)
        viewer.press(.back, for: .zero)
        #expect(viewer.effects.contains(.leavePlayer))
    }

    @Test func adsContinueAndCountInTheCorner() {
        var viewer = Viewer(watching: Items.episode(), at: 18)
        viewer.send(.homeChanged(Items.home))
        viewer.press(.back)
        viewer.run(.seconds(14))
        #expect(viewer.presentations == ["will a1", "did a1 completed"])
    }

    @Test func choosingWhatPlaysInTheCornerComesBackToIt() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.send(.homeChanged(Items.home))
        viewer.press(.back)
        viewer.press(.down)
        viewer.press(.ok)
        viewer.press(.ok)
        #expect(viewer.state.screen == .player && viewer.state.page == nil)
        #expect(!viewer.effects.contains(.open(id: "e1")))
    }

    @Test func theEndInTheCornerLeavesHomeAlone() {
        var viewer = Viewer(watching: Items.plain, at: 105)
        viewer.send(.homeChanged(Items.home))
        viewer.press(.back)
        viewer.run(.seconds(6))
        #expect(viewer.state.screen == .home)
        #expect(viewer.state.video == .hidden)
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 0))
        #expect(viewer.effects.contains(.leavePlayer))
    }

    @Test func theNextOfAQueueStaysInTheCorner() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], isInQueue: true), at: 105)
        viewer.press(.back)
        viewer.run(.seconds(6))
        #expect(viewer.effects.contains(.playNextInQueue))
        viewer.open(Items.plain)
        viewer.run(.seconds(1))
        #expect(viewer.state.screen == .home)
        #expect(viewer.state.video.frame == Metrics.Video.cornerFrame(isRightToLeft: false))
    }

    @Test func commandsOpenByIdOrReportThatThereIsNone() {
        var viewer = atHome()
        #expect(viewer.command(.open(id: "nope")) == .failed(.unknownID))
        #expect(viewer.command(.play) == .failed(.noItem))
        #expect(viewer.command(.open(id: "m1")) == .success)
        #expect(viewer.effects.contains(.open(id: "m1")))
    }

    @Test func toastsGoAfterFourSeconds() {
        var viewer = atHome()
        viewer.send(.toast("Headphones or speaker disconnected."))
        viewer.run(.milliseconds(3900))
        #expect(viewer.state.toast == "Headphones or speaker disconnected.")
        viewer.run(.milliseconds(200))
        #expect(viewer.state.toast == nil)
    }
}

@Suite struct ItemTests {
    @Test func theBoundaryIsGivenAgainOnceTheItemIsOpen() {
        var machine = InterfaceMachine()
        let now = HostTime(nanoseconds: 1)
        let first = machine.handle(
            .itemChanged(Items.episode(resume: SavedPlace(time: .seconds(50), owedInterstitial: "a1"))), at: now)
        #expect(machine.startPlace == .seconds(20))
        #expect(first.contains(.setForwardBoundary(at: .seconds(30))))
        // A player without an item can neither seek nor keep a boundary.
        _ = machine.handle(.seekCompleted(SeekID(1), landed: .zero, finished: false), at: now)
        let opened = machine.handle(.playback(PlaybackSnapshot(state: .playing, position: .seconds(20), rate: .one)), at: now)
        #expect(opened.contains(.setForwardBoundary(at: .seconds(30))))
        #expect(opened.contains { if case .tell(.interstitial(_, .began)) = $0 { true } else { false } })
    }

    @Test func anOpenedItemComesToTheFront() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.back)
        #expect(viewer.state.screen == .home)
        viewer.open(Items.episode())
        #expect(viewer.state.screen == .player)
        #expect(viewer.savedPlace == .some(SavedPlace(time: viewer.lastShown)))
    }

    @Test func othersMayPauseAndPlayToo() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.isPlaying = false
        viewer.run(.milliseconds(100))
        #expect(viewer.state.bar?.glyph == .pause)
        #expect(viewer.press(.playpause) == .success)
        #expect(viewer.isPlaying)
    }

    @Test func anOutdatedStateDoesNotUndoACommand() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.down(.pause)
        viewer.send(.playback(PlaybackSnapshot(state: .playing, position: .seconds(31), rate: .one)))
        #expect(viewer.state.bar?.glyph == .pause)
    }

    // MARK: Without a network

    /// Rows with films that play without a network (saved) and others, as words: "s" and "-".
    private func offline(_ rows: [String], isConnected: Bool = false) -> Viewer {
        var viewer = Viewer()
        let rows = rows.enumerated().map { number, row in
            HomeContent.Row(
                id: "r\(number)", title: "Row \(number)",
                entries: row.enumerated().map { index, mark in
                    HomeContent.Entry(
                        id: "\(number)\(index)", title: "Film \(number)\(index)", saving: mark == "s" ? .saved : nil,
                        playsOffline: mark == "s")
                })
        }
        viewer.send(.homeChanged(HomeContent(rows: rows)))
        viewer.send(.connectionChanged(isConnected: isConnected))
        return viewer
    }

    @Test func withoutANetworkFocusSkipsWhatDoesNotPlay() {
        var viewer = offline(["--s-s", "-----", "s----"])
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 2))
        #expect(viewer.state.home?.notice == "No network. Showing downloaded programmes.")
        #expect(viewer.press(.left) == .failed(.noChange))
        viewer.press(.right)
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 4))
        viewer.press(.down)
        #expect(viewer.state.home?.focus == .entry(row: 2, column: 0))
        viewer.press(.up)
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 4))
        viewer.press(.play)
        #expect(viewer.effects.contains(.open(id: "04")))
    }

    @Test func withoutANetworkAndWithoutSavedProgrammesTheButtonsHaveFocusUntilTheNetworkReturns() {
        var viewer = offline(["---", "--"])
        #expect(viewer.state.home?.focus == .button(0))
        #expect(viewer.state.home?.notice == "No network. Nothing is downloaded on this box.")
        #expect(viewer.press(.down) == .failed(.noChange))
        viewer.send(.connectionChanged(isConnected: true))
        #expect(viewer.state.home?.notice == nil)
        #expect(viewer.state.home?.focus == .button(0), "the viewer has pressed a key")
        viewer.press(.down)
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 0))
        viewer.send(.connectionChanged(isConnected: false))
        #expect(viewer.state.home?.focus == .button(0))
        viewer.send(.connectionChanged(isConnected: true))
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 0))
    }

    @Test func troubleWithTheStorageIsShownUntilItIsOver() {
        var viewer = Viewer()
        var content = Items.home
        content.storageTrouble = .full
        viewer.send(.homeChanged(content))
        #expect(viewer.state.home?.notice == "There’s no space for downloads.")
        viewer.send(.connectionChanged(isConnected: false))
        #expect(viewer.state.home?.notice?.hasPrefix("No network.") == true, "without a network that matters more")
        viewer.send(.connectionChanged(isConnected: true))
        content.storageTrouble = .unusable
        viewer.send(.homeChanged(content))
        #expect(viewer.state.home?.notice == "Downloads don’t work because this box can’t use its storage.")
        viewer.send(.factsChanged(BoxFacts(freeBytes: 0, storageTrouble: .unusable)))
        #expect(viewer.machine.context.settingsMenu.entries(of: .settings(.storage)).map(\.note) == [viewer.state.home?.notice])
        viewer.send(.homeChanged(Items.home))
        #expect(viewer.state.home?.notice == nil)
    }

    @Test func aProgrammeThatIsSavedWhileThereIsNoNetworkCanHaveFocus() {
        var viewer = offline(["--"])
        viewer.send(
            .homeChanged(
                HomeContent(rows: [
                    .init(id: "r0", title: "Row", entries: [.init(id: "00", title: "A", saving: .saved, playsOffline: true)])
                ])))
        viewer.press(.down)
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 0))
    }

    /// No walk through Home focuses what does not play, or gets stuck.
    @Test(arguments: 0..<12) func everyWalkStaysOnWhatPlays(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let rows = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            String((0..<Int.random(in: 1...9, using: &random)).map { _ in Bool.random(using: &random) ? "s" : "-" })
        }
        var viewer = offline(rows)
        for _ in 0..<200 {
            viewer.press([.up, .down, .left, .right].randomElement(using: &random)!)
            guard let home = viewer.state.home else { return }
            if case .entry(let row, let column) = home.focus {
                #expect(home.content.rows[row].entries[column].playsOffline, "\(rows)")
            }
        }
        // Every saved one can be reached: from the top down, then up, each row from its start to its end.
        let saved = Set(viewer.state.home?.content.rows.flatMap(\.entries).filter(\.playsOffline).map(\.id) ?? [])
        var seen: Set<String> = []
        for _ in rows { viewer.press(.up) }
        for key in Array(repeating: RemoteKey.down, count: rows.count) + Array(repeating: .up, count: rows.count) {
            viewer.press(key)
            for _ in 0..<9 { viewer.press(.left) }
            for _ in 0..<9 {
                if let home = viewer.state.home, case .entry(let row, let column) = home.focus {
                    seen.insert(home.content.rows[row].entries[column].id)
                }
                viewer.press(.right)
            }
        }
        #expect(seen == saved, "\(rows)")
    }

    @Test func theVoiceSaysWhatIsSaved() {
        var viewer = offline(["s"], isConnected: true)
        #expect(SpokenFocus(strings: .english).words(for: viewer.state).focus == ["Film 00, 1 of 1", "Downloaded"])
        var content = viewer.state.home!.content
        content.rows[0].entries[0].saving = .saving(percent: 40)
        viewer.send(.homeChanged(content))
        #expect(SpokenFocus(strings: .english).words(for: viewer.state).focus == ["Film 00, 1 of 1", "Downloading, 40%"])
    }
}

/// The ends of rows of posters.
@Suite struct RowEdgeTests {
    private func home(_ language: String = "en") -> Viewer {
        var viewer = Viewer()
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.language", language)])))
        viewer.send(.homeChanged(Items.home))
        return viewer
    }

    @Test(
        "each press at an end of a row is told with its side, and a key that moves or chooses ends that", arguments: ["en", "ar"])
    func ends(_ language: String) {
        var viewer = home(language)
        // The first entry is at the left, in Arabic at the right.
        let (out, into): (RemoteKey, RemoteKey) = language == "en" ? (.left, .right) : (.right, .left)
        #expect(viewer.state.home?.edge == nil)
        for count in 1...2 {
            #expect(viewer.press(out) == .failed(.noChange))
            #expect(viewer.state.home?.edge == RowEdge(isRight: language == "ar", count: count))
        }
        viewer.press(into)
        #expect(viewer.state.home?.edge == nil)
        viewer.press(into)
        viewer.press(into)
        #expect(viewer.state.home?.edge == RowEdge(isRight: language == "en", count: 3))
        viewer.press(.down)
        #expect(viewer.state.home?.edge == nil)
    }

    @Test("a held key stops at the end without a bump")
    func held() {
        var viewer = home()
        viewer.down(.right)
        for _ in 0..<40 {
            viewer.run(.milliseconds(125))
            viewer.send(.key(RemoteEvent(key: .right, phase: .repeat, time: viewer.now, device: "test")))
        }
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 2) && viewer.state.home?.edge == nil)
    }
}
