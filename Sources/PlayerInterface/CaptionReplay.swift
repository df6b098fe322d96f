import MediaTime

/// "What did they say?": captions from a place before the question until that place is reached again.
struct CaptionReplay: Sendable {
    /// Where it was asked, in content time; nil: it was not.
    private var ends: MediaTime?

    var isAtRest: Bool { ends == nil }

    mutating func begin(asked: MediaTime) { ends = asked }

    /// - Parameter content: where play is, in content time; nil: the viewer searches for a place.
    /// - Returns: whether the replay is over: the place is reached again, or the viewer has gone elsewhere.
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
