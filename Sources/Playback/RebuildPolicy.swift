import MediaTime

/// How often a decoder is rebuilt before its item fails: a fault of the decoder disappears with it, but one of the stream recurs at the same position.
struct RebuildPolicy: Equatable {
    /// The action after a decoder failed.
    enum Decision: Equatable {
        /// A new decoder continues at the same position.
        case rebuild
        /// The item fails.
        case giveUp
    }

    /// The maximum number of consecutive failures at one position.
    static let mostAtOnePosition = 3
    /// Playback that has advanced by this much has left the position.
    private static let progress = MediaTime.milliseconds(500)

    private var position: MediaTime?
    private var count = 0

    /// Whether more than one decoder has failed at the position: the stream is at fault.
    var isRepeated: Bool { count > 1 }

    /// A decoder has failed at this position.
    mutating func failed(at time: MediaTime) -> Decision {
        if let position, (time - position).magnitude < Self.progress { count += 1 } else { count = 1 }
        position = time
        return count <= Self.mostAtOnePosition ? .rebuild : .giveUp
    }
}

/// Counts the threads abandoned since the process began: their resources are lost to it. A value.
struct LostThreads: Equatable {
    /// The number of threads that may be lost in hung calls.
    private static let most = 3

    private(set) var count = 0

    /// A thread was lost.
    ///
    /// - Returns: whether that exceeds the limit.
    mutating func lose() -> Bool {
        count += 1
        return count >= Self.most
    }
}
