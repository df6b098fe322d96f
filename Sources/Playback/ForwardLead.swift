import MediaModel
import MediaTime

/// Finds the position of a seek in a file that is only read forward: what comes before the last key picture at or before it is passed over. A value.
struct ForwardLead {
    private let time: MediaTime
    /// The track whose key pictures decide; nil without pictures.
    private let pictures: TrackID?
    private var held: [EncodedSample] = []

    /// So many samples are held at most: a film without key pictures is delivered from here on.
    private static let most = 20_000
    /// A decoder of sound needs so much before the position.
    private static let soundLead = MediaTime.milliseconds(500)

    /// - Parameter time: the position, in asset time.
    init(to time: MediaTime, tracks: [TrackDescription]) {
        self.time = time
        pictures = tracks.first { $0.type == .video }?.id
    }

    /// What is delivered if the file ends before the position.
    var rest: [EncodedSample] { held }

    /// The next sample of the file.
    ///
    /// - Returns: the samples from the key picture on, once the position is reached; everything after them is delivered as it comes.
    mutating func take(_ sample: EncodedSample) -> [EncodedSample]? {
        let rules = sample.track == pictures || pictures == nil
        if rules, pictures == nil || sample.isSync, sample.presentationTime <= time {
            let first = pictures == nil ? time - Self.soundLead : sample.presentationTime
            held.removeAll { ($0.track == pictures || $0.presentationTime < first - Self.soundLead) }
        }
        held.append(sample)
        return rules && sample.decodeTime > time || held.count > Self.most ? held : nil
    }
}
