import LinuxSupport
import TestSupport
import Testing

@testable import Supervision

@Suite("A machine that overheats")
@MainActor
struct HeatTests {
    private let folder = ScratchFolder("thermal")

    private func put(_ number: Int, _ name: String, _ degrees: Int, trips: [(String, Int)]) {
        folder.put(name + "\n", "thermal_zone\(number)/type")
        folder.put("\(degrees * 1000)\n", "thermal_zone\(number)/temp")
        for (index, trip) in trips.enumerated() {
            folder.put(trip.0 + "\n", "thermal_zone\(number)/trip_point_\(index)_type")
            folder.put("\(trip.1 * 1000)\n", "thermal_zone\(number)/trip_point_\(index)_temp")
        }
    }

    @Test("its zones are read with their limits; a zone without a limit is ignored")
    func zones() {
        put(0, "cpu-thermal", 52, trips: [("passive", 70), ("hot", 85), ("critical", 110)])
        put(1, "gpu-thermal", 48, trips: [("critical", 100)])
        put(2, "wifi", 60, trips: [])
        put(3, "odd", 60, trips: [("critical", 0)])
        #expect(
            ThermalZone.all(in: folder.path) == [
                ThermalZone(name: "cpu-thermal", temperature: 52_000, limit: 85_000),
                ThermalZone(name: "gpu-thermal", temperature: 48_000, limit: 95_000),
            ])
        #expect(ThermalZone.all(in: "/nonexistent").isEmpty)
    }

    @Test("overheating is reported once at the limit, and its end once after cooling by five degrees")
    func watch() throws {
        let loop = try MainLoop(time: .simulated)
        var told: [String] = []
        put(0, "cpu-thermal", 60, trips: [("critical", 100)])
        let watch = HeatWatch(folder: folder.path, clock: loop.clock) { isTooHot, sentence in
            told.append("\(isTooHot) \(sentence)")
        }
        defer { watch.close() }
        var counts: [Int] = []
        for degrees in [60, 94, 95, 97, 91, 90, 89, 94] {
            put(0, "cpu-thermal", degrees, trips: [])
            loop.run(within: HeatWatch.interval + .milliseconds(10), until: { false })
            counts.append(told.count)
        }
        #expect(counts == [0, 0, 1, 1, 1, 1, 2, 2])
        #expect(
            told == [
                "true The part cpu-thermal is at 95 °C (limit 95 °C); playback is paused until it has cooled to 90 °C.",
                "false The machine has cooled down.",
            ])
    }
}
