import MediaModel
import MediaTime

/// What plays, or was opened to be played. A value; another one takes its place with all that belongs to it.
struct PlayingItem {
    /// What it is.
    var programme: Programme
    /// Which of its streams: several are fail-over in order, not qualities.
    var stream = 0
    /// Why it does not play.
    var error: MediaError?
    /// Where it is; nil: nothing has been seen or heard of it.
    var position: MediaTime?
    /// The speed at which it is to play.
    var speed = Ratio.one
}
