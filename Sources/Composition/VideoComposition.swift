import MediaModel
import MediaTime

/// The place and size of a picture on the render surface: its size is multiplied by the scale, and its top left corner is at `x`, `y`.
/// There is no rotation, because display planes have none.
package struct LayerTransform: Interpolatable {
    /// In pixels of the render size, from the left.
    package let x: Double
    /// In pixels of the render size, from the top.
    package let y: Double
    package let scaleX: Double
    package let scaleY: Double

    package init(x: Double, y: Double, scaleX: Double, scaleY: Double) {
        self.x = x
        self.y = y
        self.scaleX = scaleX
        self.scaleY = scaleY
    }

    package static let identity = LayerTransform(x: 0, y: 0, scaleX: 1, scaleY: 1)

    package static func between(_ first: LayerTransform, _ second: LayerTransform, at fraction: Double) -> LayerTransform {
        LayerTransform(
            x: .between(first.x, second.x, at: fraction), y: .between(first.y, second.y, at: fraction),
            scaleX: .between(first.scaleX, second.scaleX, at: fraction),
            scaleY: .between(first.scaleY, second.scaleY, at: fraction))
    }
}

/// The visible part of a picture, as fractions of its width and height from its top left corner.
package struct LayerCrop: Interpolatable {
    package let x: Double
    package let y: Double
    package let width: Double
    package let height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole picture.
    package static let whole = LayerCrop(x: 0, y: 0, width: 1, height: 1)

    package static func between(_ first: LayerCrop, _ second: LayerCrop, at fraction: Double) -> LayerCrop {
        LayerCrop(
            x: .between(first.x, second.x, at: fraction), y: .between(first.y, second.y, at: fraction),
            width: .between(first.width, second.width, at: fraction), height: .between(first.height, second.height, at: fraction))
    }
}

/// How the pictures of one track are composed; the counterpart of `AVVideoCompositionLayerInstruction`. The times are those of the
/// composition.
package struct LayerInstruction: Sendable, Hashable {
    package let track: TrackID
    /// 0 (invisible) to 1; 1 before the first ramp.
    package let opacity: RampCurve<Double>
    /// The identity before the first ramp.
    package let transform: RampCurve<LayerTransform>
    /// The whole picture before the first ramp.
    package let crop: RampCurve<LayerCrop>

    package init(
        track: TrackID, opacity: RampCurve<Double> = RampCurve(1),
        transform: RampCurve<LayerTransform> = RampCurve(.identity), crop: RampCurve<LayerCrop> = RampCurve(.whole)
    ) {
        self.track = track
        self.opacity = opacity
        self.transform = transform
        self.crop = crop
    }
}

/// What is composed in a range; the counterpart of `AVVideoCompositionInstruction`.
package struct VideoCompositionInstruction: Sendable, Hashable {
    package let range: TimeRange
    /// The colour behind all layers, `0xRRGGBB`; nil for that of the video composition.
    package let background: UInt32?
    /// The first is in front.
    package let layers: [LayerInstruction]

    package init(_ range: TimeRange, background: UInt32? = nil, layers: [LayerInstruction]) {
        self.range = range
        self.background = background
        self.layers = layers
    }
}

/// The size of composed pictures in pixels.
package struct RenderSize: Sendable, Hashable {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// How the video tracks of a composition become one picture; the counterpart of `AVVideoComposition`. An immutable value.
package struct VideoComposition: Sendable, Hashable {
    package let renderSize: RenderSize
    /// How long a composed picture is shown.
    package let frameDuration: MediaTime
    /// The colour behind all layers, `0xRRGGBB`.
    package let background: UInt32
    /// In the order of their ranges, which follow one another from zero to the composition's end.
    package let instructions: [VideoCompositionInstruction]

    package init(
        renderSize: RenderSize, frameDuration: MediaTime, background: UInt32 = 0,
        instructions: [VideoCompositionInstruction]
    ) {
        self.renderSize = renderSize
        self.frameDuration = frameDuration
        self.background = background
        self.instructions = instructions
    }

    /// One layer of a picture.
    package struct Layer: Sendable, Hashable {
        package let track: TrackID
        package let opacity: Double
        package let transform: LayerTransform
        package let crop: LayerCrop
    }

    /// One picture, before there are pixels.
    package struct Picture: Sendable, Hashable {
        /// `0xRRGGBB`.
        package let background: UInt32
        /// From the front to the back, without invisible ones.
        package let layers: [Layer]
    }

    /// What is composed at a time; nil outside all instructions.
    package func picture(at time: MediaTime) -> Picture? {
        let index = instructions.partitioningIndex { $0.range.start > time } - 1
        guard instructions.indices.contains(index), instructions[index].range.contains(time) else { return nil }
        let instruction = instructions[index]
        let layers = instruction.layers.map { layer in
            Layer(
                track: layer.track, opacity: layer.opacity.value(at: time), transform: layer.transform.value(at: time),
                crop: layer.crop.value(at: time))
        }
        return Picture(background: instruction.background ?? background, layers: layers.filter { $0.opacity > 0 })
    }

    /// The largest side of the render size in pixels.
    package static let largestSide = 4096
    /// How long a composed picture may be shown: shorter ones are more than any screen shows, and each costs a composition.
    package static let frameDurations = MediaTime(1, 240)...MediaTime.seconds(10)
    /// The most pictures that are composed at one time.
    package static let mostLayers = 2
    /// How far from the render surface a picture may be placed, in pixels, and how often it may be magnified.
    package static let largestPlace = 32_768.0
    package static let largestScale = 64.0

    /// Checks it for a composition, as AVFoundation's `isValid(for:)` does: the instructions follow one another from zero to the
    /// composition's end without gap and overlap, their layers name video tracks, and every value is within its limits. The pointers are those of the JSON
    /// form.
    package func validate(for composition: Composition) -> [CompositionFinding] {
        var validator = MixValidator(composition)
        validator.check(self)
        return validator.findings.list
    }
}
