import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// Random keys over all pages, from every origin: invariants that hold on every page.
@Suite struct RandomPagesTests {
    private static let six: [RemoteKey] = [.up, .down, .left, .right, .ok, .back]

    private func viewer(_ seed: Int) -> Viewer {
        var policy = InterfacePolicy()
        policy.hasPIN = seed % 2 == 0
        policy.setsPIN = !policy.hasPIN
        policy.lipSyncFilm = "lip-sync"
        policy.hasVoice = true
        var viewer = Viewer(policy: policy)
        viewer.options = Items.options
        viewer.speeds = [Ratio(1, 2), .one, Ratio(2)]
        viewer.locked = ["m1"]
        let series = HomeContent.Entry(id: "series", kind: .series, title: "Series")
        for entry in Items.home.rows[0].entries {
            let others = Items.home.rows[0].entries.filter { $0.id != entry.id } + [series]
            viewer.details[entry.id] = .programme(ProgrammeDetails(entry: entry, resume: .seconds(30), related: others))
        }
        let episodes = (1...3).map {
            SeriesDetails.Episode(entry: HomeContent.Entry(id: "part\($0)", title: "Part \($0)"), number: $0)
        }
        let season = SeriesDetails.Season(title: "Season 1", episodes: episodes)
        viewer.details[series.id] = .series(
            SeriesDetails(
                entry: series, seasons: [season], next: SeriesDetails.Next(id: "part2", title: "Continue S1 E2"),
                related: Items.home.rows[0].entries))
        viewer.send(.searchesRestored(["n", "film"]))
        let language = StringCatalogue.all[seed % StringCatalogue.all.count].language
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.language", language), ("interface.speech", "true")])))
        viewer.send(.wallClock(secondsSinceMidnight: 72900))
        viewer.send(.guideChanged(Items.guide))
        viewer.send(.factsChanged(BoxFacts(name: "box", stores: [.init(id: "places", kind: .places, bytes: 9)])))
        viewer.wireless = Items.wireless
        viewer.send(.wirelessChanged(Items.wireless))
        viewer.send(
            .homeChanged(
                HomeContent(title: "Acme", rows: Items.home.rows + Items.channels.rows, searchable: Items.channels.searchable)))
        return viewer
    }

    /// What random keys almost never reach, because it takes several right ones in a row. Random keys go on from there.
    private func runErrand(_ errand: Int, _ viewer: inout Viewer) {
        leave(&viewer)
        guard viewer.state.pin?.isLocked != true else { return }
        let strings = viewer.machine.strings
        viewer.press(.home)
        viewer.press(.menu)
        guard viewer.state.settings?.page == "top" else {
            Issue.record("no Settings: \(viewer.state)")
            return
        }
        if errand == 0 {
            viewer.choose(strings.text(.sound))
            viewer.choose(strings.text(.soundDelay))
            viewer.run(.milliseconds(400))
            #expect(viewer.state.screen == .player && viewer.state.delay?.explanation != nil, "the film of the lip-sync test")
            return
        }
        let hadPIN = viewer.machine.policy.hasPIN
        viewer.choose(strings.text(.parental))
        if !hadPIN { viewer.choose(strings.text(.createPIN)) }
        // The page may be open since an earlier errand.
        guard viewer.state.pin != nil else { return }
        let pin = hadPIN ? viewer.pin : fourDigits(errand)
        for digit in hadPIN ? pin : pin + pin {
            guard viewer.state.pin?.isLocked != true, let key = RemoteKey(rawValue: String(digit)) else { return }
            viewer.press(key)
        }
        #expect(viewer.state.pin == nil && viewer.state.settings?.page == "parental")
        #expect(viewer.machine.policy.hasPIN && viewer.pin == pin)
    }

