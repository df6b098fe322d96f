import LinuxSupport

/// The state of a box that crashed too often: nothing is opened until the time is over or the viewer presses OK.
@MainActor
final class SafeMode {
    /// How often the remaining time is updated.
    private static let step = Duration.seconds(10)

    private let parts: BoxParts
    private let screens: @MainActor () -> SetUpScreens
    private let onEnd: @MainActor (_ isAsked: Bool) -> Void
    private var end: HostTime?
    private var timer: ScheduledEvent?

    /// - Parameter onEnd: called when the box continues, with whether the viewer requested that.
    init(
        _ parts: BoxParts, screens: @escaping @MainActor () -> SetUpScreens, onEnd: @escaping @MainActor (_ isAsked: Bool) -> Void
    ) {
        self.parts = parts
        self.screens = screens
        self.onEnd = onEnd
    }

    /// Whether the box waits in safe mode.
    var isActive: Bool { end != nil }

    /// Starts safe mode for a duration.
    func begin(for length: Duration) {
        parts.log.note("five crashes in ten minutes: nothing is played until the viewer asks for it")
        end = parts.clock.now + length
        show()
    }

    /// Shows the screen, if safe mode is active: what else is on it may have changed.
    func show() {
        guard let end else { return }
        let left = end - parts.clock.now
        guard left > .zero else { return leave(isAsked: false) }
        parts.appliance.showSetUp(screens().safe(waits: left)) { [weak self] in self?.leave(isAsked: true) }
        timer?.cancel()
        timer = parts.clock.schedule(after: min(left, Self.step)) { [weak self] in self?.show() }
    }

    private func leave(isAsked: Bool) {
        end = nil
        parts.appliance.showSetUp(nil)
        onEnd(isAsked)
    }
}
