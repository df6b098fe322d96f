import LinuxSupport

/// Which parts of a body are hit by loss, in bursts (Gilbert's model), and what becomes of the connection.
struct LossModel {
    private let share: Double
    private let burst: Double
    private var isInBurst = false
    private var generator: SeededGenerator

    /// One loss in so many breaks the connection; the others only cost the time until the packet is sent again.
    static let lossesPerReset = 40.0
    /// What is lost together: a part of a body of this many bytes.
    static let partSize = 16 << 10

    enum Outcome { case passes, isLate, breaks }

    init(share: Double, burst: Double, seed: UInt64) {
        self.share = share
        self.burst = max(burst, 1)
        generator = SeededGenerator(seed: seed)
    }

    /// What happens to the next part.
    mutating func next() -> Outcome {
        guard share > 0 else { return .passes }
        // The chances of going in and out of a burst that make its mean length `burst` and the share of the lost `share`.
        let leaving = 1 / burst
        let entering = min(1, leaving * share / max(1 - share, 1e-9))
        isInBurst = generator.nextUnit() < (isInBurst ? 1 - leaving : entering)
        guard isInBurst else { return .passes }
        return generator.nextUnit() < 1 / Self.lossesPerReset ? .breaks : .isLate
    }
}
