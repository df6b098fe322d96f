import Captions
import LinuxSupport
import MediaModel
import MediaTime
import PlayerInterface
import Testing

@testable import Drawing

/// Captions compared with golden pictures, over a grey picture with parts of the interface. The pictures are small, because they contain only text.
@Suite("Captions match the golden pictures", .serialized)
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

    private func picture(of shot: Shot, appearance: Appearance, language: String, height: Int = 720) throws
        -> (picture: PixelBuffer, layers: [InterfaceLayer])
    {
        let easel = try Easel(
            width: height * 16 / 9, height: height, appearance: appearance, artist: Artist(isPlain: true),
            fontFolder: Golden.fonts)
        defer { easel.stop() }
        var shot = shot
        shot.state.appearance = appearance
        let captions = CaptionRenderer(
            clock: easel.loop.clock, mode: easel.mode, allocator: MemoryAllocator(), fontFolder: Golden.fonts)
        defer { captions.stop() }
        captions.show(
            CaptionPicture(
                cues: shot.cues, placement: .standard(for: shot.state, style: shot.style), video: shot.state.video.frame,
                language: language, time: shot.time))
        let layers = easel.show(shot.state)
        #expect(!captions.layers.isEmpty, "\(shot.name)")
        return (
            try easel.picture(of: captions.layers + layers, over: Golden.ground(shot.state), video: shot.state.video.frame),
            captions.layers
        )
    }

    @Test("in each language and appearance", arguments: GoldenTests.variants.map(\.name))
    func pictures(variant: String) throws {
        let (_, language, appearance) = try #require(GoldenTests.variants.first { $0.name == variant })
        try Samples.$language.withValue(language) {
            // Scripts name their own fonts, and these name the fixed Latin one. Without the machine's fonts as a fallback, other characters would be
            // boxes.
            for shot in Self.shots(Self.words) where language == "en" || !shot.name.hasPrefix("script") {
                let (picture, layers) = try self.picture(of: shot, appearance: appearance, language: language)
                try Golden.compare(picture, with: "captions-\(variant)/\(shot.name)")
                let scale = Scale(width: 1280, height: 720)
                let area = scale.pixels(Rect(CaptionPlacement.standard(for: shot.state, style: shot.style).area))
                for layer in layers {
                    let place = layer.destination
                    #expect(
                        place.x >= area.x - 1 && place.y >= area.y - 1 && place.x + place.width <= area.x + area.width + 1
                            && place.y + place.height <= area.y + area.height + 1, "\(shot.name): \(place) in \(area)")
                }
            }
        }
    }

    @Test("the colours of 96x54 blocks at other sizes", arguments: [1080, 2160])
    func blocks(height: Int) throws {
        for shot in Self.shots(Self.words) {
            let (picture, _) = try self.picture(of: shot, appearance: Appearance(), language: "en", height: height)
            try Golden.compare(picture.scaled(width: 96, height: 54), with: "blocks-\(height)/captions-\(shot.name)")
        }
    }
}
