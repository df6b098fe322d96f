import MediaModel
import MediaTime

/// How much softer a track of an audio mix is while others are heard: a programme under announcements. A value.
package struct MixDucking: Sendable, Hashable {
    /// The tracks that lower it, wherever they have media.
    package let announcements: [TrackID]
    /// Its volume meanwhile, 0 to 1, in addition to its own.
    package let volume: Double

    /// 12 dB softer, as under an audio description.
    package static let standardVolume = 0.25
    /// How long it takes to fall; it ends when the announcement begins.
    static let attack = MediaTime.milliseconds(100)
    /// How long it stays lowered after an announcement.
    static let hold = MediaTime.milliseconds(300)
    /// How long it then takes to rise.
    static let release = MediaTime.milliseconds(500)

    package init(announcements: [TrackID], volume: Double = MixDucking.standardVolume) {
        self.announcements = announcements
        self.volume = volume
    }

    /// The ramps in the time of a composition. Between announcements that follow closely it stays lowered.
    package func curve(in composition: Composition) -> RampCurve<Double> {
        var ramps: [Ramp<Double>] = []
        for span in spans(in: composition) {
            let start = max(span.start - Self.attack, .zero)
            if start < span.start {
                ramps.append(Ramp(TimeRange(start: start, end: span.start), from: 1, to: volume))
            } else {
                ramps.append(Ramp(at: span.start, volume))
            }
            ramps.append(Ramp(TimeRange(start: span.end + Self.hold, duration: Self.release), from: volume, to: 1))
        }
        return RampCurve(1, ramps)
    }

    /// When announcements are heard, with the pauses in which it stays lowered.
    private func spans(in composition: Composition) -> [TimeRange] {
        let heard = composition.tracks.filter { announcements.contains($0.id) }.flatMap(\.segments).filter { !$0.isEmpty }
            .map(\.target).sorted { $0.start < $1.start }
        var spans: [TimeRange] = []
        for range in heard {
            if let last = spans.last, range.start - Self.attack <= last.end + Self.hold + Self.release {
                spans[spans.count - 1] = TimeRange(start: last.start, end: max(last.end, range.end))
            } else {
                spans.append(range)
            }
        }
        return spans
    }
}
