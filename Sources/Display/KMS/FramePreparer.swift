import CYUV
import MediaModel

/// A picture on a plane.
struct PlanePicture: Sendable {
    var plane: Int
    var pixels: PixelBuffer
    /// The part of the picture that is shown.
    var source: PixelRect
    var destination: PixelRect
    /// For YUV pictures.
    var colour: ColourDescription?
    var alpha: UInt8
    /// How far the plane turns it.
    var rotation = DisplayRotation.none
}

/// Makes the pictures for the planes of an arrangement. When all memory can be shown directly, that is no work; otherwise the CPU
/// copies, scales or composes, which belongs on the thread `compose`.
struct FramePreparer: Sendable {
    let width: Int
    let height: Int
    let compositor: Compositor
    let videoAllocator: any FrameAllocator
    let interfaceAllocator: any FrameAllocator
    /// Nil: only a standard range is shown.
    let converter: (any RangeConverting)?

    /// The format of pictures that are converted for a range.
    static func format(for range: HighDynamicRange?) -> PixelFormat { range == nil ? .yuv420p : .p010 }

    /// Layers that the CPU has prepared, kept while they are shown so that each is prepared only once.
    typealias PreparedLayers = [PreparedLayer: PixelBuffer]

    /// A layer's pixels at a size and alpha. It retains the pixels, so that their identity stays unique.
    struct PreparedLayer: Hashable, Sendable {
        let pixels: PixelBuffer
        let width, height: Int
        /// Nil: in the range of the screen, before the alpha is applied; in plain memory.
        let alpha: UInt8?

