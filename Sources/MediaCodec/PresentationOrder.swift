import MediaTime

/// Presentation times for pictures of a container that states decode times only, such as AVI: a decoder outputs its pictures in presentation order,
/// therefore each one gets the earliest decode time that no picture has yet.
struct PresentationOrder {
    /// Decode times of samples that have become no picture yet, ascending.
    private var inside: [MediaTime] = []
    /// How many of them never will: they were damaged or skipped. Which ones is not known at first.
    private var lost = 0
    /// Decode times that no picture has yet, ascending: always as many as pictures are still to come.
    private var free: [MediaTime] = []

    /// More than any decoder holds back.
    private static let most = 512
    /// A sample this far behind in decoding order becomes no picture any more.
    private static let longestReordering = 64

    /// A sample goes into the decoder.
    mutating func take(_ decodeTime: MediaTime) {
        if let last = inside.last, decodeTime <= last { removeAll() }
        if inside.count == Self.most {
            inside.removeFirst()
            if lost > 0 { lost -= 1 } else { free.removeFirst() }
        }
        inside.append(decodeTime)
        free.append(decodeTime)
    }

    /// A picture leaves the decoder.
    ///
    /// - Parameters:
    ///   - decodeTime: that of its own sample.
    ///   - delay: how many samples before it in decoding order can be shown after it.
    /// - Returns: its presentation time; nil if there is none left.
    mutating func give(_ decodeTime: MediaTime, delay: Int) -> MediaTime? {
        let own = inside.firstIndex(of: decodeTime)
        if let own { inside.remove(at: own) }
        // More earlier samples than that have become no picture.
        let excess = min(inside.count { $0 < decodeTime } - lost - delay, free.count - 1)
        if excess > 0 {
            lost += excess
            free.removeFirst(excess)
        }
        while lost > 0, inside.count > Self.longestReordering {
            inside.removeFirst()
            lost -= 1
        }
        guard !free.isEmpty else { return nil }
        // Two pictures of one sample: another sample has none.
        if own == nil { lost += 1 }
        return free.removeFirst()
    }

    mutating func removeAll() { (inside, lost, free) = ([], 0, []) }
}
