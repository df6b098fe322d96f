import MediaTime

/// "What did they say?": captions from a position before the question until that position is reached again.
struct CaptionReplay: Sendable {
    /// The position of the question, in content time; nil if it is not active.
    private var ends: MediaTime?

    var isAtRest: Bool { ends == nil }

    mutating func begin(asked: MediaTime) { ends = asked }

    /// - Parameter content: the playback position, in content time; nil during a search.
    /// - Returns: whether the replay has ended: the position is reached again, or the viewer has moved elsewhere.
    func isOver(at content: MediaTime?) -> Bool {
        guard let ends else { return false }
        guard let content else { return true }
        return content >= ends || content + Timing.whatDidTheySay + .seconds(1) < ends
    }

    mutating func end() -> InterfaceEffect? {
        guard ends != nil else { return nil }
        ends = nil
        return .showCaptionsForReplay(false)
    }
}
