import Testing

@testable import Simulation

@Suite("The faults that matter")
struct FaultReductionTests {
    private let faults = (0..<40).map { Fault(number: $0, kind: .outage, start: .seconds($0), length: .seconds(1)) }

    @Test("One fault is found among forty")
    func one() {
        let found = FaultReduction().reduce(faults) { $0.contains { $0.number == 23 } }
        #expect(found.map(\.number) == [23])
    }

    @Test("Two faults that fail only together are found in their order")
    func two() {
        let found = FaultReduction().reduce(faults) { left in
            [31, 4].allSatisfy { number in left.contains { $0.number == number } }
        }
        #expect(found.map(\.number) == [4, 31])
    }

    @Test("A failure that needs no fault needs none")
    func none() {
        #expect(FaultReduction().reduce(faults) { _ in true }.isEmpty)
    }

    @Test("The tries are limited, and what is left still fails")
    func limit() {
        var reduction = FaultReduction()
        reduction.mostTries = 3
        var tries = 0
        let found = reduction.reduce(faults) { left in
            tries += 1
            return left.contains { $0.number == 23 }
        }
        #expect(tries == 3)
        #expect(found.contains { $0.number == 23 })
    }
}
