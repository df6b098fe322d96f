import LinuxSupport
import MediaModel
import Screens

/// The state of the drawing thread: the fonts, and the painter with its cached layers.
// Unchecked: after `init` its state is touched only by jobs of the one drawing thread, which run one after the other.
final class DrawingStudio: @unchecked Sendable {
    /// The input of one picture.
    struct Job: Sendable {
        var state: PresentationState
        var scale: Scale
        var shelf: ImageShelf
        var allocator: any FrameAllocator
        var spinnerPhase: Int
        /// Whether focus has rested, so that its artwork is shown large.
        var hasRested: Bool
        /// For what moves by itself.
        var time: HostTime
    }

    private let fontFolder: String?
    private var painter: LayerPainter?
    private var fonts: FontSet?
    private var failure: DrawingError?

    /// - Parameter fontFolder: nil: the machine's fonts.
    init(fontFolder: String? = nil) { self.fontFolder = fontFolder }

    /// Opens the fonts, which is slow the first time, and shapes a word so that the usual fonts are loaded.
    func open() {
        guard painter == nil else { return }
        do throws(DrawingError) {
            let fonts = try FontSet(folder: fontFolder)
            for weight in [TextStyle.Weight.medium, .bold] {
                _ = fonts.layout("0:00", TextStyle(Double(Metrics.TypeSize.body.pixels), weight)).bounds
            }
            self.fonts = fonts
            painter = LayerPainter(fonts: fonts)
        } catch {
            failure = error
        }
    }

    /// Drops everything that was drawn.
    func forget() { painter = fonts.map { LayerPainter(fonts: $0) } }

    func paint(_ job: Job) -> LayerPainter.Result {
        guard let painter, let fonts else {
            var result = LayerPainter.Result()
            if let failure { result.failures = [failure] }
            return result
        }
        let theme = InterfaceTheme(job.state.appearance)
        let kit = Kit(fonts: fonts, theme: theme, scale: job.scale)
        let plan = InterfacePlan(
            state: job.state, kit: kit, shelf: job.shelf, spinnerPhase: job.spinnerPhase, hasRested: job.hasRested,
            time: job.time)
        return painter.paint(plan.layers(), scale: job.scale, theme: theme, allocator: job.allocator)
    }
}
