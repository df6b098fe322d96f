import Captions
import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Testing

@testable import Drawing

/// Captions compared with golden texts and pictures, over a grey picture with parts of the interface.
@Suite("Captions match the golden texts and pictures", .serialized)
@MainActor
struct CaptionGoldenTests {
    /// Two lines in the samples' language, in characters that the fixed fonts have.
    private static var words: String {
        Samples.s("What Tobias Saw on the Night of the Wreck") + "\n" + Samples.s("The Lighthouse Keeper’s Daughter")
    }

    private struct Shot {
        var name: String
        var cues: [CaptionCue]
        var state = Samples.playing
        var style = CaptionStyle()
        var time = MediaTime.seconds(2)
    }

    private static func shots(_ words: String) -> [Shot] {
        func cue(_ configure: (inout CaptionCue) -> Void = { _ in }) -> CaptionCue {
            var cue = CaptionCue(start: .zero, end: .seconds(9), nodes: [.text(words)])
            configure(&cue)
            return cue
        }
        let bare = PresentationState(screen: .player, video: .full)
        let script = words.split(separator: "\n").joined(separator: "\\N")
        return [
            Shot(name: "bottom", cues: [cue()], state: bare), Shot(name: "above-the-bar", cues: [cue()]),
            Shot(
                name: "placed",
                cues: [
                    cue {
                        $0.settings.line = .percentage(10)
                        $0.settings.position = 10
                        $0.settings.alignment = .start
                        $0.settings.size = 50
                    }, cue(),
                ], state: bare),
            Shot(
                name: "style", cues: [cue()], state: bare,
                style: CaptionStyle {
                    ($0.colour, $0.sizePercent, $0.edge) = (.yellow, 150, .uniform)
                    ($0.background, $0.backgroundOpacityPercent) = (.blue, 50)
                    ($0.window, $0.windowOpacityPercent) = (.black, 75)
                }),
            Shot(
                name: "grid",
                cues: [cue { $0.box = CaptionBox(x: 0.2, y: 0.7, width: 0.6, height: 0.2, window: .black, isGrid: true) }],
                state: bare),
            Shot(name: "proposal", cues: [cue()], state: Samples.proposal()),
            Shot(
                name: "script",
                cues: [SubStationTests.cue(script), SubStationTests.cue(#"{\pos(480,300)\c&H00FFFF&}"# + script)],
                state: bare),
            Shot(name: "script-above-the-bar", cues: [SubStationTests.cue(script), SubStationTests.cue(script, style: "Sign")]),
            Shot(
                name: "script-style", cues: [SubStationTests.cue(script)], state: bare,
                style: CaptionStyle {
                    ($0.colour, $0.sizePercent) = (.cyan, 150)
                    ($0.background, $0.backgroundOpacityPercent) = (.black, 75)
                }),
            Shot(
                name: "script-moving", cues: [SubStationTests.cue(#"{\move(200,500,1700,500,0,4000)}"# + script)], state: bare,
                time: .milliseconds(2500)),
        ]
    }

    /// The names of all pictures.
    static var names: [String] { shots(words).map(\.name) }

    @Test("layers, areas of one colour, texts and pixels in each variant", arguments: GoldenVariant.all)
    func captions(variant: GoldenVariant) throws {
        var texts: [ScreenText] = []
        try Samples.$language.withValue(variant.language) {
            // Scripts name their own fonts, and these name the fixed Latin one. Without the machine's fonts as a fallback, other characters would be
            // boxes.
            for shot in Self.shots(Self.words) where variant.language == "en" || !shot.name.hasPrefix("script") {
                texts.append(try text(of: shot, in: variant))
            }
        }
        try Golden.compare(texts, with: "captions-\(variant.name).txt")
    }

    private func text(of shot: Shot, in variant: GoldenVariant) throws -> ScreenText {
        let easel = try variant.easel()
        defer { easel.stop() }
        var state = shot.state
        state.appearance = variant.appearance
        let captions = CaptionRenderer(
            clock: easel.loop.clock, mode: easel.mode, allocator: MemoryAllocator(), fontFolder: Golden.fonts)
        defer { captions.stop() }
        captions.show(
            CaptionPicture(
                cues: shot.cues, placement: .standard(for: state, style: shot.style), video: state.video.frame,
                language: variant.language, time: shot.time))
        let layers = easel.show(state)
        #expect(!captions.layers.isEmpty, "\(shot.name)")
        let area = Scale(width: easel.mode.width, height: easel.mode.height)
            .pixels(Rect(CaptionPlacement.standard(for: state, style: shot.style).area))
        for layer in captions.layers {
            let place = layer.destination
            #expect(
                place.x >= area.x - 1 && place.y >= area.y - 1 && place.x + place.width <= area.x + area.width + 1
                    && place.y + place.height <= area.y + area.height + 1, "\(shot.name): \(place) in \(area)")
        }
        let all = captions.layers + layers
        let picture = try easel.picture(of: all, over: Golden.ground(state), video: state.video.frame)
        try Golden.compareScreen(picture, with: "captions-\(variant.name)/\(shot.name)")
        return try ScreenText(
            shot.name, layers: all, texts: captions.drawnTexts.merging(easel.renderer.drawnTexts) { caption, _ in caption },
            picture: picture)
    }
}
