import MediaModel
import MediaTime
import WireFormats

/// The rules of video compositions and audio mixes.
struct MixValidator {
    private let composition: Composition
    private let duration: MediaTime
    private(set) var findings = CompositionFindings()

    init(_ composition: Composition) {
        self.composition = composition
        duration = composition.duration
    }

    mutating func check(_ mix: AudioMix) {
        let place = JSONPointer(["audioMix", "tracks"])
        var used: Set<TrackID> = []
        for (index, parameters) in mix.inputParameters.enumerated() {
            let pointer = place.appending(index)
            check(parameters.track, is: .audio, &used, at: pointer.appending("track"))
            check(parameters.volume, at: pointer.appending("volume")) { (0...1).contains($0) ? nil : "a volume is from 0 to 1" }
            if let ducking = parameters.ducking { check(ducking, of: parameters.track, at: pointer) }
        }
    }

    private mutating func check(_ ducking: MixDucking, of track: TrackID, at pointer: JSONPointer) {
        let place = pointer.appending("duckedBy")
        if ducking.announcements.isEmpty {
            findings.error(.empty, place, "no track is named", "Name the tracks of announcements, or remove it.")
        }
        var used: Set<TrackID> = []
        for (index, id) in ducking.announcements.enumerated() {
            if id == track {
                findings.error(.track, place.appending(index), "track \(id) cannot lower itself", "Name another track.")
            } else {
                check(id, is: .audio, &used, at: place.appending(index))
            }
        }
        if !(0...1).contains(ducking.volume) {
            findings.error(
                .limit, pointer.appending("duckedTo"), "a volume is from 0 to 1", "Use a value within these limits.")
        }
    }

    mutating func check(_ video: VideoComposition) {
        let place = JSONPointer(["videoComposition"])
        let sides = 1...VideoComposition.largestSide
        if !sides.contains(video.renderSize.width) || !sides.contains(video.renderSize.height) {
            findings.error(
                .limit, place.appending("renderSize"), "\(video.renderSize.width)x\(video.renderSize.height) cannot be rendered",
                "Use sides from 1 to \(VideoComposition.largestSide).")
        }
        if !VideoComposition.frameDurations.contains(video.frameDuration) {
            findings.error(
                .limit, place.appending("frameDuration"), "a picture cannot last \(video.frameDuration) s",
                "Use a duration from 1/240 to 10 s, such as \"1/25\".")
        }
        checkInstructions(video.instructions, at: place.appending("instructions"))
    }

    private mutating func checkInstructions(_ instructions: [VideoCompositionInstruction], at place: JSONPointer) {
        guard instructions.count <= CompositionLimits.instructions else {
            return findings.error(
                .limit, place, "there are \(instructions.count) instructions", "Use at most \(CompositionLimits.instructions).")
        }
        var end = MediaTime.zero
        for (index, instruction) in instructions.enumerated() {
            let pointer = place.appending(index)
            if findings.checkRange(instruction.range, at: pointer.appending("range")) {
                let start = instruction.range.start
                if start != end {
                    findings.error(
                        start > end ? .gap : .overlap, pointer.appending("range"), "begins at \(start), not at \(end)",
                        "Let each instruction begin where the one before it ends, the first at 0.")
                }
                end = instruction.range.end
            }
            check(instruction, at: pointer)
        }
        if end != duration {
            findings.error(
                end < duration ? .gap : .overlap, place, "the instructions end at \(end), the composition at \(duration)",
                "Let the last instruction end with the composition.")
        }
    }

    private mutating func check(_ instruction: VideoCompositionInstruction, at pointer: JSONPointer) {
        if let colour = instruction.background, colour > 0xFFFFFF {
            findings.error(.limit, pointer.appending("background"), "is not a colour", "Use one such as \"#102030\".")
        }
        let place = pointer.appending("layers")
        if instruction.layers.count > VideoComposition.mostLayers {
            findings.error(
                .limit, place, "\(instruction.layers.count) pictures cannot be composed at one time",
                "Use at most \(VideoComposition.mostLayers).")
        }
        var used: Set<TrackID> = []
        for (index, layer) in instruction.layers.enumerated() {
            let pointer = place.appending(index)
            check(layer.track, is: .video, &used, at: pointer.appending("track"))
            check(layer.opacity, at: pointer.appending("opacity"), within: instruction.range) {
                (0...1).contains($0) ? nil : "an opacity is from 0 to 1"
            }
            check(layer.transform, at: pointer.appending("transform"), within: instruction.range) { Self.fault(of: $0) }
            check(layer.crop, at: pointer.appending("crop"), within: instruction.range) { Self.fault(of: $0) }
        }
    }

    private static func fault(of transform: LayerTransform) -> String? {
        let places = -VideoComposition.largestPlace...VideoComposition.largestPlace
        guard places.contains(transform.x), places.contains(transform.y) else {
            return "a place is from \(places.lowerBound) to \(places.upperBound)"
        }
        for scale in [transform.scaleX, transform.scaleY] where !(scale > 0 && scale <= VideoComposition.largestScale) {
            return "a scale is above 0 and at most \(VideoComposition.largestScale)"
        }
        return nil
    }

    private static func fault(of crop: LayerCrop) -> String? {
        let sides = [(crop.x, crop.width), (crop.y, crop.height)]
        let isInside = sides.allSatisfy { $0 >= 0 && $1 > 0 && $0 + $1 <= 1 }
        return isInside ? nil : "a crop is within the picture: x, y, width and height are fractions from 0 to 1"
    }

    private mutating func check(_ id: TrackID, is type: MediaType, _ used: inout Set<TrackID>, at pointer: JSONPointer) {
        guard let track = composition.track(id) else {
            return findings.error(.track, pointer, "the composition has no track \(id)", "Name one of its tracks.")
        }
        if track.type != type {
            findings.error(.track, pointer, "track \(id) is \(track.type.rawValue)", "Name a track of \(type.rawValue).")
        } else if !used.insert(id).inserted {
            findings.error(.track, pointer, "track \(id) is named twice here", "Name each track once.")
        }
    }

    /// - Parameters:
    ///   - whole: outside it the ramps have no effect; nil for the whole composition.
    ///   - fault: why a value cannot be used; nil if it can.
    private mutating func check<Value>(
        _ curve: RampCurve<Value>, at place: JSONPointer, within whole: TimeRange? = nil, fault: (Value) -> String?
    ) {
        guard curve.ramps.count <= CompositionLimits.instructions else {
            return findings.error(
                .limit, place, "there are \(curve.ramps.count) ramps", "Use at most \(CompositionLimits.instructions).")
        }
        var last: TimeRange?
        for (index, ramp) in curve.ramps.enumerated() {
            let pointer = place.appending(index)
            for (key, value) in [("from", ramp.from), ("to", ramp.to)] where key == "to" || !ramp.range.isEmpty {
                if let fault = fault(value) {
                    findings.error(.limit, pointer.appending(key), fault, "Use a value within these limits.")
                }
            }
            guard findings.checkRange(ramp.range, mayBeEmpty: true, at: pointer) else { continue }
            if let last, ramp.range.start < last.end || ramp.range.start == last.start {
                findings.error(
                    .overlap, pointer, "begins at \(ramp.range.start), not after the ramp before it, \(last)",
                    "Order the ramps by time, and let none begin before the one before it has ended.")
            }
            last = ramp.range
            if ramp.range.start >= whole?.end ?? duration {
                findings.warn(
                    .unused, pointer, "begins at \(ramp.range.start), after its end", "Remove it, or let it begin earlier.")
            }
        }
    }
}
