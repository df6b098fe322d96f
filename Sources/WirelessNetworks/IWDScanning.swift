import LinuxSupport
import MessageBus

/// Looks for networks: once when the list comes on the screen, and at an interval while it is there. Main loop only.
@MainActor
final class IWDScanning {
    private enum List {
        case hidden
        /// - Parameter hasScanned: whether networks were looked for since it is on the screen.
        case shown(hasScanned: Bool)
    }

    /// Called when iwd was asked to look.
    var onStart: @MainActor () -> Void = {}
    private let connection: IWDConnection
    private let reading: IWDReading
    private let joining: IWDJoining
    private let clock: any HostClock
    private let limits: WirelessSurroundings.Limits
    private var list = List.hidden
    /// A scan was requested, and iwd has not said yet that it is scanning.
    private var isRequested = false
    private var next: ScheduledEvent?

    init(
        _ connection: IWDConnection, _ reading: IWDReading, _ joining: IWDJoining, clock: any HostClock,
        limits: WirelessSurroundings.Limits
    ) {
        self.connection = connection
        self.reading = reading
        self.joining = joining
        self.clock = clock
        self.limits = limits
    }

    /// Whether the list is on the screen.
    var isListShown: Bool { if case .shown = list { true } else { false } }

    var isScanning: Bool { isRequested || isIWDScanning }

    private var isIWDScanning: Bool { reading.objects.device?.station?.isScanning == true }

    /// The list comes on the screen, or leaves it.
    func showList(_ isShown: Bool) {
        list = isShown ? .shown(hasScanned: false) : .hidden
        if !isShown { isRequested = false }
        next?.cancel()
        next = nil
    }

    /// iwd is another one, or none.
    func reset() {
        isRequested = false
        if isListShown { list = .shown(hasScanned: false) }
    }

    func close() { next?.cancel() }

    func scan() {
        scanAgain(after: limits.scanInterval)
        guard let device = reading.objects.device, device.station != nil, joining.attempt?.step != .joining else {
            return reading.read()
        }
        isRequested = true
        if isListShown { list = .shown(hasScanned: true) }
        onStart()
        connection.call(device.path, "Station", "Scan") { [weak self] outcome in
            guard let self else { return }
            if case .failure = outcome {
                isRequested = false
                scanAgain(after: limits.refusedScanInterval)
            }
            reading.read()
        }
    }

    /// A reading may have shown that iwd does what it was asked for.
    func takeReading() { if isIWDScanning { isRequested = false } }

    /// Looks for networks if that was not possible when the list came on the screen.
    func scanIfOwed() {
        if case .shown(hasScanned: false) = list, reading.objects.device?.station != nil { scan() }
    }

    private func scanAgain(after pause: Duration) {
        next?.cancel()
        next = isListShown ? clock.schedule(after: pause) { [weak self] in self?.scan() } : nil
    }
}
