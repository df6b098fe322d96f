import ArgumentParser
import GeneratedInputs
import InputTrials
import LinuxSupport
import WireFormats

/// `MarqueeBench fuzz`: gives generated inputs to the code that reads them.
struct InputFuzz: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuzz",
        abstract: "Read generated inputs of each kind; print how many, the longest time and the memory of each kind as JSON.")

    @Option(help: "Only this kind.")
    var kind: String?

    @Option(help: "How many inputs of each kind.")
    var count = 1_000_000

    @Option(help: "The same seed gives the same inputs.")
    var seed: UInt64 = 1

    func run() throws {
        let kinds = InputTrial.kinds.filter { kind == nil || kind == $0.rawValue }
        guard !kinds.isEmpty else {
            throw BenchFailure(
                "There is no kind \(kind ?? ""); kinds are \(InputTrial.kinds.map(\.rawValue).joined(separator: ", ")).", code: 2)
        }
        let clock = try MainActor.assumeIsolated { try MainLoop(time: .real).clock }
        for kind in kinds { print(try figures(kind, clock).text) }
    }

    private func figures(_ kind: InputKind, _ clock: any HostClock) throws -> JSONText {
        var generator = InputGenerator(kind, seed: seed)
        var slowest = (time: Duration.zero, number: 0)
        let memoryBefore = MemoryUse.peakResidentKilobytes
        let start = clock.now
        for number in 0..<count {
            let began = clock.now
            if let fault = InputTrial.run(&generator) {
                throw BenchFailure("Input \(number) of seed \(seed), kind \(kind.rawValue): \(fault).")
            }
            let took = clock.now - began
            if took > slowest.time { slowest = (took, number) }
        }
        return JSONText.object([
            ("kind", .string(kind.rawValue)), ("count", .number(String(count))),
            ("seconds", .number(String((clock.now - start).milliseconds / 1000))),
            ("slowestSeconds", .number(String(slowest.time.milliseconds / 1000))), ("slowest", .number(String(slowest.number))),
            ("grownKilobytes", .number(String(MemoryUse.peakResidentKilobytes - memoryBefore))),
        ])
    }
}
