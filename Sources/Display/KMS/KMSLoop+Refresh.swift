import MediaModel
import MediaTime

extension KMSDisplay {
    /// See `DisplayOutput`.
    package var refreshRates: [Ratio] { link.notice.refreshRates }

    /// See `DisplayOutput`.
    @MainActor package func setRefresh(_ rate: Ratio?) { link.post { $0.refresh = KMSLink.Refresh(rate: rate) } }
}

extension KMSScreen {
    /// The rates of the modes that are of the size in force, in the order in which the screen lists them.
    var refreshRates: [Ratio] {
        output.modes.filter { $0.mode.width == mode.mode.width && $0.mode.height == mode.mode.height }.map(\.mode.refresh)
    }
}

extension KMSLoop {
    /// Another refresh rate is wanted, or with nil that of the start. A screen that is off or lost has it when it comes back.
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
            // The card cannot do it after all: what was on before can be shown.
            asked = nil
            do { try screen.reset(wanted: options.mode) } catch { return lose() }
        }
        screenIsNew()
        source?.displayDidChange(screen.mode.mode)
    }
}
