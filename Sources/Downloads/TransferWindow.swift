import LinuxSupport

/// Bounds what is under way at the same time, so that a power cut costs one resource, or what the network brings in a moment. A value.
///
/// A resource that has arrived is lost until the disk has it. Several requests at the same time make a download faster only where a resource takes about as
/// long as a request does, and there little is lost with them.
struct TransferWindow: Sendable {
    /// What arrives in this time may be under way, if it is more than one resource.
    private static let moment = 0.4
    /// What the measurement keeps of earlier resources with each one that is stored. Several may be stored at the same instant.
    private static let memory = 0.8

    private var bytes = 0.0
    private var seconds = 0.0
    /// When the last resource was stored, or when the first request began after a pause.
    private var last: HostTime?
    /// For resources of unknown size.
    private var lastBytes: Int64?

    /// Requests begin after a pause.
    mutating func begin(at now: HostTime) { last = now }

    /// A resource is on the disk.
    ///
    /// - Parameter count: the bytes that were loaded for it.
    mutating func take(_ count: Int64, at now: HostTime) {
        let elapsed = last.map { max(now - $0, .zero) } ?? .zero
        bytes = bytes * Self.memory + Double(count)
        seconds = seconds * Self.memory + elapsed / .seconds(1)
        last = now
        lastBytes = count
    }

    /// Whether one more resource may be loaded beside others.
    ///
    /// - Parameters:
    ///   - expected: its size in bytes; nil if unknown.
    ///   - underWay: the sizes of the others.
    func allows(_ expected: Int64?, beside underWay: [Int64?]) -> Bool {
        guard let lastBytes else { return false }
        let all = (underWay + [expected]).reduce(0.0) { $0 + Double(max($1 ?? lastBytes, 0)) }
        return all * seconds <= bytes * Self.moment
    }
}
