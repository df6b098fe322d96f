import MediaModel

/// Packs the pictures that watchers wait for, each only once however many watch. An actor, so that the packing is off the main loop.
actor ScreenEncoder {
    /// A packed picture.
    struct Still: Sendable {
        /// The serial of the scene that it shows.
        var serial: UInt64
        /// The JPEG file.
        var jpeg: [UInt8]
    }

    /// What a watcher gets.
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

    /// Answers as `ScreenWatch.next(after:)` does, with the picture packed.
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
