import Captions
import LinuxSupport
import MediaModel
import MediaTime
import PlayerInterface
import TestSupport
import Testing

@testable import Drawing

@Suite("Scripts of SubStation Alpha on the screen")
@MainActor
struct SubStationTests {
    nonisolated static let head = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 1920
        PlayResY: 1080
        WrapStyle: 0

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,Noto Sans,56,&H00FFFFFF,&H000000FF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,3,0,2,20,20,10,1
        Style: Sign,Noto Sans,48,&H0000FFFF,&H000000FF,&H00000000,&H80000000,-1,0,0,0,100,100,0,0,1,3,0,8,20,20,10,1
        """

    nonisolated static func cue(_ text: String, style: String = "Default", start: Int64 = 1, end: Int64 = 5) -> CaptionCue {
        var cue = CaptionCue(start: .seconds(start), end: .seconds(end), nodes: [.text(text)])
        cue.event = SubStationEvent(head: head, fields: "0,0,\(style),,0,0,0,,\(text)")
        return cue
    }

    private let screen = PixelRect(x: 0, y: 0, width: 1280, height: 720)
    private let safe = PixelRect(x: 64, y: 40, width: 1152, height: 640)

    private func parts(
        _ cues: [CaptionCue], at time: Double = 2, area: PixelRect? = nil, style: CaptionStyle = CaptionStyle()
    ) throws -> [SubStationRenderer.Part] {
        try SubStationRenderer(fontFolder: Golden.fonts).render(
            cues, at: .milliseconds(Int64(time * 1000)), video: screen, area: area ?? safe, style: style)
    }

    private func isInside(_ frame: PixelRect, _ area: PixelRect) -> Bool {
        frame.x >= area.x && frame.y >= area.y && frame.x + frame.width <= area.x + area.width
            && frame.y + frame.height <= area.y + area.height
    }

    @Test("text is where the script places it: at the bottom, at the top, at a point")
    func places() throws {
        let bottom = try #require(try parts([Self.cue("Down here")]).first)
        #expect(bottom.frame.y > 560 && abs(bottom.frame.x + bottom.frame.width / 2 - 640) < 8)
        let top = try #require(try parts([Self.cue("Up there", style: "Sign")]).first)
        #expect(top.frame.y < 90)
        let placed = try #require(try parts([Self.cue(#"{\pos(480,540)\an5}Here"#)]).first)
        #expect(
            abs(placed.frame.x + placed.frame.width / 2 - 320) < 8 && abs(placed.frame.y + placed.frame.height / 2 - 360) < 20)
    }

    @Test("animated parts move with time, and other parts do not")
    func movement() throws {
        let moving = Self.cue(#"{\move(300,400,1500,400,0,4000)\an5}Passing"#)
        let xs = try [1.1, 2, 3, 4].map { try #require(try parts([moving], at: $0).first).frame.x }
        #expect(xs == xs.sorted() && xs[3] - xs[0] > 400)
        let still = try [1.1, 4].map { try #require(try parts([Self.cue("Standing")], at: $0).first).frame }
        #expect(still[0] == still[1])
        let fading = Self.cue(#"{\fad(1000,0)}Coming"#)
        let alphas = try [1.2, 2.5].map { try #require(try parts([fading], at: $0).first).image.pixels.max() ?? 0 }
        #expect(alphas[0] < 100 && alphas[1] > 250)
    }

    @Test(
        "everything that a script draws is inside the area, with and without the bar, at every size",
        arguments: [50, 100, 200])
    func inside(percent: Int) throws {
        let lower = PixelRect(x: 64, y: 40, width: 1152, height: 420)
        let cues = [
            Self.cue("Ordinary words at the bottom of the picture"), Self.cue("A sign", style: "Sign"),
            Self.cue(#"{\pos(0,0)\an7}Corner"#), Self.cue(#"{\pos(1920,1080)\an3}Other corner"#),
            Self.cue(#"{\move(-400,1070,2300,1070)}Passing by"#),
            Self.cue(
                "A sentence so long that it is broken into several lines by whoever draws it, and then some more of it, until it is enough."
            ),
        ]
        for area in [safe, lower] {
            for cue in cues {
                for part in try parts([cue], at: 3, area: area, style: CaptionStyle { $0.sizePercent = percent }) {
                    #expect(isInside(part.frame, area), "\(cue.plainText) at \(percent) %: \(part.frame)")
                }
            }
        }
    }

    @Test("the bar lifts the dialogue at the bottom and leaves the sign at the top; nothing overlaps")
    func lifted() throws {
        let cues = [Self.cue("Words"), Self.cue("Sign", style: "Sign")]
        let lower = PixelRect(x: 64, y: 40, width: 1152, height: 420)
        let free = try parts(cues).sorted { $0.frame.y < $1.frame.y }
        let lifted = try parts(cues, area: lower).sorted { $0.frame.y < $1.frame.y }
        #expect(free.count == 2 && lifted.count == 2)
        #expect(free[0].frame == lifted[0].frame)
        #expect(free[1].frame.y - lifted[1].frame.y > 100)
        #expect(lifted[0].frame.y + lifted[0].frame.height <= lifted[1].frame.y)
    }

    @Test("the viewer's style overrides the script's for dialogue: size, colour, background")
    func style() throws {
        let plain = try #require(try parts([Self.cue("Words")]).first)
        let large = try #require(try parts([Self.cue("Words")], style: CaptionStyle { $0.sizePercent = 200 }).first)
        #expect(Double(large.frame.height) > 1.7 * Double(plain.frame.height))
        func strongest(_ part: SubStationRenderer.Part) -> (blue: UInt8, green: UInt8, red: UInt8) {
            var found: (UInt8, UInt8, UInt8) = (0, 0, 0)
            for index in stride(from: 0, to: part.image.pixels.count, by: 4) where part.image.pixels[index + 3] == 255 {
                found = (
                    max(found.0, part.image.pixels[index]), max(found.1, part.image.pixels[index + 1]),
                    max(found.2, part.image.pixels[index + 2])
                )
            }
            return found
        }
        #expect(strongest(plain) == (255, 255, 255))
        let yellow = try #require(try parts([Self.cue("Words")], style: CaptionStyle { $0.colour = .yellow }).first)
        #expect(strongest(yellow) == (0, 255, 255))
        let boxed = try #require(
            try parts(
                [Self.cue("Words")], style: CaptionStyle { ($0.background, $0.backgroundOpacityPercent) = (.blue, 100) }
            ).first)
        let corner = Array(boxed.image.pixels[(boxed.frame.width * 4 * 4 + 16)..<(boxed.frame.width * 4 * 4 + 20)])
        #expect(corner == [255, 0, 0, 255], "blue behind the whole line")
    }

    @Test(
        "a damaged script is drawn as far as possible, or not at all",
        arguments: ["", "[Script Info]", "x\u{0}y", "[V4+ Styles]\nFormat: a\nStyle: b"])
    func damaged(head: String) throws {
        var cue = Self.cue("Words")
        cue.event = SubStationEvent(head: head, fields: "0,0,Nowhere,,0,0,0,,Words{\\pos(")
        for part in try parts([cue]) { #expect(isInside(part.frame, safe)) }
        cue.event = SubStationEvent(head: head, fields: "")
        #expect(try parts([cue]).isEmpty)
    }

    @Test("the renderer draws scripts in separate layers, once if nothing moves")
    func layers() throws {
        let loop = try MainLoop(time: .simulated)
        let renderer = CaptionRenderer(
            clock: loop.clock, mode: DisplayMode(width: 1280, height: 720, refresh: Ratio(60)), allocator: MemoryAllocator(),
            fontFolder: Golden.fonts)
        defer { renderer.stop() }
        var handed: [[InterfaceLayer]] = []
        renderer.onLayers = { handed.append($0) }
        func run() { loop.run(within: .milliseconds(100), until: { false }) }
        var picture = CaptionPicture(
            cues: [Self.cue("Words")], placement: CaptionPlacement(area: Metrics.safeArea), video: Metrics.screen,
            time: .seconds(1))
        renderer.show(picture)
        run()
        #expect(handed.last?.map(\.id) == ["caption.script.0"])
        #expect(handed.last?.allSatisfy { isInside($0.destination, safe) } == true)
        let drawn = renderer.redrawCounts
        picture.time = .seconds(2)
        renderer.show(picture)
        run()
        #expect(renderer.redrawCounts == drawn)
    }
}
