import Composition
import MediaModel
import MediaTime

/// The pieces of the tracks of an export, from zero on, each at its own speed. A value.
struct ExportPlan: Sendable {
    /// One for each track that is written.
    var tracks: [CompositionTrack]
    /// The volume of tracks that have one.
    var volumes: [TrackID: RampCurve<Double>] = [:]
    /// Nil if the source does not state how long it is.
    var duration: MediaTime?
    /// Whether a segment must be covered by its source to its end: an edited programme has no holes.
    var isEdited = false
    /// Tags of the source.
    var tags: [(key: String, value: String)] = []

    /// Longer than any file: for sources that do not state their duration.
    static let openEnd = CompositionLimits.time

    /// The plan of a file.
    ///
    /// - Throws: `sourceFormat` if the range is not in the file, or it has no track for the preset.
    init(_ reader: AssetReader, range: TimeRange?, preset: ExportPreset) throws(MediaError) {
        let known = reader.duration
        let wanted = try Self.checked(range, within: known, reader.url)
        let source = TimeRange(
            start: wanted?.start ?? .zero, end: min(wanted?.end ?? known ?? Self.openEnd, known ?? Self.openEnd))
        duration = known == nil && range == nil ? nil : source.duration
        tracks = reader.tracks.filter { preset.takes($0.type) }.enumerated().map { index, track in
            let segment = CompositionTrackSegment(
                SourceReference(url: reader.url, track: track.id, codec: track.codec), source, at: .zero)
            return CompositionTrack(id: TrackID(index + 1), type: track.type, languageTag: track.languageTag, segments: [segment])
        }
        tags = reader.description.tags
        if tracks.isEmpty {
            throw MediaError(.sourceFormat, "Exporting \(reader.url) failed: it has no sound; use a preset with pictures.")
        }
    }

    /// The plan of an edited programme.
    ///
    /// - Throws: `sourceFormat` if it cannot be exported, or the range is not in it.
    init(_ document: CompositionDocument, name: String, range: TimeRange?, preset: ExportPreset) throws(MediaError) {
        func refuse(_ reason: String) -> MediaError { MediaError(.sourceFormat, "Exporting \(name) was refused: \(reason).") }
        if let error = document.validate().first(where: { $0.severity == .error }) { throw refuse("\(error)") }
        if document.videoComposition != nil { throw refuse("\"videoComposition\" is not exported; remove it") }
        if preset == .passthrough, document.audioMix?.inputParameters.contains(where: { !$0.volume.ramps.isEmpty }) == true {
            throw refuse("\"audioMix\" changes the sound, and passthrough copies it; use a preset that encodes")
        }
        let whole = document.composition.duration
        let wanted =
            try Self.checked(range, within: whole, name) ?? TimeRange(start: .zero, duration: whole)
        let part = TimeRange(start: wanted.start, end: min(wanted.end, whole))
        tracks = []
        for track in document.composition.tracks where preset.takes(track.type) {
            for (index, segment) in track.segments.enumerated() {
                if let rate = segment.rate, rate != .one {
                    throw refuse("segment \(index + 1) of track \(track.id) has the rate \(rate), and only 1 is exported")
                }
            }
            let segments = track.segments.compactMap { $0.part(in: part) }
            guard segments.contains(where: { !$0.isEmpty }) else { continue }
            tracks.append(
                CompositionTrack(id: track.id, type: track.type, languageTag: track.languageTag, segments: segments))
        }
        if tracks.isEmpty { throw refuse("there is nothing in it for \(preset.rawValue); add segments, or use another preset") }
        for parameters in document.audioMix?.inputParameters ?? [] {
            let ramps = parameters.volume.ramps.map { ramp in
                Ramp(TimeRange(start: ramp.range.start - part.start, duration: ramp.range.duration), from: ramp.from, to: ramp.to)
            }
            volumes[parameters.track] = RampCurve(parameters.volume.initial, ramps)
        }
        duration = part.duration
        isEdited = true
    }

    /// A range from outside, if it can be used.
    static func checked(_ range: TimeRange?, within whole: MediaTime?, _ name: String) throws(MediaError) -> TimeRange? {
        guard let range else { return nil }
        func refuse(_ reason: String) -> MediaError {
            MediaError(.sourceFormat, "Exporting \(range) of \(name) was refused: \(reason).")
        }
        if range.start < .zero { throw refuse("it begins before zero; use a start from 0 on") }
        if range.isEmpty { throw refuse("it is empty; give it a length") }
        if range.end > CompositionLimits.time { throw refuse("it ends after \(CompositionLimits.time) s; use a shorter one") }
        if let whole, range.start >= whole {
            throw refuse("it begins at or after the end, which is at \(whole) s; use an earlier start")
        }
        return range
    }
}

extension CompositionTrackSegment {
    /// What of a segment at its own speed is in a range of the composition, in the time of that range.
    fileprivate func part(in range: TimeRange) -> CompositionTrackSegment? {
        guard let kept = target.intersection(range) else { return nil }
        let moved = TimeRange(start: kept.start - range.start, duration: kept.duration)
        guard case .media(let reference, let source) = content else { return CompositionTrackSegment(.empty, target: moved) }
        let start = source.start + (kept.start - target.start)
        return CompositionTrackSegment(.media(reference, TimeRange(start: start, duration: kept.duration)), target: moved)
    }
}
