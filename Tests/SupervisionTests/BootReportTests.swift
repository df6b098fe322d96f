import Testing

@testable import Supervision

@Suite("The report of a start")
struct BootReportTests {
    private let manager = [
        "UserspaceTimestampMonotonic": "2500000", "UnitsLoadFinishTimestampMonotonic": "2900000", "FinishTimestampMonotonic": "0",
    ]

    @Test("the phases are contiguous, from the kernel's start to the first flip")
    func parts() {
        let stamps = BootStamps("main 3400000000\nconfigured 3410000000\njoined 3900000000\nflip 4000000000\n")
        let report = BootReport(
            manager: manager, stamps: stamps, chain: [.init(unit: "data.mount", start: 1_000_000_000, end: 1_250_000_000)])
        #expect(
            report.parts.map(\.name).suffix(4) == [
                "kernel to first unit", "first unit to main", "main to first flip", "kernel to first flip",
            ])
        #expect(report.parts.suffix(4).map(\.length) == [2_900_000_000, 500_000_000, 600_000_000, 4_000_000_000])
        #expect(report.steps.map(\.name) == ["configured", "joined", "flip"])
        #expect(report.text.contains("main to first flip           600.0 ms, from 3400.0 ms"))
        #expect(report.text.contains("  after: data.mount          250.0 ms, from 1000.0 ms"))
    }

    @Test("missing times are omitted and the others are reported")
    func missing() {
        let report = BootReport(manager: [:], stamps: BootStamps("main 1000000\nflip 3500000\n"))
        #expect(report.parts.map(\.name) == ["kernel to main", "main to first flip", "kernel to first flip"])
        #expect(
            BootReport(manager: manager, stamps: BootStamps()).parts.map(\.name) == [
                "kernel to service manager", "kernel to first unit",
            ])
        #expect(BootReport.milliseconds(-1_250_000) == "-1.3")
    }
}
