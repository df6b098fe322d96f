import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell

@Suite struct LiveBarTests {
    /// A channel with a guide, whose asset time zero is at eight in the evening.
    private func channel(at place: Int64) -> Viewer {
        var item = Items.live()
        item.channel = "c1"
        item.clockOrigin = .seconds(72_000)
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.guideChanged(Items.guide))
        viewer.open(item)
        viewer.run(.milliseconds(200))
        viewer.seekable = [TimeRange(start: .seconds(600), end: .seconds(2400))]
        viewer.place(.seconds(place))
        viewer.run(.milliseconds(200))
        viewer.press(.pause)
        return viewer
    }

    @Test func theBarOfAChannelWithAGuideIsItsProgramme() throws {
        let viewer = channel(at: 900)
        let bar = try #require(viewer.state.bar)
        #expect(viewer.state.title == TitleView(title: "Evening News", subtitle: "1 News"))
        #expect(bar.start == "20:00" && bar.trailing == "20:30" && bar.elapsed.hasPrefix("20:15:0"))
        #expect((863...866).contains(bar.playhead.pixels), "half of 1728")
        #expect(bar.live == "LIVE" && ["25:00 behind live", "24:59 behind live"].contains(bar.behind))
        // It was broadcast to its end, and ten minutes of it can no longer be reached.
        #expect(bar.buffered.map(\.end) == [.end] && bar.buffered.first.map { (574...577).contains($0.start.pixels) } == true)
        // The programme at the live edge: broadcast for ten of its thirty minutes.
        let edge = try #require(channel(at: 2395).state.bar)
        #expect(edge.start == "20:30" && edge.trailing == "21:00" && edge.behind == nil)
        #expect(edge.above == "Channels")
        #expect(edge.buffered.first?.start == .start && edge.buffered.first.map { (575...580).contains($0.end.pixels) } == true)
    }

    @Test func scrubbingIntoThePreviousProgrammeShowsThatOne() throws {
        var viewer = channel(at: 1805)
        #expect(viewer.state.bar?.start == "20:30")
        viewer.press(.left)
        let bar = try #require(viewer.state.bar)
        #expect(bar.scrub?.time.hasPrefix("20:29:5") == true && bar.elapsed == bar.scrub?.time)
        #expect(bar.start == "20:00" && bar.trailing == "20:30" && viewer.state.title?.title == "Evening News")
        #expect(bar.scrub?.origin == .end, "the mark of the origin is at the edge of another programme")
    }

    @Test func withoutAProgrammeTheBarIsTheWindow() throws {
        var viewer = channel(at: 900)
        let late = GuideContent.Programme(title: "Late", start: 80_000, end: 81_000)
        viewer.send(.guideChanged(GuideContent(channels: [.init(id: "c1", number: 1, title: "News", programmes: [late])])))
        let bar = try #require(viewer.state.bar)
        #expect(bar.start == nil && bar.trailing == nil && bar.live == "LIVE")
        #expect(viewer.state.title == TitleView(number: 1, title: "News"))
        #expect((286...290).contains(bar.playhead.pixels), "five of thirty minutes")
    }
}
