import LinuxSupport
import MediaModel

/// When the screen saver is shown: after a time without a key, while the same picture stands on the screen. A value.
///
/// Any key ends it, and does nothing else. A long pause has its own rule (`LongPause`), and running video needs none.
struct ScreenSaver: Sendable, Equatable {
    private var stillness = Stillness()
    /// The time without a key after which it is shown; nil for never.
    private var delay: Duration?

    /// - Parameters:
    ///   - isStill: whether the same picture stands on the screen until a key is pressed.
    ///   - lastPress: the last press of any key.
    ///   - delay: the viewer's setting; nil for never.
    mutating func update(isStill: Bool, lastPress: HostTime?, after delay: Duration?, at now: HostTime) {
        self.delay = delay
        stillness.update(isStill, lastPress: lastPress, at: now)
    }

    private var start: HostTime? {
        guard let since = stillness.since, let delay else { return nil }
        return since + delay
    }

    func isShown(at now: HostTime) -> Bool { start.map { now >= $0 } ?? false }

    /// How often it has moved.
    func moves(at now: HostTime) -> Int { start.map { BurnIn.moves(since: $0, at: now) } ?? 0 }

    /// When it appears, or moves next.
    func deadline(at now: HostTime) -> HostTime? {
        start.map { now < $0 ? $0 : BurnIn.nextMove(since: $0, at: now) }
    }
}

extension InterfaceContext {
    /// Whether the same bright picture stands on the screen until a key is pressed: Home and its pages without running video, and the player while no picture
    /// of it runs, also between the tries of what cannot be played. A pause has its own rule.
    var isScreenStill: Bool {
        guard stage.card?.closesByItself != true else { return false }
        let viewing = stage.viewing
        switch stage.screen {
        case .standby: return false
        case .home: return !(stage.hasCornerVideo && viewing.orders.wantsToPlay)
        case .player:
            guard stage.card == nil else { return true }
            guard viewing.seeking.mode == .watching, viewing.played.snapshot.state != .playing else { return false }
            return !stage.hasItem || viewing.orders.wantsToPlay || viewing.played.snapshot.state == .ended
        }
    }

    /// The screen saver after a number of moves: the time of day, and the pictures of Home, one after the other.
    func screenSaver(moves: Int) -> ScreenSaverView {
        let content = parts.home.content
        let pictures = content.rows.flatMap(\.entries).filter { !$0.isLocked }.compactMap(\.artwork)
        let places = Metrics.ScreenSaver.places
        return ScreenSaverView(
            artwork: pictures.isEmpty ? nil : pictures[moves % pictures.count],
            clock: parts.schedule.timeOfDay(at: now).map { strings.timeOfDay(Int64($0)) }, hint: strings.text(.anyKeyForHome),
            frame: places[moves % places.count])
    }
}
