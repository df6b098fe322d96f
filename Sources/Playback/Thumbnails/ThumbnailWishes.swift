import MediaModel
import MediaTime

/// The requests of a thumbnail provider that makes one picture at a time: the newest first, the oldest dropped, with a maximum number.
@MainActor
struct ThumbnailWishes {
    /// One requested picture.
    struct Wish: Sendable {
        var time: MediaTime
        var width, height: Int
        var then: @MainActor @Sendable (LoadedPicture) -> Void
    }

    /// Enough for a row of chapters and the scrub bubble.
    static let most = 8
    private var waiting: [Wish] = []
    private var current: Wish?

    /// The number of waiting and current requests.
    var count: Int { waiting.count + (current == nil ? 0 : 1) }

    /// Adds a request; when there are too many, the oldest is dropped.
    mutating func add(_ wish: Wish) {
        waiting.append(wish)
        if waiting.count > Self.most { waiting.removeFirst().then(.dropped) }
    }

    /// The request to handle now; nil while one is being handled, or if there is none.
    mutating func begin() -> Wish? {
        guard current == nil, let wish = waiting.popLast() else { return nil }
        current = wish
        return wish
    }

    /// The current request was answered.
    mutating func end(_ pixels: PixelBuffer?) {
        let wish = current
        current = nil
        wish?.then(pixels.map { .picture($0) } ?? .missing)
    }

    /// All requests are dropped.
    mutating func giveUp() {
        let all = waiting + (current.map { [$0] } ?? [])
        waiting = []
        current = nil
        for wish in all { wish.then(.dropped) }
    }
}
