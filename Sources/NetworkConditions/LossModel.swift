import LinuxSupport

/// Decides which parts of a body are lost, in bursts (Gilbert's model), and what happens to the connection.
struct LossModel {
    private let share: Double
    private let burst: Double
    private var isInBurst = false
    private var generator: SeededGenerator

    /// One loss in this many breaks the connection; the others only cost the time of a retransmission.
    static let lossesPerReset = 40.0
    /// The unit of loss: a part of a body of this many bytes.
    static let partSize = 16 << 10

    enum Outcome { case passes, isLate, breaks }

    init(share: Double, burst: Double, seed: UInt64) {
        self.share = share
        self.burst = max(burst, 1)
        generator = SeededGenerator(seed: seed)
    }

    /// The outcome for the next part.
    mutating func next() -> Outcome {
        guard share > 0 else { return .passes }
        // The transition probabilities that make the mean burst length `burst` and the loss rate `share`.
        let leaving = 1 / burst
        let entering = min(1, leaving * share / max(1 - share, 1e-9))
        isInBurst = generator.nextUnit() < (isInBurst ? 1 - leaving : entering)
        guard isInBurst else { return .passes }
        return generator.nextUnit() < 1 / Self.lossesPerReset ? .breaks : .isLate
    }
}
