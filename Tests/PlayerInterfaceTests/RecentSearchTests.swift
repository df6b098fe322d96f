import BoxModel
import LinuxSupport
import Testing

@testable import Shell
@testable import Viewing

/// The recent searches, with six keys from Home.
@Suite struct RecentSearchTests {
    /// At the page of Search.
    private func opened(_ recents: [String] = [], isKiosk: Bool = false, speaks: Bool = false) -> Viewer {
        var policy = InterfacePolicy(isKiosk: isKiosk)
        (policy.hasPIN, policy.hasVoice, policy.hasHome) = (true, true, true)
        var viewer = Viewer(policy: policy)
        viewer.send(.settingsRestored(ViewerSettings(entries: speaks ? [("interface.speech", "true")] : [])))
        viewer.send(.searchesRestored(recents))
        viewer.send(.homeChanged(Items.channels))
        if isKiosk {
            for key in [RemoteKey.up, .up, .down, .down, .ok] { viewer.press(key) }
            for key in [RemoteKey.digit2, .digit4, .digit6, .digit8] { viewer.press(key) }
            viewer.press(.back)
        }
        for key in [RemoteKey.home, .up, .up, .left, .left, .ok] { viewer.press(key) }
        return viewer
    }

    /// Types the letter N, and moves focus to the first result.
    private func search(_ viewer: inout Viewer) {
        for key in [RemoteKey.down, .down, .right, .ok] { viewer.press(key) }
        for _ in 0..<5 { viewer.press(.right) }
    }

    private func stored(_ viewer: Viewer) -> [[String]] {
        viewer.effects.compactMap { if case .saveSearches(let queries) = $0 { queries } else { nil } }
    }

    private func recents(_ viewer: Viewer) -> [String]? { viewer.state.search?.recents?.queries }

    @Test func aSearchIsKeptWhenSomethingThatItFoundIsOpened() {
        var viewer = opened()
        #expect(viewer.state.search?.recents == nil && viewer.state.search?.message == nil)
        search(&viewer)
        #expect(viewer.state.search?.focus == .result(0) && stored(viewer) == [])
        viewer.press(.down)
        viewer.press(.ok)
        #expect(stored(viewer) == [["n"]] && viewer.state.programme?.title == "Newton")
        viewer.press(.back)
        #expect(viewer.state.search?.query == "n" && recents(viewer) == nil, "they are there while nothing is typed")
        viewer.press(.back)
        viewer.press(.ok)
        #expect(recents(viewer) == ["n"] && viewer.state.search?.recents?.title == "Recent Searches")
        #expect(viewer.state.search?.focus == .key(row: 0, column: 0), "typing comes first")
    }

    @Test func aSearchThatOnlyLookedIsNotKept() {
        var viewer = opened()
        search(&viewer)
        viewer.press(.back)
        viewer.press(.ok)
        #expect(stored(viewer) == [] && recents(viewer) == nil)
    }

    @Test func theFirstOfThemIsOnePressAwayFromTheEndOfARowOfThePadAndSearchesAgain() {
        var viewer = opened(["京", "new"])
        for _ in 0..<6 { viewer.press(.right) }
        #expect(viewer.state.search?.focus == .recent(0))
        #expect(viewer.press(.up) == .failed(.noChange))
        viewer.press(.down)
        viewer.press(.ok)
        #expect(viewer.state.search?.query == "new" && viewer.state.search?.focus == .result(0))
        #expect(viewer.state.search?.results.map(\.id) == ["c1", "m2"] && recents(viewer) == nil)
        var other = viewer
        other.press(.down)
        other.press(.ok)
        #expect(stored(other) == [["new", "京"]], "it is the newest again")
        other.press(.back)
        other.press(.back)
        #expect(other.state.search?.focus == .recent(0), "focus is on the same words, which are the first now")
        viewer.press(.back)
        #expect(viewer.state.search?.focus == .recent(1) && viewer.state.search?.query == "", "Back undoes the choice")
        viewer.press(.left)
        #expect(viewer.state.search?.focus == .key(row: 0, column: 5))
        viewer.press(.back)
        #expect(viewer.state.search == nil && viewer.state.home != nil)
    }

    @Test func whatFindsNothingAnyMoreSaysSo() {
        var viewer = opened(["gone"])
        for _ in 0..<6 { viewer.press(.right) }
        viewer.press(.ok)
        #expect(
            viewer.state.search?.message == "Nothing found for “gone”." && viewer.state.search?.focus == .key(row: 0, column: 0))
        viewer.press(.back)
        #expect(recents(viewer) == ["gone"])
    }

    @Test func theyAreClearedAndBackBringsThemBack() {
        var viewer = opened(["a", "b"])
        for _ in 0..<6 { viewer.press(.right) }
        for _ in 0..<2 { viewer.press(.down) }
        #expect(viewer.state.search?.focus == .recent(2) && viewer.press(.down) == .failed(.noChange))
        viewer.press(.ok)
        #expect(stored(viewer) == [[]] && recents(viewer) == nil)
        #expect(viewer.state.search?.message == "Press Back to undo" && viewer.state.search?.focus == .key(row: 0, column: 0))
        var typing = viewer
        viewer.press(.right)
        viewer.press(.back)
        #expect(stored(viewer) == [[], ["a", "b"]] && recents(viewer) == ["a", "b"])
        #expect(viewer.state.search?.focus == .recent(2) && viewer.state.search?.message == nil)
        viewer.press(.back)
        #expect(viewer.state.search == nil)
        // Who types goes on without them.
        typing.press(.digit9)
        typing.press(.back)
        #expect(typing.state.search == nil && stored(typing) == [[]])
    }

    @Test func tenAreKeptTheNewestFirstAndTheSameWordsOnce() {
        var history = SearchHistory((1...12).map { "film \($0)" })
        #expect(history.queries.count == SearchHistory.most && history.queries.first == "film 1")
        history.note("Éclair ")
        #expect(
            history.queries.count == SearchHistory.most && history.queries.first == "Éclair" && history.queries[1] == "film 1")
        history.note("film 1")
        history.note("eclair")
        #expect(history.queries.prefix(3) == ["eclair", "film 1", "film 2"])
        let before = history
        for empty in ["", " ", "\u{301}", String(repeating: "a", count: SearchHistory.longestQuery + 1)] { history.note(empty) }
        #expect(history == before)
    }

    @Test func aKioskNeitherShowsNorKeepsThem() {
        var viewer = opened(["secret"], isKiosk: true)
        #expect(viewer.state.search != nil && recents(viewer) == nil)
        search(&viewer)
        viewer.press(.down)
        viewer.press(.ok)
        #expect(viewer.state.programme?.title == "Newton" && stored(viewer) == [])
        viewer.press(.back)
        viewer.press(.back)
        viewer.press(.ok)
        #expect(viewer.state.search != nil && recents(viewer) == nil)
    }

    @Test func theVoiceSaysWhichOfThemHasFocusAndThatBackUndoes() {
        var viewer = opened(["京", "new"], speaks: true)
        for _ in 0..<5 { viewer.press(.right) }
        var said: [String] = []
        for key in [RemoteKey.right, .down, .down, .ok, .back] {
            let before = viewer.effects.count
            viewer.press(key)
            said += viewer.effects[before...].compactMap { if case .speak(let words) = $0 { words } else { nil } }
        }
        #expect(
            said == [
                "Recent Searches, 京, 1 of 2", "new, 2 of 2", "Clear Recent Searches, button", "Press Back to undo, A",
                "Recent Searches, Clear Recent Searches, button",
            ])
    }
}