        static func == (left: PreparedLayer, right: PreparedLayer) -> Bool {
            left.pixels === right.pixels && left.width == right.width && left.height == right.height && left.alpha == right.alpha
        }
        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(pixels))
            hasher.combine(width)
            hasher.combine(height)
            hasher.combine(alpha)
        }
    }

    /// Whether the CPU has anything to do.
    func needsWork(_ scene: VisibleScene, _ arrangement: Arrangement, known: PreparedLayers) -> Bool {
        if arrangement.rung == .composed || (arrangement.rung == .scaledVideo && scene.video != nil) { return true }
        if scene.convertsVideo { return true }
        return arrangement.prepared.contains { known[key(scene.layers[$0])] == nil }
    }

    /// Blank pictures of the right sizes in the right memory: enough for a test commit.
    func blanks(_ scene: VisibleScene, _ arrangement: Arrangement) throws(MediaError) -> [PlanePicture] {
        try pictures(scene, arrangement) { format, width, height, allocator throws(MediaError) in
            try allocator.makeBuffer(format: format, width: width, height: height)
        }
    }

    /// The pictures for the planes, and the prepared layers among them.
    func prepare(
        _ scene: VisibleScene, _ arrangement: Arrangement, known: PreparedLayers
    ) throws(MediaError) -> (pictures: [PlanePicture], layers: PreparedLayers) {
        var layers: PreparedLayers = [:]
        var result: [PlanePicture] = []
        if arrangement.rung == .composed {
            guard let plane = arrangement.base else { return ([], [:]) }
            return ([screen(plane, try composed(scene))], [:])
        }
        if var video = scene.video, let plane = arrangement.base {
            if scene.convertsVideo { video.frame = try converted(video.frame, for: scene.range) }
            result.append(try self.video(video, plane, arrangement))
        }
        for (index, plane) in arrangement.layers.enumerated() {
            let layer = scene.layers[index]
            if arrangement.prepared.contains(index) {
                let key = key(layer)
                let pixels: PixelBuffer
                let converted = try converted(layer, scene, known)
                if let converted { layers[whole(layer)] = converted }
                if let kept = known[key] ?? layers[key] {
                    pixels = kept
                } else {
                    pixels = try prepared(layer, converted, scene.rotation)
                }
                layers[key] = pixels
                result.append(picture(of: layer, plane, pixels, alpha: 255))
            } else {
                result.append(picture(of: layer, plane, layer.pixels, alpha: layer.alpha, turned: scene.rotation))
            }
        }
        return (result, layers)
    }

    private func pictures(
        _ scene: VisibleScene, _ arrangement: Arrangement,
        _ make: (PixelFormat, Int, Int, any FrameAllocator) throws(MediaError) -> PixelBuffer
    ) throws(MediaError) -> [PlanePicture] {
        if arrangement.rung == .composed {
            guard let plane = arrangement.base else { return [] }
            return [screen(plane, try make(.xrgb8888, width, height, interfaceAllocator))]
        }
        var result: [PlanePicture] = []
        if let video = scene.video, let plane = arrangement.base {
            let (source, destination) = video.evenRectangles
            let frame = video.frame.pixels
            let format = scene.convertsVideo ? Self.format(for: scene.range) : frame.format
            if arrangement.rung == .planes {
                let pixels = scene.convertsVideo ? try make(format, frame.width, frame.height, videoAllocator) : frame
                var shown = picture(of: video, plane, pixels, source: source, destination: destination)
                shown.rotation = video.frame.rotation
                if scene.convertsVideo { shown.colour = scene.range?.colour ?? .standardRange }
                result.append(shown)
            } else {
                let pixels = try make(format, destination.width, destination.height, videoAllocator)
                result.append(picture(of: video, plane, pixels, source: pixels.bounds, destination: destination))
            }
        }
        for (index, plane) in arrangement.layers.enumerated() {
            let layer = scene.layers[index]
            if arrangement.prepared.contains(index) {
                let pixels = try make(.argb8888, layer.destination.width, layer.destination.height, interfaceAllocator)
                result.append(picture(of: layer, plane, pixels, alpha: 255))
            } else {
                result.append(picture(of: layer, plane, layer.pixels, alpha: layer.alpha, turned: scene.rotation))
            }
        }
        return result
    }

    private func key(_ layer: InterfaceLayer) -> PreparedLayer {
        PreparedLayer(pixels: layer.pixels, width: layer.destination.width, height: layer.destination.height, alpha: layer.alpha)
    }

    private func whole(_ layer: InterfaceLayer) -> PreparedLayer {
        PreparedLayer(pixels: layer.pixels, width: layer.destination.width, height: layer.destination.height, alpha: nil)
    }

    private func screen(_ plane: Int, _ pixels: PixelBuffer) -> PlanePicture {
        PlanePicture(plane: plane, pixels: pixels, source: pixels.bounds, destination: pixels.bounds, colour: nil, alpha: 255)
    }

    private func picture(
        of layer: InterfaceLayer, _ plane: Int, _ pixels: PixelBuffer, alpha: UInt8, turned rotation: DisplayRotation = .none
    ) -> PlanePicture {
        PlanePicture(
            plane: plane, pixels: pixels, source: pixels.bounds, destination: layer.destination, colour: nil, alpha: alpha,
            rotation: rotation)
    }

    private func picture(
        of video: VideoLayer, _ plane: Int, _ pixels: PixelBuffer, source: PixelRect, destination: PixelRect
    ) -> PlanePicture {
        PlanePicture(
            plane: plane, pixels: pixels, source: source, destination: destination,
            colour: pixels.format.isYUV ? video.frame.colour : nil, alpha: video.alpha)
    }

    private func video(_ video: VideoLayer, _ plane: Int, _ arrangement: Arrangement) throws(MediaError) -> PlanePicture {
        let (source, destination) = video.evenRectangles
        guard arrangement.rung == .scaledVideo else {
            var shown = picture(of: video, plane, video.frame.pixels, source: source, destination: destination)
            shown.rotation = video.frame.rotation
            return shown
        }
        // Memory that is slow to read is written once.
        let alpha = arrangement.fadesVideo ? video.alpha : nil
        let pixels = try compositor.turnedUpright(
            video.frame, area: source, width: destination.width, height: destination.height, alpha: alpha, from: videoAllocator)
        var result = picture(of: video, plane, pixels, source: pixels.bounds, destination: destination)
        if arrangement.fadesVideo { result.alpha = 255 }
        return result
    }

    /// A picture in the range of the screen; without a converter as it is.
    private func converted(_ frame: VideoFrame, for range: HighDynamicRange?) throws(MediaError) -> VideoFrame {
        guard let converter else { return frame }
        return try converter.picture(frame, for: range, from: videoAllocator)
    }

    /// Composes in plain memory and copies once when the target memory is slow to read and something is blended, which reads it. In a high range only
    /// layers are composed, in the standard range, in which they were drawn.
    private func composed(_ visible: VisibleScene) throws(MediaError) -> PixelBuffer {
        let screen = try interfaceAllocator.makeBuffer(format: .xrgb8888, width: width, height: height)
        var scene = visible.scene
        if visible.convertsVideo, let frame = scene.video?.frame { scene.video?.frame = try converted(frame, for: nil) }
        let rotation = visible.rotation
        let upright = rotation.size(width: width, height: height)
        let bounds = PixelRect(x: 0, y: 0, width: upright.width, height: upright.height)
        if visible.range == nil, interfaceAllocator.isCached || !Compositor.readsScreen(scene, bounds, turned: rotation) {
            try compositor.compose(scene, into: screen, turned: rotation)
            return screen
        }
        let picture = try compositor.compose(scene, width: width, height: height, turned: rotation)
        if let range = visible.range, let converter {
            try converter.convert(picture, for: range, into: screen)
        } else {
            copy(picture, to: screen)
        }
        return screen
    }

    /// A layer at its displayed size in a high range, upright and without its alpha, so that a fade converts it once.
    ///
    /// - Returns: nil for a standard range.
    private func converted(
        _ layer: InterfaceLayer, _ scene: VisibleScene, _ known: PreparedLayers
    ) throws(MediaError) -> PixelBuffer? {
        guard let range = scene.range, let converter else { return nil }
        if let kept = known[whole(layer)] { return kept }
        var opaque = layer
        opaque.alpha = 255
        let size = scene.rotation.size(width: layer.destination.width, height: layer.destination.height)
        let flat = try compositor.flatten(opaque, width: size.width, height: size.height)
        let result = try MemoryAllocator().makeBuffer(format: .argb8888, width: flat.width, height: flat.height)
        try converter.convert(flat, for: range, into: result)
        return result
    }

    /// A layer at its displayed size, turned, with its alpha applied.
    ///
    /// - Parameter converted: its pixels in the range of the screen; nil: as they were drawn.
    private func prepared(
        _ layer: InterfaceLayer, _ converted: PixelBuffer?, _ rotation: DisplayRotation
    ) throws(MediaError) -> PixelBuffer {
        let (width, height) = (layer.destination.width, layer.destination.height)
        let result = try interfaceAllocator.makeBuffer(format: .argb8888, width: width, height: height)
        var shown = layer
        if let converted { shown.pixels = converted }
        copy(try compositor.flatten(shown, width: width, height: height, turned: rotation), to: result)
        return result
    }

    private func copy(_ picture: PixelBuffer, to target: PixelBuffer) {
        target.withWritablePlanes { target in
            picture.withReadablePlanes {
                _ = ARGBCopy(
                    $0.bytes(0), $0.stride(0), target.bytes(0), target.stride(0), Int32(picture.width), Int32(picture.height))
            }
        }
    }
}
