import MediaModel
import MediaTime

/// Why an edit was refused. The composition is then unchanged.
package enum CompositionError: Error, Hashable, CustomStringConvertible {
    /// A range is empty, or begins before zero.
    case badRange(TimeRange)
    /// A time is before zero.
    case negativeTime(MediaTime)
    /// A length is not positive.
    case badDuration(MediaTime)
    /// A range is not within its source track.
    case beyondSource(TimeRange, SourceReference)
    /// A time would be beyond `CompositionLimits.time`.
    case tooLong
    /// There would be more tracks than `CompositionLimits.tracks`.
    case tooManyTracks
    /// There would be more segments than `CompositionLimits.segments`.
    case tooManySegments
    /// The speed of a segment would be outside `CompositionLimits.rates`.
    case badRate
    /// A time cannot be expressed exactly.
    case inexact
    /// There is no track with this number.
    case noTrack(TrackID)
    /// A number of a track is used already, or is not positive.
    case badTrackID(TrackID)
    /// A track takes media of another type.
    case otherType(MediaType, into: MediaType)
    /// Only video and audio can be composed.
    case unsupportedType(MediaType)
    /// The composition to edit is not valid.
    case invalid(CompositionFinding)

    package var description: String {
        switch self {
        case .badRange(let range):
            "The edit was refused: the range \(range) is empty or begins before zero; give one with a length."
        case .negativeTime(let time): "The edit was refused: the time \(time) is before zero; give one from zero on."
        case .badDuration(let time): "The edit was refused: the length \(time) is not positive; give a positive one."
        case .beyondSource(let range, let source):
            "The edit was refused: the range \(range) is not within track \(source.track.map(String.init(describing:)) ?? "1") of \(source.url); give one within it."
        case .tooLong: "The edit was refused: the composition would be longer than \(CompositionLimits.time) s; shorten it."
        case .tooManyTracks: "The edit was refused: the composition would have more than \(CompositionLimits.tracks) tracks."
        case .tooManySegments:
            "The edit was refused: the composition would have more than \(CompositionLimits.segments) segments; divide it."
        case .badRate:
            "The edit was refused: a segment would be slower than \(CompositionLimits.rates.lowerBound) or faster than \(CompositionLimits.rates.upperBound); scale it less."
        case .inexact: "The edit was refused: a time cannot be expressed exactly; use times of a common timescale."
        case .noTrack(let id): "The edit was refused: the composition has no track \(id)."
        case .badTrackID(let id): "The track was refused: the number \(id) is in use or not positive; choose another."
        case .otherType(let type, let other):
            "The edit was refused: \(type.rawValue) cannot be inserted into a track of \(other.rawValue)."
        case .unsupportedType(let type): "The track was refused: \(type.rawValue) cannot be composed; video and audio can."
        case .invalid(let finding): "The composition cannot be edited: \(finding)"
        }
    }
}
