import Composition
import MediaModel
import MediaTime

/// Reads tracks of a plan whose segments have the same sources and ranges, so that each source is read once for all of them. Confined to one thread.
final class PieceSequence {
    /// What comes next.
    enum Event {
        /// A segment begins: the descriptions of the tracks in its source, in the order of `lanes`.
        case begin(TimeMapping, [TrackDescription])
        /// A sample of one of `lanes`, by its index there, in the time of the source.
        case sample(lane: Int, EncodedSample)
        /// The segment has ended; its number, for error messages.
        case end(segment: Int)
        /// A segment without media.
        case gap(TimeRange)
    }
    /// The numbers of the tracks in the plan.
    let lanes: [Int]
    private let tracks: [CompositionTrack]
    private let open: (String) throws(MediaError) -> AssetReader
    private var index = 0
    private var reader: AssetReader?
    /// The segment that is read: its mapping, and for each track of its source the index in `lanes`.
    private var current: (mapping: TimeMapping, readTracks: [(track: TrackID, lane: Int)])?
    /// The time of the export that was reached before `decoded`.
    private var reached = MediaTime.zero
    /// When the last sample of the current segment is decoded, in the time of its source.
    private var decoded: MediaTime?
    private var isDone = false

    init(_ lanes: [Int], of tracks: [CompositionTrack], open: @escaping (String) throws(MediaError) -> AssetReader) {
        self.lanes = lanes
        self.tracks = lanes.map { tracks[$0] }
        self.open = open
    }

    /// The numbers of tracks that can be read together.
    static func groups(of tracks: [CompositionTrack]) -> [[Int]] {
        var groups: [[Int]] = []
        for (number, track) in tracks.enumerated() {
            let place = groups.firstIndex { group in group.allSatisfy { track.canBeRead(with: tracks[$0]) } }
            if let place { groups[place].append(number) } else { groups.append([number]) }
        }
        return groups
    }

    /// The time of the export at which the last sample is decoded: which sequence is read next depends on it, if there are several.
    var position: MediaTime {
        guard let current, let decoded else { return reached }
        return max(reached, current.mapping.extendedTargetTime(atSource: decoded))
    }

    /// The open source, or another in its place.
    private func source(_ url: String) throws(MediaError) -> AssetReader {
        if let reader, reader.url == url { return reader }
        let fresh = try open(url)
        reader = fresh
        return fresh
    }

    func next() throws(MediaError) -> Event? {
        if isDone { return nil }
        if let current, let reader {
            guard let sample = try reader.nextSample() else {
                reached = position
                decoded = nil
                self.current = nil
                index += 1
                return .end(segment: index)
            }
            guard let found = current.readTracks.firstIndex(where: { $0.track == sample.track }) else { return try next() }
            decoded = sample.decodeTime
            return .sample(lane: current.readTracks[found].lane, sample)
        }
        guard index < tracks[0].segments.count else {
            isDone = true
            reader = nil
            return nil
        }
        let segment = tracks[0].segments[index]
        reached = max(reached, segment.target.start)
        guard let reference = segment.source, let mapping = segment.timeMapping else {
            index += 1
            reached = segment.target.end
            return .gap(segment.target)
        }
        let reader = try source(reference.url)
        var found: [TrackDescription] = []
        var readTracks: [(track: TrackID, lane: Int)] = []
        for (lane, track) in tracks.enumerated() {
            let description = try reader.track(track.segments[index].source?.track, of: track.type)
            found.append(description)
            readTracks.append((description.id, lane))
        }
        try reader.start(mapping.source, tracks: Set(readTracks.map(\.track)))
        current = (mapping, readTracks)
        return .begin(mapping, found)
    }
}

extension CompositionTrack {
    /// Whether all segments present the same ranges of the same sources at the same times, of different tracks.
    fileprivate func canBeRead(with other: CompositionTrack) -> Bool {
        guard segments.count == other.segments.count else { return false }
        return zip(segments, other.segments).allSatisfy { mine, theirs in
            guard mine.target == theirs.target, mine.source?.url == theirs.source?.url else { return false }
            guard let source = mine.source, let otherSource = theirs.source else { return mine.isEmpty && theirs.isEmpty }
            guard mine.timeMapping?.source == theirs.timeMapping?.source else { return false }
            if type != other.type { return true }
            // Without numbers both may mean the same track.
            return source.track != nil && otherSource.track != nil && source.track != otherSource.track
        }
    }
}
