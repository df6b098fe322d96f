import MediaModel

/// Which tracks of a transport stream go on where its tables change.
enum TrackMatching {
    /// The tracks that go on, by the new ones. Each goes on once at most, as one of its type; the most similar ones come first.
    ///
    /// - Parameters:
    ///   - tracks: those behind the change.
    ///   - known: all that have been.
    ///   - playing: those of them that were there before the change.
    static func matches(
        of tracks: [TrackDescription], with known: [TrackDescription], playing: Set<TrackID>
    ) -> [TrackID: TrackID] {
        var pairs: [(new: TrackID, old: TrackID, likeness: Int)] = []
        for track in tracks {
            for other in known where other.type == track.type {
                pairs.append((track.id, other.id, likeness(track, other) + (playing.contains(other.id) ? 1 : 0)))
            }
        }
        // In the order of the tables among equals.
        let sorted = pairs.enumerated().sorted { ($1.element.likeness, $0.offset) < ($0.element.likeness, $1.offset) }
        var matches: [TrackID: TrackID] = [:]
        var taken: Set<TrackID> = []
        for (_, pair) in sorted where matches[pair.new] == nil && !taken.contains(pair.old) {
            matches[pair.new] = pair.old
            taken.insert(pair.old)
        }
        return matches
    }

    private static func likeness(_ track: TrackDescription, _ other: TrackDescription) -> Int {
        var likeness = 0
        if track.languageTag == other.languageTag {
            likeness += 16
        } else if track.languageTag == nil || other.languageTag == nil {
            likeness += 8
        }
        if track.characteristics == other.characteristics, track.isDependent == other.isDependent { likeness += 4 }
        if let own = track.parameters as? StreamParameters, let theirs = other.parameters as? StreamParameters {
            if own.streamNumber == theirs.streamNumber { likeness += 2 }
        }
        return likeness
    }
}
