import MediaTime

/// How often a decoder is built anew before its item is given up: a fault of the decoder goes away with it, one of the stream comes again at the same place.
struct RebuildPolicy: Equatable {
    /// What is to be done about a decoder that failed.
    enum Decision: Equatable {
        /// Another one goes on at the same place.
        case rebuild
        /// Nothing helps.
        case giveUp
    }

    /// So many decoders in a row may fail at one place.
    static let mostAtOnePlace = 3
    /// Play that has come so much further has left the place.
    private static let progress = MediaTime.milliseconds(500)

    private var place: MediaTime?
    private var count = 0

    /// A decoder has failed where play stood.
    mutating func failed(at time: MediaTime) -> Decision {
        if let place, (time - place).magnitude < Self.progress { count += 1 } else { count = 1 }
        place = time
        return count <= Self.mostAtOnePlace ? .rebuild : .giveUp
    }
}

/// How many threads were given up since the process began to play: what they hold is lost to it. A value.
struct LostThreads: Equatable {
    /// This many may be lost in calls that do not return.
    private static let most = 3

    private(set) var count = 0

    /// A thread was given up.
    ///
    /// - Returns: whether that was one too many.
    mutating func lose() -> Bool {
        count += 1
        return count >= Self.most
    }
}
