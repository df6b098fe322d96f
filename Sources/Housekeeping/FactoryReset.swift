import LinuxSupport

/// Counts down to a factory reset, which the system performs. It can be cancelled until the end: by unplugging the box, and with Back if a viewer
/// requested it.
@MainActor
final class FactoryReset {
    /// Where the request came from.
    enum Origin {
        /// A file named `reset` on the firmware partition.
        case file
        /// A viewer, in Settings.
        case viewer
    }

    private static let seconds = 10

    private let parts: BoxParts
    private let screens: @MainActor () -> SetUpScreens
    private let onGivenUp: @MainActor (Origin) -> Void
    private var timer: ScheduledEvent?

    /// - Parameter onGivenUp: called when the viewer pressed Back or this machine cannot perform a reset; the box continues.
    init(
        _ parts: BoxParts, screens: @escaping @MainActor () -> SetUpScreens, onGivenUp: @escaping @MainActor (Origin) -> Void
    ) {
        self.parts = parts
        self.screens = screens
        self.onGivenUp = onGivenUp
    }

    /// Whether it is announced on the screen.
    var isCounting: Bool { timer != nil }

    /// Starts the countdown.
    func begin(_ origin: Origin) { count(Self.seconds, origin) }

    private func count(_ left: Int, _ origin: Origin) {
        guard left > 0 else { return carryOut(origin) }
        let view = screens().reset(seconds: left, isAsked: origin == .viewer)
        let giveUp: @MainActor () -> Void = { [weak self] in self?.giveUp(origin) }
        parts.appliance.showSetUp(view, onSelect: nil, onBack: origin == .viewer ? giveUp : nil)
        timer = parts.clock.schedule(after: .seconds(1)) { [weak self] in self?.count(left - 1, origin) }
    }

    private func carryOut(_ origin: Origin) {
        parts.log.note("factory reset: asked for \(origin == .viewer ? "in Settings" : "by the file reset")")
        if let folder = RuntimeFolder.path, WholeFile.write([], to: folder + "/reset") { return }
        parts.log.note("factory reset: not possible without a runtime folder", .error)
        giveUp(origin)
    }

    private func giveUp(_ origin: Origin) {
        timer?.cancel()
        timer = nil
        onGivenUp(origin)
    }
}
