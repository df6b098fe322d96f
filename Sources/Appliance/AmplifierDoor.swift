/// An amplifier that may have the volume instead of the box. Main loop only.
@MainActor
package final class AmplifierDoor {
    /// Gives it a key of the volume: 1 louder, -1 softer, 0 mute. Returns whether it has the volume. Nil: there is none.
    package var take: (@MainActor (_ steps: Int) -> Bool)?
    private var tell: (@MainActor (_ percent: Int, _ isMuted: Bool) -> Void)?

    /// What a key has led to; before the first key it is of no interest.
    package func report(percent: Int, isMuted: Bool) { tell?(percent, isMuted) }

    /// - Parameter then: called with its volume after this key, and after later ones until the next call; not at all if it does not answer.
    /// - Returns: whether it has taken the key.
    func press(_ steps: Int, then: @escaping @MainActor (_ percent: Int, _ isMuted: Bool) -> Void) -> Bool {
        guard take?(steps.signum()) == true else { return false }
        tell = then
        return true
    }
}
