import MediaModel
import Screens
import Testing

@testable import Drawing

/// Parts of controls that differ by their colour: 3:1 to each other over any picture (WCAG 2, 1.4.11).
@Suite("Contrast of controls")
struct ControlContrastTests {
    private typealias Light = Double

    private static let least = 3.0
    /// What may be under a control, from white to black with the colours of a busy picture.
    private static let grounds = Mixer.Ground.colours

    // MARK: The time bar

    @Test(
        "the played, loaded and remaining parts of the time bar and what is beside it, on every screen that has it",
        arguments: [false, true])
    func timeBar(hasHighContrast: Bool) throws {
        var seen: Set<Pair> = []
        for (name, state) in Samples.all {
            guard let bar = state.bar else { continue }
            for ground in Self.grounds {
                let screen = try Screen(
                    state, Appearance(hasHighContrast: hasHighContrast), ground, around: Rect(Metrics.Bar.frame))
                let lights = Lights(bar, screen)
                for (pair, contrast) in lights.contrasts {
                    seen.insert(pair)
                    #expect(contrast >= Self.least, "\(name), \(pair.rawValue) over \(ground): \(contrast):1")
                }
            }
        }
        #expect(seen == Set(Pair.allCases), "every part is on some screen")
    }

    private enum Pair: String, CaseIterable {
        case playedToLoaded, playedToLine, loadedToHollow, loadedToBeside, lineToHollow, lineToBeside
        case notchToFilled, tickToHollow, dotToRing, watchedToRing
    }

    /// The luminance of the parts of a bar, where nothing else lies on it.
    private struct Lights {
        private var played: [Light] = [], loaded: [Light] = [], line: [Light] = [], hollow: [Light] = [], beside: [Light] = []
        /// A notch in what is filled and what is beside it; the same of ticks and dots.
        private var notches: [(Light, Light)] = [], ticks: [(Light, Light)] = []
        private var dots: [(Light, Light)] = [], watched: [(Light, Light)] = []

        init(_ bar: TransportBarView, _ screen: Screen) {
            let frame = Metrics.Bar.frame
            let isTall = bar.focus == .bar || bar.scrub != nil
            let middle = frame.y + frame.height / 2
            let top = middle - (isTall ? Metrics.Bar.focusedHeight : frame.height) / 2
            /// What lies on the bar, and how far it reaches.
            var marks: [(place: Int, reach: Int)] = [(bar.playhead.pixels, 8)]
            for dot in bar.dots { marks.append((dot.position.pixels, 14)) }
            for tick in bar.chapterTicks { marks.append((tick.pixels, 4)) }
            if let scrub = bar.scrub { marks.append((scrub.origin.pixels, 6)) }
            func isFree(_ x: Int) -> Bool { marks.allSatisfy { abs($0.place - x) > $0.reach } }
            func isLoaded(_ x: Int) -> Bool { bar.buffered.contains { $0.start.pixels + 2 < x && x < $0.end.pixels - 2 } }
            func isEdge(_ x: Int) -> Bool {
                bar.buffered.contains { abs($0.start.pixels - x) <= 2 || abs($0.end.pixels - x) <= 2 }
            }
            for x in stride(from: 10, to: frame.width - 10, by: 7) where isFree(x) && !isEdge(x) {
                let column = frame.x + x
                beside.append(screen.light(column, top - 5))
                if x < bar.playhead.pixels {
                    played.append(screen.light(column, middle))
                } else if isLoaded(x) {
                    loaded.append(screen.light(column, middle))
                } else {
                    line.append(screen.light(column, top))
                    hollow.append(screen.light(column, middle))
                }
            }
            for tick in bar.chapterTicks.map(\.pixels) where tick > 10 && tick < frame.width - 10 {
                let others = marks.filter { $0.place != tick || $0.reach != 4 }
                guard others.allSatisfy({ abs($0.place - tick) > $0.reach + 4 }), !isEdge(tick) else { continue }
                // The notch is two pixels wide, centred on its place.
                let pair = (screen.light(frame.x + tick, middle), screen.light(frame.x + tick + 3, middle))
                if tick < bar.playhead.pixels || isLoaded(tick) { notches.append(pair) } else { ticks.append(pair) }
            }
            for dot in bar.dots where abs(dot.position.pixels - bar.playhead.pixels) > 16 {
                let x = frame.x + dot.position.pixels
                // The line of a hollow dot and the ring outside of it, above the bar; the line and what it goes round, on the bar.
                if dot.isWatched {
                    watched.append((screen.light(x, middle - 5), screen.light(x, middle - 8)))
                    watched.append((screen.light(x + 4, middle), screen.light(x, middle)))
                } else {
                    dots.append((screen.light(x, middle - 3), screen.light(x, middle - 8)))
                }
            }
        }

        /// The least contrast of each pair of parts that this bar has.
        var contrasts: [(Pair, Double)] {
            func least(_ ones: [Light], _ others: [Light]) -> Double? {
                ones.flatMap { one in others.map { Mixer.contrast(one, $0) } }.min()
            }
            func leastOf(_ pairs: [(Light, Light)]) -> Double? { pairs.map { Mixer.contrast($0.0, $0.1) }.min() }
            let all: [(Pair, Double?)] = [
                (.playedToLoaded, least(played, loaded)), (.playedToLine, least(played, line)),
                (.loadedToHollow, least(loaded, hollow)), (.loadedToBeside, least(loaded, beside)),
                (.lineToHollow, least(line, hollow)), (.lineToBeside, least(line, beside)), (.notchToFilled, leastOf(notches)),
                (.tickToHollow, leastOf(ticks)), (.dotToRing, leastOf(dots)), (.watchedToRing, leastOf(watched)),
            ]
            return all.compactMap { pair, value in value.map { (pair, $0) } }
        }
    }

