import LinuxSupport
import MediaModel
import MediaTime

/// Scanning at the player's own rates: 4, 12, 30 and 60 by key pictures, in either direction. The player walks through the asset and would
/// show what lies in it; near an interstitial, and where it cannot scan, passing pictures are sought one by one instead, and the range is passed over.
extension InterfaceMachine {
    /// Decides who walks from here.
    mutating func steerScan() {
        guard case .scanning(var scan) = mode else { return }
        let wanted = pendingSeek == nil ? rate(for: scan) : nil
        if wanted != scan.rate {
            scan.rate = wanted
            scan.stepped = now
            mode = .scanning(scan)
            effects.append(.scan(rate: wanted))
        }
        guard wanted == nil else { return }
        if scan.content != viewing.lastPreview { preview() }
    }

    /// The rate at which the player can walk on; nil: something lies in its way, or it cannot.
    private func rate(for scan: Scan) -> Ratio? {
        guard snapshot.canPlayFast, scan.level != 0, let item, let position else { return nil }
        let factor = Timing.scanFactors[abs(scan.level) - 1]
        // So far it may come before it is looked at again, with a picture that is already on its way.
        let reach = Timing.scanLooksAhead * factor + Timing.keyPictures
        let way =
            scan.level > 0
            ? TimeRange(start: position, end: position + reach)
            : TimeRange(start: max(.zero, position - reach), end: position + .milliseconds(1))
        let isBlocked =
            item.interstitials.contains { $0.range.start < way.end && $0.range.end > way.start }
            || snapshot.beside.contains { $0.place >= way.start && $0.place < way.end }
        return isBlocked ? nil : Ratio(Int64(scan.level < 0 ? -factor : factor))
    }

    /// A picture of the player's scan was shown.
    mutating func scanMoved() {
        guard case .scanning(var scan) = mode, scan.rate != nil, let position else { return }
        let content = clamped(clock.content(at: position))
        // The same picture again is no step.
        if content != scan.content { (scan.content, scan.stepped) = (content, now) }
        mode = .scanning(scan)
        let (_, upper) = reach
        if scan.level > 0, let upper, scan.content >= viewing.played.scanEnd(upper) { return endScanAtItsEnd() }
        steerScan()
    }

    /// Whether the player will have walked to the end before it is looked at again. Its clock goes on while pictures are still to come.
    func isScanAtItsEnd(_ scan: Scan) -> Bool {
        guard scan.rate != nil, scan.level > 0, snapshot.state == .playing, let upper = reach.upper else { return false }
        let factor = Timing.scanFactors[scan.level - 1]
        return scan.content + (now - scan.stepped + Timing.scanStep).mediaTime * factor >= upper - .seconds(1)
    }

    /// A scan forward stops before the end, or at the live edge, and plays.
    mutating func endScanAtItsEnd() {
        guard case .scanning(var scan) = mode else { return }
        if let upper = reach.upper { scan.content = clamped(viewing.played.scanEnd(upper)) }
        mode = .scanning(scan)
        _ = stopScan(playing: true)
    }
}
