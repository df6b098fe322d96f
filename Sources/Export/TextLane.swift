import Captions
import Composition
import MediaModel
import MediaTime

/// Makes timed text (`tx3g`) of the captions of one track, whatever their format, and keeps them for containers with captions in files of their own.
final class TextLane: PieceLane {
    let type = MediaType.text
    let parameters: (any CodecParameters)?
    /// That of the source.
    let track: TrackDescription
    /// All captions so far, in the time of the export, in order.
    private(set) var cues: [CaptionCue] = []
    private var reader: TextSampleReader
    private let writers: any WriterFactory
    private var mapping: TimeMapping?
    /// What is shown from `position` on: places in `cues`.
    private var shown: [Int] = []
    /// Where in `cues` those of the last samples begin that did not say when they end: the next sample ends them.
    private var firstOpen: Int?
    /// The end of what was written.
    private var position = MediaTime.zero
    /// How long a track without captions is.
    private var leastLength = MediaTime.zero

    /// More captions than those of any film, which are kept until the end.
    private static let most = 100_000
    /// As many captions are shown at one time.
    private static let mostShown = 16

    /// - Parameter track: of the source.
    /// - Returns: nil for captions that cannot be written as text.
    init?(_ track: TrackDescription, writers: any WriterFactory) {
        guard let source = track.parameters,
            let reader = TextSampleReader(codec: track.codec, privateData: source.privateData, language: track.languageTag)
        else { return nil }
        self.track = track
        self.reader = reader
        self.writers = writers
        parameters = writers.textParameters(from: source)
    }

    func begin(_ mapping: TimeMapping, _ description: TrackDescription) {
        self.mapping = mapping
        firstOpen = nil
        leastLength = min(mapping.target.end, .seconds(1))
    }

    func take(_ sample: EncodedSample, into waiting: inout SampleQueue) throws(MediaError) {
        guard let mapping else { return }
        let shift = mapping.target.start - mapping.source.start
        endOpen(at: sample.presentationTime + shift)
        let count = cues.count
        let bytes = sample.payload.withBytes { Array($0) }
        let found = reader.cues(
            bytes, start: sample.presentationTime, duration: sample.duration, beside: sample.payload.cueIdentifier)
        for cue in found {
            var cue = cue.shifted(by: shift)
            cue.start = max(cue.start, mapping.target.start, cues.last?.start ?? .zero)
            cue.end = min(cue.end, mapping.target.end)
            guard cue.start < cue.end, cues.count < Self.most else { continue }
            waiting += write(until: cue.start)
            if shown.count < Self.mostShown { shown.append(cues.count) }
            cues.append(cue)
        }
        if TextSampleReader.isOpen(sample.duration), cues.count > count { firstOpen = firstOpen ?? count }
    }

    /// The captions that did not say when they end are over where the next sample begins.
    private func endOpen(at time: MediaTime) {
        guard let first = firstOpen, cues[first].start < time else { return }
        for index in first..<cues.count { cues[index].end = min(cues[index].end, max(cues[index].start, time)) }
        firstOpen = nil
    }

    func end() -> (samples: [WrittenSample], missing: MediaTime) {
        mapping = nil
        return ([], .zero)
    }

    func gap(_ range: TimeRange) {}

    func finish() -> [WrittenSample] {
        // A track has at least one sample.
        guard !cues.isEmpty else { return write(until: leastLength) }
        let last = shown.map { cues[$0].end }.max() ?? position
        return write(until: max(last, position))
    }

    /// Presented from zero on; nothing after the last caption.
    var edits: [MovieEdit] { position > .zero ? [MovieEdit(mediaTime: .zero, duration: position)] : [] }

    func expectedEdits(_ duration: MediaTime) -> [MovieEdit] { [] }

    /// Writes what is shown up to a time: a sample for each time without a change, empty ones between captions.
    private func write(until time: MediaTime) -> [WrittenSample] {
        var samples: [WrittenSample] = []
        while position < time {
            shown.removeAll { cues[$0].end <= position }
            let next = min(shown.map { cues[$0].end }.min() ?? time, time)
            let payload = writers.payload(of: TimedTextSample.bytes(shown.map { cues[$0] }))
            guard let parameters else { return samples }
            samples.append(
                WrittenSample(
                    order: position,
                    sample: EncodedSample(
                        track: TrackID(0), presentationTime: position, decodeTime: position, duration: next - position,
                        isSync: true,
                        payload: payload, parameters: parameters)))
            position = next
        }
        shown.removeAll { cues[$0].end <= position }
        return samples
    }
}