    // MARK: Bars that show progress

    /// The ground of a bar, drawn over a picture.
    private enum Under: CaseIterable {
        case panel, picture, row, currentRow, focusedRow

        var ground: BarGround {
            switch self {
            case .panel: .panel
            case .picture: .picture
            case .row, .currentRow: .row
            case .focusedRow: .focusedRow
            }
        }

        func draw(on canvas: Canvas, _ rect: Rect) {
            let tints = canvas.theme.tints
            switch self {
            case .picture: break
            case .panel: canvas.panel(rect)
            case .row, .currentRow:
                canvas.panel(rect)
                canvas.fill(rect, self == .row ? tints.surface : tints.currentSurface)
            case .focusedRow: canvas.fill(rect, tints.focusedGround)
            }
        }
    }

    @Test("the part and the rest of bars that show progress or volume", arguments: [false, true])
    func progress(hasHighContrast: Bool) throws {
        #expect(Set(Under.allCases.map(\.ground)) == Set(BarGround.allCases))
        for under in Under.allCases {
            for ground in Self.grounds {
                let screen = try Screen(Appearance(hasHighContrast: hasHighContrast), ground) { canvas, kit in
                    under.draw(on: canvas, Rect(x: 0, y: 0, width: 200, height: 60))
                    canvas.progress(50, in: Rect(x: 20, y: 26, width: 160, height: 8), on: under.ground, kit)
                }
                let contrast = Mixer.contrast(screen.light(60, 30), screen.light(140, 30))
                #expect(contrast >= Self.least, "\(under) over \(ground): \(contrast):1")
            }
        }
    }

    @Test("a level that is not heard is hollow, and so told from one that is heard by its shape", arguments: [false, true])
    func muted(hasHighContrast: Bool) throws {
        for ground in Self.grounds {
            let screen = try Screen(Appearance(hasHighContrast: hasHighContrast), ground) { canvas, kit in
                canvas.panel(Rect(x: 0, y: 0, width: 200, height: 60))
                canvas.progress(50, in: Rect(x: 20, y: 25, width: 160, height: 10), on: .panel, isHollow: true, kit)
            }
            #expect(Mixer.contrast(screen.light(60, 25), screen.light(60, 30)) >= Self.least, "over \(ground)")
        }
    }

    @Test("the selected tab of a panel without focus", arguments: [false, true])
    func tab(hasHighContrast: Bool) throws {
        for ground in Self.grounds {
            let appearance = Appearance(hasHighContrast: hasHighContrast)
            var place = Rect(x: 0, y: 0, width: 0, height: 0)
            let screen = try Screen(appearance, ground) { canvas, kit in
                let content = PanelGround(tabs: [.init(tab: .info, title: "Information")], selected: 0, isFocused: false)
                content.draw(on: canvas, kit)
                place = PanelGround.frame(kit)
            }
            // The upper edge of the first tab, in its middle, and the panel above it.
            let x = Int(place.x) + 24 + 60, y = Int(place.y) + 9
            #expect(Mixer.contrast(screen.light(x, y), screen.light(x, y - 5)) >= Self.least, "over \(ground)")
        }
    }

    // MARK: Pictures

    /// Drawn pixels at 1920x1080 over a picture of one colour.
    private struct Screen {
        private let mixer: Mixer

        /// The layers of a state that reach into a part of the screen.
        init(_ state: PresentationState, _ appearance: Appearance, _ colour: Mixer.Colour, around part: Rect) throws {
            let scale = Scale(width: 1920, height: 1080)
            let fonts = try FontSet()
            let painter = LayerPainter(fonts: fonts)
            painter.drawsText = false
            let kit = Kit(fonts: fonts, theme: InterfaceTheme(appearance), scale: scale)
            var shelf = ImageShelf(byteLimit: 64 << 20)
            for request in state.imageRequests(scale) {
                shelf.insert(request, Mixer.picture(request.width, request.height) { _, _ in colour }, at: .zero)
            }
            let plans = InterfacePlan(state: state, kit: kit, shelf: shelf, spinnerPhase: 0).layers()
                .filter { $0.content.bounds(kit).intersects(part.inset(-20)) }
            let result = painter.paint(plans, scale: scale, theme: kit.theme, allocator: MemoryAllocator())
            mixer = Mixer(
                layers: result.layers.map(\.layer), width: 1920, height: 1080,
                background: InterfaceRenderer.background(for: state),
                picture: state.video.frame.isEmpty ? nil : state.video.frame
            ) { _, _ in colour }
        }

        /// What is drawn by hand.
        init(_ appearance: Appearance, _ colour: Mixer.Colour, _ draw: (Canvas, Kit) -> Void) throws {
            let scale = Scale(width: 1920, height: 1080), whole = Metrics.screen
            let kit = Kit(fonts: try FontSet(), theme: InterfaceTheme(appearance), scale: scale)
            let pixels = try MemoryAllocator().makeBuffer(format: .argb8888, width: whole.width, height: whole.height)
            draw(
                Canvas(
                    try Surface(pixels), origin: whole, scale: scale, fonts: kit.fonts, theme: kit.theme, drawsText: false), kit)
            mixer = Mixer(
                layers: [InterfaceLayer(id: "drawn", pixels: pixels, destination: whole, z: 0)], width: whole.width,
                height: whole.height, background: .black, picture: whole
            ) { _, _ in colour }
        }

        func light(_ x: Int, _ y: Int) -> Light { mixer.luminance(x, y) }
    }
}
