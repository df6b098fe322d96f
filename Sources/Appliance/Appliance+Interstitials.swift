import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// Interstitials that the player fetches beside the stream, as the interface is told of them.
extension Appliance {
    /// Hears of them from now on. Once, when the box is put together.
    func followInterstitials() {
        parts.player.onInterstitialChange = { [weak self] in self?.take($0) }
    }

    private func take(_ change: InterstitialChange) {
        switch change {
        case .presenting(let status):
            parts.dump?.note(
                "interstitial",
                "\(status.event.identifier) asset=\(status.asset + 1)/\(status.assetCount) elapsed=\(status.elapsed)")
        case .ended(let event, let end):
            send(.interstitialEnded(id: event.identifier, how: InterstitialOutcome(end)))
        case .schedule(let events):
            parts.dump?.note("interstitials", events.map { "\($0.identifier)@\($0.time)" }.joined(separator: " "))
        }
        tellPlayback()
    }

    /// Adds to a snapshot what is known and presented beside the stream.
    func addInterstitials(to snapshot: inout PlaybackSnapshot) {
        let events = parts.player.interstitialEvents
        guard !events.isEmpty else { return }
        let watched = watchedInterstitials
        snapshot.beside = events.map { event in
            let length = event.timelineOccupancy == .fill ? event.playoutLimit ?? event.plannedDuration ?? .zero : .zero
            return BesideInterstitial(
                id: event.identifier, place: event.time, occupied: length, isHighlighted: event.isHighlighted,
                isWatched: watched.contains(event.identifier))
        }
        snapshot.presented = parts.player.interstitialStatus.map(PresentedInterstitial.init)
    }
}

extension PresentedInterstitial {
    init(_ status: InterstitialStatus) {
        self.init(
            id: status.event.identifier, place: status.event.time,
            isLinear: status.event.restrictions.contains(.requiresPlaybackAtPreferredRateForAdvancement),
            elapsed: status.elapsed, duration: status.duration, index: status.asset, count: status.assetCount,
            assetRemaining: status.assetDuration.map { max(.zero, $0 - status.assetElapsed) },
            skip: status.skipControl.map { .init(offset: $0.offset, duration: $0.duration) },
            skipLabel: status.skipControl?.labelID, savedTarget: status.target)
    }
}

extension InterstitialOutcome {
    init(_ end: InterstitialEnd) {
        self =
            switch end {
            case .completed: .completed
            case .skipped: .skipped
            case .abandoned: .abandoned
            case .failed: .failed
            }
    }
}
