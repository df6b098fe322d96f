import MediaModel
import Screens

/// The content of a layer, as a value: equal contents give equal pixels, so that nothing is drawn twice.
protocol LayerContent: Sendable, Equatable {
    /// The rectangle that it needs on the screen, tight, in design pixels.
    func bounds(_ kit: Kit) -> Rect
    /// Whether every pixel is the same: then a few are drawn, and the display stretches them.
    var isUniform: Bool { get }
    /// How many pixels of the screen one drawn pixel covers, across and down: more than 1 for soft colours, which the display stretches.
    var coarseness: Int { get }
    /// Draws it; the canvas uses the design coordinates of the whole screen.
    func draw(on canvas: Canvas, _ kit: Kit)
}

extension LayerContent {
    var isUniform: Bool { false }
    var coarseness: Int { 1 }
}

/// A wanted layer: its content, and how it lies on the screen. Only the content is ever drawn.
struct LayerPlan {
    /// Identifies the layer for its lifetime.
    var id: String
    /// Distinguishes pictures that one layer shows in turn, such as the phases of the spinner; each is cached.
    var variant = 0
    var z: Int
    var content: any LayerContent
    var alpha = 1.0
    /// An offset in design pixels, downwards from the content's own position.
    var offsetY = 0.0
    var motion = LayerMotion()
    /// When it is visible, by the item's time; nil: always.
    var presence: LayerPresence?
    /// Whether its content changes by itself, and is to be drawn again soon.
    var isMoving = false
}

/// Draws layers and caches the results. Drawing thread only.
final class LayerPainter {
    private struct Key: Hashable {
        var id: String
        var variant: Int
    }
    private struct Drawn {
        var content: any LayerContent
        var rect: PixelRect
        var pixels: PixelBuffer
        var texts: [DrawnText]
        var lastUse: UInt64
        var byteCount: Int { pixels.storage.byteCount }
    }
    /// The result of one picture.
    struct Result: Sendable {
        var layers: [AnimatedLayer] = []
        var texts: [String: [DrawnText]] = [:]
        /// Whether some layer is to be drawn again soon.
        var isMoving = false
        /// Layers that could not be drawn, and why.
        var failures: [DrawingError] = []
        /// How often each layer has been drawn since the painter was made.
        var redraws: [String: Int] = [:]
    }

    private let fonts: FontSet
    private var drawn: [Key: Drawn] = [:]
    /// The memory of all pictures in `drawn`.
    private var byteCount = 0
    private var redraws: [String: Int] = [:]
    private var uses: UInt64 = 0
    private var conditions: (scale: Scale, theme: InterfaceTheme)?
    private let scratch = MemoryAllocator()
    private let byteLimit: Int
    /// Whether texts are drawn, or only recorded.
    var drawsText = true

    /// - Parameters:
    ///   - byteLimit: the memory limit for cached layers that are not on the screen.
    init(fonts: FontSet, byteLimit: Int = 48 << 20) {
        self.fonts = fonts
        self.byteLimit = byteLimit
    }

    /// Draws what has changed and assembles the layers.
    func paint(_ plans: [LayerPlan], scale: Scale, theme: InterfaceTheme, allocator: any FrameAllocator) -> Result {
        if conditions?.scale != scale || conditions?.theme != theme {
            drawn.removeAll()
            byteCount = 0
            conditions = (scale, theme)
        }
        uses += 1
        let kit = Kit(fonts: fonts, theme: theme, scale: scale)
        var result = Result()
        result.isMoving = plans.contains(where: \.isMoving)
        for plan in plans {
            let alpha = UInt8((min(max(plan.alpha, 0), 1) * 255).rounded())
            // Invisible layers need no plane and no time.
            guard alpha > 0 else { continue }
            let key = Key(id: plan.id, variant: plan.variant)
            if drawn[key].map({ areEqual($0.content, plan.content) }) != true {
                do throws(DrawingError) {
                    keep(try draw(plan, kit, allocator), for: key)
                    redraws[plan.id, default: 0] += 1
                } catch {
                    keep(nil, for: key)
                    result.failures.append(error)
                    continue
                }
            }
            drawn[key]?.lastUse = uses
            guard let picture = drawn[key] else { continue }
            var destination = picture.rect
            destination.y += Int((plan.offsetY * scale.factor).rounded())
            let layer = InterfaceLayer(
                id: plan.id, pixels: picture.pixels, destination: destination, alpha: alpha, z: plan.z, presence: plan.presence)
            result.layers.append(AnimatedLayer(layer: layer, motion: plan.motion))
            result.texts[plan.id] = picture.texts
        }
        forgetOldest()
        result.redraws = redraws
        return result
    }

