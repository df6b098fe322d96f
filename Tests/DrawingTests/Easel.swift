import CPangoCairo
import LinuxSupport
import MediaModel
import MediaTime
import Screens

@testable import Drawing

/// A renderer on a simulated clock, with helpers that inspect its output.
@MainActor
final class Easel {
    let loop: MainLoop
    let renderer: InterfaceRenderer
    let mode: DisplayMode
    private let appearance: Appearance
    private let artist: Artist

    init(
        width: Int = 1280, height: Int = 720, appearance: Appearance = Appearance(), artist: Artist = Artist(),
        fontFolder: String? = nil
    ) throws {
        loop = try MainLoop(time: .simulated)
        mode = DisplayMode(width: width, height: height, refresh: Ratio(60, 1))
        self.artist = artist
        self.appearance = appearance
        renderer = InterfaceRenderer(
            clock: loop.clock, mode: mode, allocator: MemoryAllocator(), images: artist, fontFolder: fontFolder)
        artist.clock = loop.clock
    }

    /// Shows a state, waits until all animations have ended, and returns the layers.
    @discardableResult
    func show(_ state: PresentationState) -> [InterfaceLayer] {
        var isSettled = false
        renderer.update(dressed(state)) { _ in }
        loop.clock.schedule(after: .seconds(1), rank: .display) { isSettled = true }
        loop.run(until: { isSettled })
        return renderer.layers
    }

    /// A state with this easel's appearance.
    func dressed(_ state: PresentationState) -> PresentationState {
        var state = state
        state.appearance = appearance
        return state
    }

    /// The visible picture: the layers over a background.
    func picture(of layers: [InterfaceLayer], over background: Background, video: PixelRect? = nil) throws -> PixelBuffer {
        let target = try MemoryAllocator().makeBuffer(format: .argb8888, width: mode.width, height: mode.height)
        let surface = try Surface(target)
        let context = surface.context
        let scale = Scale(width: mode.width, height: mode.height)
        background.paint(context, scale, video: video)
        for layer in layers.sorted(by: { ($0.z, $0.id) < ($1.z, $1.id) }) {
            guard let source = SourceSurface(layer.pixels) else { continue }
            cairo_save(context)
            let place = layer.destination
            cairo_translate(context, Double(place.x), Double(place.y))
            cairo_scale(
                context, Double(place.width) / Double(layer.pixels.width), Double(place.height) / Double(layer.pixels.height))
            cairo_set_source_surface(context, source.surface, 0, 0)
            cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
            cairo_rectangle(context, 0, 0, Double(layer.pixels.width), Double(layer.pixels.height))
            cairo_clip(context)
            cairo_paint_with_alpha(context, Double(layer.alpha) / 255)
            cairo_restore(context)
        }
        // After an error Cairo draws nothing more, and reports it only when asked.
        let status = cairo_status(context)
        guard status == CAIRO_STATUS_SUCCESS else {
            throw DrawingError(.makeSurface, on: "a test's picture", reason: String(cString: cairo_status_to_string(status)))
        }
        return target
    }

    func stop() { renderer.stop() }
}

/// The background under the interface in a test.
enum Background {
    /// The worst case for white text.
    case white
    /// Stripes and blobs of many colours.
    case busy
    /// An evening by the sea, for the pictures of the documentation.
    case scene
    /// A uniform mid grey.
    case grey
    /// The renderer's background on Home.
    case plain(OpaqueColour)

    func paint(_ context: OpaquePointer, _ scale: Scale, video: PixelRect?) {
        let whole = PixelRect(x: 0, y: 0, width: scale.width, height: scale.height)
        if case .plain(let colour) = self {
            cairo_set_source_rgb(context, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255)
            cairo_paint(context)
            guard let video, !video.isEmpty else { return }
            return Background.scene.paint(context, scale, in: scale.pixels(Rect(video)))
        }
        cairo_set_source_rgb(context, 0, 0, 0)
        cairo_paint(context)
        paint(
            context, scale,
            in: video.map { $0.isEmpty ? PixelRect(x: 0, y: 0, width: 0, height: 0) : scale.pixels(Rect($0)) } ?? whole)
    }

