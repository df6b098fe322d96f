/// The quality of backward playback: groups of pictures are decoded whole, and 96 MB hold a limited number of frames.
package enum ReversePlayback: Sendable, Hashable {
    /// Not possible.
    case none
    /// Each group is decoded once.
    case whole
    /// Longer groups are decoded repeatedly, a part at a time: every picture is shown, with more work.
    case repeated
    /// Groups are so long that only reference frames are shown.
    case thinned
}
