import MediaTime
import Playback
import StatusModel
import Viewing

/// Play, scans and seeks as the interface requests them. Main loop only.
@MainActor
struct PlaybackCommands {
    private let player: Player
    private let log: LogBook
    private let dump: EventDump?

    init(_ parts: ApplianceParts) {
        player = parts.player
        log = parts.log
        dump = parts.dump
    }

    /// Plays at a speed that the item supports.
    func play(at speed: Ratio) {
        guard speed != .one, (try? player.playImmediately(atRate: speed)) != nil else { return player.play() }
    }

    /// Scans key pictures at a rate, or plays slowly, also backward; nil pauses.
    func scan(at rate: Ratio?) {
        dump?.note(.scan(rate))
        guard let rate else { return player.pause() }
        do throws(PlaybackError) {
            try player.playImmediately(atRate: rate)
        } catch {
            log.note("scanning: \(error)")
        }
    }

    /// Shows another frame.
    ///
    /// - Parameter landed: as of `seek`.
    func step(by count: Int, landed: @escaping @MainActor @Sendable (MediaTime, _ finished: Bool) -> Void) {
        player.step(byCount: count) { [weak player] finished in
            guard let player else { return }
            landed(player.currentTime, finished)
        }
    }

    /// Seeks to a position.
    ///
    /// - Parameter landed: called with the reached position, and with whether the seek was completed.
    func seek(
        to time: MediaTime, _ tolerance: SeekTolerance,
        landed: @escaping @MainActor @Sendable (MediaTime, _ finished: Bool) -> Void
    ) {
        dump?.note(.seek(to: time, tolerance: tolerance))
        let (before, after): (MediaTime?, MediaTime?) =
            tolerance == .zero ? (.zero, .zero) : (nil, tolerance == .notAfter ? .zero : nil)
        player.seek(to: time, toleranceBefore: before, toleranceAfter: after) { [weak player] finished in
            guard let player else { return }
            landed(player.currentTime, finished)
        }
    }
}

extension VideoGravity {
    init(_ fit: VideoFit) {
        self =
            switch fit {
            case .fit: .resizeAspect
            case .fill: .resizeAspectFill
            case .stretch: .resize
            }
    }
}
