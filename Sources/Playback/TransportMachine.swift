import MediaTime

/// Start-up, stalls, recovery and the end of playback: the phase of a player, when its clock runs, and its published status. A value: events in, effects out.
///
///     empty ── opened ──▶ opening ── runBegan ──▶ prerolling ── prerolled ──▶ ready ◀── recovered ── stalled
///                                                     ▲                        │  └── starved ──────────▲
///                                                     └──── runBegan (a seek, another rate) ────────────┤
///                                                                              └── reachedEnd ──▶ ended │
///
/// - The clock runs only in `ready` at a rate other than zero. Each change of that is one effect, `startClock` or `stopClock`.
/// - The rate is a request: it survives seeks and stalls, and is reset with the item, by a failure and, unless something follows, at the end.
/// - At the end a positive rate has no effect. Backward playback does, because there is media before it.
struct TransportMachine: Equatable {
    /// The phase.
    enum Phase: Equatable {
        /// There is no item.
        case empty
        /// The item is being opened.
        case opening
        /// The first picture and enough sound of a position are being loaded.
        case prerolling
        /// Playing, or ready to play.
        case ready
        /// The buffer is empty.
        case stalled
        /// The item has ended.
        case ended
        /// The item cannot be played.
        case failed
    }
    /// An event of a player.
    enum Event: Equatable {
        /// An item was set or removed.
        case opened, closed
        /// Reading started at a position: a start, a seek, another manner of playing, a rebuilt decoder.
        case runBegan
        /// The first picture is on the screen, and enough sound is available.
        case prerolled
        /// Sound or video ran out before the end.
        case starved
        /// They are available again.
        case recovered
        /// The item has been played to its end; backward, to its beginning.
        case reachedEnd, reachedStart
        /// It can no longer be played.
        case failed
        /// Another rate was requested.
        case rateAsked(Ratio)
    }
    /// An effect.
    enum Effect: Equatable {
        /// Time starts.
        case startClock
        /// Time stops.
        case stopClock
        /// Time continues at another rate.
        case changeClock
        /// Playback has stalled.
        case countStall
        /// The end must be reported.
        case tellEnd
    }

    private(set) var phase = Phase.empty
    /// The requested rate.
    private(set) var rate = Ratio.zero
    /// Whether the request outlives the end of the item, because another item follows or a seek is expected.
    var keepsRateAtEnd = false

    /// Whether the clock runs.
    var isRunning: Bool { phase == .ready && rate != .zero }

    /// The published status.
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

    /// Handles an event.
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
