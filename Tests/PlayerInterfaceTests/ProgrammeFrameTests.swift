import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// The part of the screen that the operator gives the video.
@Suite struct ProgrammeFrameTests {
    private static let box = PixelRect(x: 0, y: 0, width: 1440, height: 810)
    private static let strip = ScreenOverlay(
        .picture("menu"), anchor: .topRight, box: PixelRect(x: 1440, y: 0, width: 480, height: 1080))

    private static func item(_ programme: ItemPresentation = Items.episode(), inInterstitials: Bool = false) -> ItemPresentation {
        var item = programme
        item.screen = ProgrammeScreen(
            frame: ScreenFrame(
                box: box, colour: OpaqueColour(red: 1, green: 2, blue: 3), isKeptInInterstitials: inInterstitials),
            overlays: [strip])
        return item
    }

    @Test func theVideoIsThereFromItsFirstPictureWithTheOverlaysAroundIt() {
        var viewer = Viewer()
        viewer.open(Self.item())
        #expect(viewer.state.video == .hidden)
        var places: [PixelRect] = []
        for _ in 0..<25 {
            viewer.run(Viewer.step)
            if places.last != viewer.state.video.frame { places.append(viewer.state.video.frame) }
        }
        // It does not shrink into its place.
        #expect(places == [VideoPlacement.hidden.frame, Self.box] || places == [Self.box], "\(places)")
        #expect(viewer.state.video.programmeFrame?.colour == OpaqueColour(red: 1, green: 2, blue: 3))
        #expect(viewer.state.overlays == [Self.strip])
        viewer.press(.ok)
        viewer.press(.down)
        #expect(viewer.state.panel != nil && viewer.state.video.frame == Self.box && viewer.state.overlays == [Self.strip])
    }

    @Test(arguments: [false, true]) func inAnAdvertisementItHasTheWholeScreenUnlessTheFeedKeepsIt(isKept: Bool) {
        var viewer = Viewer(watching: Self.item(inInterstitials: isKept), at: 15)
        var seen: [(MediaTime, VideoPlacement)] = []
        for _ in 0..<500 {
            viewer.run(Viewer.step)
            seen.append((viewer.position!, viewer.state.video))
        }
        #expect(seen.contains { $0.0 >= .seconds(30) })
        for (position, video) in seen {
            if position > .seconds(20), position < .seconds(30) {
                #expect(video.frame == (isKept ? Self.box : Metrics.screen), "\(position)")
                #expect((video.programmeFrame != nil) == isKept)
            }
            if position < .seconds(19) || position > .milliseconds(30_040) { #expect(video.frame == Self.box, "\(position)") }
        }
    }

    @Test func aProposalAndHomeHaveTheirOwnPlacesForIt() {
        let offered = Self.item(ProposalTests.item(ProposalTests.offer(at: 90)))
        var viewer = Viewer(watching: offered, at: 88)
        viewer.run(.milliseconds(2100))
        #expect(viewer.state.video == VideoPlacement(frame: Metrics.Video.proposalFrame) && viewer.state.overlays == [])
        var other = Viewer(watching: Self.item(), at: 40)
        other.press(.back)
        #expect(other.state.screen == .home && other.state.video.programmeFrame == nil && other.state.overlays == [])
    }

    @Test func aFullProposalLeavesItWhereItIs() {
        var viewer = Viewer(watching: Self.item(ProposalTests.item(ProposalTests.offer(at: 90, place: .full))), at: 88)
        viewer.run(.milliseconds(2100))
        #expect(viewer.state.proposal != nil && viewer.state.video.frame == Self.box && viewer.state.overlays == [Self.strip])
    }

    @Test func withoutAPictureThereIsNone() {
        var sound = Viewer()
        sound.hasVideo = false
        sound.open(Self.item())
        sound.run(.seconds(2))
        #expect(sound.state.video.programmeFrame == nil)
    }
}
