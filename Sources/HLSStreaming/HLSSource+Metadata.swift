import MediaModel
import MediaTime

/// Timed metadata of segments, told in asset time.
extension HLSSource {
    func take(_ found: [SegmentMetadata]) {
        guard let onTimedMetadata else { return }
        onTimedMetadata(found.map(item))
    }

    private func item(_ found: SegmentMetadata) -> TimedMetadata {
        // The stamp says more exactly than the playlist where it belongs, once the mapping of its sequence is known.
        let time =
            found.stamp.flatMap { stamp in context.timeline.knownOffset(of: found.sequence).map { $0 + stamp } } ?? found.time
        switch found.content {
        case .id3(let bytes): return TimedMetadata(time: time, duration: nil, scheme: "org.id3", value: "", data: bytes)
        case .event(let event):
            return TimedMetadata(time: time, duration: event.duration, scheme: event.scheme, value: event.value, data: event.data)
        }
    }
}
