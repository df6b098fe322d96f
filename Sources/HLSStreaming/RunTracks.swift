import MediaModel

/// The track of the presentation that receives a kind of sample.
struct TrackOutlet: Sendable {
    var type: MediaType
    var track: TrackID
}

/// Which tracks of a run's container are read, and which tracks of the presentation they are. The container may bring more while it is read.
final class RunTracks {
    private let outlets: [TrackOutlet]
    private let takesTags: Bool
    private var map: [TrackID: TrackOutlet] = [:]
    /// Those with the ID3 tags of transport streams.
    private var tagged: Set<TrackID> = []
    /// The track whose time stamps decide where the run is: that of the pictures.
    let ruling: TrackID?

    init(_ tracks: [TrackDescription], outlets: [TrackOutlet], takesTags: Bool) {
        self.outlets = outlets
        self.takesTags = takesTags
        for outlet in outlets {
            if let track = tracks.first(where: { $0.type == outlet.type }) { map[track.id] = outlet }
        }
        if takesTags { tagged = Set(tracks.filter { $0.type == .metadata }.map(\.id)) }
        let read = tracks.filter { [map] in map[$0.id] != nil }
        ruling = (read.first { $0.type == .video } ?? read.first)?.id
    }

    /// All that are read.
    var selection: Set<TrackID> { Set(map.keys).union(tagged) }
    /// The tracks of the presentation that the container lacks.
    var lacking: [TrackID] { outlets.map(\.track).filter { track in !map.values.contains { $0.track == track } } }
    var hasPictures: Bool { map.values.contains { $0.type == .video } }
    var areSeveral: Bool { map.count > 1 }

    func outlet(of track: TrackID) -> TrackOutlet? { map[track] }

    func isTagged(_ track: TrackID) -> Bool { tagged.contains(track) }

    func isRead(_ track: TrackID) -> Bool { map[track] != nil || tagged.contains(track) }

    /// The container has a new track.
    ///
    /// - Returns: whether it is read.
    func offer(_ track: TrackDescription) -> Bool {
        if track.type == .metadata, takesTags {
            tagged.insert(track.id)
            return true
        }
        guard let outlet = outlets.first(where: { $0.type == track.type }),
            !map.values.contains(where: { $0.track == outlet.track })
        else { return false }
        map[track.id] = outlet
        return true
    }
}
