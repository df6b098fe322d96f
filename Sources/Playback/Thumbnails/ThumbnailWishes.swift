import MediaModel
import MediaTime

/// What is wanted of a bringer of small pictures that makes one at a time: the newest first, the oldest given up, never more than a few.
@MainActor
struct ThumbnailWishes {
    /// One picture that is wanted.
    struct Wish: Sendable {
        var time: MediaTime
        var width, height: Int
        var then: @MainActor @Sendable (PixelBuffer?) -> Void
    }

    /// A row of chapters, and a bubble.
    static let most = 8
    private var waiting: [Wish] = []
    private var current: Wish?

    /// How many are waiting or under way.
    var count: Int { waiting.count + (current == nil ? 0 : 1) }

    /// Adds a wish; the oldest is told nil when there are too many.
    mutating func add(_ wish: Wish) {
        waiting.append(wish)
        if waiting.count > Self.most { waiting.removeFirst().then(nil) }
    }

    /// The wish to be fulfilled now; nil while one is under way, or when there is none.
    mutating func begin() -> Wish? {
        guard current == nil, let wish = waiting.popLast() else { return nil }
        current = wish
        return wish
    }

    /// The one that was under way is answered.
    mutating func end(_ pixels: PixelBuffer?) {
        let wish = current
        current = nil
        wish?.then(pixels)
    }

    /// All are told nil.
    mutating func giveUp() {
        let all = waiting + (current.map { [$0] } ?? [])
        waiting = []
        current = nil
        for wish in all { wish.then(nil) }
    }
}