    private func draw(_ plan: LayerPlan, _ kit: Kit, _ allocator: any FrameAllocator) throws(DrawingError) -> Drawn {
        let rect = kit.scale.pixels(plan.content.bounds(kit)).clipped(width: kit.scale.width, height: kit.scale.height)
        let scale = kit.scale.coarser(plan.content.coarseness)
        let origin = plan.content.coarseness == 1 ? rect : scale.pixels(plan.content.bounds(kit))
        let width = plan.content.isUniform ? min(64, origin.width) : origin.width
        let height = plan.content.isUniform ? min(64, origin.height) : origin.height
        let target: PixelBuffer
        do {
            target = try allocator.makeBuffer(format: .argb8888, width: width, height: height)
        } catch {
            throw DrawingError(.allocateLayer, on: plan.id, reason: error.sentence)
        }
        // Cairo reads the pixels it blends over, which can be very slow in memory meant for scan-out.
        let canvasPixels: PixelBuffer
        if allocator.isCached {
            canvasPixels = target
        } else {
            do {
                canvasPixels = try scratch.makeBuffer(format: .argb8888, width: width, height: height)
            } catch {
                throw DrawingError(.allocateLayer, on: plan.id, reason: error.sentence)
            }
        }
        let surface = try Surface(canvasPixels)
        let canvas = Canvas(surface, origin: origin, scale: scale, fonts: kit.fonts, theme: kit.theme, drawsText: drawsText)
        plan.content.draw(on: canvas, kit)
        if canvasPixels !== target { target.copyRows(from: canvasPixels) }
        return Drawn(content: plan.content, rect: rect, pixels: target, texts: canvas.texts, lastUse: uses)
    }

    /// Replaces a cached layer; nil drops it.
    private func keep(_ picture: Drawn?, for key: Key) {
        let old = drawn[key]?.byteCount ?? 0
        drawn[key] = picture
        byteCount += (picture?.byteCount ?? 0) - old
    }

    /// Drops cached layers that are not shown, least recently shown first, until the limit is met.
    private func forgetOldest() {
        // Called for every picture; the cache is almost never full.
        guard byteCount > byteLimit else { return }
        let hidden = drawn.filter { $0.value.lastUse < uses }
            .sorted { ($1.value.lastUse, $1.key.id, $1.key.variant) < ($0.value.lastUse, $0.key.id, $0.key.variant) }
        var bytes = 0
        for (key, picture) in hidden {
            bytes += picture.byteCount
            if bytes > byteLimit { keep(nil, for: key) }
        }
    }
}

private func areEqual<Content: LayerContent>(_ one: Content, _ other: any LayerContent) -> Bool { one == other as? Content }

extension PixelRect {
    /// The part that lies on a screen; at least one pixel of it.
    func clipped(width: Int, height: Int) -> PixelRect {
        let left = min(max(x, 0), width - 1), top = min(max(y, 0), height - 1)
        let right = max(min(x + self.width, width), left + 1), bottom = max(min(y + self.height, height), top + 1)
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }
}

extension PixelBuffer {
    /// Copies another picture of the same format and size into this one, which must not be shared yet.
    func copyRows(from other: PixelBuffer) {
        let bytes = width * 4
        let from = other.planes[0], to = planes[0]
        other.withBytes { source in
            withMutableBytes { target in
                for row in 0..<height {
                    let origin = source.baseAddress! + from.offset + row * from.stride
                    (target.baseAddress! + to.offset + row * to.stride).copyMemory(from: origin, byteCount: bytes)
                }
            }
        }
    }
}
