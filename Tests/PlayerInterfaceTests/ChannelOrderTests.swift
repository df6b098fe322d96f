import BoxModel
import LinuxSupport
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// Favourite and hidden channels, as a viewer chooses them in Settings and meets them afterwards.
@Suite struct ChannelOrderTests {
    /// News plays in the corner of Home.
    private func viewer() -> Viewer {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.wallClock(secondsSinceMidnight: 72900))
        viewer.send(.guideChanged(Items.guide))
        viewer.open(Items.live())
        viewer.run(.seconds(6))
        viewer.press(.back)
        return viewer
    }

    /// From Home, by Settings and back.
    private func choose(_ place: String, for channel: String, _ viewer: inout Viewer) {
        viewer.press(.menu)
        viewer.choose("Channels")
        viewer.choose(channel)
        // Focus begins on the current place.
        for _ in 0..<2 { viewer.press(.up) }
        viewer.choose(place)
        for _ in 0..<3 where viewer.state.settings != nil { viewer.press(.back) }
        #expect(viewer.state.home != nil)
        viewer.effects = []
    }

    private func onHome(_ viewer: Viewer) -> [String] {
        viewer.state.home?.content.rows.first { $0.style == .channels }?.entries.map(\.title) ?? []
    }

    private func inList(_ viewer: inout Viewer) -> [String] {
        viewer.press(.home)
        viewer.press(.ok)
        viewer.press(.up)
        defer {
            viewer.press(.back)
            viewer.press(.back)
        }
        return viewer.state.channelList?.rows.map(\.title) ?? []
    }

    @Test func aFavouriteComesFirstInEveryListAndForChannelUp() {
        var viewer = viewer()
        choose("Favourite", for: "7 Tonight", &viewer)
        #expect(onHome(viewer) == ["Tonight", "News", "Loop"])
        #expect(inList(&viewer) == ["Tonight", "News", "Loop"])
        #expect(viewer.machine.context.browsing.schedule.channels.map(\.id) == ["c7", "c1", "c2"])
        viewer.press(.channelDown)
        #expect(viewer.effects.contains(.open(id: "c7")), "the one before News")
    }

    @Test func aFavouriteHasAStarOnHomeAndInTheListAndTheVoiceSaysSo() {
        var viewer = viewer()
        #expect(viewer.state.home?.content.favourites == [])
        choose("Favourite", for: "7 Tonight", &viewer)
        #expect(viewer.state.home?.content.favourites == ["c7"])
        viewer.press(.down)
        #expect(viewer.state.home?.spoken(in: .english).focus.contains("Favourite") == false, "focus is on News")
        viewer.press(.left)
        #expect(viewer.state.home?.spoken(in: .english).focus.contains("Favourite") == true)
        viewer.press(.home)
        viewer.press(.ok)
        viewer.press(.up)
        #expect(viewer.state.channelList?.favourites == [0])
        viewer.press(.up)
        #expect(viewer.state.channelList?.spoken(in: .english).focus.contains("Favourite") == false, "News plays")
        viewer.press(.up)
        #expect(viewer.state.channelList?.spoken(in: .english).focus.contains("Favourite") == true)
        viewer.press(.back)
        viewer.press(.back)
        choose("Shown", for: "7 Tonight", &viewer)
        #expect(viewer.state.home?.content.favourites == [])
    }

    @Test func aHiddenChannelIsInNoListAndItsNumberOpensIt() {
        var viewer = viewer()
        choose("Hidden", for: "2 Loop", &viewer)
        #expect(onHome(viewer) == ["News", "Tonight"])
        #expect(inList(&viewer) == ["News", "Tonight"])
        #expect(viewer.machine.context.browsing.schedule.channels.map(\.id) == ["c1", "c7"])
        viewer.press(.channelUp)
        #expect(viewer.effects.contains(.open(id: "c7")))
        viewer.press(.digit2)
        #expect(viewer.state.numberEntry == NumberEntryView(digits: "2", title: "Loop"))
        viewer.run(.milliseconds(1600))
        #expect(viewer.effects.contains(.open(id: "c2")))
        #expect(viewer.state.channelBanner?.title == "Loop")
    }

    @Test func settingsShowsAllChannelsWithTheirPlacesAndUndoesThem() {
        var viewer = viewer()
        choose("Hidden", for: "2 Loop", &viewer)
        viewer.press(.menu)
        viewer.choose("Channels")
        #expect(viewer.menu?.rows.map(\.title) == ["1 News", "2 Loop", "7 Tonight"])
        #expect(viewer.menu?.rows.map(\.value) == [nil, "Hidden", nil])
        viewer.press(.back)
        viewer.press(.back)
        choose("Shown", for: "2 Loop", &viewer)
        #expect(onHome(viewer) == ["News", "Loop", "Tonight"])
        #expect(viewer.machine.settings == ViewerSettings(), "nothing is stored for it")
    }

    @Test func theOrderHoldsForAFeedAndAGuideThatComeLater() {
        var viewer = Viewer()
        var settings = ViewerSettings()
        settings.channelOrder.places = ["c7": .favourite, "c1": .hidden, "gone": .favourite]
        viewer.send(.settingsRestored(settings))
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.wallClock(secondsSinceMidnight: 72900))
        viewer.send(.guideChanged(Items.guide))
        #expect(onHome(viewer) == ["Tonight", "Loop"])
        #expect(viewer.machine.context.browsing.schedule.channels.map(\.id) == ["c7", "c2"])
    }

    /// Nothing is empty without words, and there is a way back.
    @Test func allChannelsCanBeHidden() {
        var viewer = viewer()
        for channel in ["1 News", "2 Loop", "7 Tonight"] { choose("Hidden", for: channel, &viewer) }
        #expect(onHome(viewer).isEmpty && viewer.state.home?.emptyMessage != nil)
        viewer.press(.channelUp)
        #expect(!viewer.effects.contains { if case .open = $0 { true } else { false } })
        choose("Shown", for: "1 News", &viewer)
        #expect(onHome(viewer) == ["News"])
    }

    @Test func oneChannelAloneHasNoPage() {
        var viewer = Viewer()
        viewer.send(
            .homeChanged(
                HomeContent(rows: [.init(id: "live", title: "Channels", entries: [.init(id: "c1", title: "News", number: 1)])])))
        viewer.press(.menu)
        #expect(viewer.menu?.rows.contains { $0.title == "Channels" } == false)
    }
}
