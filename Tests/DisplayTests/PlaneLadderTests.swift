import MediaModel
import Testing

@testable import Display

@Suite("PlaneLadder")
struct PlaneLadderTests {
    private let plain = PlaneProfile(formats: [.nv12, .yuv420p, .xrgb8888, .argb8888], hasAlpha: false, isCursor: false)
    private let rgb = PlaneProfile(formats: [.xrgb8888, .argb8888], hasAlpha: false, isCursor: false)
    private let cursor = PlaneProfile(formats: [.argb8888], hasAlpha: false, isCursor: true)

    private func ladder(_ planes: [PlaneProfile], background: Bool = true, rungs: Set<LadderRung> = Set(LadderRung.allCases))
        -> PlaneLadder
    {
        PlaneLadder(planes: planes, showsBackground: background, rungs: rungs)
    }

    private func element(
        _ format: PixelFormat, scaled: Bool = false, faded: Bool = false, composing: Bool = false, showable: Bool = true
    ) -> ElementShape {
        ElementShape(
            format: format, sourceWidth: 100, sourceHeight: 100, width: scaled ? 200 : 100, height: 100, isScaled: scaled,
            isCutOff: false, isFaded: faded, needsComposing: composing, isShowable: showable)
    }

    private func shape(_ video: ElementShape?, _ layers: [ElementShape] = [], colour: Bool = false) -> SceneShape {
        SceneShape(video: video, layers: layers, showsColour: colour)
    }

    @Test("video goes on the lowest plane that shows its format, layers on the planes above it")
    func order() {
        let ways = ladder([rgb, plain, plain, cursor]).candidates(for: shape(element(.nv12), [element(.argb8888)]))
        #expect(ways.first == Arrangement(rung: .planes, base: 1, layers: [2], prepared: []))
        #expect(ways.last == Arrangement(rung: .composed, base: 0, layers: [], prepared: []))
    }

    @Test("with nothing visible the first try has no plane")
    func nothing() {
        let ways = ladder([plain, plain]).candidates(for: shape(nil))
        #expect(ways.first == Arrangement(rung: .planes, base: nil, layers: [], prepared: []))
    }

    @Test("more layers than planes are composed by the CPU, and a cursor plane is never used")
    func tooMany() {
        let ways = ladder([plain, plain, cursor]).candidates(
            for: shape(element(.nv12), [element(.argb8888), element(.argb8888)]))
        #expect(ways.map(\.rung) == [.composed])
    }

    @Test("a scaled layer is tried directly before the CPU scales it, and so is the video")
    func scaling() {
        let ways = ladder([plain, plain]).candidates(for: shape(element(.nv12, scaled: true), [element(.argb8888, scaled: true)]))
        #expect(ways.map(\.rung) == [.planes, .planes, .scaledVideo, .scaledVideo, .composed])
        #expect(ways.map(\.prepared) == [[], [0], [], [0], []])
    }

    @Test("a faded layer on planes without alpha is faded by the CPU, and so is the video, unless a colour is behind it")
    func fading() {
        let layer = ladder([plain, plain]).candidates(for: shape(element(.nv12), [element(.argb8888, faded: true)]))
        #expect(layer.first?.prepared == [0])
        let faded = element(.nv12, faded: true)
        let video = ladder([plain, plain]).candidates(for: shape(faded))
        #expect(video.map(\.rung) == [.scaledVideo, .scaledVideo, .composed])
        #expect(video.map(\.fadesVideo) == [true, true, false])
        var alpha = plain
        alpha.hasAlpha = true
        let direct = ladder([alpha, plain]).candidates(for: shape(faded))
        #expect(direct.map(\.rung) == [.planes, .scaledVideo, .scaledVideo, .composed])
        #expect(direct.map(\.fadesVideo) == [false, false, true, false])
        #expect(ladder([plain], background: false).candidates(for: shape(faded, colour: true)).map(\.rung) == [.composed])
        #expect(ladder([plain]).candidates(for: shape(faded, colour: true)).map(\.rung) == [.composed])
    }

    @Test("unknown memory, video that no plane can show and colours that the card cannot show go down the ladder")
    func descending() {
        #expect(ladder([plain]).candidates(for: shape(element(.nv12, showable: false))).map(\.rung) == [.scaledVideo, .composed])
        #expect(ladder([plain]).candidates(for: shape(element(.nv12, composing: true))).map(\.rung) == [.composed])
        #expect(
            ladder([plain], background: false).candidates(for: shape(element(.nv12), colour: true)).map(\.rung) == [.composed])
        #expect(ladder([rgb, rgb]).candidates(for: shape(element(.nv12))).map(\.rung) == [.composed])
    }

    @Test("a policy excludes rungs")
    func policy() {
        let shape = shape(element(.nv12))
        #expect(ladder([plain], rungs: [.scaledVideo]).candidates(for: shape).map(\.rung) == [.scaledVideo, .composed])
        #expect(ladder([plain], rungs: []).candidates(for: shape).map(\.rung) == [.composed])
    }
}
