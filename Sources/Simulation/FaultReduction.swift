/// Finds the few faults without which a failure does not happen: delta debugging (A. Zeller, R. Hildebrandt, "Simplifying and isolating
/// failure-inducing input", 2002), with a limit to the tries.
package struct FaultReduction {
    /// The most tries.
    package var mostTries = 60

    package init() {}

    /// Removes faults as long as the failure still happens.
    ///
    /// - Parameter fails: whether the failure happens with these faults. It happens with all of them.
    /// - Returns: in their order, those that are left. Without any one of them the failure does not happen, unless the tries ran out.
    package func reduce(_ faults: [Fault], fails: ([Fault]) throws -> Bool) rethrows -> [Fault] {
        var left = faults
        var tries = 0
        var pieces = 2
        while left.count > 1, pieces <= left.count {
            var isReduced = false
            for piece in 0..<pieces {
                guard tries < mostTries else { return left }
                tries += 1
                let cut = left.count * piece / pieces..<left.count * (piece + 1) / pieces
                let rest = Array(left[..<cut.lowerBound] + left[cut.upperBound...])
                guard try fails(rest) else { continue }
                left = rest
                pieces = max(pieces - 1, 2)
                isReduced = true
                break
            }
            if isReduced { continue }
            if pieces == left.count { break }
            pieces = min(pieces * 2, left.count)
        }
        if left.count == 1, tries < mostTries, try fails([]) { return [] }
        return left
    }
}
