import LinuxSupport

/// A thermal zone of the kernel: the temperature of a part of the machine, and its limit.
struct ThermalZone: Sendable, Equatable {
    /// The kernel's name, e.g. `cpu-thermal`.
    var name: String
    /// In thousandths of a degree Celsius, like the limit.
    var temperature: Int
    /// Its lowest `hot` trip point; without one, five degrees below the `critical` one, at which the kernel shuts the machine down.
    var limit: Int

    // Boards without a fan run for hours within ten degrees of it with reduced clocks, which is no reason to pause.
    private static let margin = 5000
    /// It must cool by this much before playback may continue.
    static let relief = 5000

    /// Whether it is too hot. Once it is, it stays so until it has cooled by `relief`.
    func isTooHot(before wasTooHot: Bool) -> Bool { temperature >= (wasTooHot ? limit - Self.relief : limit) }

    /// The zones of this machine that have a limit. Worker threads only.
    ///
    /// - Parameter folder: `/sys/class/thermal`.
    static func all(in folder: String) -> [ThermalZone] {
        (0..<32).compactMap { number in
            let zone = "\(folder)/thermal_zone\(number)"
            guard let name = text(zone + "/type"), let temperature = text(zone + "/temp").flatMap({ Int($0) }) else { return nil }
            let trips = (0..<16).compactMap { point -> (kind: String, temperature: Int)? in
                guard let kind = text("\(zone)/trip_point_\(point)_type"),
                    let temperature = text("\(zone)/trip_point_\(point)_temp").flatMap({ Int($0) }), temperature > 0
                else { return nil }
                return (kind, temperature)
            }
            let hot = trips.filter { $0.kind == "hot" }.map(\.temperature).min()
            let critical = trips.filter { $0.kind == "critical" }.map { $0.temperature - margin }.min()
            guard let limit = hot ?? critical else { return nil }
            return ThermalZone(name: name, temperature: temperature, limit: limit)
        }
    }

    private static func text(_ path: String) -> String? {
        WholeFile.read(path).map { String(decoding: $0.prefix { $0 > 0x20 }, as: UTF8.self) }
    }
}

/// Polls whether the machine is too hot to play. Main loop only; the sensors are read on a separate thread, because some respond slowly.
@MainActor
package final class HeatWatch {
    private let folder: String
    private let clock: any HostClock
    private let thread: WorkerThread
    private let onChange: @MainActor (_ isTooHot: Bool, _ sentence: String) -> Void
    private var timer: ScheduledEvent?
    private var isTooHot = false
    private var isClosed = false

    /// The polling interval. Temperatures change slowly.
    static let interval = Duration.seconds(5)

    /// Starts to poll.
    ///
    /// - Parameters:
    ///   - folder: the kernel's folder of thermal zones.
    ///   - onChange: called when the machine has become too hot and when it has cooled down, with one sentence for the log.
    package init(
        folder: String = "/sys/class/thermal", clock: any HostClock,
        onChange: @escaping @MainActor (_ isTooHot: Bool, _ sentence: String) -> Void
    ) {
        self.folder = folder
        self.clock = clock
        self.onChange = onChange
        thread = WorkerThread(name: "heat", clock: clock)
        wait()
    }

    private func wait() { timer = clock.schedule(after: Self.interval, rank: .timer) { [weak self] in self?.look() } }

    private func look() {
        guard !isClosed else { return }
        clock.compute(on: thread, rank: .timer) { [folder] in
            ThermalZone.all(in: folder)
        } then: { [weak self] zones in
            self?.take(zones)
        }
    }

    private func take(_ zones: [ThermalZone]) {
        guard !isClosed else { return }
        defer { wait() }
        let hot = zones.filter { $0.isTooHot(before: isTooHot) }.max { $0.temperature - $0.limit < $1.temperature - $1.limit }
        guard (hot != nil) != isTooHot else { return }
        isTooHot = hot != nil
        func degrees(_ value: Int) -> String { "\(value / 1000) °C" }
        onChange(
            isTooHot,
            hot.map {
                "The part \($0.name) is at \(degrees($0.temperature)) (limit \(degrees($0.limit))); playback is paused until it has cooled to \(degrees($0.limit - ThermalZone.relief))."
            } ?? "The machine has cooled down.")
    }

    /// Ends the thread.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        thread.stop()
    }
}
