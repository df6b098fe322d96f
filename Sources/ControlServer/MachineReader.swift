import LinuxSupport
import MediaModel

/// Reads the metrics of the machine for all clients together. An actor, because some sensors are slow: at most one thread waits
/// for them, and never the main loop.
actor MachineReader {
    private let readMachine: @Sendable () -> [MetricFamily]
    private let interval: Duration
    private var last: (families: [MetricFamily], time: HostTime)?

    /// - Parameters:
    ///   - interval: how long a reading is used.
    ///   - read: may take its time.
    init(interval: Duration, read: @escaping @Sendable () -> [MetricFamily]) {
        self.interval = interval
        readMachine = read
    }

    /// The metrics, at most `interval` old.
    func read() -> [MetricFamily] {
        let now = RealTime.now
        if let last, now - last.time < interval { return last.families }
        let families = readMachine()
        last = (families, now)
        return families
    }
}
