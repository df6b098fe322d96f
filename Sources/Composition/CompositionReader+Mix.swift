import MediaModel
import MediaTime
import WireFormats

// The video composition and the audio mix of a document.
extension CompositionReader {
    static let videoKeys = ["renderSize", "frameDuration", "background", "instructions"]
    static let sizeKeys = ["width", "height"]
    static let instructionKeys = ["range", "background", "layers"]
    static let layerKeys = ["track", "opacity", "transform", "crop"]
    static let rampKeys = ["start", "duration", "from", "to"]
    static let transformKeys = ["x", "y", "scaleX", "scaleY"]
    static let cropKeys = ["x", "y", "width", "height"]
    static let mixKeys = ["tracks"]
    static let parametersKeys = ["track", "volume", "duckedBy", "duckedTo"]

    mutating func videoComposition(_ node: JSONNode, at pointer: JSONPointer) -> VideoComposition? {
        guard let object = object(node, keys: Self.videoKeys, at: pointer) else { return nil }
        let size = required(object, "renderSize", at: pointer).flatMap { renderSize($0, at: pointer.appending("renderSize")) }
        let frame = required(object, "frameDuration", at: pointer).flatMap { time($0, at: pointer.appending("frameDuration")) }
        let background = object["background"].flatMap { colour($0, at: pointer.appending("background")) }
        let instructions = required(object, "instructions", at: pointer).map { list in
            elements(list, most: CompositionLimits.instructions, at: pointer.appending("instructions")) { reader, node, pointer in
                reader.instruction(node, at: pointer)
            }
        }
        guard let size, let frame, let instructions else { return nil }
        return VideoComposition(
            renderSize: size, frameDuration: frame, background: background ?? 0, instructions: instructions)
    }

    mutating func audioMix(_ node: JSONNode, at pointer: JSONPointer) -> AudioMix? {
        guard let object = object(node, keys: Self.mixKeys, at: pointer) else { return nil }
        let tracks = required(object, "tracks", at: pointer).map { list in
            elements(list, most: CompositionLimits.tracks, at: pointer.appending("tracks")) { reader, node, pointer in
                reader.parameters(node, at: pointer)
            }
        }
        return tracks.map { AudioMix(inputParameters: $0) }
    }

    private mutating func parameters(_ node: JSONNode, at pointer: JSONPointer) -> AudioMixInputParameters? {
        guard let object = object(node, keys: Self.parametersKeys, at: pointer) else { return nil }
        let track = required(object, "track", at: pointer).flatMap { integer($0, at: pointer.appending("track")) }
        let volume = curve(object, "volume", 1.0, at: pointer) { reader, node, pointer in reader.number(node, at: pointer) }
        let ducking = ducking(object, at: pointer)
        return track.map { AudioMixInputParameters(track: TrackID($0), volume: volume, ducking: ducking) }
    }

    private mutating func ducking(_ object: JSONObject, at pointer: JSONPointer) -> MixDucking? {
        guard let list = object["duckedBy"] else {
            if object["duckedTo"] != nil {
                findings.error(
                    .form, pointer.appending("duckedTo"), "nothing lowers the track",
                    "Write \"duckedBy\" with the numbers of tracks, or remove it.")
            }
            return nil
        }
        let tracks = elements(list, most: CompositionLimits.tracks, at: pointer.appending("duckedBy")) { reader, node, pointer in
            reader.integer(node, at: pointer).map { TrackID($0) }
        }
        let volume = object["duckedTo"].flatMap { number($0, at: pointer.appending("duckedTo")) }
        return MixDucking(announcements: tracks, volume: volume ?? MixDucking.standardVolume)
    }

    private mutating func renderSize(_ node: JSONNode, at pointer: JSONPointer) -> RenderSize? {
        guard let object = object(node, keys: Self.sizeKeys, at: pointer) else { return nil }
        let width = required(object, "width", at: pointer).flatMap { integer($0, at: pointer.appending("width")) }
        let height = required(object, "height", at: pointer).flatMap { integer($0, at: pointer.appending("height")) }
        guard let width, let height else { return nil }
        return RenderSize(width: width, height: height)
    }

