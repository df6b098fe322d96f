import Composition
import MediaModel
import MediaTime

/// Copies samples as they are.
final class CopyLane: PieceLane {
    let type: MediaType
    private(set) var parameters: (any CodecParameters)?
    private var timeline = TrackTimeline()
    private var mapping: TimeMapping?
    /// The decode times of a piece with pictures, until all that follow state their own; nil for sound.
    private var times: DecodeTimes?
    private let name: String
    private let writers: any WriterFactory
    private let container: WrittenContainer

    init(_ track: CompositionTrack, name: String, container: WrittenContainer, writers: any WriterFactory) {
        type = track.type
        self.name = name
        self.writers = writers
        self.container = container
    }

    func begin(_ mapping: TimeMapping, _ description: TrackDescription) throws(MediaError) {
        if let found = description.parameters, let refusal = writers.refusal(of: found, in: container) { throw refusal }
        self.mapping = mapping
        timeline.begin(mapping.source)
        times = type == .video ? DecodeTimes() : nil
    }

    func take(_ sample: EncodedSample, into waiting: inout SampleQueue) throws(MediaError) {
        guard let mapping else { return }
        if let parameters, parameters !== sample.parameters, !parameters.canContinue(as: sample.parameters) {
            throw MediaError(
                .sourceFormat,
                "Copying \(type.rawValue) of \(name) failed at \(mapping.target.start) s: the format of the samples changes there; use a preset that encodes."
            )
        }
        if sample.isStampedInDecodingOrder {
            throw MediaError(
                .sourceFormat,
                "Copying \(type.rawValue) of \(name) was refused: its container states no presentation times; use a preset that encodes."
            )
        }
        parameters = parameters ?? sample.parameters
        guard let known = times?.take(sample) else { return waiting.append(try place(sample, mapping)) }
        for sample in known { waiting.append(try place(sample, mapping)) }
        if times?.isComplete == true { times = nil }
    }

    private func place(_ sample: EncodedSample, _ mapping: TimeMapping) throws(MediaError) -> WrittenSample {
        guard let placed = timeline.place(sample) else {
            throw MediaError(
                .sourceFormat,
                "Copying \(type.rawValue) of \(name) failed at \(sample.presentationTime) s of the source: its decode times are not in order; use a preset that encodes."
            )
        }
        return WrittenSample(order: mapping.unscaledTargetTime(atSource: sample.decodeTime), sample: placed)
    }

    func end() throws(MediaError) -> (samples: [WrittenSample], missing: MediaTime) {
        var samples: [WrittenSample] = []
        if let mapping {
            for sample in times?.finish() ?? [] { samples.append(try place(sample, mapping)) }
        }
        mapping = nil
        return (samples, timeline.end())
    }

    func gap(_ range: TimeRange) { timeline.gap(range.duration) }

    func finish() -> [WrittenSample] { [] }

    var edits: [MovieEdit] { timeline.edits }

    func expectedEdits(_ duration: MediaTime) -> [MovieEdit] { timeline.expectedEdits(duration) }
}
