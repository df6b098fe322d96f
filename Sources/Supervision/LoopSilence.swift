/// Decides whether a main loop has stopped coming round. A value that the guard asks once a round.
///
/// It counts the guard's rounds and not time: while the whole process is stopped (SIGSTOP, a suspended machine), no round passes.
package struct LoopSilence: Sendable, Hashable {
    private let mostRounds: Int
    private var last: UInt64?
    private var silentRounds = 0

    /// - Parameter mostRounds: after so many rounds without a beat the loop counts as stopped.
    package init(mostRounds: Int) { self.mostRounds = mostRounds }

    /// A round has passed.
    ///
    /// - Parameter beats: how many beats the loop has given so far; nil while it is not watched.
    /// - Returns: whether the loop has stopped.
    package mutating func round(beats: UInt64?) -> Bool {
        silentRounds = beats != nil && beats == last ? silentRounds + 1 : 0
        last = beats
        return silentRounds >= mostRounds
    }
}
