import Captions
import Composition
import MediaModel
import MediaTime

/// The pieces of the tracks of an export, from zero on, each at its own speed. A value.
struct ExportPlan: Sendable {
    /// One for each track that is written.
    var tracks: [CompositionTrack]
    /// The captions of a file.
    var captions: [TrackDescription] = []
    /// In the time of the export.
    var chapters: [ChapterDescription] = []
    /// What of the source is not written: whole sentences.
    var remarks: [String] = []
    /// What is rendered beside these tracks.
    var rendering: PlannedRendering?
    /// The volume of tracks that have one.
    var volumes: [TrackID: RampCurve<Double>] = [:]
    /// Nil if the source does not state how long it is.
    var duration: MediaTime?
    /// The exported range of an edited programme, in its time; nil for a file.
    private(set) var part: TimeRange?
    /// Whether a segment must be covered by its source to its end: an edited programme has no holes.
    var isEdited: Bool { part != nil }
    /// Tags of the source.
    var tags: [(key: String, value: String)] = []

    /// The addresses of what is read.
    var sources: Set<String> {
        Set(tracks.flatMap(\.segments).compactMap { $0.source?.url } + (rendering?.sources.map(\.url) ?? []))
    }

    /// Longer than any file: for sources that do not state their duration.
    static let openEnd = CompositionLimits.time

    /// The plan of a file.
    ///
    /// - Throws: `sourceFormat` if the range is not in the file, or it has no track for the preset.
    init(
        _ reader: AssetReader, range: TimeRange?, preset: ExportPreset, fileType: ExportFileType
    ) throws(MediaError) {
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
        planText(of: reader.description, reader.url, in: source, fileType, preset)
        takeChapters(reader.facts.chapters, in: source, fileType)
    }

    /// What accompanies pictures and sound.
    private mutating func planText(
        of description: ContainerDescription, _ url: String, in range: TimeRange, _ fileType: ExportFileType,
        _ preset: ExportPreset
    ) {
        for track in description.tracks where track.type == .text || track.type == .subtitle {
            let name = "captions of track \(track.id) (\(track.codec))"
            if preset == .audio {
                remarks.append("The \(name) were left out: files of sound have no place for them.")
            } else if fileType == .fragmentedMP4 {
                remarks.append("The \(name) were left out: they are not written into fragments; use mp4 or hls.")
            } else if track.type == .text, TextSampleReader.reads(track.codec), track.parameters != nil {
                captions.append(track)
                let segment = CompositionTrackSegment(
                    SourceReference(url: url, track: track.id, codec: track.codec), range, at: .zero)
                tracks.append(CompositionTrack(id: TrackID(tracks.count + 1), type: .text, segments: [segment]))
            } else {
                remarks.append("The \(name) were left out: they are pictures, and this file has a place for text only.")
            }
        }
    }

    /// Takes what a range has of chapters.
    ///
    /// - Parameter range: in the time of the chapters.
    mutating func takeChapters(_ all: [ChapterDescription], in range: TimeRange, _ fileType: ExportFileType) {
        let inside = all.compactMap { chapter -> ChapterDescription? in
            guard let kept = chapter.range.intersection(range) else { return nil }
            let place = TimeRange(start: kept.start - range.start, duration: kept.duration)
            return ChapterDescription(range: place, title: chapter.title)
        }
        if fileType == .mp4 {
            chapters = inside
        } else if !inside.isEmpty {
            remarks.append("The chapters were left out: \(fileType.rawValue) has no place for them; use mp4.")
        }
    }

