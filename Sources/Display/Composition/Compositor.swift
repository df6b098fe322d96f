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
    /// - Parameters:
    ///   - width: that of the picture, which is turned.
    ///   - height: that of the picture, which is turned.
    ///   - rotation: how far the upright scene is turned.
    /// - Returns: a picture in `xrgb8888` whose undefined bytes are 255.
    /// - Throws: `MediaError` with code `internal` when memory is exhausted.
    package func compose(
        _ scene: Scene, width: Int, height: Int, turned rotation: DisplayRotation = .none
    ) throws(MediaError) -> PixelBuffer {
        let screen = try scratch.makeBuffer(format: .xrgb8888, width: width, height: height)
        try compose(scene, into: screen, turned: rotation)
        return screen
    }

    /// Composes a scene into memory that the caller allocated and has not shared yet.
    ///
    /// - Parameters:
    ///   - screen: a picture in `xrgb8888`. It is read back while layers are blended, so it should be cached memory.
    ///   - rotation: how far the upright scene is turned.
    package func compose(
        _ scene: Scene, into screen: PixelBuffer, turned rotation: DisplayRotation = .none
    ) throws(MediaError) {
        precondition(screen.format == .xrgb8888, "a screen is composed in xrgb8888")
        let target = screen.bounds
        let upright = rotation.size(width: screen.width, height: screen.height)
        let video = scene.video.map { rotation.turn($0, width: upright.width, height: upright.height) }
        if !Self.coversScreen(video, target) { fill(screen, target, scene.background) }
        if let ground = video?.ground?.intersection(target), !ground.isEmpty, scene.background != .black {
            fill(screen, ground, .black)
        }
        if let video { try draw(video, on: screen) }
        for layer in scene.layers.inStackingOrder { try draw(layer, on: screen, turned: rotation) }
    }

    /// Whether composing a scene reads what it has already written, because something is blended over it. If not, the memory may be slow to read.
    ///
    /// - Parameter screen: in which the scene is upright.
    static func readsScreen(_ scene: Scene, _ screen: PixelRect, turned rotation: DisplayRotation = .none) -> Bool {
        let video = scene.video.map { rotation.turn($0, width: screen.width, height: screen.height) }
        let size = rotation.size(width: screen.width, height: screen.height)
        let target = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        let blendsVideo = video.map { isSeen($0, on: target) && !($0.alpha == 255 && isDrawnDirectly($0, on: target)) }
        return blendsVideo ?? false || scene.layers.contains { $0.alpha > 0 && !$0.destination.intersection(screen).isEmpty }
    }

    private static func isSeen(_ video: VideoLayer, on screen: PixelRect) -> Bool {
        video.alpha > 0 && !video.visibleSource.isEmpty && !video.destination.intersection(screen).isEmpty
    }

    /// Whether a picture is converted straight into its place: whole, and of a format that is scaled.
    private static func isDrawnDirectly(_ video: VideoLayer, on screen: PixelRect) -> Bool {
        let (source, visible) = (video.visibleSource, video.destination.intersection(screen))
        let format = video.frame.pixels.format
        let isPlain = visible == video.destination && format != .argb8888
        let size = video.frame.rotation.size(width: visible.width, height: visible.height)
        let keepsSize = source.width == size.width && source.height == size.height
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
        // Clipped: first make RGB of its own size, then blend it like an interface layer.
        let flat = try colours(of: video.frame.pixels, area: source, video.frame.colour)
        try blend(
            flat, area: flat.bounds, destination: video.destination, alpha: video.alpha, on: screen, turned: video.frame.rotation)
    }

    /// Scales and turns in YUV, then converts straight into the screen: the path of nearly every frame.
    private func drawDirectly(
        _ video: VideoLayer, source: PixelRect, on screen: PixelBuffer, at destination: PixelRect
    ) throws(MediaError) {
        let rotation = video.frame.rotation
        let size = rotation.size(width: destination.width, height: destination.height)
        var picture = video.frame.pixels
        var area = source
        if source.width != size.width || source.height != size.height {
            picture = try scaled(picture, area: source, width: size.width, height: size.height, from: scratch)
            area = picture.bounds
        }
        if rotation != .none {
            if !PlaneTurning.canTurn(picture.format, area: area, by: rotation) {
                picture = try colours(of: picture, area: area, video.frame.colour)
                area = picture.bounds
            }
            picture = try PlaneTurning.turned(picture, area: area, by: rotation, from: scratch)
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

    /// Scales a part of a frame as above, fades it to black, and turns it upright.
    ///
    /// - Parameters:
    ///   - width: that of the result.
    ///   - height: that of the result.
    ///   - alpha: 1 nearly black … 255 unchanged; nil: unchanged.
    /// - Precondition: `ColourConversion.canFade` is true for the format if there is an alpha, and `PlaneTurning.canTurn`.
    func turnedUpright(
        _ frame: VideoFrame, area: PixelRect, width: Int, height: Int, alpha: UInt8?, from allocator: any FrameAllocator
    ) throws(MediaError) -> PixelBuffer {
        let rotation = frame.rotation
        guard rotation != .none else {
            return try scaled(frame, area: area, width: width, height: height, alpha: alpha, from: allocator)
        }
        let size = rotation.size(width: width, height: height)
        var (picture, area) = (frame.pixels, area)
        if alpha != nil || area.width != size.width || area.height != size.height {
            picture = try scaled(frame, area: area, width: size.width, height: size.height, alpha: alpha, from: scratch)
            area = picture.bounds
        }
        // To the side it is written a few samples of a row at a time, which only cached memory takes fast.
        guard rotation.isSideways, !allocator.isCached else {
            return try PlaneTurning.turned(picture, area: area, by: rotation, from: allocator)
        }
        picture = try PlaneTurning.turned(picture, area: area, by: rotation, from: scratch)
        return try scaled(picture, area: picture.bounds, width: width, height: height, from: allocator)
    }

    private func scaled(
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

    /// A part of a picture in premultiplied ARGB.
    private func colours(
        of picture: PixelBuffer, area: PixelRect, _ colour: ColourDescription
    ) throws(MediaError) -> PixelBuffer {
        let flat = try scratch.makeBuffer(format: .argb8888, width: area.width, height: area.height)
        flat.withWritablePlanes { target in
            picture.withReadablePlanes {
                ColourConversion.convert($0, area: area, colour: colour, to: target.bytes(0), stride: Int(target.stride(0)))
            }
        }
        return flat
    }

    /// One layer in premultiplied ARGB, scaled to a size, with its alpha applied, and then turned.
    ///
    /// - Parameters:
    ///   - width: that of the result.
    ///   - height: that of the result.
    func flatten(
        _ layer: InterfaceLayer, width: Int, height: Int, turned rotation: DisplayRotation = .none
    ) throws(MediaError) -> PixelBuffer {
        let size = rotation.size(width: width, height: height)
        let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        let flat = try piece(
            of: layer.pixels, area: layer.pixels.bounds, width: size.width, height: size.height, clip: whole, alpha: layer.alpha)
        return rotation == .none ? flat : try PlaneTurning.turned(flat, area: whole, by: rotation, from: scratch)
    }

    private func draw(_ layer: InterfaceLayer, on screen: PixelBuffer, turned rotation: DisplayRotation) throws(MediaError) {
        precondition(!layer.pixels.format.isYUV, "an interface layer is RGB")
        let upright = rotation.size(width: screen.width, height: screen.height)
        let destination = rotation.turn(layer.destination, width: upright.width, height: upright.height)
        try blend(
            layer.pixels, area: layer.pixels.bounds, destination: destination, alpha: layer.alpha, on: screen, turned: rotation)
    }

    /// A picture of a turned screen as viewers see it.
    func upright(_ picture: PixelBuffer, turned rotation: DisplayRotation) throws(MediaError) -> PixelBuffer {
        try PlaneTurning.turned(picture, area: picture.bounds, by: rotation.inverse, from: scratch)
    }

    /// Blends premultiplied pixels over the screen, turned, scaled to `destination`, clipped at the edges, multiplied by `alpha`.
    private func blend(
        _ picture: PixelBuffer, area: PixelRect, destination: PixelRect, alpha: UInt8, on screen: PixelBuffer,
        turned rotation: DisplayRotation = .none
    ) throws(MediaError) {
        let visible = destination.intersection(screen.bounds)
        guard !visible.isEmpty, !area.isEmpty, alpha > 0 else { return }
        let clip = PixelRect(
            x: visible.x - destination.x, y: visible.y - destination.y, width: visible.width, height: visible.height)
        guard rotation == .none else {
            let size = rotation.size(width: destination.width, height: destination.height)
            let piece = try piece(
                of: picture, area: area, width: size.width, height: size.height,
                clip: rotation.inverse.turn(clip, width: destination.width, height: destination.height), alpha: alpha)
            let turned = try PlaneTurning.turned(piece, area: piece.bounds, by: rotation, from: scratch)
            return overlay(turned, x: 0, y: 0, at: visible, on: screen)
        }
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