    private mutating func instruction(_ node: JSONNode, at pointer: JSONPointer) -> VideoCompositionInstruction? {
        guard let object = object(node, keys: Self.instructionKeys, at: pointer) else { return nil }
        let range = required(object, "range", at: pointer)
            .flatMap { self.range($0, startingAt: nil, lasting: nil, at: pointer.appending("range")) }
        let background = object["background"].flatMap { colour($0, at: pointer.appending("background")) }
        let layers = required(object, "layers", at: pointer).map { list in
            elements(list, most: CompositionLimits.tracks, at: pointer.appending("layers")) { reader, node, pointer in
                reader.layer(node, at: pointer)
            }
        }
        guard let range, let layers else { return nil }
        return VideoCompositionInstruction(range, background: background, layers: layers)
    }

    private mutating func layer(_ node: JSONNode, at pointer: JSONPointer) -> LayerInstruction? {
        guard let object = object(node, keys: Self.layerKeys, at: pointer) else { return nil }
        let track = required(object, "track", at: pointer).flatMap { integer($0, at: pointer.appending("track")) }
        let opacity = curve(object, "opacity", 1.0, at: pointer) { reader, node, pointer in reader.number(node, at: pointer) }
        let transform = curve(object, "transform", LayerTransform.identity, at: pointer) { reader, node, pointer in
            reader.numbers(node, keys: Self.transformKeys, at: pointer)
                .map { LayerTransform(x: $0[0], y: $0[1], scaleX: $0[2], scaleY: $0[3]) }
        }
        let crop = curve(object, "crop", LayerCrop.whole, at: pointer) { reader, node, pointer in
            reader.numbers(node, keys: Self.cropKeys, at: pointer)
                .map { LayerCrop(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
        }
        return track.map { LayerInstruction(track: TrackID($0), opacity: opacity, transform: transform, crop: crop) }
    }

    private mutating func curve<Value: Interpolatable>(
        _ object: JSONObject, _ key: String, _ initial: Value, at pointer: JSONPointer,
        _ value: (inout CompositionReader, JSONNode, JSONPointer) -> Value?
    ) -> RampCurve<Value> {
        guard let list = object[key] else { return RampCurve(initial) }
        let ramps = elements(list, most: CompositionLimits.instructions, at: pointer.appending(key)) {
            reader, node, pointer -> Ramp<Value>? in
            guard let object = reader.object(node, keys: Self.rampKeys, at: pointer) else { return nil }
            let start = reader.required(object, "start", at: pointer).flatMap { reader.time($0, at: pointer.appending("start")) }
            let to = reader.required(object, "to", at: pointer).flatMap { value(&reader, $0, pointer.appending("to")) }
            guard let node = object["duration"] else {
                if object["from"] != nil {
                    reader.findings.error(
                        .form, pointer.appending("from"), "a value that is set at once has no \"from\"",
                        "Write \"duration\", or remove \"from\".")
                }
                guard let start, let to else { return nil }
                return Ramp(at: start, to)
            }
            let duration = reader.time(node, at: pointer.appending("duration"))
            let from = reader.required(object, "from", at: pointer).flatMap { value(&reader, $0, pointer.appending("from")) }
            guard let start, let to, let from, let duration else { return nil }
            guard duration > .zero else {
                reader.findings.error(
                    duration < .zero ? .negative : .empty, pointer.appending("duration"), "\(duration) is not positive",
                    "Write a positive duration, or neither \"duration\" nor \"from\".")
                return nil
            }
            return Ramp(TimeRange(start: start, duration: duration), from: from, to: to)
        }
        return RampCurve(initial, ramps)
    }

    private mutating func numbers(_ node: JSONNode, keys: [String], at pointer: JSONPointer) -> [Double]? {
        guard let object = object(node, keys: keys, at: pointer) else { return nil }
        let values = keys.compactMap { key in
            required(object, key, at: pointer).flatMap { number($0, at: pointer.appending(key)) }
        }
        return values.count == keys.count ? values : nil
    }

    private mutating func number(_ node: JSONNode, at pointer: JSONPointer) -> Double? {
        if case .number(let text) = node.value, text.utf8.count <= 40, let number = Double(text), number.isFinite {
            return number
        }
        findings.error(.form, pointer, "is not a number", "Write one such as 0.5.")
        return nil
    }

    private mutating func colour(_ node: JSONNode, at pointer: JSONPointer) -> UInt32? {
        if case .string(let text) = node.value, text.hasPrefix("#"), text.utf8.count == 7,
            text.dropFirst().utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let colour = UInt32(text.dropFirst(), radix: 16)
        {
            return colour
        }
        findings.error(.form, pointer, "is not a colour", "Write one such as \"#102030\".")
        return nil
    }
}
