import ArgumentParser
import CommandSupport
import Glibc
import LinuxSupport
import Simulation

/// `marquee simulate`: whole boxes in simulated time, each in a world with faults that one seed draws.
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: CommandName.simulate.abstract)

    @Option(help: ArgumentHelp("The world's seed.", valueName: "N"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Several seeds instead of one, such as 1-200 or 1,3,7-9.", valueName: "A-B,…"))
    var seeds: String?

    @Option(help: ArgumentHelp("The length of each world in days; may be a fraction.", valueName: "D"))
    var days = 1.0

    @Option(
        name: .customLong("fault"),
        help: ArgumentHelp("Only these faults of the world, by number; may be given several times.", valueName: "NUMBER"))
    var onlyFaults: [Int] = []

    @Flag(help: "Print the faults of the world, and run nothing.")
    var list = false

    @Flag(help: "Run each world twice, and check that the box does the same both times.")
    var twice = false

    @Flag(help: "Do not look for the few faults that matter when a seed fails.")
    var asFound = false

    func run() throws {
        let chosen = try chosenSeeds()
        guard days > 0, days <= 10_000 else {
            throw CommandFault("--days \(days) is not a length; give 0.1 to 10000.", code: 2)
        }
        let length = Duration.milliseconds(Int64(days * 86_400_000))
        if list { return chosen.forEach { Self.list(World(seed: $0, length: length)) } }
        try MainActor.assumeIsolated { try simulate(chosen, length) }
    }

    private func chosenSeeds() throws -> [UInt64] {
        guard let seeds else { return [seed] }
        return try seeds.split(separator: ",", omittingEmptySubsequences: false).flatMap { part in
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
            guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, bounds.count <= 2, first <= last,
                last - first < 1_000_000
            else { throw CommandFault("--seeds \(seeds) is not a list of seeds; give for example 1-200 or 1,3,7-9.", code: 2) }
            return Array(first...last)
        }
    }

    private static func list(_ world: World) {
        Console.print("seed \(world.seed): \(world); \(world.faults.count) faults and keys")
        for fault in world.faults { Console.print("  \(fault)") }
    }

    @MainActor
    private func simulate(_ seeds: [UInt64], _ length: Duration) throws {
        let stopwatch = try MainLoop(time: .real).clock
        var failed = 0
        var lived = Duration.zero
        for seed in seeds {
            let world = World(seed: seed, length: length)
            let faults = onlyFaults.isEmpty ? world.faults : world.faults.filter { onlyFaults.contains($0.number) }
            let outcome = try live(world, faults, tells: true)
            lived += outcome.length
            if let breach = outcome.breach {
                failed += 1
                try tell(breach, of: world, faults)
            } else {
                let repeats = try twice ? live(world, faults, tells: false).digest == outcome.digest : true
                if !repeats { failed += 1 }
                Console.print("seed \(seed): \(Self.words(outcome))" + (repeats ? "" : "; a second run did something else"))
            }
        }
        let minutes = max(stopwatch.now - .zero, .milliseconds(1)) / .seconds(60)
        let total = lived / .seconds(86_400)
        Console.print(
            "\(seeds.count) seeds, \(Self.rounded(total)) days, \(failed) failed; \(Self.rounded(total / minutes)) simulated days a minute"
        )
        if failed > 0 { throw CommandFault("") }
    }

    @MainActor
    private func live(_ world: World, _ faults: [Fault], tells: Bool) throws -> SimulatedLife.Outcome {
        let folder = try ScratchState()
        defer { folder.remove() }
        return try SimulatedLife(world, faults: faults, folder: folder.path) { try WholeSimulatedBox($0) }.live { time in
            let hours = time / .seconds(3600)
            if tells, hours.truncatingRemainder(dividingBy: 24) == 0 {
                Console.error("seed \(world.seed): day \(Int(hours / 24))")
            }
        }
    }

    /// Prints a breach, the few faults that it needs, and the command that repeats it.
    @MainActor
    private func tell(_ breach: SimulatedLife.Breach, of world: World, _ faults: [Fault]) throws {
        Console.print("seed \(world.seed): FAILED at \(breach.time.components.seconds) s: \(breach.sentence)")
        var needed = faults.filter { $0.start <= breach.time }
        if !asFound {
            needed = try FaultReduction().reduce(needed) {
                try live(world, $0, tells: false).breach?.sentence.prefix(24) == breach.sentence.prefix(24)
            }
        }
        for line in breach.log { Console.print("    \(line)") }
        Console.print("  faults that matter:")
        for fault in needed { Console.print("    \(fault)") }
        let numbers = needed.map { " --fault \($0.number)" }.joined()
        Console.print("  repeat with: marquee simulate --seed \(world.seed) --days \(days)\(numbers)")
    }

    private static func words(_ outcome: SimulatedLife.Outcome) -> String {
        let compared = outcome.comparisons > 0 ? "\(outcome.comparisons) comparisons of saved films, " : ""
        return
            "\(outcome.pictures) pictures, \(outcome.starts) starts, \(outcome.keys) keys, \(compared)digest \(String(outcome.digest, radix: 16))"
    }

    private static func rounded(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// An empty folder for the state of a simulated box.
private struct ScratchState {
    let path: String

    /// - Throws: `CommandFault` when it cannot be made.
    init() throws {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(base)/marquee-simulation-XXXXXX\0".utf8CString)
        guard mkdtemp(&name) != nil else {
            throw CommandFault("Making a folder in \(base) failed: \(String(cString: strerror(errno))); set TMPDIR.")
        }
        path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    func remove() { Folder.remove(path) }
}
