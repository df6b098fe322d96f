import MediaModel

/// Encodes the pictures that watchers wait for, each only once for all of them. An actor, so that the encoding runs off the main
/// loop.
actor ScreenEncoder {
    /// An encoded picture.
    struct Still: Sendable {
        /// The serial of its scene.
        var serial: UInt64
        var jpeg: [UInt8]
    }

    /// The answer to a watcher.
    enum Answer: Sendable {
        case still(Still)
        case unchanged
        case unreadable
        case crowded
    }

    private let watch: ScreenWatch
    private let encode: @Sendable (ScreenPicture) -> [UInt8]?
    private var last: Still?

    init(watch: ScreenWatch, encode: @escaping @Sendable (ScreenPicture) -> [UInt8]?) {
        self.watch = watch
        self.encode = encode
    }

    /// Answers like `ScreenWatch.next(after:)`, with the picture encoded.
    func next(after known: UInt64?) async -> Answer {
        switch await watch.next(after: known) {
        case .unchanged: return .unchanged
        case .unreadable: return .unreadable
        case .crowded: return .crowded
        case .picture(let picture):
            if let last, last.serial == picture.serial { return .still(last) }
            guard let jpeg = encode(picture) else { return .unreadable }
            let still = Still(serial: picture.serial, jpeg: jpeg)
            last = still
            return .still(still)
        }
    }
}