    /// To the passphrase of a network, which random keys almost never reach.
    private func openWireless(_ viewer: inout Viewer) {
        leave(&viewer)
        guard viewer.state.pin?.isLocked != true else { return }
        viewer.press(.home)
        viewer.press(.menu)
        let strings = viewer.machine.strings
        viewer.choose(strings.text(.network))
        viewer.choose(strings.text(.wireless))
        #expect(viewer.state.settings?.page == "wireless")
        for _ in 0..<9 where viewer.state.passphrase == nil {
            viewer.press(.ok)
            if viewer.state.settings?.card != nil { viewer.press(.back) }
            if viewer.state.passphrase == nil { viewer.press(.down) }
        }
    }

    private func fourDigits(_ number: Int) -> String {
        String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number)"
    }

    @Test(arguments: 0..<16) func somethingHasFocusAndEveryPageCanBeLeft(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed) * 31 + 5)
        var viewer = viewer(seed)
        let all = RemoteKey.allCases
        for step in 0..<250 {
            if step % 60 == 0 {
                var item = step % 120 == 0 ? Items.episode() : Items.live()
                item.summary = String(repeating: "Words and words. ", count: 200)
                viewer.open(item)
                viewer.seekable = item.isLive ? [TimeRange(start: .zero, end: .seconds(100))] : []
                viewer.duration = item.isLive ? nil : .seconds(110)
                viewer.run(.milliseconds(400))
            }
            if step % 80 == 30 { runErrand(step / 80 % 2 == seed % 2 ? 0 : step, &viewer) }
            if step % 80 == 70 { openWireless(&viewer) }
            let key = random.next(upTo: 6) == 0 ? all[random.next(upTo: all.count)] : Self.six[random.next(upTo: 6)]
            switch random.next(upTo: 4) {
            case 0: viewer.command(.key(key))
            case 1: viewer.send(.key(RemoteEvent(key: key, phase: .press, time: viewer.now, device: "cec", sendsReleases: false)))
            default: viewer.press(key)
            }
            if random.next(upTo: 10) == 0 { viewer.run(.milliseconds(Int64(random.next(upTo: 3000)))) }
            checkFocus(viewer.state)
        }
        leave(&viewer)
    }

    /// At most one element has focus, it exists, and it is visible.
    private func checkFocus(_ state: PresentationState) {
        if state.screen == .standby {
            #expect(state == PresentationState(screen: .standby, appearance: state.appearance))
            return
        }
        if state.pin != nil {
            #expect(state.home == nil && state.page == nil && state.panel == nil && state.card == nil && state.poster == nil)
        }
        if state.card != nil { #expect(state.page == nil && state.panel == nil && state.longText == nil) }
        if let home = state.home {
            #expect(state.page == nil && state.longText == nil)
            if case .button(let index) = home.focus { #expect(home.buttons.indices.contains(index)) }
            if case .video = home.focus { #expect(!state.video.frame.isEmpty || state.video.isFocused || state.video == .hidden) }
            if state.card == nil, home.buttons.isEmpty == false { #expect(home.focus != .none) }
        }
        if let settings = state.settings, state.longText == nil {
            if let card = settings.card {
                #expect(card.buttons.count { $0.isFocused } == 1 && settings.menu.focusedRow == nil)
            } else {
                check(settings.menu, rows: Metrics.Menu.settingsRows)
            }
        }
        if case .menu(let menu) = state.panel?.content, state.panel?.focus != .tabs { check(menu, rows: Metrics.Menu.panelRows) }
        if let list = state.channelList { #expect(list.rows.count { $0.isFocused } == 1) }
        if let guide = state.guide {
            let focused = guide.rows.count { $0.isFocused } + guide.rows.flatMap(\.cells).count { $0.isFocused }
            #expect(focused == 1)
            for cell in guide.rows.flatMap(\.cells) {
                #expect(cell.x >= 0 && cell.x + cell.width <= Metrics.Guide.axisWidth && cell.width >= 0)
            }
        }
        if let programme = state.programme, state.longText == nil, !programme.buttons.isEmpty {
            let row = programme.related
            let buttons = programme.buttons.count { $0.isFocused } + (programme.isSummaryFocused ? 1 : 0)
            #expect(buttons + (row?.focused == nil ? 0 : 1) == 1)
            if let row, let index = row.focused { #expect((row.first..<row.first + row.grid.postersPerScreen).contains(index)) }
        }
        if case .series(let series)? = state.page, state.longText == nil, let button = series.button {
            let lists = series.seasons.count { $0.isFocused } + series.episodes.count { $0.isFocused }
            let row = series.related
            #expect(lists + [button, series.next].count { $0?.isFocused == true } + (row?.focused == nil ? 0 : 1) == 1)
            if let row, let index = row.focused { #expect((row.first..<row.first + row.grid.postersPerScreen).contains(index)) }
        }
        if let view = state.passphrase {
            #expect(view.keys.indices.contains(view.row) && view.keys[view.row].indices.contains(view.column))
            #expect((0...63).contains(view.field.words.count))
        }
        if let delay = state.delay { #expect((-100...100).contains(delay.percent)) }
        if let text = state.longText { #expect((0..<text.pageCount).contains(text.page)) }
    }

    private func check(_ menu: MenuView, rows: Int) {
        let takers = menu.rows.count { $0.isEnabled }
        #expect(menu.rows.count { $0.isFocused } == min(1, takers))
        if let row = menu.focusedRow { #expect((menu.firstRow..<menu.firstRow + rows).contains(row)) }
    }

    /// With Back and OK alone: to Home, or (first) awake.
    private func leave(_ viewer: inout Viewer) {
        for _ in 0..<16 {
            if viewer.state.screen == .home, viewer.state.home != nil, viewer.state.card == nil { break }
            viewer.press(viewer.state.screen == .standby ? .ok : .back)
            viewer.run(.milliseconds(600))
        }
        #expect(viewer.state.screen == .home && viewer.state.home != nil, "\(viewer.state)")
    }

    @Test(arguments: 0..<12) func inALinearRangeNothingFromAnyDoorMovesIt(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed) + 900)
        let item = Items.episode(interstitials: [Items.ad("a1", 20, 60)], duration: 200)
        var viewer = Viewer(watching: item, at: 22)
        viewer.options = Items.options
        viewer.speeds = [Ratio(1, 2), .one, Ratio(2)]
        viewer.send(.homeChanged(Items.home))
        viewer.run(.milliseconds(100))
        viewer.effects = []
        viewer.shown = []
        let keys = RemoteKey.allCases.filter {
            ![.stop, .power, .channelUp, .channelDown].contains($0) && Int($0.rawValue) == nil
        }
        for _ in 0..<60 where viewer.machine.requiresLinearPlayback && viewer.machine.stage.viewing.played.item != nil {
            switch random.next(upTo: 5) {
            case 0: viewer.command(.skip(.seconds(Int64(random.next(upTo: 60)) - 30)))
            case 1: viewer.command(.changePlaybackPosition(.seconds(Int64(random.next(upTo: 100)))))
            case 2: viewer.command(.restart)
            case 3: viewer.press(keys[random.next(upTo: keys.count)], for: .milliseconds(Int64(random.next(upTo: 900))))
            default: viewer.command(.key(keys[random.next(upTo: keys.count)]))
            }
            viewer.run(.milliseconds(Int64(random.next(upTo: 400))))
            guard viewer.state.screen == .player else { break }
        }
        #expect(!viewer.effects.contains { if case .seek = $0 { true } else { false } })
        #expect(!viewer.effects.contains { if case .setSpeed(let rate) = $0 { rate != .one } else { false } })
        for (one, two) in zip(viewer.shown, viewer.shown.dropFirst()) {
            #expect(two.position - one.position == Viewer.frame, "asset time moves only at rate 0 or 1")
        }
    }
}
