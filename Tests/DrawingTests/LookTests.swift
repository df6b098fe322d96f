import MediaModel
import Screens
import TestSupport
import Testing

@testable import Drawing

/// Not a check but a tool: `MARQUEE_LOOK_MANUAL=FOLDER` writes the English screens as the documentation has them, in the machine's fonts and with 540 lines.
/// `scripts/pictures` writes those of all variants.
@Suite("Pictures of the documentation", .serialized, .enabled(if: Fixtures.variable("MARQUEE_LOOK_MANUAL") != nil))
@MainActor
struct LookTests {
    @Test("every screen is written as a PNG")
    func write() throws {
        let folder = try #require(Fixtures.variable("MARQUEE_LOOK_MANUAL"))
        let easel = try Easel(width: 960, height: 540)
        defer { easel.stop() }
        for (name, state) in Samples.all {
            let ground: Background = state.screen == .home ? .plain(InterfaceRenderer.background(for: state)) : .scene
            try PNGFile.write(
                easel.picture(of: easel.show(state), over: ground, video: state.video.frame), to: "\(folder)/\(name).png")
        }
        #expect(easel.renderer.redrawCounts.count > 10)
    }
}
