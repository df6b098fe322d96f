import LinuxSupport
import MediaModel
import Playback
import Screens
import StatusModel
import Viewing

/// Where sound goes: applies the viewer's choice, and tells the viewer when it is not there and when it is back. Main loop only.
@MainActor
final class OutputKeeping {
    private let outputs: (any SoundRouting)?
    private let player: Player
    private let driver: InterfaceDriver
    private let dump: EventDump?
    private let log: LogBook
    private var chosen: SoundPort?
    private var wasThere = false
    /// Whether the viewer was told that sound goes elsewhere.
    private var isMissed = false
    private var lastCurrent: SoundPort?
    private var listening: Subscription?

    init(_ parts: ApplianceParts, driver: InterfaceDriver) {
        (player, dump, log) = (parts.player, parts.dump, parts.log)
        self.driver = driver
        outputs = parts.viewer.outputs
        listening = outputs?.changes.listen { [weak self] in self?.take($0) }
        tell()
    }

    /// The outputs; nil where there is nothing to choose.
    var route: SoundRoute? { outputs?.route }

    /// Applies the viewer's choice at once, at the place that plays.
    func apply(_ settings: ViewerSettings) {
        guard let outputs, outputs.route.fixed == nil, settings.soundOutput?.id != chosen?.id else { return }
        (chosen, isMissed) = (settings.soundOutput, false)
        wasThere = outputs.route.output(chosen?.id) != nil
        outputs.choose(chosen)
        player.changeSoundDevice()
    }

    private func take(_ change: SoundRouteChange) {
        tell()
        guard let route, let chosen else { return }
        let isInUse = route.current?.id == chosen.id
        switch change {
        case .outputs:
            let hasCome = !wasThere && route.output(chosen.id) != nil
            wasThere = route.output(chosen.id) != nil
            guard hasCome else { return }
            if isMissed { say(.soundOutputBack, of: chosen, isMissed: false) }
            if !isInUse { player.changeSoundDevice() }
        case .opened where isInUse: if isMissed { say(.soundOutputBack, of: chosen, isMissed: false) }
        case .opened: if !isMissed, route.current != nil { say(.soundOutputAway, of: chosen, isMissed: true) }
        }
    }

    private func say(_ phrase: Phrase, of output: SoundPort, isMissed: Bool) {
        self.isMissed = isMissed
        log.note("the chosen output \(output.id) is \(isMissed ? "not in use" : "in use again")")
        driver.send(.toast(driver.strings.text(phrase, driver.strings.label(of: output))))
    }

    private func tell() {
        guard let route, driver.policy.soundRoute != route else { return }
        driver.changePolicy { $0.soundRoute = route }
        guard route.current != lastCurrent else { return }
        lastCurrent = route.current
        dump?.note(.route(route.current?.id))
    }
}
