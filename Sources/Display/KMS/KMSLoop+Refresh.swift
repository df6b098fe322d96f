import MediaModel
import MediaTime

extension KMSDisplay {
    package var refreshRates: [Ratio] { link.notice.refreshRates }

    @MainActor package func setRefresh(_ rate: Ratio?) { link.post { $0.refresh = KMSLink.Refresh(rate: rate) } }
}

extension KMSScreen {
    /// The rates of the modes that have the current size, in the order in which the screen lists them.
    var refreshRates: [Ratio] {
        output.modes.filter { $0.mode.width == mode.mode.width && $0.mode.height == mode.mode.height }.map(\.mode.refresh)
    }
}

extension KMSLoop {
    /// Sets another refresh rate, or with nil the initial one. A screen that is off or lost gets it when it comes back.
    func setRefresh(_ rate: Ratio?) {
        var wanted = screen.mode.mode
        asked = rate.map {
            wanted.refresh = $0
            return wanted
        }
        if isOff { return }
        if case .lost = phase { return }
        guard let next = KMSMode.choose(screen.output.modes, wanted: asked ?? options.mode), next.mode != screen.mode.mode else {
            return
        }
        abandonReadBack()
        answerReads(nil)
        do {
            try screen.reset(wanted: next.mode)
        } catch {
            // The card refuses the mode after all: return to the mode that worked.
            asked = nil
            do { try screen.reset(wanted: options.mode) } catch { return lose() }
        }
        screenIsNew()
        source?.displayDidChange(screen.mode.mode)
    }
}
