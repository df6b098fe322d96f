import LinuxSupport

/// Draws values from a seed.
struct Dice: Sendable {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func happens(_ probability: Double) -> Bool { generator.nextUnit() < probability }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(generator.next() % UInt64(range.count))
    }

    mutating func one<Value>(of values: [Value]) -> Value { values[number(in: 0...values.count - 1)] }

    /// A length whose logarithm is equally likely everywhere in the range: short ones are as frequent as long ones.
    mutating func length(from shortest: Int, to longest: Int) -> Duration {
        var bound = shortest
        while bound < longest, happens(0.75) { bound *= 2 }
        return .milliseconds(number(in: shortest * 1000...min(bound, longest) * 1000))
    }
}
