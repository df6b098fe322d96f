import MediaTime

/// Captions from a position before a question until the position of the question is reached again: for "What did they say?", and after skipping back.
struct CaptionReplay: Sendable {
    /// A stretch of the content.
    private struct Stretch: Sendable {
        var start: MediaTime
        /// The position of the question.
        var end: MediaTime
    }
    private var stretch: Stretch?

    var isAtRest: Bool { stretch == nil }

    /// Begins, or goes on with more.
    ///
    /// - Parameters:
    ///   - asked: the position of the question, in content time.
    ///   - start: where playback goes on.
    mutating func begin(asked: MediaTime, from start: MediaTime) {
        stretch = Stretch(start: start, end: max(asked, stretch?.end ?? asked))
    }

    /// - Parameter content: the playback position, in content time; nil during a search.
    /// - Returns: whether the replay has ended: the position is reached again, or the viewer has moved elsewhere.
    func isOver(at content: MediaTime?) -> Bool {
        guard let stretch else { return false }
        guard let content else { return true }
        return content >= stretch.end || content + .seconds(1) < stretch.start
    }

    mutating func end() -> InterfaceEffect? {
        guard stretch != nil else { return nil }
        stretch = nil
        return .showCaptionsForReplay(false)
    }
}