    private func paint(_ context: OpaquePointer, _ scale: Scale, in place: PixelRect) {
        guard !place.isEmpty else { return }
        cairo_save(context)
        defer { cairo_restore(context) }
        cairo_rectangle(context, Double(place.x), Double(place.y), Double(place.width), Double(place.height))
        cairo_clip(context)
        if case .scene = self, let picture = Artist.paint("evening", width: max(place.width, 1), height: max(place.height, 1)),
            let source = SourceSurface(picture)
        {
            cairo_set_source_surface(context, source.surface, Double(place.x), Double(place.y))
            return cairo_paint(context)
        }
        guard case .busy = self else {
            if case .grey = self { cairo_set_source_rgb(context, 0.5, 0.5, 0.5) } else { cairo_set_source_rgb(context, 1, 1, 1) }
            return cairo_paint(context)
        }
        cairo_translate(context, Double(place.x), Double(place.y))
        cairo_scale(context, Double(place.width) / 320, Double(place.height) / 180)
        let colours: [(Double, Double, Double)] = [
            (0.95, 0.80, 0.55), (0.30, 0.55, 0.80), (0.85, 0.35, 0.30), (0.95, 0.95, 0.90), (0.25, 0.45, 0.30),
            (0.70, 0.75, 0.85),
        ]
        for row in 0..<9 {
            for column in 0..<16 {
                let colour = colours[(row * 5 + column * 7 + row * column) % colours.count]
                cairo_set_source_rgb(context, colour.0, colour.1, colour.2)
                cairo_rectangle(context, Double(column) * 20, Double(row) * 20, 20.5, 20.5)
                cairo_fill(context)
            }
        }
    }
}

/// Paints artwork by name, after ten milliseconds of the simulated clock.
@MainActor
final class Artist: ImageLoading {
    var clock: (any HostClock)?
    private(set) var requests: [String] = []
    /// Whether every picture is missing, or dropped.
    var isMissing = false
    var isDropping = false

    /// Whether pictures have few colours, which keeps golden pictures small.
    nonisolated let isPlain: Bool

    nonisolated init(isPlain: Bool = false) { self.isPlain = isPlain }

    func load(_ reference: String, width: Int, height: Int, then: @escaping @MainActor @Sendable (LoadedPicture) -> Void) {
        requests.append("\(reference)@\(width)x\(height)")
        clock?.schedule(after: .milliseconds(10), rank: .media) { [isMissing, isDropping, isPlain] in
            if isDropping { return then(.dropped) }
            let pixels = isMissing ? nil : Self.paint(reference, width: width, height: height, isPlain: isPlain)
            then(pixels.map { .picture($0) } ?? .missing)
        }
    }

    nonisolated static func paint(_ reference: String, width: Int, height: Int, isPlain: Bool = false) -> PixelBuffer? {
        // Covers are square in any rectangle.
        let width = reference == "cover" ? min(width, height) : width
        let height = reference == "cover" ? min(width, height) : height
        guard reference != "missing",
            let pixels = try? MemoryAllocator().makeBuffer(format: .argb8888, width: width, height: height),
            let surface = try? Surface(pixels)
        else { return nil }
        let seed = reference.utf8.reduce(0) { ($0 * 31 + Int($1)) % 997 }
        let hues: [(Double, Double, Double)] = [
            (0.16, 0.32, 0.42), (0.48, 0.27, 0.22), (0.22, 0.38, 0.30), (0.36, 0.30, 0.46), (0.55, 0.45, 0.28),
            (0.25, 0.28, 0.40),
        ]
        let hue = hues[seed % hues.count]
        let context = surface.context
        let sky = cairo_pattern_create_linear(0, 0, 0, Double(height))!
        let top = isPlain ? 1.7 : 0.6
        cairo_pattern_add_color_stop_rgb(sky, 0, min(hue.0 * top, 1), min(hue.1 * top, 1), min(hue.2 * top, 1))
        cairo_pattern_add_color_stop_rgb(sky, 1, min(hue.0 * 1.7, 1), min(hue.1 * 1.7, 1), min(hue.2 * 1.7, 1))
        cairo_set_source(context, sky)
        cairo_paint(context)
        cairo_pattern_destroy(sky)
        cairo_set_source_rgba(context, 1, 0.95, 0.8, 0.9)
        cairo_arc(
            context, Double(width) * (0.25 + Double(seed % 50) / 100), Double(height) * 0.4, Double(height) * 0.12, 0, 6.2832)
        cairo_fill(context)
        cairo_set_source_rgba(context, hue.0 * 0.4, hue.1 * 0.4, hue.2 * 0.4, 1)
        cairo_move_to(context, 0, Double(height))
        for step in 0...8 {
            let x = Double(width * step) / 8
            cairo_line_to(context, x, Double(height) * (0.62 + 0.16 * Double((seed / (step + 1)) % 5) / 5))
        }
        cairo_line_to(context, Double(width), Double(height))
        cairo_fill(context)
        return pixels
    }
}
