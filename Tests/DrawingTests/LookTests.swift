import Glibc
import MediaModel
import PlayerInterface
import TestSupport
import Testing

@testable import Drawing

private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// Not a check but a tool: `MARQUEE_LOOK=FOLDER` writes every screen over a white and a busy picture, or with `MARQUEE_LOOK_MANUAL` over the
/// background of the documentation. `MARQUEE_LOOK_HEIGHT`, `_RTL`, `_LARGE` and `_CONTRAST` choose the size and the theme.
@Suite("Pictures for manual inspection", .serialized, .enabled(if: environment("MARQUEE_LOOK") != nil))
@MainActor
struct LookTests {
    @Test("every screen is written as a PNG")
    func write() throws {
        let folder = environment("MARQUEE_LOOK") ?? "."
        let height = Int(environment("MARQUEE_LOOK_HEIGHT") ?? "720") ?? 720
        let appearance = Appearance(
            language: environment("MARQUEE_LOOK_LANGUAGE") ?? "en", isRightToLeft: environment("MARQUEE_LOOK_RTL") != nil,
            hasLargerText: environment("MARQUEE_LOOK_LARGE") != nil, hasHighContrast: environment("MARQUEE_LOOK_CONTRAST") != nil)
        let easel = try Easel(width: height * 16 / 9, height: height, appearance: appearance)
        defer { easel.stop() }
        let language = environment("MARQUEE_LOOK_LANGUAGE") ?? "en"
        for (name, state) in Samples.screens(appearance, in: language) {
            let layers = easel.show(state)
            if environment("MARQUEE_LOOK_MANUAL") != nil {
                let ground: Background = state.screen == .home ? .plain(InterfaceRenderer.background(for: state)) : .scene
                try PNGFile.write(easel.picture(of: layers, over: ground, video: state.video.frame), to: "\(folder)/\(name).png")
                continue
            }
            let grounds: [(String, Background)] =
                state.screen == .home
                ? [("plain", .plain(InterfaceRenderer.background(for: state)))] : [("white", .white), ("busy", .busy)]
            for (word, ground) in grounds {
                let picture = try easel.picture(of: layers, over: ground, video: state.video.frame)
                try PNGFile.write(picture, to: "\(folder)/\(name)-\(word).png")
            }
        }
        #expect(easel.renderer.redrawCounts.count > 10)
    }
}
