import MediaModel
import MediaTime

/// The output of a run of playback, in order: what is before its beginning is discarded, what a following piece may replace is held back. A value.
struct DecodedRun<Media: Sendable> {
    /// Returns false when the run was cancelled.
    typealias Push = (Decoded<Media>) -> Bool

    private let kind: TrackKind<Media>
    private let wish: DecodingWish
    private var lastDropped: Media?
    private var hasDelivered = false
    /// The end of what was delivered.
    private var end: MediaTime
    private var held: [Media] = []

    init(_ kind: TrackKind<Media>, _ wish: DecodingWish) {
        (self.kind, self.wish) = (kind, wish)
        end = wish.earliest
    }

    /// Adds what was decoded.
    ///
    /// - Returns: false when the run was cancelled, here and below.
    mutating func add(_ pieces: [Media], _ push: Push) -> Bool {
        guard let join = kind.join else { return deliver(pieces, push) }
        var ready: [Media] = []
        for piece in pieces { ready += join(&held, piece) }
        return deliver(ready, push)
    }

    /// Delivers what was held back: nothing follows directly.
    mutating func release(_ push: Push) -> Bool {
        defer { held = [] }
        return deliver(held, push)
    }

    /// The track has nothing before an asset time.
    mutating func fillGap(until time: MediaTime, _ push: Push) -> Bool {
        guard release(push) else { return false }
        guard time > end, let silence = kind.silence?(end, time) else { return true }
        return deliver([silence], push)
    }

    /// Nothing could be decoded up to an asset time.
    mutating func standIn(until time: MediaTime, _ push: Push) -> Bool {
        guard hasDelivered || wish.standsIn else { return true }
        guard release(push) else { return false }
        guard time > end, let silence = kind.silence?(end, time) else { return true }
        return deliver([kind.standingIn?(silence) ?? silence], push)
    }

    /// The track has ended.
    mutating func finish(_ push: Push) -> Bool {
        guard release(push) else { return false }
        guard kind.keepsLast, wish.keepsLast, !hasDelivered, let lastDropped else { return true }
        return push(.media(lastDropped))
    }

    private mutating func deliver(_ pieces: [Media], _ push: Push) -> Bool {
        for piece in pieces {
            kind.onPiece?(piece)
            end = max(end, kind.end(piece))
            if !hasDelivered, kind.end(piece) <= wish.earliest {
                lastDropped = piece
                continue
            }
            // If frames are not evenly spaced, a container need not state their durations: each lasts until the next.
            if !hasDelivered, wish.keepsLast, let last = lastDropped, let first = kind.bridged?(last, piece),
                kind.end(first) > wish.earliest
            {
                guard push(.media(first)) else { return false }
            }
            hasDelivered = true
            guard push(.media(piece)) else { return false }
        }
        return true
    }
}
