import PlayerInterface

/// What the machine and the television do that stops what plays: sources of interruptions.
extension Appliance {
    /// The television shows another input, or none; or this box again. Play goes on by itself where it was this that had stopped it.
    package func televisionChanged(showsBox: Bool) { hold(.otherInput, !showsBox) }

    /// The machine has become too hot, or has cooled down.
    package func heatChanged(isTooHot: Bool) { hold(.heat, isTooHot) }

    private func hold(_ reason: HoldReason, _ holds: Bool) {
        guard interruption.reasons.contains(reason) != holds else { return }
        if holds { interruptionBegan(reason) } else { interruptionEnded(reason, shouldResume: true) }
    }
}
