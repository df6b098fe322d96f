import Captions
import LinuxSupport
import MediaModel
import MediaTime
import Screens
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

    nonisolated static let hostile = [
        #"{\fs30000}abcdefghijklmnopqrstuvwxyzABCD"#, #"{\fs(30000)}abc"#, #"{\fs20(30000)}abc"#, #"{\ fs3e4}abc"#,
        "{\u{301}\\fs30000}abc", "{\\fs\u{301}(30000)}abc", #"{\fs+9999}abc"#, #"{\fs+90\fs+90\fs+90}abc"#,
        #"{\fscx90000\fscy90000}abc"#, #"{\t(0,1000,\fs30000)}abc"#, #"{\t(\fscx1\t(\fscx900000))\fscx1}abc"#, #"{\bord9000}a"#,
        #"{\xbord9000\bord1\ybord9000}a"#, #"{\fax9000}abc"#, #"{\fay9000}abc"#, #"{\frz45\fsp9000}abcdefghijk"#,
        #"{\p1}m 0 0 l 25000 0 25000 25000 0 25000"#, #"{\p1}m 0 0 l 2.5e4 0 n 25000 m 25000 3 l 0 25000 7"#,
        #"{\fscx90000\fscy90000\p4}m 0 0 l 100 0 100 100"#, #"{\clip(1,m 0 0 l 25000 0 25000 25000)}a"#,
        #"{\iclip(m 0 0 l 25000 0 25000 25000)}a"#, #"{\p1}m 0 0 l 1e999 0 1 1"#,
        (0..<500).map { "{\\blur100\\bord100\\1c&H\($0)&}a" }.joined(), String(repeating: "a ", count: 6000),
        (0..<100).map { "{\\fnFace \($0)}a" }.joined(), "{\\p1}" + String(repeating: "m 0 0 l 9 9 ", count: 50_000),
    ]

    @Test("an event that asks for more than a screen may have costs itself, in words; the others are drawn", arguments: hostile)
    func bounded(text: String) throws {
        let renderer = try SubStationRenderer(fontFolder: Golden.fonts)
        func draw(_ cues: [CaptionCue]) -> [SubStationRenderer.Part] {
            renderer.render(cues, at: .seconds(2), video: screen, area: safe, style: CaptionStyle())
        }
        let plain = draw([Self.cue("Words")])
        #expect(plain.count == 1 && renderer.takeOmission() == nil)
        let both = draw([Self.cue(text), Self.cue("Words")])
        #expect(both.map(\.frame) == plain.map(\.frame))
        let told = try #require(renderer.takeOmission())
        #expect("\(told)".hasPrefix("Captions of SubStation Alpha are not drawn, 1 of 2 at this time"))
        #expect(renderer.takeOmission() == nil, "it is told once")
    }

    @Test("sizes of a style and of a script are bounded with those of its events, and so are events together")
    func boundedTogether() throws {
        let renderer = try SubStationRenderer(fontFolder: Golden.fonts)
        func draw(_ cues: [CaptionCue]) -> Bool {
            !renderer.render(cues, at: .seconds(2), video: screen, area: safe, style: CaptionStyle()).isEmpty
        }
        for (old, new) in [
            ("Noto Sans,56", "Noto Sans,90000"), (",100,100,0,0,1,3,0,2", ",90000,90000,0,0,1,3,0,2"),
            (",1,3,0,2,", ",1,9000,0,2,"), ("PlayResX: 1920\nPlayResY: 1080", "PlayResX: 1\nPlayResY: 1"),
        ] {
            var cue = Self.cue("Words")
            cue.event?.head = Self.head.replacing(old, with: new)
            #expect(cue.event?.head != Self.head)
            #expect(!draw([cue]) && renderer.takeOmission() != nil, "\(new)")
        }
        let large = (0..<40).map { Self.cue("{\\pos(\($0 * 20),400)\\fs400}abcdefgh") }
        #expect(draw(large))
        let told = try #require(renderer.takeOmission())
        #expect("\(told)".contains("of 40 at this time"))
        // So many that no two are in one place; more than enough are drawn.
        #expect(draw((0..<1200).map { Self.cue("{\\pos(\($0),\($0 % 700))\\fs4}x") }))
        #expect(renderer.takeOmission()?.subject == "200 of 1200 at this time")
    }

    @Test(
        "what careful scripts ask for is within the bounds",
        arguments: [
            #"{\an8\blur5\bord4}Two lines of dialogue, which are as long as they\Nshould be, and soft at their edges"#,
            #"{\fad(200,200)\pos(960,200)\fs300\c&H00FF00&\blur8}Title"#, #"{\p1\bord0}m 0 0 l 1920 0 1920 1080 0 1080"#,
            #"{\fscx6400\fscy3600\p4\bord0\shad0}m 0 0 l 80 0 80 80 0 80"#,
            #"{\k20}ka{\k30\t(0,300,\fscx140\fscy140)}ra{\k20}o{\k25}ke, a song of a whole line"#,
            #"{\pos(600,500)\frx30\fry-20\frz12\fax0.2\fs48}A sign that leans on its wall"#,
            #"{\clip(3,m 0 0 l 8000 0 8000 4000 0 4000)}Masked"#, String(repeating: "Credits of a film\\N", count: 40),
        ])
    func ordinary(text: String) throws {
        let renderer = try SubStationRenderer(fontFolder: Golden.fonts)
        _ = renderer.render([Self.cue(text)], at: .seconds(2), video: screen, area: safe, style: CaptionStyle())
        #expect(renderer.takeOmission() == nil)
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
