import MediaTime

/// The way back to a key frame: where key frames are rarer than segments, the pictures at a position depend on one in an earlier segment.
///
/// Each step goes twice as far back as the one before it, and looks for a key frame only up to where that one began. A value.
struct KeyFrameApproach {
    /// Where the next run needs a key frame; nil if that is not asked.
    private var by: MediaTime?
    /// The first piece of the run that is being asked.
    private var asked: Piece?
    private var steps = 0

    /// - Parameter position: where pictures are needed; nil if none are.
    init(to position: MediaTime? = nil) { by = position }

    /// A piece is fetched, which may begin a run.
    ///
    /// - Parameter hasEarlier: whether there is an earlier piece to go back to.
    /// - Returns: when a key frame is needed at the latest; nil if it does not matter.
    mutating func ask(_ piece: Piece, _ hasEarlier: () -> Bool) -> MediaTime? {
        guard let by else { return nil }
        self.by = nil
        guard hasEarlier() else { return nil }
        asked = piece
        return by
    }

    /// The run has no key frame in time.
    ///
    /// - Parameter earlier: an earlier place of a playlist than a piece, by at most a number of segments.
    /// - Returns: where to read instead.
    mutating func goBack<Place>(_ earlier: (Piece, Int) -> Place?) -> Place? {
        guard let asked else { return nil }
        by = asked.start
        steps = min(steps * 2 + 1, 1 << 10)
        return earlier(asked, steps)
    }
}