    /// The plan of an edited programme.
    ///
    /// - Throws: `sourceFormat` if it cannot be exported, or the range is not in it.
    init(_ document: CompositionDocument, name: String, range: TimeRange?, preset: ExportPreset) throws(MediaError) {
        func refuse(_ reason: String) -> MediaError { MediaError(.sourceFormat, "Exporting \(name) was refused: \(reason).") }
        if let error = document.validate().first(where: { $0.severity == .error }) { throw refuse("\(error)") }
        if preset == .passthrough, document.videoComposition != nil {
            throw refuse("\"videoComposition\" makes new pictures, and passthrough copies them; use a preset that encodes")
        }
        if preset == .passthrough, document.audioMix?.inputParameters.contains(where: { !$0.isFull }) == true {
            throw refuse("\"audioMix\" changes the sound, and passthrough copies it; use a preset that encodes")
        }
        let whole = document.composition.duration
        let wanted =
            try Self.checked(range, within: whole, name) ?? TimeRange(start: .zero, duration: whole)
        let part = TimeRange(start: wanted.start, end: min(wanted.end, whole))
        tracks = []
        let taken = document.part(of: preset)
        if preset != .passthrough {
            if let finding = taken.obstacleToPlaying { throw refuse("\(finding)") }
            rendering = PlannedRendering(taken, range: part)
        }
        for track in document.composition.tracks where preset.takes(track.type) {
            if rendering?.types.contains(track.type) == true { continue }
            for (index, segment) in track.segments.enumerated() where preset == .passthrough {
                if let rate = segment.rate, rate != .one {
                    throw refuse(
                        "segment \(index + 1) of track \(track.id) has the rate \(rate), and passthrough copies only at 1; use a preset that encodes"
                    )
                }
            }
            let segments = track.segments.compactMap { $0.part(in: part) }
            guard segments.contains(where: { !$0.isEmpty }) else { continue }
            tracks.append(
                CompositionTrack(id: track.id, type: track.type, languageTag: track.languageTag, segments: segments))
        }
        if tracks.isEmpty, rendering == nil {
            throw refuse("there is nothing in it for \(preset.rawValue); add segments, or use another preset")
        }
        for parameters in document.audioMix?.inputParameters ?? [] {
            let ramps = parameters.volume.ramps.map { ramp in
                Ramp(TimeRange(start: ramp.range.start - part.start, duration: ramp.range.duration), from: ramp.from, to: ramp.to)
            }
            volumes[parameters.track] = RampCurve(parameters.volume.initial, ramps)
        }
        duration = part.duration
        self.part = part
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

/// What of an edited programme is rendered and not read piece by piece: pictures that are composed, and sound that is mixed or has another speed.
struct PlannedRendering: Sendable {
    let document: CompositionDocument
    /// In the time of the composition.
    let range: TimeRange
    /// Pictures, sound or both.
    let types: Set<MediaType>

    /// Nil if nothing has to be rendered.
    init?(_ document: CompositionDocument, range: TimeRange) {
        var types: Set<MediaType> = []
        let sounds = document.composition.tracks(of: .audio).filter { $0.segments.contains { !$0.isEmpty } }
        if document.videoComposition != nil, document.composition.tracks(of: .video).contains(where: { !$0.segments.isEmpty }) {
            types.insert(.video)
        }
        if sounds.count > 1 || sounds.contains(where: { $0.segments.contains { ($0.rate ?? .one) != .one } }) {
            types.insert(.audio)
        }
        guard !types.isEmpty else { return nil }
        (self.document, self.range, self.types) = (document, range, types)
    }

    /// The ranges of the sources that are rendered, each with the number of its segment and its track.
    var sources: [(url: String, end: MediaTime, segment: Int, track: TrackID)] {
        document.composition.tracks.filter { types.contains($0.type) }.flatMap { track in
            track.segments.enumerated().compactMap { index, segment in
                guard let kept = segment.part(in: range), case .media(let reference, let source) = kept.content else {
                    return nil
                }
                return (reference.url, source.end, index + 1, track.id)
            }
        }
    }
}

extension CompositionDocument {
    /// What a preset takes of it.
    fileprivate func part(of preset: ExportPreset) -> CompositionDocument {
        let tracks = composition.tracks.filter { preset.takes($0.type) }
        return CompositionDocument(
            Composition(tracks: tracks), videoComposition: preset.takes(.video) ? videoComposition : nil, audioMix: audioMix)
    }
}

extension CompositionTrackSegment {
    /// What of a segment is in a range of the composition, in the time of that range.
    fileprivate func part(in range: TimeRange) -> CompositionTrackSegment? {
        guard let kept = target.intersection(range) else { return nil }
        let moved = TimeRange(start: kept.start - range.start, duration: kept.duration)
        guard case .media(let reference, let source) = content else { return CompositionTrackSegment(.empty, target: moved) }
        let rate = rate ?? .one
        let start = source.start + (kept.start - target.start).scaled(by: rate)
        let length = kept.duration.scaled(by: rate)
        return CompositionTrackSegment(.media(reference, TimeRange(start: start, duration: length)), target: moved)
    }
}
