import MediaTime

/// One entry of the edit list of a track (ISO/IEC 14496-12, 8.6.6): a range of its media, presented at its own speed, or nothing for a while.
package struct MovieEdit: Sendable, Hashable {
    /// Where it begins in the time of the media; nil for an empty edit.
    package var mediaTime: MediaTime?
    package var duration: MediaTime
}
