import MediaTime

/// Start-up, stalls, recovery and the end of play: which of these a player is in, when its clock runs and what it tells of that. A value: events in, effects out.
///
///     empty ── opened ──▶ opening ── runBegan ──▶ prerolling ── prerolled ──▶ ready ◀── recovered ── stalled
///                                                     ▲                        │  └── starved ──────────▲
///                                                     └──── runBegan (a seek, another rate) ────────────┤
///                                                                              └── reachedEnd ──▶ ended │
///
/// - The clock runs in `ready` at a rate other than zero, and nowhere else: each change in or out of that is one effect, `startClock` or `stopClock`.
/// - The rate is a wish: it outlives seeks and stalls, and ends with the item, with a failure and, unless something follows, at the end.
/// - At the end a rate other than zero is no event: play at the end does nothing. Backward it does something, since there is somewhere to go.
struct TransportMachine: Equatable {
    /// What is under way.
    enum Phase: Equatable {
        /// There is no item.
        case empty
        /// The item is being opened.
        case opening
        /// The first picture and enough sound of a place are being fetched.
        case prerolling
        /// Play goes on, or could.
        case ready
        /// What was buffered has been played, and more has not come.
        case stalled
        /// The item is over.
        case ended
        /// The item cannot be played.
        case failed
    }
    /// What happens to a player.
    enum Event: Equatable {
        /// An item was given to it, or taken away.
        case opened, closed
        /// Reading began at a place: a start, a seek, another manner of playing, a decoder that was rebuilt.
        case runBegan
        /// The first picture is on the screen and the sound suffices.
        case prerolled
        /// Sound or pictures ran out though there are more to come.
        case starved
        /// They are there again.
        case recovered
        /// The item has been played to the end; backward, to its beginning.
        case reachedEnd, reachedStart
        /// It cannot be played any more.
        case failed
        /// Another rate is wanted.
        case rateAsked(Ratio)
    }
    /// What is to be done about it.
    enum Effect: Equatable {
        /// Time begins to move.
        case startClock
        /// Time stands from now on.
        case stopClock
        /// Time goes on at another rate.
        case changeClock
        /// Play had to wait for bytes.
        case countStall
        /// The end is to be told.
        case tellEnd
    }

    private(set) var phase = Phase.empty
    /// The rate that is wanted.
    private(set) var rate = Ratio.zero
    /// Whether the wish outlives the end of the item, since something is to follow or to be sought.
    var keepsRateAtEnd = false

    /// Whether the clock runs.
    var isRunning: Bool { phase == .ready && rate != .zero }

    /// What is told of it.
    var status: TimeControlStatus {
        guard rate != .zero else { return .paused }
        switch phase {
        case .empty, .ended, .failed: return .paused
        case .opening: return .waitingToPlayAtSpecifiedRate(.evaluatingBufferingRate)
        case .prerolling: return .waitingToPlayAtSpecifiedRate(.seeking)
        case .stalled: return .waitingToPlayAtSpecifiedRate(.toMinimizeStalls)
        case .ready: return .playing
        }
    }

    /// Takes an event in.
    mutating func handle(_ event: Event) -> [Effect] {
        let before = self
        var effects: [Effect] = []
        switch event {
        case .opened: phase = .opening
        case .closed:
            phase = .empty
            rate = .zero
        case .runBegan: phase = .prerolling
        case .prerolled: if phase == .prerolling { phase = .ready }
        case .starved:
            if phase == .ready {
                phase = .stalled
                effects.append(.countStall)
            }
        case .recovered: if phase == .stalled { phase = .ready }
        case .reachedEnd:
            if phase == .ready {
                phase = .ended
                if !keepsRateAtEnd { rate = .zero }
                effects.append(.tellEnd)
            }
        case .reachedStart: if phase == .ready { rate = .zero }
        case .failed:
            phase = .failed
            rate = .zero
        case .rateAsked(let wanted): if phase != .ended || wanted <= .zero { rate = wanted }
        }
        switch (before.isRunning, isRunning) {
        case (false, true): effects.insert(.startClock, at: 0)
        case (true, false): effects.insert(.stopClock, at: 0)
        case (true, true): if before.rate != rate { effects.append(.changeClock) }
        case (false, false): break
        }
        return effects
    }
}
