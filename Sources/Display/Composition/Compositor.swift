import CYUV
import MediaModel

/// Composes a `Scene` into one picture with libyuv: for headless screens, and on the lowest rung of the KMS ladder.
///
/// Composition is a pure function of the scene and the size: the same scene always gives the same bytes on the same kind of
/// processor. Any thread. It blocks until done: a few milliseconds for a 1080p screen.
package final class Compositor: Sendable {
    private let scratch = MemoryAllocator()

    /// Makes a compositor. A compositor keeps scratch memory between pictures.
    package init() {}

    /// Composes a scene into new plain memory.
    ///
    /// - Returns: a picture in `xrgb8888` whose undefined bytes are 255.
    /// - Throws: `MediaError` with code `internal` when memory is exhausted.
    package func compose(_ scene: Scene, width: Int, height: Int) throws(MediaError) -> PixelBuffer {
        let screen = try scratch.makeBuffer(format: .xrgb8888, width: width, height: height)
        try compose(scene, into: screen)
        return screen
    }

    /// Composes a scene into memory that the caller allocated and has not shared yet.
    ///
    /// - Parameter screen: a picture in `xrgb8888`. It is read back while layers are blended, so it should be cached memory.
    package func compose(_ scene: Scene, into screen: PixelBuffer) throws(MediaError) {
        precondition(screen.format == .xrgb8888, "a screen is composed in xrgb8888")
        let target = screen.bounds
        if !Self.coversScreen(scene.video, target) { fill(screen, target, scene.background) }
        if let ground = scene.video?.ground?.intersection(target), !ground.isEmpty, scene.background != .black {
            fill(screen, ground, .black)
        }
        if let video = scene.video { try draw(video, on: screen) }
        for layer in scene.layers.inStackingOrder { try draw(layer, on: screen) }
    }

    /// Whether composing a scene reads what it has already written, because something is blended over it. If not, the memory may be slow to read.
    static func readsScreen(_ scene: Scene, _ screen: PixelRect) -> Bool {
        let blendsVideo = scene.video.map { isSeen($0, on: screen) && !($0.alpha == 255 && isDrawnDirectly($0, on: screen)) }
        return blendsVideo ?? false || scene.layers.contains { $0.alpha > 0 && !$0.destination.intersection(screen).isEmpty }
    }

    private static func isSeen(_ video: VideoLayer, on screen: PixelRect) -> Bool {
        video.alpha > 0 && !video.visibleSource.isEmpty && !video.destination.intersection(screen).isEmpty
    }

    /// Whether a picture is converted straight into its place: upright, whole, and of a format that is scaled.
    private static func isDrawnDirectly(_ video: VideoLayer, on screen: PixelRect) -> Bool {
        let (source, visible) = (video.visibleSource, video.destination.intersection(screen))
        let format = video.frame.pixels.format
        let isPlain = visible == video.destination && video.frame.quarterTurns % 4 == 0 && format != .argb8888
        let keepsSize = source.width == visible.width && source.height == visible.height
        return isPlain && (keepsSize || ColourConversion.canScale(format))
    }

    private static func coversScreen(_ video: VideoLayer?, _ target: PixelRect) -> Bool {
        guard let video, video.alpha == 255, video.frame.pixels.format != .argb8888, !video.visibleSource.isEmpty else {
            return false
        }
        return video.destination.intersection(target) == target
    }

    /// - Parameter area: inside the screen.
    private func fill(_ screen: PixelBuffer, _ area: PixelRect, _ colour: OpaqueColour) {
        let value = 0xFF00_0000 | UInt32(colour.red) << 16 | UInt32(colour.green) << 8 | UInt32(colour.blue)
        screen.withWritablePlanes { planes in
            _ = ARGBRect(
                planes.bytes(0), planes.stride(0), Int32(area.x), Int32(area.y), Int32(area.width), Int32(area.height), value)
        }
    }

    private func draw(_ video: VideoLayer, on screen: PixelBuffer) throws(MediaError) {
        guard Self.isSeen(video, on: screen.bounds) else { return }
        let (source, visible) = (video.visibleSource, video.destination.intersection(screen.bounds))
        if Self.isDrawnDirectly(video, on: screen.bounds) {
            guard video.alpha < 255 else { return try drawDirectly(video, source: source, on: screen, at: visible) }
            // Faded: the same pixels first go beside the screen.
            let picture = try scratch.makeBuffer(format: .xrgb8888, width: visible.width, height: visible.height)
            try drawDirectly(video, source: source, on: picture, at: picture.bounds)
            try blend(picture, area: picture.bounds, destination: visible, alpha: video.alpha, on: screen)
            return
        }
        // Rotated or clipped: first make upright RGB at its own size, then blend it like an interface layer.
        let upright = try uprightPicture(video, source: source)
        try blend(upright, area: upright.bounds, destination: video.destination, alpha: video.alpha, on: screen)
    }

    /// Scales in YUV, then converts straight into the screen: the path of nearly every frame.
    private func drawDirectly(
        _ video: VideoLayer, source: PixelRect, on screen: PixelBuffer, at destination: PixelRect
    ) throws(MediaError) {
        var picture = video.frame.pixels
        var area = source
        if source.width != destination.width || source.height != destination.height {
            picture = try scaled(picture, area: source, width: destination.width, height: destination.height, from: scratch)
            area = picture.bounds
        }
        screen.withWritablePlanes { target in
            picture.withReadablePlanes { planes in
                ColourConversion.convert(
                    planes, area: area, colour: video.frame.colour, to: target.bytes(0, x: destination.x, y: destination.y),
                    stride: Int(target.stride(0)))
            }
        }
    }

    /// Scales a part of a YUV picture and keeps its format.
    ///
    /// - Throws: `MediaError` when `allocator` is out of memory.
    func scaled(
        _ picture: PixelBuffer, area: PixelRect, width: Int, height: Int, from allocator: any FrameAllocator
    ) throws(MediaError) -> PixelBuffer {
        let result = try allocator.makeBuffer(format: picture.format, width: width, height: height)
        result.withWritablePlanes { target in
            picture.withReadablePlanes { ColourConversion.scale($0, area: area, to: target, width: width, height: height) }
        }
        return result
    }

    /// Scales a part of a YUV picture as above, and fades it to black.
    ///
    /// - Parameter alpha: 1 nearly black … 255 unchanged; nil: unchanged.
    /// - Precondition: `ColourConversion.canFade` is true for the format if there is an alpha.
    func scaled(
        _ frame: VideoFrame, area: PixelRect, width: Int, height: Int, alpha: UInt8?, from allocator: any FrameAllocator
    ) throws(MediaError) -> PixelBuffer {
        var (picture, area) = (frame.pixels, area)
        guard let alpha else { return try scaled(picture, area: area, width: width, height: height, from: allocator) }
        if area.width != width || area.height != height {
            picture = try scaled(picture, area: area, width: width, height: height, from: scratch)
            area = picture.bounds
        }
        let result = try allocator.makeBuffer(format: picture.format, width: width, height: height)
        result.withWritablePlanes { target in
            picture.withReadablePlanes { ColourConversion.fade($0, area: area, colour: frame.colour, to: target, alpha: alpha) }
        }
        return result
    }

    /// The visible part of a frame in premultiplied ARGB, rotated upright.
    private func uprightPicture(_ video: VideoLayer, source: PixelRect) throws(MediaError) -> PixelBuffer {
        let flat = try scratch.makeBuffer(format: .argb8888, width: source.width, height: source.height)
        flat.withWritablePlanes { target in
            video.frame.pixels.withReadablePlanes {
                ColourConversion.convert(
                    $0, area: source, colour: video.frame.colour, to: target.bytes(0), stride: Int(target.stride(0)))
            }
        }
        let turn: RotationMode
        switch video.frame.quarterTurns & 3 {
        case 1: turn = kRotate90
        case 2: turn = kRotate180
        case 3: turn = kRotate270
        default: return flat
        }
        let isSideways = turn != kRotate180
        let upright = try scratch.makeBuffer(
            format: .argb8888, width: isSideways ? source.height : source.width, height: isSideways ? source.width : source.height
        )
        upright.withWritablePlanes { target in
            flat.withReadablePlanes {
                _ = ARGBRotate(
                    $0.bytes(0), $0.stride(0), target.bytes(0), target.stride(0), Int32(flat.width), Int32(flat.height), turn)
            }
        }
        return upright
    }

    /// One layer in premultiplied ARGB, scaled to a size, with its alpha applied.
    func flatten(_ layer: InterfaceLayer, width: Int, height: Int) throws(MediaError) -> PixelBuffer {
        let whole = PixelRect(x: 0, y: 0, width: width, height: height)
        return try piece(
            of: layer.pixels, area: layer.pixels.bounds, width: width, height: height, clip: whole, alpha: layer.alpha)
    }

    private func draw(_ layer: InterfaceLayer, on screen: PixelBuffer) throws(MediaError) {
        precondition(!layer.pixels.format.isYUV, "an interface layer is RGB")
        try blend(layer.pixels, area: layer.pixels.bounds, destination: layer.destination, alpha: layer.alpha, on: screen)
    }

    /// Blends premultiplied pixels over the screen, scaled to `destination`, clipped at the edges, multiplied by `alpha`.
    private func blend(
        _ picture: PixelBuffer, area: PixelRect, destination: PixelRect, alpha: UInt8, on screen: PixelBuffer
    ) throws(MediaError) {
        let visible = destination.intersection(screen.bounds)
        guard !visible.isEmpty, !area.isEmpty, alpha > 0 else { return }
        let clip = PixelRect(
            x: visible.x - destination.x, y: visible.y - destination.y, width: visible.width, height: visible.height)
        let keepsSize = area.width == destination.width && area.height == destination.height
        if keepsSize, alpha == 255, picture.format == .argb8888 {
            overlay(picture, x: area.x + clip.x, y: area.y + clip.y, at: visible, on: screen)
            return
        }
        let piece = try piece(
            of: picture, area: area, width: destination.width, height: destination.height, clip: clip, alpha: alpha)
        overlay(piece, x: 0, y: 0, at: visible, on: screen)
    }

    /// A part of premultiplied pixels, scaled to `width` x `height`, clipped to `clip` and multiplied by the alpha.
    private func piece(
        of picture: PixelBuffer, area: PixelRect, width: Int, height: Int, clip: PixelRect, alpha: UInt8
    ) throws(MediaError) -> PixelBuffer {
        let keepsSize = area.width == width && area.height == height
        let piece = try scratch.makeBuffer(format: .argb8888, width: clip.width, height: clip.height)
        piece.withWritablePlanes { target in
            picture.withReadablePlanes { planes in
                if keepsSize {
                    _ = ARGBCopy(
                        planes.bytes(0, x: area.x + clip.x, y: area.y + clip.y), planes.stride(0), target.bytes(0),
                        target.stride(0),
                        Int32(clip.width), Int32(clip.height))
                } else {
                    _ = ARGBScaleClip(
                        planes.bytes(0, x: area.x, y: area.y), planes.stride(0), Int32(area.width), Int32(area.height),
                        // libyuv counts from the position the first pixel would have without clipping.
                        target.bytes(0) - clip.y * Int(target.stride(0)) - clip.x * 4, target.stride(0), Int32(width),
                        Int32(height),
                        Int32(clip.x), Int32(clip.y), Int32(clip.width), Int32(clip.height),
                        ColourConversion.filter(from: area, width: width, height: height))
                }
            }
            if picture.format == .xrgb8888 {
                ColourConversion.makeOpaque(
                    target.bytes(0), stride: Int(target.stride(0)), width: clip.width, height: clip.height)
            }
            if alpha < 255 {
                let factor = UInt32(alpha) * 0x0101_0101
                _ = ARGBShade(
                    target.bytes(0), target.stride(0), target.bytes(0), target.stride(0), Int32(clip.width), Int32(clip.height),
                    factor)
            }
        }
        return piece
    }

    private func overlay(_ picture: PixelBuffer, x: Int, y: Int, at visible: PixelRect, on screen: PixelBuffer) {
        screen.withWritablePlanes { target in
            picture.withReadablePlanes { planes in
                let below = target.bytes(0, x: visible.x, y: visible.y)
                _ = ARGBBlend(
                    planes.bytes(0, x: x, y: y), planes.stride(0), below, target.stride(0), below, target.stride(0),
                    Int32(visible.width), Int32(visible.height))
            }
        }
    }
}

extension VideoLayer {
    /// The visible part of the frame, inside its bounds.
    var visibleSource: PixelRect { source.intersection(frame.pixels.bounds) }
}

extension [InterfaceLayer] {
    /// From the lowest to the highest; layers with equal z keep their order.
    var inStackingOrder: [InterfaceLayer] {
        enumerated().sorted { ($0.element.z, $0.offset) < ($1.element.z, $1.offset) }.map(\.element)
    }
}
