/// How long a start took, and in which phases. All times are of `CLOCK_MONOTONIC`, which starts with the kernel. A value, made from the records of
/// the service manager and the player.
package struct BootReport: Sendable, Hashable {
    /// A phase of the start.
    package struct Part: Sendable, Hashable {
        package var name: String
        /// When it began and ended, in nanoseconds since the kernel's start.
        package var start: Int64, end: Int64

        /// Its length in nanoseconds.
        package var length: Int64 { end - start }
    }
    /// A unit that the player waited for.
    package struct Link: Sendable, Hashable {
        package var unit: String
        /// When it was activated and when it was active, in nanoseconds since the kernel's start.
        package var start: Int64, end: Int64

        package init(unit: String, start: Int64, end: Int64) {
            self.unit = unit
            self.start = start
            self.end = end
        }
    }

    /// The consecutive phases: kernel to first unit, first unit to `main`, `main` to first flip. Phases with unknown times are missing.
    package let parts: [Part]
    /// The steps of the player, from `main` on.
    package let steps: [Part]
    /// The units that the player waited for, the last one first.
    package let chain: [Link]

    /// Makes the report.
    ///
    /// - Parameters:
    ///   - manager: the service manager's properties, from `systemctl show`.
    ///   - stamps: the player's.
    ///   - chain: the units that the player waited for, the last one first.
    package init(manager: [String: String], stamps: BootStamps, chain: [Link] = []) {
        func instant(_ name: String) -> Int64? {
            manager[name].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 * 1000 : nil }
        }
        // Units are started as soon as their files are loaded.
        let first = instant("UnitsLoadFinishTimestampMonotonic") ?? instant("UserspaceTimestampMonotonic")
        let main = stamps.nanoseconds[.main], flip = stamps.nanoseconds[.flip]
        var parts: [Part] = []
        if let system = instant("UserspaceTimestampMonotonic") {
            parts.append(Part(name: "kernel to service manager", start: 0, end: system))
        }
        if let first { parts.append(Part(name: "kernel to first unit", start: 0, end: first)) }
        if let first, let main { parts.append(Part(name: "first unit to main", start: first, end: main)) }
        if first == nil, let main { parts.append(Part(name: "kernel to main", start: 0, end: main)) }
        if let main, let flip { parts.append(Part(name: "main to first flip", start: main, end: flip)) }
        if let flip { parts.append(Part(name: "kernel to first flip", start: 0, end: flip)) }
        self.parts = parts
        var steps: [Part] = []
        var last = main
        for step in BootStamps.Step.allCases.dropFirst() {
            guard let end = stamps.nanoseconds[step], let start = last else { continue }
            steps.append(Part(name: step.rawValue, start: start, end: end))
            last = end
        }
        self.steps = steps
        self.chain = chain
    }

    /// A text for people: one line per phase, in milliseconds.
    package var text: String {
        func line(_ name: String, _ length: Int64, _ start: Int64) -> String {
            let padded = name + String(repeating: " ", count: max(0, 28 - name.count))
            return "\(padded) \(Self.milliseconds(length)) ms, from \(Self.milliseconds(start)) ms"
        }
        var lines = parts.map { line($0.name, $0.length, $0.start) }
        lines += steps.map { line("  player: \($0.name)", $0.length, $0.start) }
        lines += chain.map { line("  after: \($0.unit)", $0.end - $0.start, $0.start) }
        return lines.joined(separator: "\n")
    }

    /// Milliseconds with one decimal.
    package static func milliseconds(_ nanoseconds: Int64) -> String {
        let tenths = (abs(nanoseconds) + 50_000) / 100_000
        return "\(nanoseconds < 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
    }
}
