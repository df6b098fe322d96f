import MediaModel
import MediaTime

/// The current programme, or the one being opened. A value, which is replaced as a whole.
struct PlayingItem {
    var programme: Programme
    /// The index of its stream. Several streams are alternatives for fail-over, not qualities.
    var stream = 0
    /// Why it does not play.
    var error: MediaError?
    /// Its position; nil before its first frame or sound.
    var position: MediaTime?
    /// The speed at which it should play.
    var speed = Ratio.one
}
