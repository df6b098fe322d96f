import GeneratedInputs
import Glibc
import InputTrials
import LinuxSupport
import Testing

/// A sample of the generated inputs of each kind; `scripts/bench fuzz` tries a million of each in a release build.
@Suite("Generated inputs")
struct InputTrialsTests {
    private static let count = getenv("MARQUEE_INPUTS").flatMap { Int(String(cString: $0)) } ?? 400

    @Test("no input traps, contradicts itself, or leaves memory behind", arguments: InputTrial.kinds)
    func sample(kind: InputKind) {
        var generator = InputGenerator(kind, seed: 2026)
        var memory = 0
        for number in 0..<Self.count {
            let fault = InputTrial.run(&generator)
            #expect(fault == nil, "\(kind.rawValue) \(number) of seed 2026")
            // The first inputs fill caches.
            if number == Self.count / 4 { memory = MemoryUse.allocatedBytes }
        }
        #expect(MemoryUse.allocatedBytes - memory < 32 << 20)
    }

    @Test("the same seed gives the same inputs, and other seeds give others", arguments: InputKind.allCases)
    func seeds(kind: InputKind) {
        var (one, same, other) = (InputGenerator(kind, seed: 1), InputGenerator(kind, seed: 1), InputGenerator(kind, seed: 2))
        let inputs = (0..<20).map { _ in one.next() }
        #expect(inputs == (0..<20).map { _ in same.next() } && inputs != (0..<20).map { _ in other.next() })
    }

    @Test(
        "a fifth of the inputs or more is read as what it is, so that the trials reach the code behind the first checks",
        arguments: InputTrial.kinds)
    func accepted(kind: InputKind) {
        var generator = InputGenerator(kind, seed: 7)
        let accepted = (0..<500).count { _ in InputTrial.accepts(generator.next(), as: kind) }
        #expect(accepted >= 100, "\(kind.rawValue): \(accepted) of 500")
    }
}
