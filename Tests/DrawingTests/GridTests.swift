import MediaModel
import Screens
import Testing

@testable import Drawing

/// The table of edges, distances and sizes, and its picture in the documentation.
@Suite("The grid of the pages")
@MainActor
struct GridTests {
    @Test("text, rows, keys and pictures rest on whole pixels of a screen with 720 lines")
    func edges() {
        let scale = Metrics.Scale(height: 720)
        #expect(scale.pixels(Metrics.Grid.leading) == 64 && scale.pixels(Metrics.Grid.trailing) == 1216)
        #expect(scale.pixels(Metrics.Grid.top) == 40 && scale.pixels(Metrics.Grid.bottom) == 680)
    }

    @Test("the titles of pages, their first rows and what stands at their trailing end rest on the edges")
    func pages() throws {
        let easel = try Easel(width: 1920, height: 1080, fontFolder: Golden.fonts)
        defer { easel.stop() }
        let (leading, trailing) = (Double(Metrics.Grid.leading), Double(Metrics.Grid.trailing))
        // Ink begins a little after the edge on which a letter stands.
        func begins(_ state: PresentationState, _ layer: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
            easel.show(state)
            let texts = try #require(easel.renderer.drawnTexts[layer], sourceLocation: sourceLocation)
            let left = try #require(texts.map(\.x).min(), sourceLocation: sourceLocation)
            #expect(left >= leading - 1 && left <= leading + 8, "\(layer) at \(left)", sourceLocation: sourceLocation)
        }
        try begins(Samples.settings, "page.title")
        try begins(Samples.programme, "page.words")
        try begins(Samples.series, "page.head")
        try begins(Samples.home(corner: false), "home.header")
        try begins(BoxScreenSamples.state(BoxScreenSamples.safe), "setup")
        func ends(_ state: PresentationState, _ layer: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
            let layers = easel.show(state)
            let place = try #require(layers.first { $0.id == layer }, sourceLocation: sourceLocation).destination
            // Where focus may be, there is room for its ring.
            let right = Double(place.x + place.width)
            #expect(
                right >= trailing - 1 && right <= trailing + focusReach + 2, "\(layer) ends at \(right)",
                sourceLocation: sourceLocation)
        }
        try ends(Samples.home(corner: false), "home.buttons")
        try ends(Samples.skipIntro, "action")
        try ends(Samples.search, "page.field")
        try ends(Samples.search, "page.results")
        try ends(Samples.series, "page.episodes")
        try ends(BoxScreenSamples.state(BoxScreenSamples.safe), "setup.code")
    }

    /// As `Tests/Fixtures/pictures/grid.png`, which the documentation shows.
    @Test("its picture in the documentation is that of the table")
    func picture() throws {
        let pixels = try MemoryAllocator().makeBuffer(format: .argb8888, width: 1280, height: 720)
        let scale = Scale(width: 1280, height: 720)
        let kit = Kit(fonts: try FontSet(folder: Golden.fonts), theme: InterfaceTheme(), scale: scale)
        let canvas = Canvas(
            try Surface(pixels), origin: PixelRect(x: 0, y: 0, width: 1280, height: 720), scale: scale, fonts: kit.fonts,
            theme: kit.theme, drawsText: true)
        GridPicture(canvas: canvas, kit: kit).draw()
        try Golden.compare(pixels, with: "grid")
    }
}

/// The grid, drawn from `Metrics`: lengths in pixels of 1920x1080, and beside the edges those of 1280x720.
@MainActor
private struct GridPicture {
    let canvas: Canvas
    let kit: Kit

    private static let line = Tint(0.35, 0.75, 1)
    private static let mark = Tint(1, 0.72, 0.3)
    private var area: Rect { .safeArea }

    func draw() {
        canvas.fill(Rect(Metrics.screen), Tint(Palette.background))
        edges()
        rows(Rect(x: area.x, y: 190, width: 860, height: 414))
        buttons(Rect(x: area.x, y: 690, width: 860, height: kit.rowHeight))
        radii(Rect(x: area.x, y: 850, width: area.width, height: 120))
        types(Rect(x: area.x + 860 + Grid.columnGap, y: 190, width: area.width - 860 - Grid.columnGap, height: 600))
    }

