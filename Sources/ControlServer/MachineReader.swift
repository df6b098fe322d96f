import LinuxSupport
import StatusModel

/// Reads the machine for all clients together. An actor, because some sensors are slow: at most one thread waits
/// for them, and never the main loop.
actor MachineReader {
    private let readMachine: @Sendable () -> MachineReading
    private let interval: Duration
    private var last: (reading: MachineReading, time: HostTime)?

    /// - Parameters:
    ///   - interval: how long a reading is used.
    ///   - read: may take its time.
    init(interval: Duration, read: @escaping @Sendable () -> MachineReading) {
        self.interval = interval
        readMachine = read
    }

    /// The machine, at most `interval` old.
    func read() -> MachineReading {
        let now = RealTime.now
        if let last, now - last.time < interval { return last.reading }
        let reading = readMachine()
        last = (reading, now)
        return reading
    }
}
