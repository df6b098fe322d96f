import LinuxSupport
import MediaModel

/// The card in the middle.
struct CardModel: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case end
        case error(MediaError)
        case slow
        case stillWatching
        case sleepTimer
    }
    let kind: Kind
    var focus: Int
    /// When something happens by itself: another try, or the next of the queue.
    var deadline: HostTime?
}