    private func write(_ words: String, _ x: Double, _ y: Double, _ tint: Tint = .white(1), isCentred: Bool = false) {
        let layout = kit.layout(words, kit.style(.caption2, .bold, alignment: .left))
        canvas.text(layout, x: x - layout.bounds.x - (isCentred ? layout.bounds.width / 2 : 0), y: y, tint)
    }

    private func edges() {
        let small = Metrics.Scale(height: 720)
        for x in [Metrics.Grid.leading, Metrics.Grid.trailing] {
            canvas.line([(Double(x), 0), (Double(x), 1080)], width: 2, Self.line)
        }
        for y in [Metrics.Grid.top, Metrics.Grid.bottom] {
            canvas.line([(0, Double(y)), (1920, Double(y))], width: 2, Self.line)
        }
        write("leading \(Metrics.Grid.leading) (\(small.pixels(Metrics.Grid.leading)))", area.x + 16, area.y + 14)
        write("top \(Metrics.Grid.top) (\(small.pixels(Metrics.Grid.top)))", area.midX, area.y + 14, isCentred: true)
        write("trailing \(Metrics.Grid.trailing) (\(small.pixels(Metrics.Grid.trailing)))", area.maxX - 230, area.y + 14)
        write("bottom \(Metrics.Grid.bottom) (\(small.pixels(Metrics.Grid.bottom)))", area.midX, area.maxY - 40, isCentred: true)
    }

    /// A length between two points of a line, with its number.
    private func measure(from left: Double, to right: Double, at y: Double, _ words: String) {
        canvas.line([(left, y), (right, y)], width: 4, Self.mark)
        for x in [left, right] { canvas.line([(x, y - 10), (x, y + 10)], width: 4, Self.mark) }
        write(words, right + 14, y - 14, Self.mark)
    }

    /// A panel with rows.
    private func rows(_ panel: Rect) {
        canvas.panel(panel)
        canvas.stroke(panel, radius: Radius.panel, width: 2, .white(1, 0.5))
        let height = 100.0
        for index in 0..<3 {
            let row = Rect(
                x: panel.x + Grid.panelInset, y: panel.y + Grid.panelInset + Double(index) * (height + Grid.rowGap),
                width: panel.width - 2 * Grid.panelInset, height: height)
            canvas.fill(row, radius: Radius.row, kit.theme.tints.surface)
            switch index {
            case 0: measure(from: panel.x, to: row.x, at: row.midY, "panelInset \(Metrics.Grid.panelInset)")
            case 1: measure(from: row.x, to: row.x + Grid.rowInset, at: row.midY, "rowInset \(Metrics.Grid.rowInset)")
            default:
                let x = row.x + 40
                canvas.line([(x, row.y - Grid.rowGap), (x, row.y)], width: 4, Self.mark)
                write("rowGap \(Metrics.Grid.rowGap)", x + 14, row.y + 12, Self.mark)
            }
        }
    }

    private func buttons(_ area: Rect) {
        let faces = ["Play", "From Beginning"].map { ButtonFace(title: $0) }
        let places = kit.row(faces, in: area)
        for (face, place) in zip(faces, places) { canvas.button(face, place, kit) }
        measure(from: places[0].maxX, to: places[1].x, at: area.maxY + 36, "buttonGap \(Metrics.Grid.buttonGap)")
        measure(
            from: area.maxX, to: area.maxX + Grid.columnGap, at: area.midY, "columnGap \(Metrics.Grid.columnGap)")
    }

    private func radii(_ area: Rect) {
        let all = [
            ("badge", Metrics.Radius.badge), ("row", Metrics.Radius.row), ("cell", Metrics.Radius.cell),
            ("field", Metrics.Radius.field), ("panel", Metrics.Radius.panel),
        ]
        for (index, (name, radius)) in all.enumerated() {
            let square = Rect(x: area.x + Double(index) * 240, y: area.y, width: 200, height: 100)
            canvas.fill(square, radius: Double(radius), kit.theme.tints.currentSurface)
            write("\(name) \(radius)", square.midX, square.midY - 14, isCentred: true)
        }
    }

    private func types(_ area: Rect) {
        var y = area.y
        for size in Metrics.TypeSize.allCases {
            let layout = kit.layout("\(size) \(size.pixels)", kit.style(size, .bold, width: area.width))
            canvas.text(layout, x: area.x, y: y, .white(1))
            y += layout.bounds.height + 8
        }
    }
}
